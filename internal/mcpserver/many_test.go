package mcpserver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const manyAgents = 32

// agentSteps are fewer under the race detector, where all of them took minutes.
func agentSteps() int {
	if testing.Short() {
		return 6
	}
	return 25
}

// ledger is what the agents have done, as their results say.
type ledger struct {
	mu       sync.Mutex
	proposed map[string]bool   // by pending id
	withdrew map[string]string // reason → the agent that gave it
}

// Many agents in one editor's session propose and withdraw at random: each proposal is
// pending or decided, once, by the one who was told so, and nothing is written.
func TestManyAgents(t *testing.T) {
	r := newRig(t)
	e := r.open(nil)
	e.Open(filepath.Join(r.dir, "a.ts"), "// unsaved\nfoo(1);\n")
	book := &ledger{proposed: map[string]bool{}, withdrew: map[string]string{}}
	var working sync.WaitGroup
	for n := range manyAgents {
		name := fmt.Sprintf("agent %d", n)
		client := r.anotherAgent(name)
		working.Go(func() { book.work(t, client, name, rand.New(rand.NewPCG(7, uint64(n)))) })
	}
	working.Wait()

	var pending struct{ Actions []struct{ ID string } }
	command(t, e.Command, "xcsh.pending.list", object{}, &pending)
	var log struct {
		Decisions []struct {
			PendingID, Action, Reason string
			DecidedBy                 struct{ Name string }
		}
	}
	command(t, e.Command, "xcsh.decisions.list", object{"limit": manyAgents * agentSteps()}, &log)
	if len(book.withdrew) == 0 || len(pending.Actions) == 0 {
		t.Fatalf("%d withdrawn, %d pending: nothing is tested", len(book.withdrew), len(pending.Actions))
	}
	left := map[string]bool{}
	for id := range book.proposed {
		left[id] = true
	}
	take := func(id string) {
		if !left[id] {
			t.Errorf("%s was not proposed, or is there twice", id)
		}
		delete(left, id)
	}
	for _, a := range pending.Actions {
		take(a.ID)
	}
	for _, d := range log.Decisions {
		take(d.PendingID)
		if d.Action != "discard" || book.withdrew[d.Reason] != d.DecidedBy.Name {
			t.Errorf("the log has %+v, and %q said so", d, book.withdrew[d.Reason])
		}
	}
	if len(left) > 0 || len(log.Decisions) != len(book.withdrew) {
		t.Errorf("%d are lost: %v; %d decisions, %d told of", len(left), left, len(log.Decisions), len(book.withdrew))
	}
	r.holds("a.ts", "foo(1);\n")
	r.holds("b.ts", "foo(2);\nfoo(3);\n")
	t.Logf("%d proposals, %d withdrawn, %d pending", len(book.proposed), len(log.Decisions), len(pending.Actions))
}

func (l *ledger) work(t *testing.T, client *mcp.ClientSession, name string, r *rand.Rand) {
	call := func(tool string, arguments any) *mcp.CallToolResult {
		result, err := client.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
		if err != nil {
			t.Errorf("%s: %s: %v", name, tool, err)
			return &mcp.CallToolResult{IsError: true}
		}
		return result
	}
	for step := range agentSteps() {
		switch r.IntN(4) {
		case 0, 1:
			result := call("ast_edit", object{"ops": []object{{"pat": "foo($A)", "out": fmt.Sprintf("bar%d($A)", step)}}})
			details, _ := result.StructuredContent.(object)
			pending, _ := details["pending"].(object)
			id, _ := pending["id"].(string)
			l.mu.Lock()
			if result.IsError || id == "" || l.proposed[id] {
				t.Errorf("%s: the proposal %q: %+v", name, id, result)
			}
			l.proposed[id] = true
			l.mu.Unlock()
		case 2:
			call("pending", object{}) // what resolve means from here on
		case 3:
			reason := fmt.Sprintf("%s, step %d", name, step)
			// The tool is there only while something is pending: that it is gone is an answer.
			result, err := client.CallTool(context.Background(), &mcp.CallToolParams{Name: "resolve", Arguments: object{"action": "discard", "reason": reason}})
			if err != nil || result.IsError {
				continue
			}
			if details, _ := result.StructuredContent.(object); details["sourceToolName"] == nil {
				continue // nothing was pending
			}
			l.mu.Lock()
			l.withdrew[reason] = name
			l.mu.Unlock()
		}
	}
}

// command runs a command of the editor and reads its result.
func command[E any](t *testing.T, run func(context.Context, string, any) (json.RawMessage, *E), name string, argument, result any) {
	t.Helper()
	raw, failed := run(context.Background(), name, argument)
	if failed != nil {
		t.Fatalf("%s: %v", name, failed)
	}
	if err := json.Unmarshal(raw, result); err != nil {
		t.Fatal(err)
	}
}
