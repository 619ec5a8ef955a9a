package lsp_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
)

// fragileTool stages an action that writes a file, and can hang for good. Each
// start of execute adds a line to a file.
const fragileTool = `
import { appendFileSync, writeFileSync } from "node:fs";
export default (pi) => [{
  name: "stage", label: "Stage", description: "", deferrable: true, parameters: {},
  async execute() {
    appendFileSync(pi.cwd + "/executed", "stage\n");
    pi.pushPendingAction({ label: "Write: out.txt", sourceToolName: "stage", async apply(reason) {
      writeFileSync(pi.cwd + "/out.txt", reason);
      return { content: [{ type: "text", text: "written" }] };
    } });
    return { content: [{ type: "text", text: "staged" }] };
  },
}, {
  name: "hang", label: "Hang", description: "", parameters: {},
  execute(id, params, onUpdate) {
    appendFileSync(pi.cwd + "/executed", "hang\n");
    onUpdate?.({ content: [{ type: "text", text: "hanging" }] });
    for (;;);
  },
}];
`

type listedAction struct{ ID, Label, Lost string }

func (f *fixture) listed() []listedAction {
	f.t.Helper()
	var list struct{ Actions []listedAction }
	f.runInto("xcsh.pending.list", object{}, &list)
	return list.Actions
}

// crash has the worker of fragileTool ended, by a call that does not end.
func (f *fixture) crash() {
	f.t.Helper()
	ctx, cancel := callContext()
	defer cancel()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = f.CommandWithToken(ctx, "xcsh.tools.call", object{"name": "hang", "params": object{}}, "hang") // it is cancelled
	}()
	eventually(f.t, "the tool hangs", func() bool { return strings.Contains(f.executed(), "hang") })
	f.run("xcsh.cancel", object{"token": "hang"})
	<-ended
}

func (f *fixture) executed() string {
	text, _ := os.ReadFile(f.path("executed")) // none before the first call
	return string(text)
}

func (f *fixture) exists(name string) bool {
	_, err := os.Stat(f.path(name))
	return err == nil
}

// An action whose worker is gone says so at once, wherever it is seen. Nothing is
// applied, and nothing is run again.
func TestCustomTools_LostActionIsTold(t *testing.T) {
	manners := editorNamed("an editor")
	manners.PendingChanged, manners.DisabledActions = true, true
	f := startWith(t, manners, map[string]string{".xcsh/tools/t.ts": fragileTool, "a.ts": "1;\n"}, object{"trusted": true}, withTools(t))
	agent := f.join(agentNamed("codex"), nil)
	uri := f.OpenFile(f.path("a.ts"))
	stage := object{"name": "stage", "params": object{}}
	f.run("xcsh.tools.call", stage)
	f.crash()

	const lost = `The pending action "Write: out.txt" was lost: a call of it did not end when it was cancelled. Nothing was applied.`
	f.Wait("the human is told", func() bool {
		for _, m := range f.Messages() {
			if m.Type == protocol.MessageTypeError && m.Text == lost {
				return true
			}
		}
		return false
	})
	f.Wait("the list that is pushed says it", func() bool {
		pushed := f.Received("xcsh/pendingChanged")
		var list struct{ Actions []listedAction }
		if len(pushed) == 0 || json.Unmarshal(pushed[len(pushed)-1].Params, &list) != nil {
			return false
		}
		return len(list.Actions) == 1 && list.Actions[0].Lost == lost
	})
	if list := agent.listed(); len(list) != 1 || list[0].Lost != lost {
		t.Fatalf("an agent sees %+v", list)
	}
	id := f.listed()[0].ID
	actions := f.CodeActions(uri, protocol.Range{}, "source.xcsh")
	if apply := f.Action(actions, `Apply "Write: out.txt"…`); apply.Disabled == nil || apply.Disabled.Reason != lost {
		t.Errorf("apply is offered: %s", apply.Raw)
	}
	f.Action(actions, `Discard "Write: out.txt"…`)

	// Without a reason: nobody is asked for one in vain.
	for _, args := range []object{{"action": "apply", "id": id}, {"action": "apply", "id": id, "reason": "r"}} {
		if failed := f.fails("xcsh.resolve", args); failed.Message != lost {
			t.Errorf("%v: %v", args, failed)
		}
	}
	if asked := f.Requests("window/showMessageRequest"); len(asked) > 0 {
		t.Errorf("asked %+v", asked)
	}
	f.run("xcsh.tools.call", stage) // a new worker
	if f.exists("out.txt") || f.executed() != "stage\nhang\nstage\n" {
		t.Errorf("written %v, executed %q", f.exists("out.txt"), f.executed())
	}
	f.run("xcsh.resolve", object{"action": "apply", "reason": "the second one"})
	if got := f.disk("out.txt"); got != "the second one" {
		t.Errorf("written %q", got)
	}
	f.run("xcsh.resolve", object{"action": "discard", "id": id, "reason": "it was lost"})
	if list := f.listed(); len(list) != 0 {
		t.Errorf("pending %+v", list)
	}
	if log := f.decisions(); len(log) != 2 || log[0].PendingID != id || log[0].Action != "discard" || log[0].Reason != "it was lost" {
		t.Errorf("decisions %+v", log)
	}
}

// A client that shows no disabled actions is offered the discard alone.
func TestCustomTools_LostActionWithoutDisabledActions(t *testing.T) {
	f := startWith(t, editorNamed("an editor"), map[string]string{".xcsh/tools/t.ts": fragileTool, "a.ts": "1;\n"}, object{"trusted": true}, withTools(t))
	uri := f.OpenFile(f.path("a.ts"))
	f.run("xcsh.tools.call", object{"name": "stage", "params": object{}})
	f.crash()
	eventually(t, "it is lost", func() bool { return f.listed()[0].Lost != "" })
	actions := f.CodeActions(uri, protocol.Range{}, "source.xcsh")
	if len(actions) != 1 || actions[0].Title != `Discard "Write: out.txt"…` {
		t.Errorf("offered %+v", actions)
	}
}

// A reload loses nothing: the old generation lives until its actions are resolved.
// Another runtime does.
func TestCustomTools_WhatAReloadKeepsAndAnotherRuntimeLoses(t *testing.T) {
	f := startWith(t, lsptest.Plain(), map[string]string{".xcsh/tools/t.ts": fragileTool}, object{"trusted": true}, withTools(t))
	stage := object{"name": "stage", "params": object{}}
	f.run("xcsh.tools.call", stage)
	f.write(".xcsh/tools/t.ts", plainTool("other"))
	f.run("xcsh.tools.reload", object{})
	f.waitTools("ast_edit", "other", "resolve")
	f.run("xcsh.resolve", object{"action": "apply", "reason": "by the old one"})
	if got := f.disk("out.txt"); got != "by the old one" {
		t.Errorf("written %q", got)
	}

	f.write(".xcsh/tools/t.ts", fragileTool)
	f.run("xcsh.tools.reload", object{})
	f.run("xcsh.tools.call", stage)
	f.SetSettings(object{"xcsh": object{"trusted": true, "customTools.enabled": false}})
	eventually(t, "the action is lost", func() bool { return f.listed()[0].Lost != "" })
	const lost = `The pending action "Write: out.txt" was lost: the tools were shut down. Nothing was applied.`
	if failed := f.fails("xcsh.resolve", object{"action": "apply", "reason": "r"}); failed.Message != lost {
		t.Errorf("apply: %v", failed)
	}
	if got := f.disk("out.txt"); got != "by the old one" {
		t.Errorf("written %q", got)
	}
}

// A human is not given a box to close for each of a hundred lost actions.
func TestLost_ManyAreToldOfTogether(t *testing.T) {
	many := strings.Replace(fragileTool, `pi.pushPendingAction(`, `for (let i = 0; i < 100; i++) pi.pushPendingAction(`, 1)
	f := startWith(t, editorNamed("an editor"), map[string]string{".xcsh/tools/fragile.ts": many}, object{"trusted": true}, withTools(t))
	f.run("xcsh.tools.call", object{"name": "stage", "params": object{}})
	if n := len(f.listed()); n != 100 {
		t.Fatalf("%d staged", n)
	}
	f.crash()
	lost := func() (messages []string) {
		for _, m := range f.Messages() {
			if strings.Contains(m.Text, "lost") {
				messages = append(messages, m.Text)
			}
		}
		return messages
	}
	eventually(t, "the rest is told of", func() bool {
		return slices.ContainsFunc(lost(), func(m string) bool { return strings.HasPrefix(m, "95 more pending actions were lost") })
	})
	if n := len(lost()); n != 6 {
		t.Errorf("%d messages", n)
	}
	for _, a := range f.listed() {
		if a.Lost == "" {
			t.Errorf("%s is not marked", a.ID)
		}
	}
}
