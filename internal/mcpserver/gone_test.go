package mcpserver_test

import (
	"context"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Ids begin again with each session: one of a session that has ended must not be taken
// for that of another action which has it by now.
func TestEditor_AnIdOfASessionThatEndedMeansNoOther(t *testing.T) {
	r := newRig(t)
	r.open(nil)
	old := r.propose()
	r.quit()
	e := r.open(nil)
	raw, failed := e.Command(context.Background(), "xcsh.ast_edit", object{"ops": []object{{"pat": "foo($A)", "out": "humans($A)"}}})
	if failed != nil || !strings.Contains(string(raw), old) {
		t.Fatalf("the human's edit does not have the id %s again: %v %s", old, failed, raw)
	}
	text, result := r.call("pending", object{"id": old})
	if !result.IsError || strings.Contains(text, "humans(") || !strings.Contains(text, "ended") {
		t.Errorf("error %v: %s", result.IsError, text)
	}
	if _, failed := e.Command(context.Background(), "xcsh.resolve", object{"action": "discard", "reason": "another matter", "id": old}); failed != nil {
		t.Fatal(failed)
	}
	if text, result = r.call("pending", object{"id": old}); !result.IsError || strings.Contains(text, "another matter") {
		t.Errorf("error %v: %s", result.IsError, text)
	}
}

// An editor's server that does not answer costs a moment, not the agent.
func TestEditor_ThatDoesNotAnswerIsPassedOver(t *testing.T) {
	r := newRigOf(t, rigOptions{find: func(context.Context) (io.ReadWriteCloser, error) {
		ours, theirs := net.Pipe()
		go io.Copy(io.Discard, theirs)
		t.Cleanup(func() { theirs.Close() })
		return ours, nil
	}})
	ctx, stop := context.WithTimeout(context.Background(), 20*time.Second) // less than an attempt every call would take
	defer stop()
	result, err := r.agent.CallTool(ctx, &mcp.CallToolParams{Name: "pending", Arguments: object{}})
	if err != nil || result.IsError {
		t.Fatalf("%v, %+v", err, result)
	}
}

// What was decided before the editor went is told after it: the log has it.
func TestEditor_GoesAfterADecision(t *testing.T) {
	r := newRig(t)
	e := r.open(nil)
	id := r.propose()
	if _, failed := e.Command(context.Background(), "xcsh.resolve", object{"action": "discard", "reason": "use baz", "id": id}); failed != nil {
		t.Fatal(failed)
	}
	r.quit()
	if text, _ := r.call("pending", object{"id": id}); text != "Decided: discard. Reason: use baz" {
		t.Errorf("the agent hears: %s", text)
	}
}

// An editor that appears is joined once nothing is pending in the agent's own session.
func TestEditor_Appears(t *testing.T) {
	r := newRig(t)
	r.propose()
	e := r.open(nil)
	if text, _ := r.call("pending", object{}); !strings.Contains(text, "No editor") {
		t.Errorf("what is pending was left: %s", text)
	}
	r.call("resolve", object{"action": "discard", "reason": "for the human to see"})
	id := r.propose()
	if raw, failed := e.Command(context.Background(), "xcsh.pending.list", object{}); failed != nil || !strings.Contains(string(raw), id) {
		t.Errorf("the editor does not have it: %v %s", failed, raw)
	}
}
