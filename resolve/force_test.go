package resolve_test

import (
	"slices"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

func active(names ...string) func(string) bool {
	return func(name string) bool { return slices.Contains(names, name) }
}

func byName(name string) (resolve.ToolChoice, bool) { return resolve.Named(name), true }

func TestStatement81_ForcingAnInactiveTool(t *testing.T) {
	q := newQueue()
	wantToolError(t, q.ForceTool("zzz", active("write"), byName), `Tool "zzz" is not currently active.`)
	wantInspect(t, q)
	unnamed := func(string) (resolve.ToolChoice, bool) { return resolve.ToolChoice{}, false }
	wantToolError(t, q.ForceTool("write", active("write"), unnamed), "Current model does not support forcing a specific tool.")
	wantInspect(t, q)
}

func TestStatement82_ForcingATool(t *testing.T) {
	q := newQueue()
	if err := q.ForceTool("write", active("write"), byName); err != nil {
		t.Fatal(err)
	}
	if !q.UserForced() {
		t.Error("not known as the user's")
	}
	wantNext(t, q, write, noTool)
	if q.UserForced() {
		t.Error("still forced")
	}
}

func TestForcedToolIsForcedAgainAfterAnError(t *testing.T) {
	q := newQueue()
	if err := q.ForceTool("write", active("write"), byName); err != nil {
		t.Fatal(err)
	}
	q.NextToolChoice()
	q.EndTurn(resolve.StopError)
	if !q.UserForced() {
		t.Error("lost with the turn")
	}
	q.NextToolChoice()
	q.Reject(resolve.RejectUnavailable)
	wantNoNext(t, q)
}
