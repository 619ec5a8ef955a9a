package resolve_test

import (
	"context"
	"slices"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

func base(deferrable bool) []resolve.Definition {
	return []resolve.Definition{
		{Name: "read"}, {Name: "ast_edit", Deferrable: deferrable}, {Name: "secret", Hidden: true}, resolve.ToolDefinition(),
	}
}

func wantTools(t *testing.T, got []resolve.Definition, want ...string) {
	t.Helper()
	var names []string
	for _, d := range got {
		names = append(names, d.Name)
	}
	if !slices.Equal(names, want) {
		t.Errorf("tools %q, want %q", names, want)
	}
}

func TestStatement74_ResolveComesWithADeferrableTool(t *testing.T) {
	wantTools(t, resolve.SelectTools(base(false), nil, false), "read", "ast_edit")
	wantTools(t, resolve.SelectTools(base(true), nil, false), "read", "ast_edit", "resolve")
	wantTools(t, resolve.SelectTools(base(false), nil, true), "read", "ast_edit", "resolve")
	wantTools(t, resolve.SelectTools(base(false)[:1], nil, true), "read", "resolve")

	// What counts is what is included, and then the whole registry again.
	wantTools(t, resolve.SelectTools(base(true), []string{"read"}, false), "read")
	registry := append(resolve.SelectTools(base(false), nil, false), resolve.Definition{Name: "mine", Deferrable: true})
	with := resolve.IncludeResolve(registry, false)
	wantTools(t, with, "read", "ast_edit", "mine", "resolve")
	wantTools(t, resolve.IncludeResolve(with, false), "read", "ast_edit", "mine", "resolve")
	without := slices.DeleteFunc(slices.Clone(with), func(d resolve.Definition) bool { return d.Name == "mine" })
	wantTools(t, resolve.IncludeResolve(without, false), "read", "ast_edit")
	wantTools(t, resolve.IncludeResolve(without, true), "read", "ast_edit", "resolve")
}

func TestStatement75_ResolveCannotBeRequested(t *testing.T) {
	wantTools(t, resolve.SelectTools(base(false), []string{"read", "resolve"}, false), "read")
	wantTools(t, resolve.SelectTools(base(true), []string{"resolve", "AST_Edit", "ast_edit", "nobody", "Secret"}, false), "ast_edit", "secret", "resolve")
	wantTools(t, resolve.SelectTools(base(true), []string{}, false))
}

func TestToolDefinition(t *testing.T) {
	d := resolve.ToolDefinition()
	if d.Name != "resolve" || d.Label != "Resolve" || !d.Hidden || d.Deferrable || d.Description == "" || len(d.Parameters) == 0 {
		t.Errorf("definition %+v", d)
	}
}

func TestRegistry(t *testing.T) {
	answer := func(text string) resolve.ToolFunc {
		return func(context.Context, resolve.ToolCall) (resolve.Result, error) {
			return resolve.TextResult(text, nil), nil
		}
	}
	var registry resolve.Registry
	if tools, errs := registry.Loaded(); len(tools)+len(errs) != 0 {
		t.Errorf("a new registry has %v, %v", tools, errs)
	}
	registry.Set(resolve.Tools{
		{Definition: resolve.Definition{Name: "a"}, Execute: answer("first")},
		{Definition: resolve.Definition{Name: "a"}, Execute: answer("second")},
	}, []resolve.ToolLoadError{{Path: "b.ts", Error: "Tool must export a default function"}})
	tools, errs := registry.Loaded()
	if len(errs) != 1 || errs[0].Path != "b.ts" {
		t.Errorf("errors %+v", errs)
	}
	for name, want := range map[string]string{
		"a": `{"content":[{"type":"text","text":"second"}]}`,
		"b": `{"content":[{"type":"text","text":"Tool b not found"}],"details":{},"isError":true}`,
	} {
		got, err := tools.Call(context.Background(), &resolve.Hooks{}, resolve.ToolCall{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		wantJSON(t, got, want)
	}
}
