package mcpserver_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/xcsh-lsp/xcsh-lsp/customtools"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

func tool(name string, execute func(context.Context, customtools.RuntimeCall) (resolve.Result, error)) customtools.Tool {
	t := customtools.Tool{Execute: execute}
	t.Name, t.Label, t.Description = name, "A tool", "For a test."
	t.Parameters = json.RawMessage(`{"type":"object","properties":{"n":{"type":"number"}},"required":["n"]}`)
	return t
}

func named(t *testing.T, r *rig, name string) *mcp.Tool {
	t.Helper()
	list, err := r.agent.ListTools(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		if tool.Name == name {
			return tool
		}
	}
	t.Fatalf("%s is not among %+v", name, list.Tools)
	return nil
}

// A custom tool has its schema, its progress and its details over MCP, and says of
// itself no more than is known.
func TestCustomTool(t *testing.T) {
	heard := make(chan bool)
	r := newRigOf(t, rigOptions{direct: []customtools.Tool{tool("count", func(ctx context.Context, call customtools.RuntimeCall) (resolve.Result, error) {
		call.Report(resolve.TextResult("one third", nil))
		select {
		case <-heard:
		case <-ctx.Done():
			return resolve.Result{}, ctx.Err()
		}
		return resolve.TextResult("three", map[string]any{"n": 3}), nil
	})}, progress: func(p *mcp.ProgressNotificationParams) {
		if p.ProgressToken == "mine" && p.Message == "one third" {
			close(heard)
		}
	}})
	r.soonTools("ast_edit", "count", "pending")
	count := named(t, r, "count")
	if a := count.Annotations; a.ReadOnlyHint || !*a.DestructiveHint || !*a.OpenWorldHint || count.Title != "A tool" {
		t.Errorf("it is described as %+v, %+v", count, a)
	}
	if schema, err := json.Marshal(count.InputSchema); err != nil || string(schema) != `{"properties":{"n":{"type":"number"}},"required":["n"],"type":"object"}` {
		t.Errorf("its schema is %s, %v", schema, err)
	}
	ctx, stop := context.WithTimeout(context.Background(), 20*time.Second)
	defer stop()
	params := &mcp.CallToolParams{Name: "count", Arguments: object{"n": 1}}
	params.SetProgressToken("mine")
	result, err := r.agent.CallTool(ctx, params)
	if err != nil || result.IsError || result.Content[0].(*mcp.TextContent).Text != "three" || result.StructuredContent.(object)["n"] != 3.0 {
		t.Fatalf("%+v, %v", result, err)
	}
	if text, result := r.call("count", object{"n": "x"}); !result.IsError {
		t.Errorf("a wrong argument: %s", text)
	}
}

// A call that the client cancels is cancelled in the tool.
func TestCustomTool_Cancelled(t *testing.T) {
	started, ended := make(chan bool), make(chan error, 1)
	r := newRigOf(t, rigOptions{direct: []customtools.Tool{tool("wait", func(ctx context.Context, _ customtools.RuntimeCall) (resolve.Result, error) {
		close(started)
		<-ctx.Done()
		ended <- ctx.Err()
		return resolve.Result{}, ctx.Err()
	})}})
	r.soonTools("ast_edit", "pending", "wait")
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		<-started
		cancel()
	}()
	if _, err := r.agent.CallTool(ctx, &mcp.CallToolParams{Name: "wait", Arguments: object{"n": 1}}); !errors.Is(err, context.Canceled) {
		t.Errorf("the call ends with %v", err)
	}
	select {
	case err := <-ended:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("the tool ends with %v", err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("the tool was not cancelled")
	}
	r.propose() // the session goes on
}
