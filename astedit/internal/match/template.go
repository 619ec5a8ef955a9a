package match

import (
	"bytes"
	"slices"
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

// Unbound returns the variables, with their sigils, that p does not have: they
// vanish from every replacement.
func (r *Replacement) Unbound(p *Pattern) []string {
	var names []string
	for _, part := range r.parts {
		if part.slot != "" && !slices.Contains(p.names, part.slot) && !slices.Contains(names, part.slot) {
			names = append(names, part.slot)
		}
	}
	return names
}

// Fill returns the text that replaces match m of p in tree. New line breaks are
// written as eol, the file's line ending.
func (r *Replacement) Fill(p *Pattern, tree *syntax.Tree, m Match, eol string) string {
	f := filler{tree: tree, at: tree.Nodes[m.Node].Start, lineBreak: lineBreak(eol)}
	for _, part := range r.parts {
		f.template(withLineEnding(part.text, eol))
		if bound, ok := p.binding(m, part.slot); ok {
			f.bound(p.lang, bound, part.indent)
		}
	}
	return f.out.String()
}

// filler builds one replacement. Most have no line break and need no indentation,
// so that is looked up when the first one comes.
type filler struct {
	tree      *syntax.Tree
	at        uint32 // offset of the match
	lineBreak string
	out       strings.Builder

	indent string // of the line on which the match begins
	known  bool
}

func (f *filler) indentation() string {
	if !f.known {
		f.indent, f.known = sourceIndent(f.tree.Source, f.at, f.lineBreak), true
	}
	return f.indent
}

// template adds text of the template, indented with the replacement.
func (f *filler) template(text string) {
	if strings.Contains(text, f.lineBreak) {
		text = indentFollowing(text, f.indentation(), f.lineBreak)
	}
	f.out.WriteString(text)
}

// binding returns what the variable of slot took, where it took something.
func (p *Pattern) binding(m Match, slot string) (Binding, bool) {
	for i, name := range p.names {
		if name == slot {
			return m.Bindings[i], m.Bindings[i].bound && m.Bindings[i].count > 0
		}
	}
	return Binding{}, false
}

// bound adds the text of what a variable took. The lines after its first are moved
// from their indentation in the source to that in the template, and then indented
// with the replacement; those that begin inside a string or another leaf are
// content, and stay as they are.
func (f *filler) bound(lang *syntax.Language, bound Binding, inTemplate string) {
	start, end := f.tree.Nodes[bound.first].Start, f.tree.Nodes[bound.last].End
	text := f.tree.Source[start:end]
	if !bytes.Contains(text, []byte(f.lineBreak)) {
		f.out.Write(text)
		return
	}
	content := contentLines(lang, f.tree, bound)
	inSource := sourceIndent(f.tree.Source, start, f.lineBreak)
	for i, line := range strings.SplitAfter(string(text), f.lineBreak) {
		if i > 0 && !content[start] {
			f.out.WriteString(f.indentation())
			f.out.WriteString(moveLine(line, inSource, inTemplate))
		} else {
			f.out.WriteString(line)
		}
		start += uint32(len(line))
	}
}

// contentLines returns the offsets of the lines that begin inside a leaf of the
// bound nodes: its line breaks are content. Those of comments are layout, as the
// code around them is.
func contentLines(lang *syntax.Language, tree *syntax.Tree, bound Binding) map[uint32]bool {
	lines := map[uint32]bool{}
	for i := bound.first; i < tree.Nodes[bound.last].Next; i++ {
		n := &tree.Nodes[i]
		if n.Extra() {
			i = n.Next - 1 // with the text that a comment may hide
			continue
		}
		if !tree.IsLeaf(i) || lang.LaysOut(n.Symbol) {
			continue
		}
		for at := n.Start; at < n.End; at++ {
			if c := tree.Source[at]; c == '\n' || c == '\r' {
				lines[at+1] = true
			}
		}
	}
	return lines
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
