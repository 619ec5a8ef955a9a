package resolve_test

import (
	"context"
	"fmt"
	"reflect"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

func TestStatement24_IDsCountUp(t *testing.T) {
	s := resolve.NewStore()
	for n := range 2 {
		want := fmt.Sprintf("pending-action:ast_edit:%d", n)
		if got := s.Push(resolve.Action{ID: "mine", SourceToolName: "ast_edit"}); got != want {
			t.Errorf("id %q, want %q", got, want)
		}
	}
}

func TestStatement25_ToolsShareTheCounter(t *testing.T) {
	s := resolve.NewStore()
	a, b := s.Push(resolve.Action{SourceToolName: "a"}), s.Push(resolve.Action{SourceToolName: "b"})
	if a != "pending-action:a:0" || b != "pending-action:b:1" {
		t.Errorf("ids %q and %q", a, b)
	}
}

func TestStatement26_NoIDIsIssuedTwice(t *testing.T) {
	s := newSession(t)
	seen := map[string]bool{}
	stage := func() {
		t.Helper()
		id := s.stage("L", "s", resolve.Result{})
		if seen[id] {
			t.Errorf("id %q issued twice", id)
		}
		seen[id] = true
	}
	stage()
	s.must(resolve.Apply, "r")
	stage()
	s.must(resolve.Discard, "r")
	stage()
	s.store.Pop()
	stage()
	s.store.Clear()
	stage()
}

func TestStatement39_EmptyStore(t *testing.T) {
	s := resolve.NewStore()
	_, peeked := s.Peek()
	_, popped := s.Pop()
	if peeked || popped || s.HasPending() || s.Count() != 0 || len(s.List()) != 0 {
		t.Error("an empty store has something")
	}
	if s.Remove("pending-action:s:0") {
		t.Error("removed what is not there")
	}
}

func TestStatement40_LastInFirstOut(t *testing.T) {
	s := resolve.NewStore()
	a, b := s.Push(resolve.Action{Label: "A"}), s.Push(resolve.Action{Label: "B"})
	if top, ok := s.Peek(); !ok || top.ID != b || top.Label != "B" {
		t.Errorf("peek %+v, %v, want B", top, ok)
	}
	for _, want := range []string{b, a} {
		if top, ok := s.Pop(); !ok || top.ID != want {
			t.Errorf("pop %q, %v, want %q", top.ID, ok, want)
		}
	}
	if s.HasPending() {
		t.Error("something is left")
	}
}

func TestStatement41_PushListener(t *testing.T) {
	s := resolve.NewStore()
	var got []string
	unsubscribe := s.SubscribePush(func(a resolve.Action, count int) {
		got = append(got, fmt.Sprint(a.ID, " ", count, " ", s.Count())) // the store may be used
	})
	s.Push(resolve.Action{SourceToolName: "s"})
	s.Push(resolve.Action{SourceToolName: "s"})
	unsubscribe()
	unsubscribe()
	s.Push(resolve.Action{SourceToolName: "s"})
	want := []string{"pending-action:s:0 1 1", "pending-action:s:1 2 2"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("heard %q, want %q", got, want)
	}
}

func TestStatement42_ClearInvokesNothing(t *testing.T) {
	s := newSession(t)
	s.stage("A", "s", resolve.Result{})
	s.stageReject("B", nil, nil)
	s.store.Clear()
	if s.store.Count() != 0 || len(s.applied)+len(s.reject) != 0 {
		t.Errorf("count %d, applied %v, rejected %v", s.store.Count(), s.applied, s.reject)
	}
}

func TestStoreByID(t *testing.T) {
	s := resolve.NewStore()
	a := s.Push(resolve.Action{Label: "A"})
	b := s.Push(resolve.Action{Label: "B"})
	c := s.Push(resolve.Action{Label: "C"})
	list := s.List()
	if !s.Remove(b) || s.Remove(b) {
		t.Error("B not removed exactly once")
	}
	if !s.Relabel(a, "A2") || s.Relabel(b, "B2") {
		t.Error("relabel found the wrong actions")
	}
	if got, ok := s.Get(a); !ok || got.Label != "A2" {
		t.Errorf("A is %+v, %v", got, ok)
	}
	if _, ok := s.Get(b); ok {
		t.Error("B is still found")
	}
	if top, _ := s.Peek(); top.ID != c {
		t.Errorf("top %q", top.ID)
	}
	if len(list) != 3 || list[0].ID != c || list[1].Label != "B" || list[2].Label != "A" {
		t.Errorf("a list changed with the store: %+v", list)
	}
}

func TestSubscribeHearsEachChange(t *testing.T) {
	s := newSession(t)
	heard := 0
	s.store.Subscribe(func() {
		heard++
		if v := s.store.Version(); v != uint64(heard) {
			t.Errorf("change %d has version %d", heard, v)
		}
	})
	step := func(what string, want int, do func()) {
		t.Helper()
		before := heard
		do()
		if heard-before != want {
			t.Errorf("%s: heard %d changes, want %d", what, heard-before, want)
		}
	}
	step("push", 1, func() { s.stage("L", "s", resolve.Result{}, fmt.Errorf("no")) })
	step("requeue", 1, func() { _, _ = s.resolve(resolve.Apply, "r") })
	step("apply", 1, func() { s.must(resolve.Apply, "r") })
	step("nothing to discard", 0, func() { s.must(resolve.Discard, "r") })
	step("pop of nothing", 0, func() { s.store.Pop() })
	step("clear of nothing", 0, s.store.Clear)
	step("push and discard", 2, func() { s.stage("L", "s", resolve.Result{}); s.must(resolve.Discard, "r") })
	step("push and pop", 2, func() { s.stage("L", "s", resolve.Result{}); s.store.Pop() })
	step("push and remove", 2, func() { s.store.Remove(s.stage("L", "s", resolve.Result{})) })
	step("two pushes and clear", 3, func() {
		s.stage("L", "s", resolve.Result{})
		s.stage("L", "s", resolve.Result{})
		s.store.Clear()
	})
	if version, actions := s.store.Snapshot(); version != uint64(heard) || len(actions) != 0 {
		t.Errorf("snapshot %d %v, want version %d", version, actions, heard)
	}
}

func TestRequeueKeepsANewLabel(t *testing.T) {
	s := newSession(t)
	var id string
	id = s.store.Push(resolve.Action{Label: "old", SourceToolName: "s",
		Apply: func(context.Context, string, map[string]any) (resolve.Result, error) {
			s.store.Relabel(id, "refreshed")
			return resolve.Result{}, fmt.Errorf("stale")
		}})
	if _, err := s.resolve(resolve.Apply, "r"); err == nil {
		t.Fatal("apply succeeded")
	}
	if top, _ := s.store.Peek(); top.ID != id || top.Label != "refreshed" {
		t.Errorf("head %q %q", top.ID, top.Label)
	}
}
