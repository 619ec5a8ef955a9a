package resolve_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// called calls a tool that answers result or err, and reports whether it ran.
func called(t *testing.T, hooks resolve.Hooks, result resolve.Result, err error) (got resolve.Result, ran bool) {
	t.Helper()
	got, callErr := hooks.Call(context.Background(), resolve.ToolCall{ID: "1", Name: "echo"}, func(context.Context, resolve.ToolCall) (resolve.Result, error) {
		ran = true
		return result, err
	})
	if callErr != nil {
		t.Fatal(callErr)
	}
	return got, ran
}

func TestBeforeHooks(t *testing.T) {
	pass := func(context.Context, resolve.ToolCall) (*resolve.BlockCall, error) { return nil, nil }
	block := func(reason string) resolve.BeforeHook {
		return func(context.Context, resolve.ToolCall) (*resolve.BlockCall, error) {
			return &resolve.BlockCall{Reason: reason}, nil
		}
	}
	cases := map[string]struct {
		hooks []resolve.BeforeHook
		want  string // "" where the call is made
	}{
		"none":               {nil, ""},
		"lets pass":          {[]resolve.BeforeHook{pass, pass}, ""},
		"blocks":             {[]resolve.BeforeHook{pass, block("")}, "Tool execution was blocked by an extension"},
		"blocks with reason": {[]resolve.BeforeHook{block("not on Fridays"), block("later")}, "not on Fridays"},
		"fails": {[]resolve.BeforeHook{func(context.Context, resolve.ToolCall) (*resolve.BlockCall, error) {
			return nil, errors.New("no policy")
		}}, "no policy"},
		"panics": {[]resolve.BeforeHook{func(context.Context, resolve.ToolCall) (*resolve.BlockCall, error) {
			panic("odd")
		}}, "Extension failed, blocking execution: odd"},
		"panics with an error": {[]resolve.BeforeHook{func(context.Context, resolve.ToolCall) (*resolve.BlockCall, error) {
			panic(errors.New("bad state"))
		}}, "bad state"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			after := 0
			hooks := resolve.Hooks{Before: c.hooks, After: []resolve.AfterHook{func(context.Context, resolve.ToolCall, resolve.Result) (*resolve.Rewrite, error) {
				after++
				return nil, nil
			}}}
			got, ran := called(t, hooks, resolve.TextResult("done", nil), nil)
			if c.want == "" {
				if !ran || got.Text() != "done" || got.IsError || after != 1 {
					t.Errorf("ran %v, after %d: %+v", ran, after, got)
				}
				return
			}
			if ran || after != 0 {
				t.Errorf("ran %v, after %d", ran, after)
			}
			wantJSON(t, got, `{"content":[{"type":"text","text":`+quoted(c.want)+`}],"details":{},"isError":true}`)
		})
	}
}

func quoted(s string) string {
	data, _ := json.Marshal(s)
	return string(data)
}

func TestAfterHooks(t *testing.T) {
	yes, no := true, false
	blocks := func(text string) []resolve.Block { return resolve.TextResult(text, nil).Content }
	fine := resolve.TextResult("done", map[string]any{"n": 1})
	cases := map[string]struct {
		result  resolve.Result
		err     error
		rewrite *resolve.Rewrite
		want    string
	}{
		"leaves it":        {fine, nil, nil, `{"content":[{"type":"text","text":"done"}],"details":{"n":1}}`},
		"replaces content": {fine, nil, &resolve.Rewrite{Content: blocks("new")}, `{"content":[{"type":"text","text":"new"}],"details":{"n":1}}`},
		"replaces details": {fine, nil, &resolve.Rewrite{Details: map[string]any{"m": 2}}, `{"content":[{"type":"text","text":"done"}],"details":{"m":2}}`},
		"success to error": {fine, nil, &resolve.Rewrite{IsError: &yes}, `{"content":[{"type":"text","text":"done"}],"details":{},"isError":true}`},
		"to error, with a text": {fine, nil, &resolve.Rewrite{IsError: &yes, Content: blocks("leaked a key")},
			`{"content":[{"type":"text","text":"leaked a key"}],"details":{},"isError":true}`},
		"to error, without a text": {resolve.Result{}, nil, &resolve.Rewrite{IsError: &yes},
			`{"content":[{"type":"text","text":"Tool result marked as error by extension"}],"details":{},"isError":true}`},
		"error to success": {resolve.Result{}, errors.New("no such file"), &resolve.Rewrite{IsError: &no, Content: blocks("nothing there")},
			`{"content":[{"type":"text","text":"nothing there"}],"details":{}}`},
		"error stays": {resolve.Result{}, errors.New("no such file"), nil, `{"content":[{"type":"text","text":"no such file"}],"details":{},"isError":true}`},
		"error stays one": {resolve.Result{}, errors.New("no such file"), &resolve.Rewrite{IsError: &yes},
			`{"content":[{"type":"text","text":"no such file"}],"details":{},"isError":true}`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			hooks := resolve.Hooks{After: []resolve.AfterHook{func(_ context.Context, call resolve.ToolCall, result resolve.Result) (*resolve.Rewrite, error) {
				if call.Name != "echo" || result.IsError != (c.err != nil) {
					t.Errorf("hook saw %+v, %+v", call, result)
				}
				return c.rewrite, nil
			}}}
			got, _ := called(t, hooks, c.result, c.err)
			wantJSON(t, got, c.want)
		})
	}
}

func TestAfterHooksFollowEachOther(t *testing.T) {
	add := func(s string) resolve.AfterHook {
		return func(_ context.Context, _ resolve.ToolCall, r resolve.Result) (*resolve.Rewrite, error) {
			return &resolve.Rewrite{Content: resolve.TextResult(r.Text()+s, nil).Content}, nil
		}
	}
	var failed []string
	hooks := resolve.Hooks{
		After: []resolve.AfterHook{
			add("a"),
			func(context.Context, resolve.ToolCall, resolve.Result) (*resolve.Rewrite, error) {
				return &resolve.Rewrite{Content: nil}, errors.New("hook failed")
			},
			func(context.Context, resolve.ToolCall, resolve.Result) (*resolve.Rewrite, error) {
				panic("hook panicked")
			},
			add("b"),
		},
		AfterFailed: func(_ resolve.ToolCall, err error) { failed = append(failed, err.Error()) },
	}
	got, _ := called(t, hooks, resolve.TextResult("-", nil), nil)
	if got.Text() != "-ab" || got.IsError || !slices.Equal(failed, []string{"hook failed", "hook panicked"}) {
		t.Errorf("result %+v, failed %q", got, failed)
	}
}

func TestCalledToolPanics(t *testing.T) {
	var hooks resolve.Hooks
	got, err := hooks.Call(context.Background(), resolve.ToolCall{}, func(context.Context, resolve.ToolCall) (resolve.Result, error) { panic("oops") })
	if err != nil || !got.IsError || got.Text() != "oops" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestCallThatWasCancelled(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	hooks := resolve.Hooks{After: []resolve.AfterHook{func(context.Context, resolve.ToolCall, resolve.Result) (*resolve.Rewrite, error) {
		t.Error("a hook saw the result of a cancelled call")
		return nil, nil
	}}}
	_, err := hooks.Call(ctx, resolve.ToolCall{}, func(ctx context.Context, _ resolve.ToolCall) (resolve.Result, error) {
		cancel(errors.New("user"))
		return resolve.Result{}, ctx.Err()
	})
	wantAbort(t, err, "Aborted: user")
}
