package lsp_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/customtools"
	"github.com/xcsh-lsp/xcsh-lsp/customtools/jshost"
	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
	"github.com/xcsh-lsp/xcsh-lsp/lsp"
)

// greetTool stages an action with no file.
const greetTool = `
import type { CustomToolFactory } from "@oh-my-pi/pi-coding-agent";
const factory: CustomToolFactory = (pi) => ({
  name: "greet", label: "Greet", description: "says hello", deferrable: true,
  parameters: pi.typebox.Type.Object({ name: pi.typebox.Type.String(), times: pi.typebox.Type.Optional(pi.typebox.Type.Number()) }),
  async execute(id, params, onUpdate, ctx) {
    onUpdate?.({ content: [{ type: "text", text: "working" }] });
    pi.pushPendingAction({
      label: "Greet: " + params.name, sourceToolName: "greet",
      apply: async (reason) => ({ content: [{ type: "text", text: "applied because " + reason }] }),
    });
    return { content: [{ type: "text", text: "hello " + params.name + " " + (params.times ?? "no times") + " " + ctx.hasUI }] };
  },
});
export default factory;
`

// withTools has a server load modules with the JavaScript of this machine.
func withTools(t *testing.T) func(*lsp.Config) {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("no node on PATH")
	}
	return withHome(t, t.TempDir())
}

// withHome is withTools with the user's own tools below home.
func withHome(t *testing.T, home string) func(*lsp.Config) {
	return func(cfg *lsp.Config) {
		cfg.Home = home
		cfg.CustomTools = lsp.CustomTools{
			Code: jshost.Code,
			NewRuntime: func(c lsp.RuntimeChoice) customtools.Runtime {
				return jshost.New(jshost.Options{Setting: c.Setting, EditorProgram: c.Editor, Allowed: c.Allowed, Log: c.Log})
			},
		}
	}
}

func (f *fixture) toolNames() (tools []string, errors []string) {
	f.t.Helper()
	return f.toolNamesOf("xcsh.tools.list")
}

// toolNamesOf reads the list that a command answers with.
func (f *fixture) toolNamesOf(command string) (tools []string, errors []string) {
	f.t.Helper()
	var list struct {
		Tools  []listedTool
		Errors []struct{ Path, Error string }
	}
	f.runInto(command, object{}, &list)
	for _, e := range list.Errors {
		errors = append(errors, filepath.Base(e.Path)+": "+e.Error)
	}
	return names(list.Tools), errors
}

func TestCustomTools_FromFileToResolvedAction(t *testing.T) {
	f := startWith(t, editorNamed("an editor"), map[string]string{".xcsh/tools/greet.ts": greetTool}, object{"trusted": true}, withTools(t))
	tools, errors := f.toolNames()
	if !slices.Equal(tools, []string{"ast_edit", "greet"}) || len(errors) > 0 {
		t.Fatalf("tools %q, errors %q", tools, errors)
	}
	result := f.run("xcsh.tools.call", object{"name": "greet", "params": object{"name": "you", "times": "3"}})
	if result.IsError || result.text() != "hello you 3 true" {
		t.Errorf("%+v", result)
	}
	if ids := f.pendingIDs(); len(ids) != 1 || !strings.HasPrefix(ids[0], "pending-action:greet:") {
		t.Fatalf("pending %q", ids)
	}
	result = f.run("xcsh.resolve", object{"action": "apply", "reason": "why not"})
	if result.text() != "applied because why not" {
		t.Errorf("%+v", result)
	}
	if result = f.run("xcsh.tools.call", object{"name": "greet", "params": object{}}); !result.IsError ||
		!strings.HasPrefix(result.text(), "Validation failed for tool \"greet\":\n  - name: must have required property 'name'\n") {
		t.Errorf("%+v", result)
	}
}

func TestCustomTools_RunOnlyInATrustedWorkspace(t *testing.T) {
	const untrusted = "greet.ts: Not loaded: the workspace is not trusted"
	files := map[string]string{".xcsh/tools/greet.ts": greetTool}
	t.Run("not trusted", func(t *testing.T) {
		f := startWith(t, editorNamed("an editor"), files, object{"trusted": false}, withTools(t))
		if tools, errors := f.toolNames(); !slices.Equal(tools, []string{"ast_edit"}) || !slices.Equal(errors, []string{untrusted}) {
			t.Errorf("tools %q, errors %q", tools, errors)
		}
	})
	t.Run("asked", func(t *testing.T) {
		f := connect(t, editorNamed("an editor"), files, withTools(t))
		asked := make(chan lsptest.MessageRequest, 10)
		answer := make(chan string, 1)
		f.OnMessageRequest(func(m lsptest.MessageRequest) *string {
			asked <- m
			title := <-answer
			return &title
		})
		f.Initialize(nil, f.dir)
		// Nothing waits for the answer, and nothing runs before it.
		if tools, errors := f.toolNames(); !slices.Equal(tools, []string{"ast_edit"}) || !slices.Equal(errors, []string{untrusted}) {
			t.Errorf("tools %q, errors %q", tools, errors)
		}
		if m := <-asked; !strings.Contains(m.Message, filepath.Join(f.dir, ".xcsh", "tools", "greet.ts")) {
			t.Errorf("asked %q", m.Message)
		}
		answer <- "Trust"
		for loaded := false; !loaded; { // the test's own timeout ends it
			tools, _ := f.toolNames()
			loaded = slices.Contains(tools, "greet")
		}
		// It is remembered.
		again := f.restarted(editorNamed("an editor"), nil)
		if tools, errors := again.toolNames(); !slices.Contains(tools, "greet") {
			t.Errorf("tools %q, errors %q", tools, errors)
		}
	})
}

func TestCustomTools_ReloadKeepsWhatABrokenEditHad(t *testing.T) {
	f := startWith(t, editorNamed("an editor"), map[string]string{".xcsh/tools/greet.ts": greetTool}, object{"trusted": true}, withTools(t))
	f.toolNames()
	f.write(".xcsh/tools/greet.ts", strings.ReplaceAll(greetTool, `"greet"`, `"greet2"`))
	f.write(".xcsh/tools/other.ts", "export default 1")
	f.run("xcsh.tools.reload", object{})
	tools, errors := f.toolNames()
	if !slices.Equal(tools, []string{"ast_edit", "greet2"}) || !slices.Equal(errors, []string{"other.ts: Tool must export a default function"}) {
		t.Errorf("tools %q, errors %q", tools, errors)
	}
	f.write(".xcsh/tools/greet.ts", "export default (")
	f.run("xcsh.tools.reload", object{})
	if tools, errors = f.toolNames(); !slices.Equal(tools, []string{"ast_edit", "greet2"}) || len(errors) != 2 || !strings.HasPrefix(errors[0], "greet.ts: Failed to load tool: ") {
		t.Errorf("tools %q, errors %q", tools, errors)
	}
}

// A tool's file or a helper that changes on disk has the tools loaded again.
func TestCustomTools_FollowTheirFiles(t *testing.T) {
	const tool = ".xcsh/tools/greet.ts"
	helped := `import { name } from "../../lib/text";` + strings.ReplaceAll(greetTool, `name: "greet"`, "name")
	f := startWith(t, editorNamed("an editor"), map[string]string{tool: greetTool}, object{"trusted": true}, withTools(t))
	wait := func(want string) {
		t.Helper()
		for {
			if tools, _ := f.toolNames(); slices.Equal(tools, []string{"ast_edit", want}) {
				return
			}
		}
	}
	change := func(name, text string) {
		t.Helper()
		f.write(name, text)
		f.Notify("workspace/didChangeWatchedFiles", object{"changes": []any{
			object{"uri": "file://" + filepath.ToSlash(filepath.Join(f.dir, name)), "type": 2}}})
	}
	wait("greet")
	f.write("lib/text.ts", `export const name = "one"`)
	change(tool, helped)
	wait("one")
	change("lib/text.ts", `export const name = "two"`)
	wait("two")
}

// countTool finds its state in the results of the workspace.
const countTool = `
export default (pi) => ({
  name: "count", label: "Count", description: "", parameters: {},
  async execute(id, params, onUpdate, ctx) {
    const mine = ctx.sessionManager.getBranch().filter((e) => e.type === "message" && e.message.toolName === "count");
    const n = mine.length > 0 ? mine[mine.length - 1].message.details.n + 1 : 1;
    return { content: [{ type: "text", text: String(n) }], details: { n } };
  },
});
`

func TestCustomTools_FindTheirResultsAfterARestart(t *testing.T) {
	count := object{"name": "count", "params": object{}}
	f := startWith(t, editorNamed("an editor"), map[string]string{".xcsh/tools/count.ts": countTool}, object{"trusted": true}, withTools(t))
	f.run("xcsh.tools.call", count)
	if got := f.run("xcsh.tools.call", count).text(); got != "2" {
		t.Errorf("got %q", got)
	}
	again := f.restarted(editorNamed("an editor"), object{"trusted": true})
	if got := again.run("xcsh.tools.call", count).text(); got != "3" {
		t.Errorf("after a restart %q", got)
	}
}

func TestCustomTools_LoadErrorsAreDiagnosticsOnTheModule(t *testing.T) {
	f := startWith(t, editorNamed("an editor"), map[string]string{".xcsh/tools/a.ts": "export default 1", ".xcsh/tools/b.md": "text"}, object{"trusted": true}, withTools(t))
	want := map[string]string{
		"a.ts": "customtools shape Tool must export a default function",
		"b.md": "customtools declarative Declarative tool files (.md, .json) cannot be loaded as executable modules",
	}
	uriOf := func(name string) string {
		return "file://" + filepath.ToSlash(filepath.Join(f.dir, ".xcsh/tools", name))
	}
	for name, text := range want {
		f.WaitDiagnostics(uriOf(name), func(list []protocol.Diagnostic) bool {
			if len(list) != 1 {
				return false
			}
			source, _ := list[0].Source.Get()
			return fmt.Sprintf("%s %s %s", source, list[0].Code, list[0].Message) == text && list[0].Range == protocol.Range{}
		})
	}
	f.write(".xcsh/tools/a.ts", greetTool)
	f.run("xcsh.tools.reload", object{})
	f.WaitDiagnostics(uriOf("a.ts"), func(list []protocol.Diagnostic) bool { return len(list) == 0 })
}

// askTool puts every question, and tells what was answered.
const askTool = `
export default (pi) => ({
  name: "ask", label: "Ask", description: "", parameters: {},
  async execute() {
    pi.ui.notify("look", "warning");
    const answers = [pi.hasUI, await pi.ui.select("Which?", ["one", "two"]), await pi.ui.confirm("Sure?", "Really."),
      await pi.ui.input("Name", "yours"), await pi.ui.editor("Text", "before")];
    return { content: [{ type: "text", text: JSON.stringify(answers) }] };
  },
});
`

// A tool's questions reach the human, also where an agent called it.
func TestCustomTools_AskTheHuman(t *testing.T) {
	manners := editorNamed("an editor")
	manners.Input = true
	f := connect(t, manners, map[string]string{".xcsh/tools/ask.ts": askTool}, withTools(t))
	f.OnMessageRequest(func(m lsptest.MessageRequest) *string {
		answer := map[string]string{"Which?": "two", "Sure?\nReally.": "Yes"}[m.Message]
		return &answer
	})
	f.OnInput(func(in lsptest.Input) *string {
		answer := in.Title + " " + in.PlaceHolder + in.Value
		return &answer
	})
	f.Initialize(object{"trusted": true}, f.dir)
	agent := f.join(agentNamed("codex"), nil)
	call := object{"name": "ask", "params": object{}}
	for _, client := range []*fixture{f, agent} {
		if got := client.run("xcsh.tools.call", call).text(); got != `[true,"two",true,"Name yours","Text before"]` {
			t.Errorf("got %s", got)
		}
	}
	f.WaitReceived("window/showMessage", 2)
	if messages := f.Messages(); len(messages) != 2 || messages[0].Text != "look" || messages[0].Type != protocol.MessageTypeWarning {
		t.Errorf("messages %+v", messages)
	}
}
