package astedit

import "fmt"

// maxListedIssues is how many parse issues are listed: a scope with more is the
// wrong scope, and the total says so.
const maxListedIssues = 20

// Details is the result as data (ast_edit.md 11.1).
type Details struct {
	TotalReplacements int         `json:"totalReplacements"`
	FilesTouched      int         `json:"filesTouched"`
	FilesSearched     int         `json:"filesSearched"`
	Applied           bool        `json:"applied"`
	LimitReached      bool        `json:"limitReached"`
	ParseErrors       []string    `json:"parseErrors,omitzero"`
	ParseErrorsTotal  int         `json:"parseErrorsTotal,omitzero"`
	ScopePath         string      `json:"scopePath"`
	Files             []string    `json:"files"`
	Skipped           int         `json:"skipped,omitzero"`
	FileReplacements  []FileCount `json:"fileReplacements"`
	Warnings          []string    `json:"warnings,omitzero"`
	SearchPath        string      `json:"searchPath,omitzero"`
	CWD               string      `json:"cwd,omitzero"`
}

// FileCount is how many replacements a file has, by display path.
type FileCount struct {
	Path  string `json:"path"`
	Count int    `json:"count"`
}

// Details returns the result as data; applied says whether it has been written.
func (r *Result) Details(applied bool) Details {
	d := Details{
		TotalReplacements: r.TotalReplacements(), FilesTouched: len(r.Files), FilesSearched: r.FilesSearched,
		Applied: applied, LimitReached: r.LimitReached, ScopePath: r.ScopePath,
		Files: []string{}, Skipped: r.Skipped(), FileReplacements: []FileCount{},
		Warnings: r.Warnings, SearchPath: r.SearchPath, CWD: r.CWD,
	}
	for _, issue := range r.Issues[:min(len(r.Issues), maxListedIssues)] {
		d.ParseErrors = append(d.ParseErrors, issue.Text)
	}
	d.ParseErrorsTotal = len(r.Issues)
	for _, f := range r.Files {
		d.Files = append(d.Files, f.Display)
		d.FileReplacements = append(d.FileReplacements, FileCount{f.Display, len(f.Changes)})
	}
	return d
}

// Label is the short name of the edit as a pending action.
func (r *Result) Label() string {
	return ToolLabel + ": " + Count(r.TotalReplacements(), "replacement") + " in " + Count(len(r.Files), "file")
}

// AppliedText is what is said when the edit has been written.
func (r *Result) AppliedText() string {
	return "Applied " + Count(r.TotalReplacements(), "replacement") + " in " + Count(len(r.Files), "file") + "."
}

// Count says how many there are of a noun: "1 file", "2 files".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
