package lsp_test

import (
	"context"
	"slices"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
)

// A client that can be asked for text is given the ready-made reasons too, and
// the log tells a reason that it let the human choose from one that was typed.
func TestInput_OffersReadyReasons(t *testing.T) {
	for _, c := range []struct {
		action, answer, from string
		choices              []string
	}{
		{"apply", "Tests pass with it", "chosen", []string{"Reviewed: the change is right", "Tests pass with it"}},
		{"discard", "Not now", "chosen", []string{"Not the change I want", "Not now"}},
		{"apply", "bar replaces foo", "typed", []string{"Reviewed: the change is right", "Tests pass with it"}},
	} {
		t.Run(c.action+" "+c.from, func(t *testing.T) {
			manners := lsptest.VSCodeLike()
			manners.Input = true
			f, _, _, top := twoPending(t, manners)
			var offered []string
			f.OnInput(func(in lsptest.Input) *string {
				offered = in.Choices
				return &c.answer
			})
			f.run("xcsh.resolve", map[string]any{"action": c.action, "id": top, "revision": 1})
			if !slices.Equal(offered, c.choices) {
				t.Errorf("offered %q, want %q", offered, c.choices)
			}
			log := f.decisions()
			if len(log) != 1 || log[0].Reason != c.answer || log[0].ReasonFrom != c.from {
				t.Errorf("decisions %+v, want one with %q, %s", log, c.answer, c.from)
			}
		})
	}
}

// The same by a form: a client that has xcsh/input too gets the ready-made reasons
// with the field, and one without gets the field of the convention and no more.
func TestForm_OffersReadyReasons(t *testing.T) {
	for _, c := range []struct {
		name, answer, from string
		input              bool
	}{
		{"chosen", "Tests pass with it", "chosen", true},
		{"typed", "bar replaces foo", "typed", true},
		{"plain", "Tests pass with it", "typed", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			manners := lsptest.VSCodeLike()
			manners.Forms, manners.Input = true, c.input
			f, uri, _, _ := twoPending(t, manners)
			ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
			defer cancel()
			action := f.Action(f.CodeActions(uri, f.Range(uri, "old(2)")), "Apply \""+topLabel+"\"…")
			if _, failed := f.ExecuteWithForm(ctx, action, c.answer); failed != nil {
				t.Fatal(failed)
			}
			log := f.decisions()
			if len(log) != 1 || log[0].Reason != c.answer || log[0].ReasonFrom != c.from {
				t.Errorf("decisions %+v, want one with %q, %s", log, c.answer, c.from)
			}
		})
	}
}
