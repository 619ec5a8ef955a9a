package lsp_test

import (
	"context"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
)

func TestCodeLens_OfWhatTheUserSees(t *testing.T) {
	f := start(t, lsptest.VSCodeLike(), map[string]string{"a.ts": "foo(1);\n"})
	uri := f.OpenFile(f.path("a.ts"))
	f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	old := f.Lenses(uri)
	if len(old) != 2 {
		t.Fatalf("lenses: %+v", old)
	}
	f.Change(uri, f.Edit(uri, "foo(1)", "foo(22)"))
	f.WaitDiagnostics(uri, func(d []protocol.Diagnostic) bool {
		return len(d) == 1 && d[0].Message == protocol.String("foo(22) → bar(22)")
	})
	_, failed := f.command(old[0].Command.Command, old[0].Command.Arguments[0])
	if failed == nil || !strings.HasPrefix(failed.Message, "Preview is out of date: a.ts.") {
		t.Errorf("a lens of the old text: %v", failed)
	}
	f.OnMessageRequest(func(m lsptest.MessageRequest) *string { return &m.Actions[0].Title })
	if _, failed := f.command(f.Lenses(uri)[0].Command.Command, f.Lenses(uri)[0].Command.Arguments[0]); failed != nil {
		t.Error(failed)
	}
	if got := f.Text(uri); got != "bar(22);\n" {
		t.Errorf("the document is %q", got)
	}
}

func TestCodeLens_Off(t *testing.T) {
	f := connect(t, lsptest.VSCodeLike(), map[string]string{"a.ts": "foo(1);\n"}, nil)
	f.SetSettings(map[string]any{"xcsh": map[string]any{"preview": map[string]any{"codeLens": false}}})
	f.Initialize(map[string]any{"preview.codeLens": false}, f.dir)
	uri := f.OpenFile(f.path("a.ts"))
	f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	f.WaitDiagnostics(uri, func(d []protocol.Diagnostic) bool { return len(d) == 1 })
	if lenses := f.Lenses(uri); len(lenses) != 0 {
		t.Errorf("lenses: %+v", lenses)
	}
	if sent := f.Requests(protocol.MethodWorkspaceCodeLensRefresh); len(sent) != 0 {
		t.Errorf("asked to refresh %d times", len(sent))
	}
}

// The editor fails its test where it is asked to refresh and did not say that it can.
func TestCodeLens_RefreshedWhereTheClientCan(t *testing.T) {
	for _, manners := range []lsptest.Manners{lsptest.VSCodeLike(), lsptest.NeovimLike()} {
		f := start(t, manners, map[string]string{"a.ts": "foo(1);\n"})
		uri := f.OpenFile(f.path("a.ts"))
		f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
		f.WaitDiagnostics(uri, func(d []protocol.Diagnostic) bool { return len(d) == 1 })
		if manners.RefreshesLenses {
			f.WaitReceived(protocol.MethodWorkspaceCodeLensRefresh, 1)
		}
	}
}

func TestPreviewDocument_Refusals(t *testing.T) {
	f := start(t, lsptest.VSCodeLike(), map[string]string{"a b#.ts": "foo(1);\n", "c.ts": "x;\n"})
	uri := f.OpenFile(f.path("a b#.ts"))
	f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	var preview struct{ Documents []struct{ PreviewURI string } }
	f.runInto("xcsh.pending.preview", object{"uri": uri}, &preview)
	good := preview.Documents[0].PreviewURI
	query := good[strings.IndexByte(good, '?'):]
	for _, same := range []string{
		good, strings.Replace(good, ":/", ":///", 1), strings.Replace(good, query, "?"+strings.NewReplacer("=", "%3D", "&", "%26", "%", "%25").Replace(query[1:]), 1),
	} {
		if content, failed := f.Content(context.Background(), same); failed != nil || content != "bar(1);\n" {
			t.Errorf("%s: %q, %v", same, content, failed)
		}
	}
	other := "xcsh-preview:" + f.path("c.ts") + query
	for asked, want := range map[string]string{
		other: "file://" + f.path("c.ts") + " is not changed by this preview.",
		strings.Replace(good, "edit%3A0", "edit%3A7", 1):     "Pending action pending-action:ast_edit:7 is no longer pending.",
		strings.Replace(good, "revision=1", "revision=2", 1): "This preview has been refreshed since: open the present one.",
		"xcsh-preview:/a.ts":                                 "a preview document's URI is xcsh-preview:PATH?id=ID&revision=N, not xcsh-preview:/a.ts",
	} {
		_, failed := f.Content(context.Background(), asked)
		if failed == nil || failed.Message != want {
			t.Errorf("%s: %v, want %s", asked, failed, want)
		}
	}
}
