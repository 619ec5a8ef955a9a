package lsp_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
)

func (f *fixture) didChange(uri string, version int, changes string) {
	f.Notify("textDocument/didChange", json.RawMessage(fmt.Sprintf(`{"textDocument":{"uri":%q,"version":%d},"contentChanges":%s}`, uri, version, changes)))
}

// serverText is the text that the server has for a document that a dry run of
// foo($A) changes.
func (f *fixture) serverText(uri string) string {
	f.t.Helper()
	var preview struct {
		Documents []struct{ Before, After string }
	}
	f.runInto("xcsh.pending.preview", map[string]any{"uri": uri}, &preview)
	return preview.Documents[0].Before
}

// Positions outside the text mean its near end, and versions are only noted.
func TestDidChange_OddPositionsAndVersions(t *testing.T) {
	for _, c := range []struct{ name, changes, want string }{
		{"column past the end", `[{"range":{"start":{"line":0,"character":900},"end":{"line":0,"character":999}},"text":" //"}]`, "foo(1); //\nx\n"},
		{"line past the end", `[{"range":{"start":{"line":70,"character":0},"end":{"line":90,"character":0}},"text":"y"}]`, "foo(1);\nx\ny"},
		{"the whole by a range", `[{"range":{"start":{"line":0,"character":0},"end":{"line":4294967295,"character":0}},"text":"foo(2)"}]`, "foo(2)"},
		{"range backwards", `[{"range":{"start":{"line":1,"character":0},"end":{"line":0,"character":0}},"text":"y"}]`, "foo(1);\nyx\n"},
		{"a line that an earlier change made", `[{"range":{"start":{"line":2,"character":0},"end":{"line":2,"character":0}},"text":"a\nb\nc\n"},{"range":{"start":{"line":4,"character":0},"end":{"line":4,"character":1}},"text":"C"}]`, "foo(1);\nx\na\nb\nC\n"},
		{"whole, then a range", `[{"text":"foo(3);\n"},{"range":{"start":{"line":0,"character":4},"end":{"line":0,"character":5}},"text":"4"}]`, "foo(4);\n"},
		{"a range, then whole", `[{"range":{"start":{"line":0,"character":4},"end":{"line":0,"character":5}},"text":"4"},{"text":"foo(3);\n"}]`, "foo(3);\n"},
		{"no change", `[]`, "foo(1);\nx\n"},
		{"rangeLength is ignored", `[{"range":{"start":{"line":0,"character":4},"end":{"line":0,"character":5}},"rangeLength":77,"text":"4"}]`, "foo(4);\nx\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, version := range []int{2, 1, 0, -5, 999} {
				f := start(t, lsptest.Plain(), nil)
				uri := f.Open(f.path("a.ts"), "foo(1);\nx\n")
				f.didChange(uri, version, c.changes)
				f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
				if got := f.serverText(uri); got != c.want {
					t.Errorf("version %d: the server has %q, want %q", version, got, c.want)
				}
			}
		})
	}
}

// A change that cannot be read is known to be missing: nothing is applied to a text
// that the server only believes to be the editor's, until it is the editor's again.
func TestDidChange_LostDocument(t *testing.T) {
	for name, changes := range map[string]string{
		"negative line":  `[{"range":{"start":{"line":-1,"character":0},"end":{"line":0,"character":0}},"text":"y"}]`,
		"no text":        `[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}}}]`,
		"empty change":   `[{}]`,
		"text is null":   `[{"text":null}]`,
		"text is number": `[{"text":1}]`,
		"not a list":     `{}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := startQuad(t, lsptest.Plain(), shortDeadlines)
			q.didChange(q.a, 2, changes)
			wantFailure(t, q.fails("xcsh.resolve", q.applyArgument()), "Apply failed: the text of a.ts is not known for certain; close and open it again.")
			q.checkUntouched()
			q.didChange(q.a, 3, changes) // told once
			q.Change(q.a, q.Edit(q.a, "foo(1)", "foo(11)"))
			wantFailure(t, q.fails("xcsh.resolve", q.applyArgument()), "Apply failed: the text of a.ts is not known for certain; close and open it again.")
			told := 0
			for _, m := range q.Messages() {
				if m.Type == protocol.MessageTypeWarning && m.Text == "xcsh has lost track of the text of "+q.a+". Close it and open it again." {
					told++
				}
			}
			if told != 1 {
				t.Errorf("told %d times", told)
			}
			q.ChangeFull(q.a, quadA)
			q.checkRetry()
		})
	}
}

func TestDidOpen_Twice(t *testing.T) {
	f := start(t, lsptest.Plain(), nil)
	uri := f.Open(f.path("a.ts"), "foo(1);\n")
	f.Notify("textDocument/didOpen", json.RawMessage(`{"textDocument":{"uri":"`+uri+`","languageId":"typescript","version":9,"text":"foo(2);\n"}}`))
	if got := f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)")).text(); !strings.Contains(got, "-1:1 foo(2)") {
		t.Errorf("preview %q", got)
	}
}
