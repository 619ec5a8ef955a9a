package resolve_test

import (
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

func TestRenderPlain(t *testing.T) {
	const label = "AST Edit: 2 replacements in 1 file"
	for _, tc := range []struct {
		name    string
		details resolve.Details
		isError bool
		want    string
	}{
		{"Statement76 accept", resolve.Details{Action: resolve.Apply, Reason: "ok", Label: label}, false,
			"Accept: 2 replacements in 1 file [AST Edit]\nok"},
		{"Statement77 failed", resolve.Details{Action: resolve.Apply, Reason: "ok", Label: label}, true,
			"Failed: 2 replacements in 1 file [AST Edit]\nok"},
		{"Statement78 discard", resolve.Details{Action: resolve.Discard, Reason: "no", Label: label}, false,
			"Discard: 2 replacements in 1 file [AST Edit]\nno"},
		{"Statement78 discard with an error", resolve.Details{Action: resolve.Discard, Reason: "no", Label: label}, true,
			"Discard: 2 replacements in 1 file [AST Edit]\nno"},
		{"Statement79 separator first", resolve.Details{Action: resolve.Apply, Reason: "ok", Label: ": odd"}, false,
			"Accept: : odd\nok"},
		{"Statement79 no separator", resolve.Details{Action: resolve.Apply, Reason: "ok", Label: "rename x:y"}, false,
			"Accept: rename x:y\nok"},
		{"Statement79 first separator counts", resolve.Details{Action: resolve.Apply, Reason: "ok", Label: "A : b: c"}, false,
			"Accept: b: c [A]\nok"},
		{"Statement80 blank reason", resolve.Details{Action: resolve.Apply, Reason: " \t\n", Label: "L"}, false,
			"Accept: L\nNo reason provided"},
		{"Statement80 nothing at all", resolve.Details{}, false,
			"Accept: pending action\nNo reason provided"},
		{"tabs and outer space", resolve.Details{Action: resolve.Apply, Reason: " a\tb ", Label: "T:\tx\ty"}, false,
			"Accept: x y [T]\na b"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := resolve.RenderPlain(tc.details, tc.isError); got != tc.want {
				t.Errorf("%q, want %q", got, tc.want)
			}
		})
	}
}

// The details of a real result are what the renderer takes.
func TestStatement76_RendersAResult(t *testing.T) {
	s := newSession(t)
	s.stage("AST Edit: 2 replacements in 1 file", "ast_edit", resolve.TextResult("Applied 2 replacements in 1 file.", nil))
	result := s.must(resolve.Apply, "reviewed")
	got := resolve.RenderPlain(result.Details.(resolve.Details), result.IsError)
	if want := "Accept: 2 replacements in 1 file [AST Edit]\nreviewed"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
