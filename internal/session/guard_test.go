package session_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/xcsh-lsp/xcsh-lsp/internal/session"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

const (
	onlyHuman    = "Only a human may apply here (setting resolve.by)."
	onlyAgent    = "Only an agent may apply here (setting resolve.by)."
	onlyProposer = "Only a human or its proposer may discard it here (setting resolve.by)."
)

// check expects the same of Check and of Resolve, and that neither did anything.
func (f *fixture) check(c session.Call, want func(error)) {
	f.t.Helper()
	before := f.pending()
	_, err := f.Check(c)
	want(err)
	_, err = f.Resolve(context.Background(), c)
	want(err)
	f.wantPending(before...)
}

func TestGuardIdentity(t *testing.T) {
	f := newFixture(t, map[string]string{"a.ts": "foo(1);\nbaz(1);\n"})
	low := f.stage(foo())
	_, top := f.proposeAs(rule(`baz($A)`, `"é"`), agent, otherConn)
	for _, action := range []resolve.Kind{resolve.Apply, resolve.Discard} {
		lower, none, gone := call(action, low), call(action, top), call(action, top)
		none.ID = ""
		gone.ID = "pending-action:ast_edit:7"
		f.check(lower, func(err error) {
			wantKind(t, err, "notTop",
				`Pending action pending-action:ast_edit:0 is not the most recent one. Resolve "AST Edit: 1 replacement in 1 file" first.`)
		})
		f.check(gone, func(err error) {
			wantKind(t, err, "notTop", "Pending action pending-action:ast_edit:7 is no longer pending.")
		})
		f.check(none, func(err error) {
			wantKind(t, err, "notTop",
				`The most recent pending action "AST Edit: 1 replacement in 1 file" was proposed by another client. Pass its id to resolve it.`)
		})
	}
	f.mustApply(top) // another connection's, by its id
	ownHead := call(resolve.Apply, low)
	ownHead.ID, ownHead.Revision = "", 1
	// The first apply changed the file, so the call is not refused for what it
	// names but for what its caller saw.
	_, err := f.Resolve(context.Background(), ownHead)
	wantToolError(t, err, "Preview is out of date: a.ts. It has been refreshed; review it and resolve again.")
}

func TestGuardNothingPending(t *testing.T) {
	f := newFixture(t, nil)
	named := call(resolve.Discard, &session.PendingRef{ID: "pending-action:ast_edit:0", Revision: 1})
	f.check(named, func(err error) {
		wantKind(t, err, "notTop", "Pending action pending-action:ast_edit:0 is no longer pending.")
	})
	unnamed := named
	unnamed.ID = ""
	if label, err := f.Check(unnamed); label != "" || err != nil {
		t.Errorf("Check: %q, %v", label, err)
	}
	result, err := f.Resolve(context.Background(), unnamed)
	if err != nil || result.Text() != "Nothing to discard; no pending action remains." {
		t.Errorf("discard: %q, %v", result.Text(), err)
	}
	unnamed.Params.Action = resolve.Apply
	_, err = f.Resolve(context.Background(), unnamed)
	wantToolError(t, err, "No pending action to resolve. Nothing to apply or discard.")
}

func TestGuardRevision(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, map[string]string{"a.ts": "foo(1);\n", "b.ts": "foo(1);\n", "c.ts": "foo(1);\n"})
		ref := f.stage(foo())
		f.typed("b.ts", "foo(2);\n")
		settle()
		f.typed("c.ts", "foo(2);\n")
		settle()
		now := session.PendingRef{ID: ref.ID, Label: "AST Edit: 3 replacements in 3 files", Revision: 3}
		for name, tc := range map[string]struct {
			seen  int
			files []string
			text  string
		}{
			"not seen":  {0, []string{"a.ts", "b.ts", "c.ts"}, "a.ts, b.ts, c.ts"},
			"unknown":   {9, []string{"a.ts", "b.ts", "c.ts"}, "a.ts, b.ts, c.ts"},
			"first":     {1, []string{"b.ts", "c.ts"}, "b.ts, c.ts"},
			"one older": {2, []string{"c.ts"}, "c.ts"},
		} {
			t.Log(name)
			c := call(resolve.Apply, ref)
			c.Revision = tc.seen
			f.check(c, func(err error) {
				wantStale(t, err, "Preview is out of date: "+tc.text+". It has been refreshed; review it and resolve again.", now, tc.files...)
			})
		}
		c := call(resolve.Apply, &now)
		if label, err := f.Check(c); label != now.Label || err != nil {
			t.Errorf("Check: %q, %v", label, err)
		}
		f.wantPending(now)
		// A discard writes nothing, so it needs no revision.
		c.Params.Action, c.Revision = resolve.Discard, 0
		if _, err := f.Resolve(context.Background(), c); err != nil {
			t.Error(err)
		}
	})
}

func TestGuardActor(t *testing.T) {
	tool := resolve.Actor{Kind: resolve.ToolActor, Name: "a tool"}
	for _, tc := range []struct {
		by     string
		action resolve.Kind
		who    resolve.Actor
		want   string
	}{
		{session.ByEither, resolve.Apply, human, ""},
		{session.ByEither, resolve.Apply, agent, ""},
		{session.ByEither, resolve.Discard, human, ""},
		{session.ByEither, resolve.Discard, agent, ""},
		{session.ByHuman, resolve.Apply, human, ""},
		{session.ByHuman, resolve.Apply, agent, onlyHuman},
		{session.ByHuman, resolve.Apply, tool, onlyHuman},
		{session.ByHuman, resolve.Discard, human, ""},
		{session.ByHuman, resolve.Discard, agent, onlyProposer},
		{session.ByAgent, resolve.Apply, human, onlyAgent},
		{session.ByAgent, resolve.Apply, tool, onlyAgent},
		{session.ByAgent, resolve.Apply, agent, ""},
		{session.ByAgent, resolve.Discard, human, ""},
		{session.ByAgent, resolve.Discard, agent, ""},
	} {
		t.Run(tc.by+" "+string(tc.action)+" "+string(tc.who.Kind), func(t *testing.T) {
			f := newFixture(t, map[string]string{"a.ts": "foo(1);\n"})
			f.policy.ResolveBy = tc.by
			ref := f.stage(foo())
			c := call(tc.action, ref)
			c.Actor = tc.who
			if tc.want != "" {
				f.check(c, func(err error) { wantKind(t, err, "forbidden", tc.want) })
				f.wantDisk(map[string]string{"a.ts": "foo(1);\n"})
				return
			}
			if _, err := f.Check(c); err != nil {
				t.Error(err)
			}
			f.wantPending(*ref)
			if _, err := f.Resolve(context.Background(), c); err != nil {
				t.Error(err)
			}
			f.wantPending()
		})
	}
}

func TestAnAgentMayDiscardItsOwn(t *testing.T) {
	f := newFixture(t, map[string]string{"a.ts": "foo(1);\n"})
	f.policy.ResolveBy = session.ByHuman
	_, ref := f.proposeAs(foo(), agent, conn)
	c := call(resolve.Discard, ref)
	c.Actor, c.Conn = agent, otherConn // an agent of the same name elsewhere is another one
	f.check(c, func(err error) { wantKind(t, err, "forbidden", onlyProposer) })
	c.Conn = conn
	if _, err := f.Resolve(context.Background(), c); err != nil {
		t.Error(err)
	}
	f.wantPending()

	_, ref = f.proposeAs(foo(), agent, otherConn)
	if _, err := f.Resolve(context.Background(), call(resolve.Discard, ref)); err != nil {
		t.Errorf("a human may discard anybody's: %v", err)
	}
}

func TestGuardIsAskedAgainWhenTheCallHasItsTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, map[string]string{"a.ts": "foo(1);\n"})
		f.typed("a.ts", "foo(1);\n")
		ref := f.stage(foo())
		proceed := make(chan struct{})
		f.host.edit = func(h *fakeHost, docs []session.DocumentEdit) error {
			<-proceed
			return takes(h, docs)
		}
		first, second := make(chan error, 1), make(chan error, 1)
		go func() { _, err := f.apply(ref); first <- err }()
		synctest.Wait()
		if label, err := f.Check(call(resolve.Apply, ref)); label != ref.Label || err != nil {
			t.Errorf("Check during the first call: %q, %v", label, err)
		}
		go func() { _, err := f.apply(ref); second <- err }()
		synctest.Wait()
		close(proceed)
		if err := <-first; err != nil {
			t.Error(err)
		}
		wantKind(t, <-second, "notTop", "Pending action "+ref.ID+" is no longer pending.")
		f.wantOpen(map[string]string{"a.ts": "bar(1);\n"})
		if len(f.host.asked) != 1 {
			t.Errorf("the editor was asked for %v", f.host.asked)
		}
	})
}

func TestInvalidActionIsRefused(t *testing.T) {
	f := newFixture(t, map[string]string{"a.ts": "foo(1);\n"})
	ref := f.stage(foo())
	if _, err := f.Resolve(context.Background(), call("commit", ref)); err == nil {
		t.Error("no error")
	}
	f.wantPending(*ref)
}
