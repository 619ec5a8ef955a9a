package host

import (
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/customtools"
	"github.com/xcsh-lsp/xcsh-lsp/customtools/internal/jsruntime"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// stager stages an action labelled by its parameters, and answers with the
// module's version and how often something was applied in it.
const stager = `
let applied = 0;
export default (pi) => [{ name: "stage", description: "d", parameters: {}, execute(id, p) {
  pi.pushPendingAction({
    label: p.label, sourceToolName: p.source, details: p.details,
    async apply(reason, extra) {
      applied++;
      if (p.how === "loop") for (;;);
      if (p.how === "throw") throw new Error("not yet");
      if (p.how === "toolerror") throw Object.assign(new Error("as it stands"), { name: "ToolError" });
      if (p.how === "nothing") return;
      return { content: [{ type: "text", text: VERSION + " " + reason }], details: { extra: extra ?? null, applied } };
    },
    ...(p.reject && { reject: async (reason) => p.reject === "nothing" ? undefined : { content: [{ type: "text", text: "rejected " + reason }] } }),
  });
  return { content: [], details: [VERSION, applied] };
} }, { name: "fault", description: "d", parameters: {}, execute(id, p, onUpdate) { onUpdate?.({}); for (;;); } }];
`

func version(v string) string { return "-- t.ts --\nconst VERSION = '" + v + "';" + stager }

// stage has a tool stage an action and returns it as the host got it.
func (s *tools) stage(tool customtools.RuntimeTool, params string) resolve.Action {
	s.t.Helper()
	s.mustCall(tool, params)
	s.host.mu.Lock()
	defer s.host.mu.Unlock()
	return s.host.staged[len(s.host.staged)-1] // it is there before the result is
}

func TestStatement70_WhatTheSinkReceives(t *testing.T) {
	s := open(t, version("v1"))
	tool := s.tool("t.ts")
	a := s.stage(tool, `{"label":"L"}`)
	if a.Label != "L" || a.SourceToolName != "custom_tool" || a.Details != nil {
		t.Errorf("got %+v", a)
	}
	a = s.stage(tool, `{"label":"L","source":"mine","details":{"k":[1]}}`)
	if a.SourceToolName != "mine" || !equalJSON(t, a.Details, map[string]any{"k": []int{1}}) {
		t.Errorf("got %+v", a)
	}
}

func TestStatement71_WithoutASink(t *testing.T) {
	s := open(t, "-- t.ts --\n"+factory(`pi.pushPendingAction({ label: "l", apply: async () => ({}) }); return { content: [] };`))
	m, err := s.rt.Load(t.Context(), customtools.ModuleSpec{Path: s.dir + "/t.ts", Cwd: s.dir, Host: s.host})
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.call(t.Context(), m.Elements()[0].Tool, "{}")
	if want := "Pending action store unavailable for custom tools in this runtime."; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestAPendingActionIsChecked(t *testing.T) {
	s := open(t, "-- t.ts --\n"+factory(`pi.pushPendingAction(params.label ? { label: params.label } : undefined);`))
	tool := s.tool("t.ts")
	for params, want := range map[string]string{
		`{}`:            "pushPendingAction: label must be a string",
		`{"label":1}`:   "pushPendingAction: label must be a string",
		`{"label":"l"}`: "pushPendingAction: apply must be a function",
	} {
		if _, err := s.call(t.Context(), tool, params); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", params, err, want)
		}
	}
}

func TestApplyAndReject(t *testing.T) {
	eachRuntime(t, func(t *testing.T, rt jsruntime.Runtime) {
		s := openOn(t, rt, version("v1"))
		tool := s.tool("t.ts")
		got, err := s.stage(tool, `{"label":"a"}`).Apply(t.Context(), "because", map[string]any{"x": 1})
		if err != nil || got.Text() != "v1 because" || !equalJSON(t, got.Details, json.RawMessage(`{"extra":{"x":1},"applied":1}`)) {
			t.Errorf("got %+v, %v", got, err)
		}
		if got, err := s.stage(tool, `{"label":"b","how":"nothing"}`).Apply(t.Context(), "r", nil); err != nil || got.Details != nil || got.Text() != "" {
			t.Errorf("an apply that returns nothing: got %+v, %v", got, err)
		}
		for params, want := range map[string]string{`{"label":"c"}`: "", `{"label":"d","reject":"nothing"}`: "", `{"label":"e","reject":"text"}`: "rejected why"} {
			got, err := s.stage(tool, params).Reject(t.Context(), "why", nil)
			if err != nil || (got == nil) != (want == "") || got != nil && got.Text() != want {
				t.Errorf("%s: got %+v, %v", params, got, err)
			}
		}
		failed := s.stage(tool, `{"label":"f","how":"throw"}`)
		for range 2 { // it can be tried again
			toolErr := (*resolve.ToolError)(nil)
			if _, err := failed.Apply(t.Context(), "r", nil); err == nil || err.Error() != "not yet" || errors.As(err, &toolErr) {
				t.Errorf("got %v", err)
			}
		}
		toolErr := (*resolve.ToolError)(nil)
		if _, err := s.stage(tool, `{"label":"g","how":"toolerror"}`).Apply(t.Context(), "r", nil); !errors.As(err, &toolErr) || toolErr.Message != "as it stands" {
			t.Errorf("got %v", err)
		}
	})
}

func TestAReloadLoadsBesideAndKeepsTheOldForItsActions(t *testing.T) {
	s := open(t, version("v1"))
	old := s.load("t.ts")
	staged := s.stage(old.Elements()[0].Tool, `{"label":"old"}`)

	s.write("-- t.ts --\nexport default (\n")
	if _, err := s.tryLoad("t.ts"); err == nil {
		t.Fatal("a broken edit loads")
	}
	if got := s.mustCall(old.Elements()[0].Tool, `{"label":"still"}`); !strings.Contains(got, `["v1",0]`) {
		t.Errorf("after a broken edit: got %s", got)
	}
	if _, err := s.host.staged[1].Reject(t.Context(), "r", nil); err != nil {
		t.Fatal(err)
	}

	s.write(version("v2"))
	fresh := s.load("t.ts")
	old.Retire()
	if got := s.mustCall(fresh.Elements()[0].Tool, `{"label":"new"}`); !strings.Contains(got, `["v2",0]`) {
		t.Errorf("after a reload: got %s", got)
	}
	oldWorker := old.(*module).worker
	if oldWorker.isGone() {
		t.Fatal("the old generation ended before its action was resolved")
	}
	if got, err := staged.Apply(t.Context(), "late", nil); err != nil || got.Text() != "v1 late" {
		t.Errorf("the old generation's action: got %+v, %v", got, err)
	}
	<-oldWorker.gone
	if len(s.host.lost) != 0 {
		t.Errorf("lost: %v", s.host.lost)
	}
}

func TestALostWorkerLeavesTombstones(t *testing.T) {
	s := open(t, version("v1"), Limits{Grace: 1})
	m := s.load("t.ts")
	first := s.stage(m.Elements()[0].Tool, `{"label":"one"}`)
	second := s.stage(m.Elements()[0].Tool, `{"label":"two"}`)
	ctx, cancel := contextOf(t)
	done := s.started(ctx, m.Elements()[1].Tool, "{}")
	cancel()
	if o := <-done; !errors.Is(o.err, ctx.Err()) {
		t.Errorf("the call: got %+v", o)
	}
	s.host.await(t, "both are told of", func() bool { return len(s.host.lost) == 2 })
	want := `The pending action "one" was lost: a call of it did not end when it was cancelled. Nothing was applied.`
	if s.host.lost["one"] != want {
		t.Errorf("told: got %q, want %q", s.host.lost["one"], want)
	}
	for range 2 {
		toolErr := (*resolve.ToolError)(nil)
		if _, err := first.Apply(t.Context(), "r", nil); !errors.As(err, &toolErr) || toolErr.Message != want {
			t.Errorf("apply: got %v, want %s", err, want)
		}
	}
	if got, err := second.Reject(t.Context(), "r", nil); got != nil || err != nil {
		t.Errorf("discard: got %+v, %v", got, err)
	}
	// The next call has a new worker, in which nothing was replayed.
	if got := s.mustCall(m.Elements()[0].Tool, `{"label":"three"}`); !strings.Contains(got, `["v1",0]`) {
		t.Errorf("got %s", got)
	}
}

func TestAnApplyWhoseWorkerIsLostHasAnUnknownOutcome(t *testing.T) {
	for name, kill := range map[string]func(w *worker){
		"worker":  func(w *worker) { w.kill("it was killed") },
		"process": func(w *worker) { w.p.end("it was killed") },
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, version("v1"))
			m := s.load("t.ts")
			a := s.stage(m.Elements()[0].Tool, `{"label":"one","how":"loop"}`)
			failed := make(chan error)
			go func() {
				_, err := a.Apply(t.Context(), "r", nil)
				failed <- err
			}()
			w := m.(*module).worker
			for !w.runs() { // until the apply is on its way
				runtime.Gosched()
			}
			kill(w)
			want := `The outcome of "one" is unknown: while it was applied, it was killed.`
			if err := <-failed; err == nil || err.Error() != want {
				t.Errorf("got %v, want %s", err, want)
			}
			if _, err := a.Apply(t.Context(), "again", nil); err == nil || err.Error() != want {
				t.Errorf("again: got %v", err)
			}
			s.host.await(t, "told", func() bool { return s.host.lost["one"] == want })
		})
	}
}

func TestAHungApplyThatWasGivenUpIsEndedAtLast(t *testing.T) {
	s := open(t, version("v1"), Limits{BlockedApply: 1})
	a := s.stage(s.tool("t.ts"), `{"label":"one","how":"loop"}`)
	ctx, cancel := contextOf(t)
	cancel()
	if _, err := a.Apply(ctx, "r", nil); err == nil || !strings.HasPrefix(err.Error(), `The outcome of "one" is unknown`) {
		t.Errorf("got %v", err)
	}
}

func TestACallThatIgnoresItsAbortDoesNotCostTheActionsOfItsWorker(t *testing.T) {
	s := open(t, `
-- t.ts --
export default (pi) => ({ name: "t", description: "d", parameters: {}, async execute(id, p, onUpdate) {
  pi.pushPendingAction({ label: "a", apply: async () => ({ content: [{ type: "text", text: "applied" }] }) });
  onUpdate?.({});
  await new Promise(() => {});
} });
`, Limits{Grace: 50e6})
	ctx, cancel := contextOf(t)
	done := s.started(ctx, s.tool("t.ts"), "{}")
	cancel()
	if o := <-done; !errors.Is(o.err, ctx.Err()) {
		t.Errorf("got %+v", o)
	}
	if got, err := s.host.staged[0].Apply(t.Context(), "r", nil); err != nil || got.Text() != "applied" {
		t.Errorf("got %+v, %v", got, err)
	}
}
