package match

import (
	"bytes"
	"strings"

	"github.com/xcsh-lsp/xcsh-lsp/astedit/internal/syntax"
)

// Replacement is a compiled template. It is immutable and belongs to no language.
type Replacement struct {
	parts []part
}

// part is literal text followed by a variable; the last part has none.
type part struct {
	text   string
	slot   string // slotName of the variable; empty for none
	indent string // indentation of the template line that holds the variable
}

// CompileTemplate compiles out. Every text is a template: what is no
// metavariable stays as it is.
func CompileTemplate(out string) *Replacement {
	r := &Replacement{}
	textStart := 0
	for i := 0; i < len(out); {
		if out[i] != '$' {
			i++
			continue
		}
		slot, length := templateVariable(out[i:])
		if length == 0 {
			i++
			continue
		}
		r.parts = append(r.parts, part{text: out[textStart:i], slot: slot, indent: indentAt(out[:i], "\n")})
		i += length
		textStart = i
	}
	r.parts = append(r.parts, part{text: out[textStart:]})
	return r
}

// templateVariable reads a variable at the start of s: one to three `$` and a
// name. Length is 0 where there is none.
func templateVariable(s string) (slot string, length int) {
	sigils := 0
	for sigils < 3 && sigils < len(s) && s[sigils] == '$' {
		sigils++
	}
	end := sigils
	for end < len(s) && continuesName(s[end]) {
		end++
	}
	if end == sigils || !startsName(s[sigils]) {
		return "", 0
	}
	return slotName(s[sigils:end], sigils == 3), end
}

// Fill returns the text that replaces match m of p in tree. New line breaks are
// written as eol, the file's line ending.
func (r *Replacement) Fill(p *Pattern, tree *syntax.Tree, m Match, eol string) string {
	var b strings.Builder
	lineBreak := lineBreak(eol)
	for _, part := range r.parts {
		b.WriteString(withLineEnding(part.text, eol))
		if part.slot != "" {
			b.WriteString(boundText(p, tree, m, part, lineBreak))
		}
	}
	filled := b.String()
	if !strings.Contains(filled, lineBreak) {
		return filled
	}
	start := tree.Nodes[m.Node].Start
	return indentFollowing(filled, sourceIndent(tree.Source, start, lineBreak), lineBreak)
}

// boundText is the text of part's variable with its lines moved from their
// indentation in the source to that in the template; empty where nothing is bound.
func boundText(p *Pattern, tree *syntax.Tree, m Match, part part, lineBreak string) string {
	for slot, name := range p.names {
		if name != part.slot {
			continue
		}
		b := m.Bindings[slot]
		if !b.bound || b.count == 0 {
			return ""
		}
		start, end := tree.Nodes[b.first].Start, tree.Nodes[b.last].End
		text := tree.Source[start:end]
		if !bytes.Contains(text, []byte(lineBreak)) {
			return string(text)
		}
		return moveFollowing(string(text), sourceIndent(tree.Source, start, lineBreak), part.indent, lineBreak)
	}
	return ""
}

func withLineEnding(text, eol string) string {
	if !strings.Contains(text, "\n") {
		return text
	}
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if eol == "\n" {
		return text
	}
	return strings.ReplaceAll(text, "\n", eol)
}
