package resolve_test

import (
	"context"
	"fmt"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// A tool stages a change; whoever reviews it decides, and says why.
func Example() {
	store := resolve.NewStore()
	tool := resolve.NewTool(store, resolve.OnDecided(func(_ context.Context, d resolve.Decided) {
		fmt.Println("decided:", d.Action.ID, d.Params.Action)
	}))

	store.Push(resolve.Action{
		Label:          "Rename: 2 uses of foo",
		SourceToolName: "rename",
		Apply: func(ctx context.Context, reason string, extra map[string]any) (resolve.Result, error) {
			return resolve.TextResult("Renamed 2 uses.", map[string]any{"uses": 2}), nil
		},
	})
	fmt.Println("pending:", store.Count())

	result, err := tool.Execute(context.Background(), resolve.Params{Action: resolve.Apply, Reason: "tests pass with it"})
	if err != nil {
		fmt.Println("failed:", err)
		return
	}
	fmt.Println(result.Text())
	fmt.Println(resolve.RenderPlain(result.Details.(resolve.Details), result.IsError))
	fmt.Println("pending:", store.Count())
	// Output:
	// pending: 1
	// decided: pending-action:rename:0 apply
	// Renamed 2 uses.
	// Accept: 2 uses of foo [Rename]
	// tests pass with it
	// pending: 0
}
