package astedit

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
)

// Texts of a result (ast_edit.md 11.2, 11.3).
const (
	textNoReplacements = "No replacements made"
	textLimitReached   = "Limit reached; narrow path or increase limit."
	textSkippedOne     = "1 overlapping match skipped; apply, then run again to reach it."
	textSkippedMany    = "%d overlapping matches skipped; apply, then run again to reach them."
)

// maxPreviewLine is where a line of the preview is cut, in UTF-16 units.
const maxPreviewLine = 120

// Text returns the preview as text, for a person or a model.
func (r *Result) Text() string { return r.text((*FileEdit).printChanges) }

// HashText is Text for a host whose edit tool addresses lines by hash.
func (r *Result) HashText() string { return r.text((*FileEdit).printHashes) }

// printer adds up a text in pieces: with many changes one that grows would be copied
// many times over.
type printer struct {
	pieces []string
	piece  strings.Builder
}

// pieceSize is where a piece ends: many lines of a preview, and little to copy.
const pieceSize = 64 << 10

func (p *printer) print(parts ...string) {
	for _, s := range parts {
		p.piece.WriteString(s)
	}
	if p.piece.Len() >= pieceSize {
		p.pieces = append(p.pieces, p.piece.String())
		p.piece.Reset()
		p.piece.Grow(2 * pieceSize)
	}
}

func (p *printer) empty() bool { return len(p.pieces) == 0 && p.piece.Len() == 0 }

func (p *printer) String() string {
	if len(p.pieces) == 0 {
		return p.piece.String()
	}
	return strings.Join(append(p.pieces, p.piece.String()), "")
}

// text prints the result with the change lines that changesOf gives a file.
func (r *Result) text(changesOf func(*FileEdit, *printer)) string {
	if len(r.Files) == 0 {
		if block := r.issueBlock(); block != "" {
			return textNoReplacements + "\n" + block
		}
		return textNoReplacements
	}
	var p printer
	r.print(&p, changesOf)
	return p.String()
}

func (r *Result) print(p *printer, changesOf func(*FileEdit, *printer)) {
	if r.SingleFile {
		for i, f := range r.Files {
			if i > 0 {
				p.print("\n")
			}
			changesOf(f, p)
		}
	} else {
		r.printByFolder(p, changesOf)
	}
	for _, note := range r.Notes(r.Skipped()) {
		p.print("\n\n", note)
	}
}

// Notes are what a text says below the changes: of so many matches that were skipped,
// of the limit, and of parse issues.
func (r *Result) Notes(skipped int) []string {
	var notes []string
	switch {
	case skipped == 1:
		notes = append(notes, textSkippedOne)
	case skipped > 1:
		notes = append(notes, fmt.Sprintf(textSkippedMany, skipped))
	}
	if r.LimitReached {
		notes = append(notes, textLimitReached)
	}
	if block := r.issueBlock(); block != "" {
		notes = append(notes, block)
	}
	return notes
}

// printByFolder lists the changes by directory, in order of first appearance.
func (r *Result) printByFolder(p *printer, changesOf func(*FileEdit, *printer)) {
	var dirs []string
	byDir := map[string][]*FileEdit{}
	for _, f := range r.Files {
		dir := path.Dir(f.Display)
		if byDir[dir] == nil {
			dirs = append(dirs, dir)
		}
		byDir[dir] = append(byDir[dir], f)
	}
	header := func(s string) {
		if !p.empty() {
			p.print("\n\n")
		}
		p.print(s)
	}
	for _, dir := range dirs {
		if dir != "." {
			header("# " + dir)
		}
		for _, f := range byDir[dir] {
			title := fmt.Sprintf("%s (%s)", path.Base(f.Display), Count(len(f.Changes), "replacement"))
			if dir == "." {
				header("# " + title)
			} else {
				p.print("\n## └─ ", title)
			}
			p.print("\n")
			changesOf(f, p)
		}
	}
}

// Text returns the file's changes as text: a line with its path and their count, and
// two lines for each.
func (f *FileEdit) Text() string {
	var p printer
	p.print("# ", f.Display, " (", Count(len(f.Changes), "replacement"), ")\n")
	f.printChanges(&p)
	p.print("\n")
	return p.String()
}

// printChanges lists each change as two lines, the start lines padded to the
// widest of the file.
func (f *FileEdit) printChanges(p *printer) {
	width := 0
	for _, c := range f.Changes {
		width = max(width, digits(c.StartLine))
	}
	var position [2 * 20]byte // two numbers of 64 bits
	for i, c := range f.Changes {
		if i > 0 {
			p.print("\n")
		}
		at := position[:0]
		for range width - digits(c.StartLine) {
			at = append(at, ' ')
		}
		at = strconv.AppendInt(at, int64(c.StartLine), 10)
		at = append(at, ':')
		at = strconv.AppendInt(at, int64(c.StartColumn), 10)
		p.printLine("-", at, c.Before)
		p.print("\n")
		p.printLine("+", at, c.After)
	}
}

func digits(n int) int {
	count := 1
	for ; n >= 10; n /= 10 {
		count++
	}
	return count
}

// printLine prints one of a change's two lines. Not through fmt: an edit can have
// hundreds of thousands.
func (p *printer) printLine(sign string, at []byte, text string) {
	p.piece.WriteString(sign)
	p.piece.Write(at)
	p.print(" ", previewLine(text))
}

func previewLine(s string) string { return text.TruncateUTF16(text.FirstLine(s), maxPreviewLine) }

func (r *Result) issueBlock() string {
	if len(r.Issues) == 0 {
		return ""
	}
	title := "Parse issues:"
	if len(r.Issues) > maxListedIssues {
		title = fmt.Sprintf("Parse issues (%d / %d):", maxListedIssues, len(r.Issues))
	}
	lines := []string{title}
	for _, issue := range r.Issues[:min(len(r.Issues), maxListedIssues)] {
		lines = append(lines, "- "+issue.Text)
	}
	return strings.Join(lines, "\n")
}
