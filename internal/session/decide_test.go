package session_test

import (
	"context"
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

func (f *fixture) decisions() []resolve.Decision {
	f.t.Helper()
	list, err := f.Decisions.List(0, "", "")
	if err != nil {
		f.t.Fatal(err)
	}
	return list
}

func hash(s string) string { return text.Hash([]byte(s)) }

func TestAppliedDecisionIsLogged(t *testing.T) {
	f := newFixture(t, map[string]string{"a b.ts": "foo(1);\n", "c.ts": "", "same.ts": "foo(bar(1), 2);\n"})
	f.typed("c.ts", "foo(2);\n")
	_, ref := f.proposeAs(foo(), agent, otherConn)
	c := call(resolve.Apply, ref)
	c.Params.Reason, c.ReasonFrom = "Tests pass with it", resolve.ReasonChosen
	if _, err := f.Resolve(context.Background(), c); err != nil {
		t.Fatal(err)
	}
	got := f.decisions()
	if len(got) != 1 || got[0].ID == "" || got[0].Time.IsZero() {
		t.Fatalf("decisions %+v", got)
	}
	want := resolve.Decision{
		ID: got[0].ID, Session: got[0].Session, Time: got[0].Time, PendingID: ref.ID, Action: resolve.Apply, Label: ref.Label, SourceToolName: "ast_edit",
		Undo: got[0].Undo, Reason: "Tests pass with it", ReasonFrom: resolve.ReasonChosen, ProposedBy: agent, DecidedBy: human,
		Files: []resolve.DecidedFile{
			{URI: f.host.URI(f.path("a b.ts")), Before: hash("foo(1);\n"), After: hash("bar(1);\n"), Verified: true},
			{URI: f.host.URI(f.path("c.ts")), Before: hash("foo(2);\n"), After: hash("bar(2);\n"), Verified: true},
		},
	}
	if want.Undo == "" || !strings.Contains(want.Files[0].URI, "a%20b.ts") || !reflect.DeepEqual(got[0], want) {
		t.Errorf("decision %+v\nwant %+v", got[0], want)
	}
}

func TestDiscardedDecisionIsLogged(t *testing.T) {
	f := newFixture(t, map[string]string{"a.ts": "foo(1);\n"})
	ref := f.stage(foo())
	c := call(resolve.Discard, ref)
	c.Actor, c.ReasonFrom = agent, resolve.ReasonArgument
	if _, err := f.Resolve(context.Background(), c); err != nil {
		t.Fatal(err)
	}
	got := f.decisions()
	if len(got) != 1 {
		t.Fatalf("decisions %+v", got)
	}
	want := resolve.Decision{
		ID: got[0].ID, Session: got[0].Session, Time: got[0].Time, PendingID: ref.ID, Action: resolve.Discard, Label: ref.Label, SourceToolName: "ast_edit",
		Reason: "why", ReasonFrom: resolve.ReasonArgument, ProposedBy: human, DecidedBy: agent, Files: []resolve.DecidedFile{},
	}
	if !reflect.DeepEqual(got[0], want) {
		t.Errorf("decision %+v\nwant %+v", got[0], want)
	}
}

func TestOnlyWhatChangedIsInTheLog(t *testing.T) {
	f := newFixture(t, map[string]string{"a.ts": "foo(1);\n", "b.ts": "foo(2);\n"})
	f.mustApply(f.stage(rule("foo($A)", "foo(1)"))) // leaves a.ts as it is
	if got := f.decisions(); len(got) != 1 || len(got[0].Files) != 1 || got[0].Files[0].URI != f.host.URI(f.path("b.ts")) {
		t.Errorf("decisions %+v", got)
	}
}

func TestFailedResolveIsNoDecision(t *testing.T) {
	f := newFixture(t, map[string]string{"a.ts": "foo(1);\n"})
	ref := f.stage(foo())
	f.disk.fail(func(string, string) error { return errInjected })
	if _, err := f.apply(ref); err == nil {
		t.Fatal("no error")
	}
	c := call(resolve.Discard, ref)
	c.ID = "gone"
	if _, err := f.Resolve(context.Background(), c); err == nil {
		t.Fatal("no error")
	}
	if got := f.decisions(); len(got) != 0 {
		t.Errorf("decisions %+v", got)
	}
}

func TestALogThatCannotBeWrittenIsReported(t *testing.T) {
	for _, action := range []resolve.Kind{resolve.Apply, resolve.Discard} {
		t.Run(string(action), func(t *testing.T) {
			f := newFixture(t, map[string]string{"a.ts": "foo(1);\n"})
			if err := os.WriteFile(f.stateDir, nil, 0o600); err != nil { // where the folder should be
				t.Fatal(err)
			}
			ref := f.stage(foo())
			result, err := f.Resolve(context.Background(), call(action, ref))
			if err != nil {
				t.Fatal(err)
			}
			f.wantPending()
			if action == resolve.Apply {
				f.wantDisk(map[string]string{"a.ts": "bar(1);\n"})
			}
			said := result.Warnings[len(result.Warnings)-1]
			begin := `Warning: the decision on "AST Edit: 1 replacement in 1 file" is not kept, since the decision log ` + f.stateDir
			if !result.IsWarning || result.IsError || !strings.HasPrefix(said, begin) || !strings.HasSuffix(result.Text(), "\n"+said) {
				t.Errorf("result %q, warnings %q", result.Text(), said)
			}
			if f.logs.FilterMessage("write decision log").Len() != 1 {
				t.Errorf("log %v", f.logs.All())
			}
		})
	}
}

func TestADisabledLogKeepsNothing(t *testing.T) {
	f := newFixture(t, map[string]string{"a.ts": "foo(1);\n"})
	f.Decisions.SetDisabled(true)
	if result := f.mustApply(f.stage(foo())); result.IsWarning || result.Warnings != nil {
		t.Errorf("warned of a log that is turned off: %q", result.Warnings)
	}
	if _, err := os.Stat(f.stateDir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("state folder: %v", err)
	}
}
