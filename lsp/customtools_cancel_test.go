package lsp_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
)

// slowTools wait for their signal or for a file, and note how they end.
const slowTools = `
import { appendFileSync, existsSync } from "node:fs";
const tool = (pi, name, rest, wait) => ({
  name, label: name, description: "", parameters: {}, ...rest,
  async execute(id, params, onUpdate, ctx, signal) {
    const note = (text) => appendFileSync(pi.cwd + "/notes", name + " " + text + "\n");
    note("begins");
    await wait(signal, ctx, pi.cwd);
    note("ends " + signal?.aborted);
    return { content: [{ type: "text", text: name + " " + signal?.aborted }] };
  },
});
const aborted = (signal) => new Promise((done) => signal.addEventListener("abort", done));
const released = async (cwd) => { while (!existsSync(cwd + "/release")) await new Promise((done) => setTimeout(done, 5)); };
export default (pi) => [
  tool(pi, "obeys", {}, (signal) => aborted(signal)),
  tool(pi, "self", {}, (signal, ctx) => { ctx.abort(); return aborted(signal); }),
  tool(pi, "steady", { nonAbortable: true }, (signal, ctx, cwd) => released(cwd)),
  tool(pi, "alone", { concurrency: "exclusive" }, () => {}),
];
`

func (f *fixture) notes() string {
	text, _ := os.ReadFile(f.path("notes")) // none before the first call
	return strings.ReplaceAll(strings.TrimSpace(string(text)), "\n", "; ")
}

// begun is a call of a tool; its outcome comes later: the result's JSON, or the
// code of the error.
func (f *fixture) begun(tool, token string) (outcome chan any, cancelRequest context.CancelFunc) {
	f.t.Helper()
	outcome = make(chan any, 1)
	ctx, cancel := callContext()
	go func() {
		defer cancel()
		raw, failed := f.CommandWithToken(ctx, "xcsh.tools.call", object{"name": tool, "params": object{}}, token)
		if failed != nil {
			outcome <- failed.Code
			return
		}
		outcome <- string(raw)
	}()
	return outcome, cancel
}

func startSlow(t *testing.T) *fixture {
	f := startWith(t, lsptest.Plain(), map[string]string{".xcsh/tools/slow.ts": slowTools}, object{"trusted": true}, withTools(t))
	f.toolNames()
	return f
}

func (f *fixture) hasBegun(tool string) {
	f.t.Helper()
	eventually(f.t, tool+" has begun", func() bool { return strings.Contains(f.notes(), tool+" begins") })
}

const requestCancelled = jsonrpc2.Code(-32800)

// TestStatement91_CancelledOverTheWire: every way to cancel a command reaches the
// tool's signal, and the reply says that it was cancelled.
func TestStatement91_CancelledOverTheWire(t *testing.T) {
	for name, cancel := range map[string]func(f *fixture, cancelRequest func()){
		"xcsh.cancel":                    func(f *fixture, _ func()) { f.run("xcsh.cancel", object{"token": "t"}) },
		"window/workDoneProgress/cancel": func(f *fixture, _ func()) { f.Notify("window/workDoneProgress/cancel", object{"token": "t"}) },
		"$/cancelRequest":                func(_ *fixture, cancelRequest func()) { cancelRequest() },
	} {
		t.Run(name, func(t *testing.T) {
			f := startSlow(t)
			outcome, cancelRequest := f.begun("obeys", "t")
			f.hasBegun("obeys")
			cancel(f, cancelRequest)
			if got := <-outcome; got != requestCancelled {
				t.Errorf("got %v", got)
			}
			eventually(t, "the tool ends", func() bool { return f.notes() == "obeys begins; obeys ends true" })
		})
	}
}

// ctx.abort() cancels the command that called the tool.
func TestCustomTools_AbortItself(t *testing.T) {
	f := startSlow(t)
	outcome, _ := f.begun("self", "t")
	if got := <-outcome; got != requestCancelled {
		t.Errorf("got %v", got)
	}
	eventually(t, "the tool ends", func() bool { return f.notes() == "self begins; self ends true" })
}

// A tool that says so is not aborted, and its result arrives.
func TestCustomTools_NonAbortable(t *testing.T) {
	f := startSlow(t)
	outcome, _ := f.begun("steady", "t")
	f.hasBegun("steady")
	f.run("xcsh.cancel", object{"token": "t"})
	f.write("release", "")
	if got, _ := (<-outcome).(string); !strings.Contains(got, `"steady false"`) {
		t.Errorf("got %v", got)
	}
	if got := f.notes(); got != "steady begins; steady ends false" {
		t.Errorf("notes %q", got)
	}
}

// It does not keep a connection from ending, nor the server.
func TestCustomTools_NonAbortableAndTheEnd(t *testing.T) {
	f := startSlow(t)
	f.inject(frame(`{"jsonrpc":"2.0","id":"mine","method":"workspace/executeCommand","params":{"command":"xcsh.tools.call","arguments":[{"name":"steady","params":{}}]}}`))
	f.hasBegun("steady")
	f.leave()
	f.workspace.Close()
	if got := f.notes(); got != "steady begins" {
		t.Errorf("notes %q", got)
	}
}

// An exclusive tool waits for the other calls of its client, and for nobody else's.
func TestCustomTools_Exclusive(t *testing.T) {
	f := startSlow(t)
	other := f.join(agentNamed("codex"), nil)
	steady, _ := f.begun("steady", "a")
	f.hasBegun("steady")
	if got := other.run("xcsh.tools.call", object{"name": "alone", "params": object{}}).text(); got != "alone false" {
		t.Errorf("another client's: %q", got)
	}
	alone, _ := f.begun("alone", "b")
	f.run("xcsh.pending.list", object{}) // commands are not held up
	f.write("release", "")
	<-steady
	<-alone
	if got := f.notes(); got != "steady begins; alone begins; alone ends false; steady ends false; alone begins; alone ends false" {
		t.Errorf("notes %q", got)
	}
}
