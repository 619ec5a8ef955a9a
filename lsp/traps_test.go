package lsp_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
)

// What users of such tools report, as far as no other test has it; docs/traps.md says
// where the others are.

// An editor whose human said no, and that answers applied: true all the same.
func TestTrap_SaysAppliedAndChangesNothing(t *testing.T) {
	t.Parallel()
	claiming := lsptest.NeovimLike()
	claiming.ChangesNothing = true
	q := startQuad(t, claiming, shortDeadlines)
	wantFailure(t, q.fails("xcsh.resolve", q.applyArgument()), "Apply failed: the client says that it made the edit, but these do not show it: a.ts, b.ts.")
	q.checkUntouched()
	q.checkRetry()
}

// An editor that looks at the version of the first document only makes the edits of
// the second in a newer text, at places that mean something else there.
func TestTrap_SecondDocumentsVersionIsNotChecked(t *testing.T) {
	t.Parallel()
	q := startQuad(t, slowly(skipping()), shortDeadlines)
	done := q.begin(t.Context(), "xcsh.resolve", q.applyArgument())
	q.WaitReceived(protocol.MethodWorkspaceApplyEdit, 1)
	q.Change(q.b, q.Edit(q.b, "foo(2)", "typed; foo(2)"))
	wantFailure(t, (<-done).failed, "Apply failed: the client says that it made the edit, but these do not show it: b.ts. In doubt: b.ts.")
	q.Wait("a.ts to be put back", func() bool { return q.Text(q.a) == quadA })
	q.checkDisk()
}

// The line ends of a replacement's own lines are the file's.
func TestTrap_LineEndsOfAReplacement(t *testing.T) {
	for name, end := range map[string]string{"LF": "\n", "CRLF": "\r\n"} {
		t.Run(name, func(t *testing.T) {
			content := "let x;" + end + "  foo(1);" + end + "last()" // no final newline
			want := "let x;" + end + "  bar(" + end + "    1" + end + "  );" + end + "last()"
			f := start(t, lsptest.VSCodeLike(), map[string]string{"open.ts": content, "closed.ts": content})
			uri := f.OpenFile(f.path("open.ts"))
			f.run("xcsh.ast_edit", edit("foo($A)", "bar(\n  $A\n)"))
			f.run("xcsh.resolve", applyNow())
			if f.Text(uri) != want || f.disk("closed.ts") != want {
				t.Errorf("the document is %q\nthe file %q\nwant %q", f.Text(uri), f.disk("closed.ts"), want)
			}
		})
	}
}

// What a string has over several lines stays as it is.
func TestTrap_StringsOverSeveralLines(t *testing.T) {
	const content = "if (x) {\n\tfoo(`one\n  two\n\t\tthree`);\n}\n"
	f := start(t, lsptest.Plain(), map[string]string{"a.ts": content})
	f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	f.run("xcsh.resolve", applyNow())
	if got, want := f.disk("a.ts"), strings.Replace(content, "foo", "bar", 1); got != want {
		t.Errorf("the file is %q, want %q", got, want)
	}
}

// Several changes on one line, behind what is two units to one and four bytes to
// another: none is made in a text that another has changed.
func TestTrap_SeveralOnOneLine(t *testing.T) {
	const content = "/* 😀😀 */ foo(1); '😀'; foo(22); e\u0301; foo(333)\n"
	for name, manners := range map[string]lsptest.Manners{"utf-16": lsptest.VSCodeLike(), "utf-8": lsptest.VSCodeLike().UTF8()} {
		t.Run(name, func(t *testing.T) {
			f := start(t, manners, map[string]string{"open.ts": content, "closed.ts": content})
			uri := f.OpenFile(f.path("open.ts"))
			f.run("xcsh.ast_edit", edit("foo($A)", "longer.name($A, $A)"))
			f.run("xcsh.resolve", applyNow())
			const want = "/* 😀😀 */ longer.name(1, 1); '😀'; longer.name(22, 22); e\u0301; longer.name(333, 333)\n"
			if f.Text(uri) != want || f.disk("closed.ts") != want {
				t.Errorf("document %q, file %q", f.Text(uri), f.disk("closed.ts"))
			}
		})
	}
}

// Encodings on offer that the server does not speak are passed over.
func TestTrap_EncodingsOnOffer(t *testing.T) {
	for _, c := range []struct {
		offered []string
		want    protocol.PositionEncodingKind
	}{
		{nil, "utf-16"}, {[]string{}, "utf-16"}, {[]string{"utf-16"}, "utf-16"}, {[]string{"utf-8"}, "utf-8"},
		{[]string{"utf-32", "utf-16"}, "utf-16"}, {[]string{"utf-32", "utf-8", "utf-16"}, "utf-8"},
		{[]string{"utf-16", "utf-8"}, "utf-8"}, {[]string{"utf-32"}, "utf-16"}, {[]string{"utf-7"}, "utf-16"},
	} {
		manners := lsptest.Plain()
		// The fake editor may not know what it offers: it only has to take the answer.
		manners.Encodings = []text.Encoding{text.UTF8, text.UTF16}
		if c.offered == nil {
			manners.Encodings = nil
		}
		manners.Capabilities = object{"general": object{"positionEncodings": c.offered}}
		f := connect(t, manners, nil, nil)
		if got := f.Initialize(nil, f.dir).Capabilities.PositionEncoding; got != c.want {
			t.Errorf("of %q: %q, want %q", c.offered, got, c.want)
		}
	}
}

// A reject takes nothing back that was accepted before it.
func TestTrap_DiscardKeepsWhatWasApplied(t *testing.T) {
	f := start(t, lsptest.VSCodeLike(), map[string]string{"a.ts": "foo(1); old(1);\n", "b.ts": "foo(2); old(2);\n"})
	uri := f.Open(f.path("a.ts"), "foo(1); old(1); // not saved\n")
	f.run("xcsh.ast_edit", edit("old($A)", "new1($A)"))
	f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	f.run("xcsh.resolve", applyNow())
	f.WaitDiagnostics(uri, func(d []protocol.Diagnostic) bool { return len(d) == 1 })
	f.run("xcsh.resolve", object{"action": "discard", "reason": "r"})
	if f.Text(uri) != "bar(1); old(1); // not saved\n" || f.disk("b.ts") != "bar(2); old(2);\n" {
		t.Errorf("document %q, file %q", f.Text(uri), f.disk("b.ts"))
	}
	if edits := f.Requests(protocol.MethodWorkspaceApplyEdit); len(edits) != 1 {
		t.Errorf("%d edits", len(edits))
	}
}

// What somebody types into a preview document changes neither preview nor file.
func TestTrap_PreviewDocumentsAreReadOnly(t *testing.T) {
	f := start(t, lsptest.VSCodeLike(), map[string]string{"a.ts": "foo(1);\n"})
	uri := f.OpenFile(f.path("a.ts"))
	f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	var preview struct{ Documents []struct{ PreviewURI string } }
	f.runInto("xcsh.pending.preview", object{"uri": uri}, &preview)
	shown := f.Open(preview.Documents[0].PreviewURI, "bar(1);\n")
	f.Change(shown, f.Edit(shown, "bar(1)", "evil(1); foo(2)"))
	f.wantFiles("a.ts") // a preview is no document to search
	f.run("xcsh.resolve", object{"action": "discard", "reason": "r"})
	if content, failed := f.Content(t.Context(), shown); failed != nil || content != "bar(1);\n" {
		t.Errorf("the preview is %q, %v", content, failed)
	}
	f.run("xcsh.resolve", applyNow())
	if got := f.Text(uri); got != "bar(1);\n" {
		t.Errorf("the document is %q", got)
	}
}

// Files that nobody has open are not opened for an edit, however many they are.
func TestTrap_OpensNoFiles(t *testing.T) {
	files := map[string]string{"open.ts": "foo(0);\n"}
	for i := range 300 {
		files[fmt.Sprintf("d/f%d.ts", i)] = "foo(1);\n"
	}
	f := start(t, lsptest.VSCodeLike(), files)
	uri := f.OpenFile(f.path("open.ts"))
	f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	f.run("xcsh.resolve", applyNow())
	var params struct {
		Edit struct {
			DocumentChanges []struct{ TextDocument struct{ URI string } }
		}
	}
	decodeInto(t, f.Requests(protocol.MethodWorkspaceApplyEdit)[0].Params, &params)
	if got := params.Edit.DocumentChanges; len(got) != 1 || got[0].TextDocument.URI != uri {
		t.Errorf("the editor was asked to change %+v", got)
	}
	for name := range files {
		if want := strings.Replace(files[name], "foo", "bar", 1); f.disk(name) != want {
			t.Errorf("%s is %q", name, f.disk(name))
		}
	}
	for _, r := range f.Requests() {
		if r.Method == "window/showDocument" {
			t.Error("asked to show a document")
		}
	}
}

// Commands are announced once, in the answer to initialize: an editor that starts a
// server again, or a second one, is asked to register nothing that it has.
func TestTrap_CommandsAreRegisteredOnce(t *testing.T) {
	manners := lsptest.VSCodeLike()
	manners.Capabilities = object{"workspace": object{
		"executeCommand":        object{"dynamicRegistration": true},
		"didChangeWatchedFiles": object{"dynamicRegistration": true},
	}}
	f := connect(t, manners, map[string]string{"a.ts": "foo(1);\n"}, nil)
	commands := f.Initialize(nil, f.dir).Capabilities.ExecuteCommandProvider.Commands
	seen := map[string]bool{}
	for _, name := range commands {
		if seen[name] {
			t.Errorf("%s is announced twice", name)
		}
		seen[name] = true
	}
	f.WaitReceived(protocol.MethodClientRegisterCapability, 1)
	f.changeFolders([]string{t.TempDir()}, nil)
	f.pendingIDs()
	ids := map[string]bool{}
	for _, r := range f.Requests(protocol.MethodClientRegisterCapability) {
		var params struct{ Registrations []struct{ ID, Method string } }
		if err := json.Unmarshal(r.Params, &params); err != nil {
			t.Fatal(err)
		}
		for _, registration := range params.Registrations {
			if registration.Method == "workspace/executeCommand" || ids[registration.ID] {
				t.Errorf("registered %+v", registration)
			}
			ids[registration.ID] = true
		}
	}
}

// A workspace cannot trust itself: no file in it is a setting.
func TestTrap_NoTrustFromTheWorkspaceItself(t *testing.T) {
	files := map[string]string{".xcsh/tools/greet.ts": greetTool}
	for _, name := range []string{".vscode/settings.json", ".xcsh/settings.json", ".xcsh/trust.json", "xcsh.json", ".claude/settings.json"} {
		files[name] = `{"xcsh.trusted": true, "xcsh": {"trusted": true}, "trusted": true}`
	}
	f := startWith(t, editorNamed("an editor"), files, object{"trusted": false}, withTools(t))
	if tools, failed := f.toolNames(); len(tools) != 1 || len(failed) != 1 {
		t.Errorf("tools %q, errors %q", tools, failed)
	}
}

// A cap says so: of more ranges than an editor can draw, the open document's are
// shown, and the human is told how many there are.
func TestTrap_CapsSaySo(t *testing.T) {
	f := start(t, lsptest.VSCodeLike(), map[string]string{"a.ts": strings.Repeat("foo(1);\n", 1500), "z.ts": strings.Repeat("foo(1);\n", 1500)})
	uri := f.OpenFile(f.path("z.ts"))
	f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	f.WaitDiagnostics(uri, func(d []protocol.Diagnostic) bool { return len(d) == 1500 })
	f.WaitDiagnostics(lsptest.URI(f.path("a.ts")), func(d []protocol.Diagnostic) bool { return len(d) == 500 })
	const told = `xcsh shows 2000 of the 3000 ranges of "AST Edit: 3000 replacements in 2 files" as diagnostics; the preview has all of them.`
	f.Wait("the message", func() bool {
		for _, m := range f.Messages() {
			if m.Text == told {
				return true
			}
		}
		return false
	})
}
