package resolve_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// call is what a callback was called with.
type call struct {
	reason string
	extra  map[string]any
}

// session is a store and its tool, with the calls that its actions got.
type session struct {
	t       *testing.T
	store   *resolve.Store
	tool    *resolve.Tool
	applied []call
	reject  []call
}

func newSession(t *testing.T, opts ...resolve.Option) *session {
	t.Helper()
	store := resolve.NewStore()
	return &session{t: t, store: store, tool: resolve.NewTool(store, opts...)}
}

// stage stages an action whose apply gives result and err in turn.
func (s *session) stage(label, source string, result resolve.Result, errs ...error) string {
	return s.store.Push(resolve.Action{Label: label, SourceToolName: source, Apply: s.apply(result, errs...)})
}

// apply fails with each of errs in turn, then succeeds with result.
func (s *session) apply(result resolve.Result, errs ...error) resolve.ApplyFunc {
	return func(_ context.Context, reason string, extra map[string]any) (resolve.Result, error) {
		s.applied = append(s.applied, call{reason, extra})
		if len(errs) > 0 {
			err := errs[0]
			errs = errs[1:]
			return resolve.Result{}, err
		}
		return result, nil
	}
}

// stageReject stages an action whose reject gives result and err.
func (s *session) stageReject(label string, result *resolve.Result, err error) string {
	return s.store.Push(resolve.Action{
		Label: label, SourceToolName: "s", Apply: s.apply(resolve.Result{}),
		Reject: func(_ context.Context, reason string, extra map[string]any) (*resolve.Result, error) {
			s.reject = append(s.reject, call{reason, extra})
			return result, err
		},
	})
}

func (s *session) resolve(action resolve.Kind, reason string) (resolve.Result, error) {
	return s.tool.Execute(context.Background(), resolve.Params{Action: action, Reason: reason})
}

func (s *session) must(action resolve.Kind, reason string) resolve.Result {
	s.t.Helper()
	result, err := s.resolve(action, reason)
	if err != nil {
		s.t.Fatalf("%s: %v", action, err)
	}
	return result
}

func (s *session) wantPending(ids ...string) {
	s.t.Helper()
	var got []string
	for _, a := range s.store.List() {
		got = append(got, a.ID)
	}
	if !reflect.DeepEqual(got, ids) {
		s.t.Errorf("pending, top first: %q, want %q", got, ids)
	}
}

func wantToolError(t *testing.T, err error, message string) {
	t.Helper()
	var toolErr *resolve.ToolError
	if !errors.As(err, &toolErr) || err.Error() != message {
		t.Errorf("error %T %q, want ToolError %q", err, err, message)
	}
}

// wantJSON compares what v is as JSON with want, whatever the order of keys.
func wantJSON(t *testing.T, v any, want string) {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var gotValue, wantValue any
	if err := errors.Join(json.Unmarshal(data, &gotValue), json.Unmarshal([]byte(want), &wantValue)); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(gotValue, wantValue) {
		t.Errorf("JSON %s, want %s", data, want)
	}
}

// within fails the test where ch gives nothing for a time that no machine needs.
func within[T any](t *testing.T, ch <-chan T, what string) T {
	t.Helper()
	select {
	case v := <-ch:
		return v
	case <-time.After(20 * time.Second):
		t.Fatalf("%s did not happen", what)
		panic("unreachable")
	}
}
