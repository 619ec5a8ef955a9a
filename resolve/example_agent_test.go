package resolve_test

import (
	"context"
	"fmt"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// An agent's loop has the model decide on what it staged: it is reminded, and
// forced for one request when it does something else.
func ExampleGate() {
	store := resolve.NewStore()
	queue := resolve.NewToolChoiceQueue(store)
	tool := resolve.NewTool(store, resolve.WithQueue(queue))
	resolve.QueueResolveHandler(queue, resolve.Action{
		Label: "Rename: 2 uses of foo", SourceToolName: "rename",
		Apply: func(context.Context, string, map[string]any) (resolve.Result, error) {
			return resolve.TextResult("Renamed 2 uses.", nil), nil
		},
	})

	model := [][]resolve.ToolCall{ // what the model calls in each turn
		{{ID: "1", Name: "read"}},
		{{ID: "2", Name: "resolve"}},
		{}, // an answer in text
	}
	var gate resolve.Gate
	defer gate.End()
	for _, calls := range model {
		request := gate.Before(queue.NextDirective(func(string) bool { return true }, time.Now()))
		fmt.Printf("request: %d reminders, forced to %q\n", len(request.Append), request.Choice.Name)

		verdict := gate.After(resolve.Response{ToolCalls: calls})
		if verdict.Err != nil {
			fmt.Println(verdict.Err)
			return
		}
		for _, refused := range verdict.Results {
			fmt.Println(refused.Text())
		}
		if verdict.Execute && len(calls) > 0 {
			result, _ := tool.Execute(context.Background(), resolve.Params{Action: resolve.Apply, Reason: "as asked"})
			fmt.Println(result.Text())
		}
	}
	// Output:
	// request: 1 reminders, forced to ""
	// Not executed: call the `resolve` tool to resolve the pending action before using other tools.
	// request: 0 reminders, forced to "resolve"
	// Renamed 2 uses.
	// request: 0 reminders, forced to ""
}

// A user picks the tool that the model must call next.
func ExampleToolChoiceQueue_ForceTool() {
	queue := resolve.NewToolChoiceQueue(resolve.NewStore())
	active := func(name string) bool { return name == "write" }
	named := func(name string) (resolve.ToolChoice, bool) { return resolve.Named(name), true }

	fmt.Println(queue.ForceTool("zzz", active, named))
	fmt.Println(queue.ForceTool("write", active, named))
	for {
		directive := queue.NextDirective(active, time.Now())
		if directive.Hard.IsZero() {
			break
		}
		fmt.Println(directive.Hard.Type, directive.Hard.Name)
		queue.EndTurn("end_turn")
	}
	// Output:
	// Tool "zzz" is not currently active.
	// <nil>
	// tool write
	// none
}

// A mode keeps a handler for the calls that find nothing pending, such as the
// approval of a plan.
func ExampleStanding() {
	store := resolve.NewStore()
	var standing resolve.Standing
	tool := resolve.NewTool(store, resolve.WithStanding(&standing))
	release := standing.Set("plan", func(_ context.Context, p resolve.Params) (resolve.Result, error) {
		return resolve.TextResult(fmt.Sprintf("Plan %q: %s.", p.Extra["title"], p.Action), nil), nil
	})
	approve := resolve.Params{Action: resolve.Apply, Reason: "ready", Extra: map[string]any{"title": "Rename foo"}}
	result, _ := tool.Execute(context.Background(), approve)
	fmt.Println(result.Text())

	release()
	_, err := tool.Execute(context.Background(), approve)
	fmt.Println(err)
	// Output:
	// Plan "Rename foo": apply.
	// No pending action to resolve. Nothing to apply or discard.
}

// Hooks stand between a caller and its tools.
func ExampleHooks() {
	tools := resolve.Tools{{
		Definition: resolve.Definition{Name: "shell"},
		Execute: func(context.Context, resolve.ToolCall) (resolve.Result, error) {
			return resolve.TextResult("token=abc", nil), nil
		},
	}}
	hooks := resolve.Hooks{
		Before: []resolve.BeforeHook{func(_ context.Context, call resolve.ToolCall) (*resolve.BlockCall, error) {
			if string(call.Input) == `"rm"` {
				return &resolve.BlockCall{Reason: "Not that one."}, nil
			}
			return nil, nil
		}},
		After: []resolve.AfterHook{func(context.Context, resolve.ToolCall, resolve.Result) (*resolve.Rewrite, error) {
			return &resolve.Rewrite{Content: resolve.TextResult("token=***", nil).Content}, nil
		}},
	}
	for _, input := range []string{`"rm"`, `"env"`} {
		result, _ := tools.Call(context.Background(), &hooks, resolve.ToolCall{Name: "shell", Input: []byte(input)})
		fmt.Println(result.Text(), result.IsError)
	}
	// Output:
	// Not that one. true
	// token=*** false
}
