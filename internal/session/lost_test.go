package session_test

import (
	"context"
	"errors"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/internal/session"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// What was to apply an action is gone: its callbacks are not called, everyone who
// looks sees why, and it can be discarded.
func TestALostActionCanOnlyBeDiscarded(t *testing.T) {
	f := newFixture(t, nil)
	ref := f.Stage(toolOrigin, session.Callbacks{
		Apply: func(context.Context, string, map[string]any) (resolve.Result, error) {
			return resolve.Result{}, errors.New("not to be called")
		},
	})
	told := 0
	defer f.Subscribe(func() { told++ })()
	f.Lose("pending-action:deploy:99", "no such action")
	if told != 0 || f.top().Lost != "" {
		t.Errorf("an action that is not there: told %d times, top %+v", told, f.top())
	}
	f.Lose(ref.ID, "It was lost.")
	if top := f.top(); told != 1 || top.Lost != "It was lost." {
		t.Errorf("told %d times, top %+v", told, top)
	}
	apply := call(resolve.Apply, &ref)
	_, checked := f.Check(apply)
	_, err := f.Resolve(context.Background(), apply)
	for _, err := range []error{checked, err} {
		if tool := (*resolve.ToolError)(nil); !errors.As(err, &tool) || tool.Message != "It was lost." {
			t.Errorf("apply: %v", err)
		}
	}
	f.wantPending(ref)
	if _, err := f.Resolve(context.Background(), call(resolve.Discard, &ref)); err != nil {
		t.Errorf("discard: %v", err)
	}
	f.wantPending()
	f.Lose(ref.ID, "too late") // nothing is left to be marked
}
