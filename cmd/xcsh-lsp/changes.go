package main

import (
	"bytes"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// change is one change as --json prints it. Lines and columns count from 1,
// columns in Unicode code points; bytes count from 0, the end is exclusive.
type change struct {
	Path        string `json:"path"`
	StartLine   int    `json:"startLine"`
	StartColumn int    `json:"startColumn"`
	EndLine     int    `json:"endLine"`
	EndColumn   int    `json:"endColumn"`
	StartByte   int    `json:"startByte"`
	EndByte     int    `json:"endByte"`
	Before      string `json:"before"`
	After       string `json:"after"`
}

// previewDetails and appliedDetails are a tool result's details with every change.
type previewDetails struct {
	astedit.Details
	Changes []change `json:"changes"`
}

type appliedDetails struct {
	resolve.Details
	Changes []change `json:"changes"`
}

func changesOf(result *astedit.Result) []change {
	changes := []change{}
	for _, f := range result.Files {
		for _, c := range f.Changes {
			changes = append(changes, change{
				Path: f.Display, StartLine: c.StartLine, StartColumn: c.StartColumn, EndLine: c.EndLine, EndColumn: c.EndColumn,
				StartByte: c.Span.Start, EndByte: c.Span.End, Before: c.Before, After: c.After,
			})
		}
	}
	return changes
}

// readable returns JSON with <, > and & as they are in code: encoding/json
// escapes them for HTML, in values that marshal themselves in any case.
func readable(data []byte) []byte {
	out := make([]byte, 0, len(data))
	for {
		at := bytes.IndexByte(data, '\\')
		if at < 0 {
			return append(out, data...)
		}
		out, data = append(out, data[:at]...), data[at:]
		text, length := data[:2], 2 // both characters: the second of two backslashes begins no escape
		switch {
		case bytes.HasPrefix(data, []byte(`\u003c`)):
			text, length = []byte("<"), 6
		case bytes.HasPrefix(data, []byte(`\u003e`)):
			text, length = []byte(">"), 6
		case bytes.HasPrefix(data, []byte(`\u0026`)):
			text, length = []byte("&"), 6
		}
		out, data = append(out, text...), data[length:]
	}
}
