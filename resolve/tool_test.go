package resolve_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

const (
	nothingToResolve = "No pending action to resolve. Nothing to apply or discard."
	nothingToDiscard = "Nothing to discard; no pending action remains."
)

func TestStatement04_ApplyWithNothingPending(t *testing.T) {
	s := newSession(t)
	_, err := s.resolve(resolve.Apply, "x")
	wantToolError(t, err, nothingToResolve)
}

func TestStatement05_DiscardWithNothingPending(t *testing.T) {
	s := newSession(t)
	wantJSON(t, s.must(resolve.Discard, "x"),
		`{"content":[{"type":"text","text":"`+nothingToDiscard+`"}],"details":{"action":"discard","reason":"x"}}`)
}

func TestStatement06_DiscardWithNothingPendingKeepsExtra(t *testing.T) {
	s := newSession(t)
	result, err := s.tool.Execute(context.Background(),
		resolve.Params{Action: resolve.Discard, Reason: "x", Extra: map[string]any{"a": 1}})
	if err != nil {
		t.Fatal(err)
	}
	wantJSON(t, result.Details, `{"action":"discard","reason":"x","extra":{"a":1}}`)
}

func TestStatement07_ApplyIsCalledOnce(t *testing.T) {
	s := newSession(t)
	s.stage("L", "s", resolve.TextResult("done", nil))
	result := s.must(resolve.Apply, "why")
	if want := []call{{"why", nil}}; !reflect.DeepEqual(s.applied, want) {
		t.Errorf("apply called with %v, want %v", s.applied, want)
	}
	if want := resolve.TextResult("done", nil).Content; !reflect.DeepEqual(result.Content, want) {
		t.Errorf("content %v, want %v", result.Content, want)
	}
	s.wantPending()
}

func TestStatement08_ExtraReachesApplyAndDetails(t *testing.T) {
	s := newSession(t)
	s.stage("L", "s", resolve.Result{})
	extra := map[string]any{"t": "x"}
	result, err := s.tool.Execute(context.Background(),
		resolve.Params{Action: resolve.Apply, Reason: "why", Extra: extra})
	if err != nil {
		t.Fatal(err)
	}
	if want := []call{{"why", extra}}; !reflect.DeepEqual(s.applied, want) {
		t.Errorf("apply called with %v, want %v", s.applied, want)
	}
	wantJSON(t, result.Details, `{"action":"apply","reason":"why","extra":{"t":"x"},"sourceToolName":"s","label":"L"}`)
}

func TestStatement09_BaseDetails(t *testing.T) {
	s := newSession(t)
	s.stage("L", "s", resolve.Result{})
	wantJSON(t, s.must(resolve.Apply, "why").Details, `{"action":"apply","reason":"why","sourceToolName":"s","label":"L"}`)
}

func TestStatement10_CallbackDetailsMoveDown(t *testing.T) {
	s := newSession(t)
	s.stage("L", "s", resolve.TextResult("t", map[string]any{"n": 2}))
	wantJSON(t, s.must(resolve.Apply, "why").Details,
		`{"action":"apply","reason":"why","sourceToolName":"s","label":"L","sourceResultDetails":{"n":2}}`)
}

func TestStatement11_OnlyNullDetailsAreAbsent(t *testing.T) {
	const base = `{"action":"apply","reason":"why","sourceToolName":"s","label":"L"`
	for name, tc := range map[string]struct {
		details any
		want    string // of sourceResultDetails, "" for absent
	}{
		"nil":          {nil, ""},
		"nil pointer":  {(*struct{})(nil), ""},
		"nil map":      {map[string]any(nil), ""},
		"raw null":     {json.RawMessage(" null "), ""},
		"raw nothing":  {json.RawMessage{}, ""},
		"empty object": {map[string]any{}, "{}"},
		"empty struct": {struct{}{}, "{}"},
		"empty list":   {[]int{}, "[]"},
		"false":        {false, "false"},
		"zero":         {0, "0"},
		"empty string": {"", `""`},
		"raw object":   {json.RawMessage(`{"a":1}`), `{"a":1}`},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSession(t)
			s.stage("L", "s", resolve.TextResult("t", tc.details))
			want := base + "}"
			if tc.want != "" {
				want = base + `,"sourceResultDetails":` + tc.want + "}"
			}
			wantJSON(t, s.must(resolve.Apply, "why").Details, want)
		})
	}
}

func TestStatement12_ReturnedErrorResultConsumes(t *testing.T) {
	s := newSession(t)
	s.stage("L", "s", resolve.Result{IsError: true, IsWarning: true, Display: "d"})
	result := s.must(resolve.Apply, "why")
	if !result.IsError || !result.IsWarning || result.Display != "d" {
		t.Errorf("fields lost: %+v", result)
	}
	s.wantPending()
}

func TestStatement13_DiscardWithoutReject(t *testing.T) {
	s := newSession(t)
	s.stage("L", "s", resolve.Result{})
	wantJSON(t, s.must(resolve.Discard, "no"),
		`{"content":[{"type":"text","text":"Discarded: L. Reason: no"}],
		  "details":{"action":"discard","reason":"no","sourceToolName":"s","label":"L"}}`)
	if len(s.applied) != 0 {
		t.Error("a discard applied")
	}
	s.wantPending()
}

func TestStatement14_RejectWithoutResult(t *testing.T) {
	s := newSession(t)
	s.stageReject("L", nil, nil)
	if got := s.must(resolve.Discard, "no").Text(); got != "Discarded: L. Reason: no" {
		t.Errorf("text %q", got)
	}
	if want := []call{{"no", nil}}; !reflect.DeepEqual(s.reject, want) {
		t.Errorf("reject called with %v, want %v", s.reject, want)
	}
	s.wantPending()
}

func TestStatement15_RejectWithResult(t *testing.T) {
	s := newSession(t)
	cleaned := resolve.TextResult("cleaned", map[string]any{"action": "mine", "files": 1})
	s.stageReject("L", &cleaned, nil)
	wantJSON(t, s.must(resolve.Discard, "no"),
		`{"content":[{"type":"text","text":"cleaned"}],
		  "details":{"action":"discard","reason":"no","sourceToolName":"s","label":"L",
		             "sourceResultDetails":{"action":"mine","files":1}}}`)
	s.wantPending()
}

func TestStatement16_RejectErrorIsPassedOn(t *testing.T) {
	s := newSession(t)
	boom := errors.New("boom")
	id := s.stageReject("L", nil, boom)
	if _, err := s.resolve(resolve.Discard, "no"); err != boom {
		t.Errorf("error %v, want the very error of the callback", err)
	}
	s.wantPending(id)
	if !s.store.HasPending() {
		t.Error("hasPending is false")
	}
}

func TestRejectPanicIsAnError(t *testing.T) {
	s := newSession(t)
	id := s.store.Push(resolve.Action{Label: "L", Reject: func(context.Context, string, map[string]any) (*resolve.Result, error) {
		panic("boom")
	}})
	_, err := s.resolve(resolve.Discard, "no")
	var panicked *resolve.PanicError
	if !errors.As(err, &panicked) || err.Error() != "boom" || len(panicked.Stack) == 0 {
		t.Errorf("error %T %v, want a PanicError boom with its stack", err, err)
	}
	s.wantPending(id)
}

func TestStatement17_ApplyErrorIsWrapped(t *testing.T) {
	s := newSession(t)
	full := errors.New("disk full")
	id := s.stage("L", "s", resolve.Result{}, full)
	_, err := s.resolve(resolve.Apply, "why")
	wantToolError(t, err, "Apply failed: disk full")
	if !errors.Is(err, full) {
		t.Error("the cause is lost")
	}
	if name := err.(*resolve.ToolError).Name(); name != "ToolError" {
		t.Errorf("name %q", name)
	}
	s.wantPending(id)
}

// staleError is a host's own class of ToolError.
type staleError struct{ *resolve.ToolError }

func (e staleError) Unwrap() error { return e.ToolError }

func TestStatement18_ToolErrorIsPassedOn(t *testing.T) {
	stale := &resolve.ToolError{Message: "stale", Context: map[string]any{"files": 1}}
	for name, want := range map[string]error{"itself": stale, "a class of it": staleError{stale}} {
		t.Run(name, func(t *testing.T) {
			s := newSession(t)
			id := s.stage("L", "s", resolve.Result{}, want)
			_, err := s.resolve(resolve.Apply, "why")
			if err != want || err.Error() != "stale" {
				t.Errorf("error %v, want the very error of the callback", err)
			}
			s.wantPending(id)
		})
	}
}

func TestStatement19_PanicValueIsText(t *testing.T) {
	for name, tc := range map[string]struct {
		value any
		want  string
	}{
		"string":    {"x", "Apply failed: x"},
		"number":    {7, "Apply failed: 7"},
		"error":     {errors.New("e"), "Apply failed: e"},
		"ToolError": {&resolve.ToolError{Message: "t"}, "Apply failed: t"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSession(t)
			id := s.store.Push(resolve.Action{Label: "L", Apply: func(context.Context, string, map[string]any) (resolve.Result, error) {
				panic(tc.value)
			}})
			_, err := s.resolve(resolve.Apply, "why")
			wantToolError(t, err, tc.want)
			var panicked *resolve.PanicError
			if !errors.As(err, &panicked) || panicked.Value != tc.value {
				t.Errorf("the panic is lost: %v", err)
			}
			if cause, ok := tc.value.(error); ok && !errors.Is(err, cause) {
				t.Errorf("the cause is lost: %v", err)
			}
			s.wantPending(id)
		})
	}
}

func TestApplyWithoutCallbackFails(t *testing.T) {
	s := newSession(t)
	id := s.store.Push(resolve.Action{Label: "L"})
	_, err := s.resolve(resolve.Apply, "why")
	wantToolError(t, err, "Apply failed: the action has no apply callback")
	s.wantPending(id)
}

func TestStatement20_FailedApplyCanBeRetried(t *testing.T) {
	s := newSession(t)
	s.stage("L", "s", resolve.Result{}, errors.New("disk full"))
	if _, err := s.resolve(resolve.Apply, "why"); err == nil {
		t.Fatal("the first apply succeeded")
	}
	s.must(resolve.Apply, "again")
	if want := []call{{"why", nil}, {"again", nil}}; !reflect.DeepEqual(s.applied, want) {
		t.Errorf("apply called with %v, want %v", s.applied, want)
	}
	s.wantPending()
}

func TestStatement21_FailedApplyCanBeDiscarded(t *testing.T) {
	s := newSession(t)
	s.stage("L", "s", resolve.Result{}, errors.New("disk full"))
	if _, err := s.resolve(resolve.Apply, "why"); err == nil {
		t.Fatal("apply succeeded")
	}
	if got := s.must(resolve.Discard, "n").Text(); got != "Discarded: L. Reason: n" {
		t.Errorf("text %q", got)
	}
	s.wantPending()
}

func TestStatement22_NewestIsResolvedFirst(t *testing.T) {
	s := newSession(t)
	s.stage("A", "s", resolve.TextResult("did A", nil))
	s.stage("B", "s", resolve.TextResult("did B", nil))
	for _, want := range []string{"did B", "did A"} {
		if got := s.must(resolve.Apply, "r").Text(); got != want {
			t.Errorf("text %q, want %q", got, want)
		}
	}
	_, err := s.resolve(resolve.Apply, "r")
	wantToolError(t, err, nothingToResolve)
	if got := s.must(resolve.Discard, "r").Text(); got != nothingToDiscard {
		t.Errorf("text %q, want %q", got, nothingToDiscard)
	}
}

func TestStatement23_FailedApplyStaysTheHead(t *testing.T) {
	s := newSession(t)
	a := s.stage("A", "s", resolve.Result{})
	b := s.stage("B", "s", resolve.Result{}, errors.New("no"))
	if _, err := s.resolve(resolve.Apply, "r"); err == nil {
		t.Fatal("apply succeeded")
	}
	s.wantPending(b, a)
	if s.store.Count() != 2 {
		t.Errorf("count %d", s.store.Count())
	}
}
