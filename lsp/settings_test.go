package lsp_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
	"github.com/xcsh-lsp/xcsh-lsp/lsp"
)

type object = map[string]any

// warnings are the messages about settings.
func (f *fixture) warnings() (texts []string) {
	for _, m := range f.Messages() {
		if m.Type == protocol.MessageTypeWarning {
			texts = append(texts, m.Text)
		}
	}
	return texts
}

// onlyAgents reports whether the setting resolve.by = agent is in force; nothing is
// applied, since nobody has seen that revision.
func (f *fixture) onlyAgents() bool {
	_, failed := f.command("xcsh.resolve", object{"action": "apply", "reason": "r", "revision": 99})
	return failed != nil && failed.Message == "Only an agent may apply here (setting resolve.by)."
}

// Every way in which a setting comes.
func TestSettings_Sources(t *testing.T) {
	noPull := lsptest.Plain()
	pull := lsptest.VSCodeLike()
	for name, c := range map[string]struct {
		manners lsptest.Manners
		options any
		later   map[string]any // workspace/configuration by section, or didChangeConfiguration
	}{
		"options, nested":              {noPull, object{"resolve": object{"by": "agent"}}, nil},
		"options, dotted":              {noPull, object{"resolve.by": "agent"}, nil},
		"options, in their section":    {noPull, object{"xcsh": object{"resolve": object{"by": "agent"}}}, nil},
		"options, dotted with section": {noPull, object{"xcsh.resolve.by": "agent"}, nil},
		"options, half dotted":         {noPull, object{"xcsh": object{"resolve.by": "agent"}}, nil},
		"didChangeConfiguration":       {noPull, nil, object{"xcsh": object{"resolve": object{"by": "agent"}}}},
		"configuration, nested":        {pull, nil, object{"xcsh": object{"resolve": object{"by": "agent"}}}},
		"configuration, dotted":        {pull, nil, object{"xcsh": object{"resolve.by": "agent"}}},
		"configuration over options":   {pull, object{"resolve.by": "human"}, object{"xcsh": object{"resolve.by": "agent"}}},
		"null keeps the options":       {pull, object{"resolve.by": "agent"}, object{}},
	} {
		t.Run(name, func(t *testing.T) {
			f := startWith(t, c.manners, map[string]string{"a.ts": "foo(1);\n"}, c.options, nil)
			f.OpenFile(f.path("a.ts"))
			f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
			if c.later != nil {
				f.SetSettings(c.later)
				if c.manners.Configuration {
					f.WaitReceived("workspace/configuration", 2)
				}
			}
			eventually(t, "the setting is in force", f.onlyAgents)
			if got := f.warnings(); len(got) != 0 {
				t.Errorf("warned %q", got)
			}
			f.run("xcsh.resolve", object{"action": "apply", "reason": "r", "agent": object{"name": "x"}})
		})
	}
}

func TestSettings_WrongTypesAreOneMessage(t *testing.T) {
	f := startWith(t, lsptest.Plain(), map[string]string{"a.ts": "foo(1);\n"}, object{
		"resolve.by": "nobody", "preview": object{"codeLens": "yes", "diagnostics": 3}, "astEdit.maxFiles": 0,
		"apply": object{"save": 1, "unopened": "both"}, "trusted": "maybe", "resolve.reasons": []string{"x"}, "decisions": object{"log": nil},
		"decisions.storeMB": -1, "customTools.paths": "x", "nonsense.key": 1, "preview.colour": object{"deep": true},
	}, nil)
	f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	got := f.warnings()
	want := "xcsh settings: " + strings.Join([]string{
		"xcsh.apply.save must be true or false; the default is used",
		"xcsh.apply.unopened must be one of disk, client; the default is used",
		"xcsh.astEdit.maxFiles must be a whole number of at least 1; the default is used",
		"xcsh.customTools.paths must be a list of paths; the default is used",
		"xcsh.decisions.storeMB must be a whole number of at least 0; the default is used",
		"xcsh.preview.codeLens must be true or false; the default is used",
		"xcsh.preview.diagnostics must be one of information, hint, off; the default is used",
		"xcsh.resolve.by must be one of human, agent, either; the default is used",
		"xcsh.resolve.reasons must be { apply: [texts], discard: [texts] }; the default is used",
		`xcsh.trusted must be true, false or "ask"; the default is used`,
	}, "; ") + "."
	if len(got) != 1 || got[0] != want {
		t.Errorf("warned %q\nwant %q", got, want)
	}
	unknown := f.logs.FilterMessage("unknown settings").All()
	if len(unknown) != 1 || asJSON(t, unknown[0].ContextMap()["keys"]) != `["nonsense.key","preview.colour.deep"]` {
		t.Errorf("unknown keys: %+v", unknown)
	}
	f.run("xcsh.resolve", applyNow()) // with the defaults
}

func TestSettings_NotAnObject(t *testing.T) {
	for _, options := range []any{"x", 1, []int{}, object{"xcsh": 3}, object{"xcsh": "x"}} {
		f := startWith(t, lsptest.Plain(), map[string]string{"a.ts": "foo(1);\n"}, options, nil)
		f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
		if got := f.warnings(); len(got) != 1 || got[0] != "xcsh settings: xcsh must be an object; the defaults are used." {
			t.Errorf("options %v: warned %q", options, got)
		}
	}
}

func TestSettings_EnvironmentWins(t *testing.T) {
	files := map[string]string{"a.ts": "foo(1);\n", "b.ts": "foo(1);\n", "c.ts": "foo(1);\n"}
	f := startWith(t, lsptest.Plain(), files, object{"astEdit.maxFiles": 3}, func(cfg *lsp.Config) {
		cfg.Getenv = func(name string) string { return map[string]string{"PI_MAX_AST_FILES": "2"}[name] }
	})
	got := f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	if files := got.Details["filesTouched"]; files != 2.0 {
		t.Errorf("%v files: %s", files, got.text())
	}
}

func TestSettings_ResolveBy(t *testing.T) {
	const onlyHuman, onlyAgent = "Only a human may apply here (setting resolve.by).", "Only an agent may apply here (setting resolve.by)."
	for _, c := range []struct {
		by    string
		agent bool
		want  string
	}{
		{"human", false, ""}, {"human", true, onlyHuman}, {"agent", true, ""}, {"agent", false, onlyAgent}, {"either", true, ""}, {"either", false, ""},
	} {
		f := startWith(t, lsptest.Plain(), map[string]string{"a.ts": "foo(1);\n"}, object{"resolve.by": c.by}, nil)
		arg := edit("foo($A)", "bar($A)")
		apply := applyNow()
		discard := object{"action": "discard", "reason": "r"}
		if c.agent {
			arg["agent"] = object{"name": "x"}
			apply["agent"], discard["agent"] = arg["agent"], arg["agent"]
		}
		f.run("xcsh.ast_edit", arg)
		_, failed := f.command("xcsh.resolve", apply)
		switch {
		case c.want == "" && failed != nil:
			t.Errorf("%+v: %v", c, failed)
		case c.want == "":
			continue
		default:
			wantError(t, failed, -32803, c.want)
			if failed != nil && string(failed.Data) != `{"kind":"forbidden"}` {
				t.Errorf("data %s", failed.Data)
			}
		}
		f.run("xcsh.resolve", discard) // what one has proposed oneself
		if f.disk("a.ts") != "foo(1);\n" {
			t.Error("written")
		}
	}
}

func TestSettings_PreviewDiagnostics(t *testing.T) {
	f := startWith(t, lsptest.VSCodeLike(), nil, nil, nil)
	f.SetSettings(object{"xcsh": object{"preview.diagnostics": "hint"}})
	uri := f.Open(f.path("a.ts"), "foo(1);\n")
	f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	severity := func(want protocol.DiagnosticSeverity) {
		t.Helper()
		f.WaitDiagnostics(uri, func(d []protocol.Diagnostic) bool { return len(d) == 1 && d[0].Severity == want })
	}
	severity(protocol.DiagnosticSeverityHint)
	f.SetSettings(object{"xcsh": object{"preview.diagnostics": "off"}})
	f.WaitDiagnostics(uri, func(d []protocol.Diagnostic) bool { return len(d) == 0 })
	f.SetSettings(object{"xcsh": object{}})
	severity(protocol.DiagnosticSeverityInformation)
}

func TestSettings_PreviewAnnotations(t *testing.T) {
	f := startWith(t, lsptest.VSCodeLike(), nil, object{"preview.annotations": true}, nil)
	uri := f.Open(f.path("a.ts"), "foo(1);\n")
	f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	f.run("xcsh.resolve", applyNow())
	var params struct {
		Edit struct {
			ChangeAnnotations map[string]struct {
				Label             string
				NeedsConfirmation bool
			}
			DocumentChanges []struct {
				Edits []struct{ AnnotationID string }
			}
		}
	}
	decodeInto(t, f.Requests("workspace/applyEdit")[0].Params, &params)
	for id, a := range params.Edit.ChangeAnnotations {
		if !a.NeedsConfirmation || params.Edit.DocumentChanges[0].Edits[0].AnnotationID != id {
			t.Errorf("annotation %+v", params)
		}
	}
	if len(params.Edit.ChangeAnnotations) != 1 || f.Text(uri) != "bar(1);\n" {
		t.Errorf("edit %+v", params)
	}
}

func TestSettings_ApplySave(t *testing.T) {
	f := startWith(t, lsptest.VSCodeLike(), map[string]string{"a.ts": "foo(1);\n"}, object{"apply.save": false}, nil)
	uri := f.OpenFile(f.path("a.ts"))
	f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	if got := f.run("xcsh.resolve", applyNow()).text(); got != "Applied 1 replacement in 1 file.\nNot saved yet: a.ts." {
		t.Errorf("result %q", got)
	}
	if !f.Dirty(uri) || strings.Contains(string(f.Requests("workspace/applyEdit")[0].Params), "isRefactoring") {
		t.Error("the editor was asked to save")
	}
}

// An editor that did not declare metadata is sent none: Eglot answers an unknown
// parameter with an internal error, so that no apply succeeds there.
func TestSettings_ApplySaveIsSentToWhoDeclaredIt(t *testing.T) {
	for _, declared := range []bool{false, true} {
		manners := lsptest.VSCodeLike()
		manners.SavesRefactorings = declared
		f := startWith(t, manners, map[string]string{"a.ts": "foo(1);\n"}, nil, nil)
		f.OpenFile(f.path("a.ts"))
		f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
		f.run("xcsh.resolve", applyNow())
		if got := strings.Contains(string(f.Requests("workspace/applyEdit")[0].Params), "metadata"); got != declared {
			t.Errorf("declared %v: metadata sent %v", declared, got)
		}
	}
}

func TestSettings_ResolveReasons(t *testing.T) {
	f := startWith(t, lsptest.Plain(), map[string]string{"a.ts": "foo(1);\n"}, object{"resolve": object{"reasons": object{"apply": []string{"good"}}}}, nil)
	var offered [][]string
	f.OnMessageRequest(func(r lsptest.MessageRequest) *string {
		offered = append(offered, r.Titles())
		return nil
	})
	f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	f.run("xcsh.resolve", object{"action": "apply"})
	f.run("xcsh.resolve", object{"action": "discard"})
	want := [][]string{{"good", "Cancel"}, {"Not the change I want", "Not now", "Cancel"}}
	if !slices.EqualFunc(offered, want, slices.Equal) {
		t.Errorf("offered %q", offered)
	}
}

func TestSettings_NoDecisionLog(t *testing.T) {
	f := startWith(t, lsptest.Plain(), map[string]string{"a.ts": "foo(1);\n"}, object{"decisions": object{"log": false}}, nil)
	f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	if got := f.run("xcsh.resolve", applyNow()); got.IsWarning {
		t.Errorf("warned: %q", got.text())
	}
	if log := f.decisions(); len(log) != 0 {
		t.Errorf("decisions %+v", log)
	}
	f.SetSettings(object{"xcsh": object{"decisions.log": true}})
	f.write("a.ts", "foo(1);\n")
	f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	f.run("xcsh.resolve", applyNow())
	if log := f.decisions(); len(log) != 1 {
		t.Errorf("decisions %+v", log)
	}
}

// apply.unopened = client: files that nobody has open go through the editor too.
func TestSettings_UnopenedThroughTheClient(t *testing.T) {
	writing, refusing, partial := lsptest.Plain(), lsptest.Refusing("no"), lsptest.Partial()
	writing.WritesUnopened = true
	for name, c := range map[string]struct {
		manners lsptest.Manners
		want    string // "" where it is applied
	}{
		"opens them":       {lsptest.VSCodeLike(), ""},
		"writes them":      {writing, ""},
		"debounces":        {lsptest.NeovimLike(), ""},
		"refuses":          {refusing, "Apply failed: no"},
		"takes a part":     {partial, "Apply failed: the client says that it made the edit, but these do not show it: b.ts, c.ts, d.ts."},
		"has no applyEdit": {lsptest.NoApplyEdit(), "Apply failed: the client cannot be asked to edit open documents (workspace/applyEdit): a.ts, b.ts. Save and close them, or use a client that can."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := startQuadWith(t, c.manners, shortDeadlines, object{"apply.unopened": "client"})
			if c.want != "" {
				wantFailure(t, q.fails("xcsh.resolve", q.applyArgument()), c.want)
				q.checkUntouched()
				if name != "has no applyEdit" {
					q.checkRetry()
				}
				return
			}
			if got := q.run("xcsh.resolve", q.applyArgument()).Content[0].Text; got != "Applied 4 replacements in 4 files." {
				t.Errorf("result %q", got)
			}
			var params struct{ Edit json.RawMessage }
			decodeInto(t, q.Requests("workspace/applyEdit")[0].Params, &params)
			for _, name := range []string{"a.ts", "b.ts", "c.ts", "d.ts"} {
				if !strings.Contains(string(params.Edit), name) {
					t.Errorf("%s is not in the edit", name)
				}
			}
			q.checkApplied()
		})
	}
}

// A file with a byte order mark that nobody has open: the editor hides the mark, and
// it stays on disk.
func TestSettings_UnopenedThroughTheClientWithAMark(t *testing.T) {
	const mark = "\ufeff"
	f := startWith(t, lsptest.VSCodeLike(), map[string]string{"a.ts": mark + "let é = 1; foo(1);\r\n"}, object{"apply.unopened": "client"}, short)
	f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	if got := f.run("xcsh.resolve", applyNow()).text(); got != "Applied 1 replacement in 1 file." {
		t.Errorf("result %q", got)
	}
	if got := f.disk("a.ts"); got != mark+"let é = 1; bar(1);\r\n" {
		t.Errorf("a.ts is %q", got)
	}
}
