package astedit

import (
	"fmt"
	"path"
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
func (r *Result) Text() string { return r.text((*FileEdit).changeLines) }

// HashText is Text for a host whose edit tool addresses lines by hash.
func (r *Result) HashText() string { return r.text((*FileEdit).hashLines) }

// text prints the result with the change lines that linesOf gives a file.
func (r *Result) text(linesOf func(*FileEdit) []string) string {
	if len(r.Files) == 0 {
		if block := r.issueBlock(); block != "" {
			return textNoReplacements + "\n" + block
		}
		return textNoReplacements
	}
	var lines []string
	if r.SingleFile {
		for _, f := range r.Files {
			lines = append(lines, linesOf(f)...)
		}
	} else {
		lines = r.groupedLines(linesOf)
	}
	parts := []string{strings.Join(lines, "\n")}
	switch skipped := r.Skipped(); {
	case skipped == 1:
		parts = append(parts, textSkippedOne)
	case skipped > 1:
		parts = append(parts, fmt.Sprintf(textSkippedMany, skipped))
	}
	if r.LimitReached {
		parts = append(parts, textLimitReached)
	}
	if block := r.issueBlock(); block != "" {
		parts = append(parts, block)
	}
	return strings.Join(parts, "\n\n")
}

// groupedLines lists the changes by directory, in order of first appearance.
func (r *Result) groupedLines(linesOf func(*FileEdit) []string) []string {
	var dirs []string
	byDir := map[string][]*FileEdit{}
	for _, f := range r.Files {
		dir := path.Dir(f.Display)
		if byDir[dir] == nil {
			dirs = append(dirs, dir)
		}
		byDir[dir] = append(byDir[dir], f)
	}
	var lines []string
	header := func(s string) {
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, s)
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
				lines = append(lines, "## └─ "+title)
			}
			lines = append(lines, linesOf(f)...)
		}
	}
	return lines
}

// changeLines lists each change as two lines, the start lines padded to the
// widest of the file.
func (f *FileEdit) changeLines() []string {
	width := 0
	for _, c := range f.Changes {
		width = max(width, len(fmt.Sprint(c.StartLine)))
	}
	lines := make([]string, 0, 2*len(f.Changes))
	for _, c := range f.Changes {
		at := fmt.Sprintf("%*d:%d", width, c.StartLine, c.StartColumn)
		lines = append(lines, "-"+at+" "+previewLine(c.Before), "+"+at+" "+previewLine(c.After))
	}
	return lines
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
