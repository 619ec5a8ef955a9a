package lsp_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
)

// eventTool writes every session event, and whether a human is there, into a file
// of the user's.
func eventTool(name, into string) string {
	return fmt.Sprintf(`import { appendFileSync } from "node:fs";
export default () => ({
  name: %q, label: "", description: "", parameters: {},
  async execute() { return { content: [] }; },
  onSession(event, ctx) { appendFileSync(%q, JSON.stringify(event) + " " + ctx.hasUI + "\n"); },
});
`, name, into)
}

func lines(path string) []string {
	text, err := os.ReadFile(path)
	if err != nil || len(text) == 0 {
		return nil // nothing has been written yet
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// eventOf reads a line of eventTool.
func eventOf(t *testing.T, line string) object {
	t.Helper()
	text, _, _ := strings.Cut(line, "} ")
	var event object
	if err := json.Unmarshal([]byte(text+"}"), &event); err != nil {
		t.Fatalf("%v in %q", err, line)
	}
	return event
}

// A tool hears of the life of its session: start, a change of the folders, what a
// host with a conversation passes on, and the end.
func TestCustomTools_SessionEvents(t *testing.T) {
	home, events := t.TempDir(), filepath.Join(t.TempDir(), "events")
	(&fixture{t: t, dir: home}).write(".xcsh/agent/tools/e.ts", eventTool("e", events))
	f := connect(t, lsptest.Plain(), map[string]string{"one/a.ts": "", "two/a.ts": ""}, withHome(t, home))
	f.Initialize(object{"trusted": false}, f.path("one"))
	f.waitTools("ast_edit", "e")
	want := []string{`{"reason":"start"} true`}
	if got := lines(events); !slices.Equal(got, want) {
		t.Fatalf("after initialized: %q", got)
	}

	f.changeFolders([]string{f.path("two")}, []string{f.path("one")})
	eventually(t, "the tool hears of the folders", func() bool { return len(lines(events)) == 3 })
	// All modules are evaluated anew for other folders, so the tool begins again.
	moved := eventOf(t, lines(events)[2])
	file, _ := moved["previousSessionFile"].(string)
	if lines(events)[1] != want[0] || moved["reason"] != "switch" || filepath.Base(file) != "session.jsonl" || filepath.Dir(filepath.Dir(file)) != f.state {
		t.Errorf("a change of the folders: %q", lines(events)[1:])
	}

	for _, event := range []object{
		{"reason": "branch", "previousSessionFile": "/f"}, {"reason": "tree"},
		{"reason": "auto_compaction_start", "trigger": "threshold", "action": "context-full"},
		{"reason": "auto_retry_end", "success": false, "attempt": 2, "finalError": "gone"},
		{"reason": "todo_reminder", "todos": []string{"a"}, "attempt": 1, "maxAttempts": 3},
	} {
		f.run("xcsh.session.event", event)
		got := lines(events)
		if got := asJSON(t, eventOf(t, got[len(got)-1])); got != asJSON(t, event) {
			t.Errorf("got %s, want %s", got, asJSON(t, event))
		}
	}
	for _, wrong := range []any{object{}, object{"reason": ""}, object{"reason": 1}} {
		if failed := f.fails("xcsh.session.event", wrong); failed.Code != -32602 {
			t.Errorf("%v: %v", wrong, failed)
		}
	}
	before := len(lines(events))
	f.leave()
	f.workspace.Close()
	if got := lines(events); len(got) != before+1 || got[before] != `{"reason":"shutdown"} false` {
		t.Errorf("at the end: %q", got[before:])
	}
}

// TestStatement92_AFailingOnSessionCostsNothingElse, at the wire: the next tool
// hears of the event all the same, and the log says once what failed.
func TestStatement92_AFailingOnSessionCostsNothingElse(t *testing.T) {
	events := filepath.Join(t.TempDir(), "events")
	files := map[string]string{
		".xcsh/tools/a.ts": strings.Replace(plainTool("a"), "async execute", `onSession() { throw new Error("not today"); }, async execute`, 1),
		".xcsh/tools/b.ts": eventTool("b", events),
	}
	f := startWith(t, lsptest.Plain(), files, object{"trusted": true}, withTools(t))
	f.waitTools("ast_edit", "a", "b")
	if got := lines(events); !slices.Equal(got, []string{`{"reason":"start"} true`}) {
		t.Errorf("got %q", got)
	}
	logged := f.logs.FilterMessage("Custom tool onSession error").All()
	if len(logged) != 1 || string(logged[0].ContextMap()["context"].(string)) != `{"error":"not today","tool":"a"}` {
		t.Errorf("logged %+v", logged)
	}
}

// Several folders have one registry: each brings its own tools, which run in it; the
// user's are loaded once; a name that is taken is an error of the later folder
// (customtools.md 20).
func TestCustomTools_SeveralFolders(t *testing.T) {
	home := t.TempDir()
	(&fixture{t: t, dir: home}).write(".xcsh/agent/tools/user.ts", plainTool("user"))
	f := connect(t, lsptest.Plain(), map[string]string{
		"one/.xcsh/tools/x.ts": plainTool("x"), "two/.xcsh/tools/x.ts": plainTool("x"),
		"two/.xcsh/tools/y.ts": plainTool("y"), "two/extra.ts": plainTool("wrong"), "one/extra.ts": plainTool("extra"),
	}, withHome(t, home))
	f.Initialize(object{"trusted": true, "customTools.paths": []string{"extra.ts"}}, f.path("one"), f.path("two"))
	tools, errors := f.toolNames()
	if !slices.Equal(tools, []string{"ast_edit", "x", "user", "extra", "y"}) || !slices.Equal(errors, []string{`x.ts: Tool name "x" conflicts with existing tool`}) {
		t.Fatalf("tools %q, errors %q", tools, errors)
	}
	runsIn := func(tool, folder string) {
		t.Helper()
		if got := f.run("xcsh.tools.call", object{"name": tool, "params": object{}}).text(); got != filepath.Join(f.real(), folder) {
			t.Errorf("%s runs in %s", tool, got)
		}
	}
	runsIn("x", "one")
	runsIn("extra", "one")
	runsIn("user", "one")
	runsIn("y", "two")
	var list struct{ Errors []struct{ Path string } }
	f.runInto("xcsh.tools.list", object{}, &list)
	if want := filepath.Join(f.real(), "two/.xcsh/tools/x.ts"); list.Errors[0].Path != want {
		t.Errorf("the error is that of %s, want %s", list.Errors[0].Path, want)
	}

	// Without the first folder the second one's tool has the name.
	f.changeFolders(nil, []string{f.path("one")})
	f.waitTools("ast_edit", "x", "y", "user", "wrong")
	runsIn("x", "two")
}

// Trust is the workspace's as a whole; without it no folder's tools run, and the
// user's do.
func TestCustomTools_SeveralFoldersWithoutTrust(t *testing.T) {
	home := t.TempDir()
	(&fixture{t: t, dir: home}).write(".xcsh/agent/tools/user.ts", plainTool("user"))
	f := connect(t, lsptest.Plain(), map[string]string{"one/.xcsh/tools/x.ts": plainTool("x"), "two/.xcsh/tools/y.ts": plainTool("y")}, withHome(t, home))
	f.Initialize(object{"trusted": false}, f.path("one"), f.path("two"))
	const untrusted = ": Not loaded: the workspace is not trusted"
	if tools, errors := f.toolNames(); !slices.Equal(tools, []string{"ast_edit", "user"}) || !slices.Equal(errors, []string{"x.ts" + untrusted, "y.ts" + untrusted}) {
		t.Errorf("tools %q, errors %q", tools, errors)
	}
}

// Whose settings count decides which tools there are: those of a human's editor that
// comes after an agent, and of the next editor when the first one goes.
func TestCustomTools_FollowTheLead(t *testing.T) {
	agent := startWith(t, agentNamed("codex"), map[string]string{".xcsh/tools/a.ts": plainTool("a")}, object{"trusted": false}, withTools(t))
	agent.waitTools("ast_edit")
	first := agent.join(editorNamed("first"), object{"trusted": true})
	agent.waitTools("ast_edit", "a")
	agent.join(editorNamed("second"), object{"trusted": false})
	first.leave()
	agent.waitTools("ast_edit")
}

// A tool that never answers does not keep the server from ending with its client.
func TestCustomTools_AHangingOnSessionDoesNotHoldUpTheEnd(t *testing.T) {
	hangs := strings.Replace(plainTool("a"), "async execute", `onSession(event) { if (event.reason === "shutdown") for (;;); }, async execute`, 1)
	events := filepath.Join(t.TempDir(), "events")
	f := startWith(t, lsptest.Plain(), map[string]string{".xcsh/tools/a.ts": hangs, ".xcsh/tools/b.ts": eventTool("b", events)}, object{"trusted": true}, withTools(t))
	f.waitTools("ast_edit", "a", "b")
	f.leave()
	f.workspace.Close() // the test's own timeout ends it
	logged := f.logs.FilterMessage("Custom tool onSession error").All()
	if len(logged) != 2 { // a, which hung, and b, for which no time was left
		t.Errorf("logged %+v", logged)
	}
}
