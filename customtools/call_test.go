package customtools

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

func echo(_ context.Context, call RuntimeCall) (resolve.Result, error) {
	return resolve.TextResult(string(call.Params), nil), nil
}

func callOf(input string) resolve.ToolCall {
	return resolve.ToolCall{ID: "id-1", Name: "t", Input: json.RawMessage(input)}
}

func mustCall(t *testing.T, tool *LoadedTool, ctx context.Context, input string) resolve.Result {
	t.Helper()
	result, err := tool.Call(ctx, callOf(input))
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func TestStatement82_InvalidArgumentsAreNotExecuted(t *testing.T) {
	executed := false
	tool := direct(named("t", schemaOf(`"a":{"type":"number"}`, "a"), func(context.Context, RuntimeCall) (resolve.Result, error) {
		executed = true
		return resolve.Result{}, nil
	}), &logHost{})
	result := mustCall(t, tool, context.Background(), `{}`)
	if executed || !result.IsError {
		t.Errorf("executed %v, isError %v", executed, result.IsError)
	}
	wantPrefix(t, result.Text(), "Validation failed for tool \"t\":\n  - a: must have required property 'a'\n")
}

// TestStatements83And84_WhatACallBrings: the id, the parameters, the context
// of the call where there is one, else the loader's.
func TestStatements83And84_WhatACallBrings(t *testing.T) {
	var got RuntimeCall
	loaders, callers := &logHost{}, &logHost{}
	tool := direct(named("t", "", func(_ context.Context, call RuntimeCall) (resolve.Result, error) {
		got = call
		return resolve.TextResult("ok", nil), nil
	}), loaders)
	mustCall(t, tool, context.Background(), `{"a":1}`)
	if got.ToolCallID != "id-1" || string(got.Params) != `{"a":1}` || got.Host != Host(loaders) {
		t.Errorf("without an environment: %+v", got)
	}
	env := CallEnv{Host: callers, Context: ToolContext{HasUI: true, Model: json.RawMessage(`"m"`)}}
	mustCall(t, tool, WithCallEnv(context.Background(), env), `{}`)
	if got.Host != Host(callers) || !got.Context.HasUI || string(got.Context.Model) != `"m"` {
		t.Errorf("with one: %+v", got)
	}
}

func TestStatement86_UpdatesComeInOrderBeforeTheEnd(t *testing.T) {
	var late RuntimeCall
	tool := direct(named("t", "", func(_ context.Context, call RuntimeCall) (resolve.Result, error) {
		call.Report(resolve.TextResult("one", nil))
		call.Report(resolve.TextResult("two", nil))
		late = call
		return resolve.TextResult("done", nil), nil
	}), &logHost{})
	r := &recorder{}
	mustCall(t, tool, WithCallEnv(context.Background(), CallEnv{Observer: r}), `{}`)
	late.Report(resolve.TextResult("late", nil))
	wantStrings(t, r.lines, "start id-1 t {}", "update id-1 one", "update id-1 two", "end id-1 done false")
}

func TestStartIsToldBeforeValidation(t *testing.T) {
	r := &recorder{}
	tool := direct(named("t", `{"type":"array"}`, echo), &logHost{})
	mustCall(t, tool, WithCallEnv(context.Background(), CallEnv{Observer: r}), `{}`)
	if len(r.lines) != 2 || r.lines[0] != "start id-1 t {}" {
		t.Errorf("%q", r.lines)
	}
}

func TestStatement87_AnErrorIsAResult(t *testing.T) {
	for name, execute := range map[string]func(context.Context, RuntimeCall) (resolve.Result, error){
		"error": func(context.Context, RuntimeCall) (resolve.Result, error) { return resolve.Result{}, errors.New("bad") },
		"panic": func(context.Context, RuntimeCall) (resolve.Result, error) { panic("bad") },
	} {
		tool := direct(named("t", "", execute), &logHost{})
		wantText(t, name+resultJSON(t, mustCall(t, tool, context.Background(), `{}`)), name+`{"content":[{"type":"text","text":"bad"}],"details":{},"isError":true}`)
	}
}

func TestStatement90_UnknownTool(t *testing.T) {
	loaded := NewLoader(LoaderConfig{Host: &logHost{}, Direct: []Tool{named("t", "", echo)}}).Load(context.Background(), nil)
	tools := loaded.Registered(context.Background())
	result, err := tools.Call(context.Background(), &resolve.Hooks{}, resolve.ToolCall{Name: "nope"})
	if err != nil || result.Text() != "Tool nope not found" || !result.IsError {
		t.Errorf("%+v, %v", result, err)
	}
	result, err = tools.Call(context.Background(), &resolve.Hooks{}, resolve.ToolCall{Name: "t", Input: json.RawMessage(`{"a":1}`)})
	if err != nil || result.Text() != `{"a":1}` {
		t.Errorf("%+v, %v", result, err)
	}
}

func TestStatement91_AbortReachesTheToolAndIsNotWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		aborted := false
		r := &recorder{}
		tool := direct(named("t", "", func(ctx context.Context, call RuntimeCall) (resolve.Result, error) {
			<-ctx.Done()
			aborted = true
			<-release // does not obey
			call.Report(resolve.TextResult("late", nil))
			return resolve.TextResult("late", nil), nil
		}), &logHost{})
		ctx, cancel := context.WithCancelCause(context.Background())
		go func() {
			synctest.Wait()
			cancel(errors.New("by the user"))
		}()
		_, err := tool.Call(WithCallEnv(ctx, CallEnv{Observer: r}), callOf(`{}`))
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		close(release)
		synctest.Wait()
		if !aborted {
			t.Error("the tool was not told")
		}
		wantStrings(t, r.lines, "start id-1 t {}", "end id-1 Tool execution was aborted: by the user true")
	})
}

func TestCall_AbortedBeforeItStarted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r := &recorder{}
	tool := direct(named("t", "", func(context.Context, RuntimeCall) (resolve.Result, error) {
		t.Error("executed")
		return resolve.Result{}, nil
	}), &logHost{})
	if _, err := tool.Call(WithCallEnv(ctx, CallEnv{Observer: r}), callOf(`{}`)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	wantStrings(t, r.lines, "start id-1 t {}", "end id-1 Tool execution was aborted. true")
}

func TestStatements92And93_SessionEvents(t *testing.T) {
	var got []string
	tool := func(name string, err error) Tool {
		tool := named(name, "", echo)
		tool.OnSession = func(_ context.Context, event json.RawMessage, _ ToolContext) error {
			got = append(got, name+string(event))
			return err
		}
		return tool
	}
	host := &logHost{}
	loaded := NewLoader(LoaderConfig{Host: host, Direct: []Tool{tool("a", errors.New("bad")), named("none", "", echo), tool("b", nil)}}).Load(context.Background(), nil)
	loaded.Session(context.Background(), SessionEvent("start"), ToolContext{})
	wantStrings(t, got, `a{"reason":"start"}`, `b{"reason":"start"}`)
	wantStrings(t, host.entries, `warn Custom tool onSession error {"error":"bad","tool":"a"}`)
}

func TestStatement95_Rendering(t *testing.T) {
	call := func(text string, err error) func(json.RawMessage, RenderOptions) (string, error) {
		return func(json.RawMessage, RenderOptions) (string, error) { return text, err }
	}
	result := func(err error) func(resolve.Result, json.RawMessage, RenderOptions) (string, error) {
		return func(r resolve.Result, args json.RawMessage, _ RenderOptions) (string, error) {
			return "<" + r.Text() + string(args) + ">", err
		}
	}
	tests := []struct {
		name string
		set  func(*Tool)
		want string
		log  []string
	}{
		{"none", func(*Tool) {}, "", nil},
		{"both", func(t *Tool) { t.RenderCall, t.RenderResult = call("call", nil), result(nil) }, "call\n<{}{}>", nil},
		{"call only", func(t *Tool) { t.RenderCall = call("call", nil) }, "call\n{}", nil},
		{"result only", func(t *Tool) { t.RenderResult = result(nil) }, "Label\n<{}{}>", nil},
		{"merged", func(t *Tool) {
			t.RenderCall, t.RenderResult, t.MergeCallAndResult = call("call", nil), result(nil), true
		}, "<{}{}>", nil},
		{"falsy", func(t *Tool) { t.RenderCall, t.RenderResult = call("", nil), result(nil) }, "<{}{}>", nil},
		{"call throws", func(t *Tool) { t.RenderCall = call("", errors.New("bad")) }, "Label\n{}", []string{`warn Tool renderer failed {"error":"bad","tool":"t"}`}},
		{"result throws", func(t *Tool) { t.RenderResult = result(errors.New("bad")) }, "Label\n{}", []string{`warn Tool renderer failed {"error":"bad","tool":"t"}`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tool := named("t", "", echo)
			tool.Label = "Label"
			tt.set(&tool)
			host := &logHost{}
			got := mustCall(t, direct(tool, host), context.Background(), `{}`)
			wantText(t, got.Display, tt.want)
			wantText(t, got.Text(), "{}")
			wantStrings(t, host.entries, tt.log...)
		})
	}
}
