package lsptest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/protocol"
)

// versioned is an edit of documents with versions; a version below 0 is null.
type versioned struct {
	uri     string
	version int
	edits   []protocol.TextEdit
}

func documentChanges(t *testing.T, refactoring bool, docs ...versioned) string {
	t.Helper()
	var changes []object
	for _, d := range docs {
		version := any(d.version)
		if d.version < 0 {
			version = nil
		}
		changes = append(changes, object{"textDocument": object{"uri": d.uri, "version": version}, "edits": d.edits})
	}
	raw, err := marshal(object{"edit": object{"documentChanges": changes}, "metadata": object{"isRefactoring": refactoring}})
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// runEdit lets the server apply params from within a command, and returns what
// the editor answered.
func runEdit(e *Editor, s *scripted, params string) string {
	e.t.Helper()
	s.command = func(ctx context.Context, _ json.RawMessage) (any, error) { return s.applyEdit(ctx, params), nil }
	raw, err := e.Command(context.Background(), "go", nil)
	if err != nil {
		e.t.Fatal(err)
	}
	var answer string
	e.decode("test", raw, &answer)
	return answer
}

func write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// change is one content change as the scripted server logs it.
func change(line, from, to int, text string) string {
	return fmt.Sprintf(`{"range":{"end":{"character":%d,"line":%d},"start":{"character":%d,"line":%d}},"text":%q}`, to, line, from, line, text)
}

func TestChangePositions(t *testing.T) {
	for encoding, changes := range map[string][]string{
		"utf-16": {change(1, 6, 7, "Y"), change(1, 4, 5, ""), change(0, 0, 1, "X")},
		"utf-8":  {change(1, 8, 9, "Y"), change(1, 6, 7, ""), change(0, 0, 1, "X")},
	} {
		want := "didChange 2 [" + strings.Join(changes, ",") + "]"
		t.Run(encoding, func(t *testing.T) {
			e, s := start(t, Plain().UTF8())
			s.encoding = encoding
			e.Initialize(nil)
			uri := e.Open("untitled:a", "a\r\n😀  b c\n")
			e.Change(uri, e.Edit(uri, "a", "X"), e.Edit(uri, "b", ""), e.Edit(uri, "c", "Y"))
			if got := e.Text(uri); got != "X\r\n😀   Y\n" || e.Version(uri) != 2 || !e.Dirty(uri) {
				t.Errorf("got %q, version %d", got, e.Version(uri))
			}
			e.Shutdown()
			if got := s.lines(); !slices.Contains(got, want) {
				t.Errorf("sent %s\nwant %s", strings.Join(got, "\n"), want)
			}
		})
	}
}

func TestDocumentLife(t *testing.T) {
	path := write(t, "a.ts", "\uFEFFold \n")
	m := Plain()
	m.FormatOnSave = trimLines
	e, s := start(t, m)
	e.Initialize(nil, filepath.Dir(path))
	uri := e.OpenFile(path)
	if e.Dirty(uri) || e.Text(uri) != "old \n" {
		t.Errorf("opened as %q", e.Text(uri))
	}
	e.ChangeFull(uri, "new \r\n")
	e.Save(uri)
	if content, _ := os.ReadFile(path); string(content) != "\uFEFFnew\r\n" || e.Dirty(uri) {
		t.Errorf("saved %q", content)
	}
	e.CloseDocument(uri)
	if e.IsOpen(uri) {
		t.Error("still open")
	}
	e.Shutdown()
	want := []string{"initialize", "initialized", "didOpen 1 old \n", `didChange 2 [{"text":"new \r\n"}]`, `didChange 3 [{"text":"new\r\n"}]`,
		"textDocument/didSave", "textDocument/didClose", "shutdown"}
	if got := s.lines(); !slices.Equal(got[:len(want)], want) {
		t.Errorf("sent %q\nwant %q", got, want)
	}
}

func TestCapabilities(t *testing.T) {
	m := NeovimLike()
	m.Input, m.Agent, m.Forms = true, "bot", true
	m.Capabilities = object{"window": nil, "workspace": object{"applyEdit": "yes"}}
	e, s := start(t, m)
	e.Initialize(object{"trusted": true}, "/w")
	var got struct {
		RootURI               string
		InitializationOptions object
		ClientInfo            struct{ Name string }
		Capabilities          struct {
			Window       object
			General      object
			Experimental json.RawMessage
			Workspace    struct {
				ApplyEdit     string
				Configuration bool
				WorkspaceEdit object
			}
		}
	}
	e.decode("initialize", s.init, &got)
	c := got.Capabilities
	if got.RootURI != "file:///w" || got.ClientInfo.Name != "Neovim" || got.InitializationOptions["trusted"] != true {
		t.Errorf("got %+v", got)
	}
	if c.Window != nil || c.General != nil || c.Workspace.ApplyEdit != "yes" || !c.Workspace.Configuration || c.Workspace.WorkspaceEdit["documentChanges"] != false {
		t.Errorf("got %+v", c)
	}
	var experimental object
	e.decode("initialize", c.Experimental, &experimental)
	want := object{"xcsh": object{"input": true, "agent": object{"name": "bot"}}, "interactiveResolve": object{"inputTypes": []any{"string"}}}
	if !reflect.DeepEqual(experimental, want) {
		t.Errorf("experimental is %v", experimental)
	}
}

// An edit of an open and of an unopened document, up to date, in every manner.
func TestApplyEdit(t *testing.T) {
	refusing := `{"applied":false,"failureReason":"no"}`
	written := Plain()
	written.WritesUnopened = true
	tests := []struct {
		name           string
		manners        Manners
		answer         string
		first, second  string // texts afterwards; of the unopened one on disk or in the editor
		opened         bool
		changeAnswered bool // didChange comes after the answer
	}{
		{"plain", Plain(), `{"applied":true}`, "A😀X", "B😀X", true, false},
		{"early", EarlyChange(), `{"applied":true}`, "A😀X", "B😀X", true, false},
		{"debounced", DebouncedChange(20 * time.Millisecond), `{"applied":true}`, "A😀X", "B😀X", true, true},
		{"neovim", NeovimLike(), `{"applied":true}`, "A😀X", "B😀X", true, true},
		{"vscode", VSCodeLike(), `{"applied":true}`, "A😀X", "B😀X", true, false},
		{"disk", written, `{"applied":true}`, "A😀X", "B😀X", false, false},
		{"partial", Partial(), `{"applied":true}`, "A😀X", "b😀b", false, false},
		{"refusing", Refusing("no"), refusing, "a😀a", "b😀b", false, false},
		{"refusing without reason", Refusing(""), `{"applied":false}`, "a😀a", "b😀b", false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := write(t, "b.ts", "b😀b")
			tt.manners.SavesRefactorings = false
			e, s := start(t, tt.manners)
			e.Initialize(nil)
			uri, other := e.Open("/nowhere/a.ts", "a😀a"), URI(path)
			edits := func(upper string) []protocol.TextEdit {
				return []protocol.TextEdit{
					{Range: protocol.Range{Start: protocol.Position{Character: 3}, End: protocol.Position{Character: 4}}, NewText: "X"},
					{Range: protocol.Range{End: protocol.Position{Character: 1}}, NewText: upper},
				}
			}
			params := documentChanges(t, true, versioned{uri, int(e.Version(uri)), edits("A")}, versioned{other, -1, edits("B")})
			if got := runEdit(e, s, params); got != tt.answer {
				t.Errorf("answered %s, want %s", got, tt.answer)
			}
			if got := e.Text(uri); got != tt.first {
				t.Errorf("the open document is %q, want %q", got, tt.first)
			}
			if e.IsOpen(other) != tt.opened {
				t.Errorf("the other document is open: %v", e.IsOpen(other))
			}
			if tt.opened && e.Text(other) != tt.second {
				t.Errorf("the other document is %q, want %q", e.Text(other), tt.second)
			}
			if content, _ := os.ReadFile(path); !tt.opened && string(content) != tt.second {
				t.Errorf("the file is %q, want %q", content, tt.second)
			}
			if tt.first == "a😀a" {
				return
			}
			sent := fmt.Sprintf(`didChange %d [%s,%s]`, e.Version(uri), change(0, 3, 4, "X"), change(0, 0, 1, "A"))
			lines := s.await(sent)
			if after := indexOf(lines, sent) > indexOf(lines, "answered"); after != tt.changeAnswered {
				t.Errorf("didChange after the answer: %v, want %v: %q", after, tt.changeAnswered, lines)
			}
		})
	}
}

func indexOf(lines []string, prefix string) int {
	return slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, prefix) })
}

func TestStaleEdit(t *testing.T) {
	ignoring := Plain()
	ignoring.Stale = StaleApplied
	tests := []struct {
		name           string
		manners        Manners
		answer         string
		first, stale   string
		staleGoesFirst bool
	}{
		{"vscode", VSCodeLike(), `{"applied":false,"failureReason":"untitled:b has changed in the meantime"}`, "a", "bb", false},
		{"neovim checks the first only", NeovimLike(), `{"applied":true}`, "X", "Xb", false},
		{"neovim skips", NeovimLike(), `{"applied":true}`, "X", "bb", true},
		{"eglot", Erroring(), `error: edits on untitled:b require version 1`, "X", "bb", false},
		{"ignoring", ignoring, `{"applied":true}`, "X", "Xb", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, s := start(t, tt.manners)
			e.Initialize(nil)
			a, b := e.Open("untitled:a", "a"), e.Open("untitled:b", "b")
			for range 2 {
				e.ChangeFull(b, "bb")
			}
			edit := []protocol.TextEdit{{Range: protocol.Range{End: protocol.Position{Character: 1}}, NewText: "X"}}
			docs := []versioned{{a, int(e.Version(a)), edit}, {b, 1, edit}}
			if tt.staleGoesFirst {
				slices.Reverse(docs)
			}
			if got := runEdit(e, s, documentChanges(t, false, docs...)); got != tt.answer {
				t.Errorf("answered %s, want %s", got, tt.answer)
			}
			if e.Text(a) != tt.first || e.Text(b) != tt.stale {
				t.Errorf("texts are %q and %q, want %q and %q", e.Text(a), e.Text(b), tt.first, tt.stale)
			}
		})
	}
}

func TestApplyPlainChangesAndSave(t *testing.T) {
	path := write(t, "a.ts", "a  \nb\n")
	e, s := start(t, FormatOnSave())
	e.Initialize(nil)
	uri := e.OpenFile(path)
	params := fmt.Sprintf(`{"edit":{"changes":{%q:[{"range":{"start":{"line":1,"character":0},"end":{"line":1,"character":1}},"newText":"B"}]}},"metadata":{"isRefactoring":true}}`, uri)
	if got := runEdit(e, s, params); got != `{"applied":true}` {
		t.Errorf("answered %s", got)
	}
	if content, _ := os.ReadFile(path); string(content) != "a\nB\n" || e.Dirty(uri) || e.Version(uri) != 3 {
		t.Errorf("saved %q, version %d", content, e.Version(uri))
	}
	e.ChangeFull(uri, "b") // not saved: the next edit does not save it
	params = strings.ReplaceAll(params, `"line":1`, `"line":0`)
	if got := runEdit(e, s, params); got != `{"applied":true}` || e.Text(uri) != "B" || !e.Dirty(uri) {
		t.Errorf("answered %s, text %q, dirty %v", got, e.Text(uri), e.Dirty(uri))
	}
}

func TestRefusedOperations(t *testing.T) {
	e, s := start(t, Plain())
	e.Initialize(nil)
	for params, reason := range map[string]string{
		`{"edit":{"documentChanges":[{"kind":"create","uri":"file:///x"}]}}`:                                                                "operations on files are not supported: create",
		`{"edit":{"documentChanges":[{"textDocument":{"uri":"file:///nowhere/x","version":null},"edits":[]}]}}`:                             "no such file",
		`{"edit":{"documentChanges":[{"textDocument":{"uri":"file:///nowhere/x","version":4},"edits":[]}]}}`:                                "changed in the meantime",
		`{"edit":{"changes":{"untitled:none":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"newText":""}]}}}`: "no such file",
	} {
		if got := runEdit(e, s, params); !strings.Contains(got, `"applied":false`) || !strings.Contains(got, reason) {
			t.Errorf("answered %s, want %q", got, reason)
		}
	}
}

func TestSilent(t *testing.T) {
	e, s := start(t, Silent())
	e.Initialize(nil)
	s.command = func(ctx context.Context, _ json.RawMessage) (any, error) {
		ctx, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
		defer cancel()
		return s.applyEdit(ctx, `{"edit":{}}`), nil
	}
	raw, err := e.Command(context.Background(), "go", nil)
	if err != nil || string(raw) != `"error: context deadline exceeded"` {
		t.Errorf("got %s, %v", raw, err)
	}
	if len(e.Requests("workspace/applyEdit")) != 1 {
		t.Error("the request is not on record")
	}
}
