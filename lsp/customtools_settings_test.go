package lsp_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
	"github.com/xcsh-lsp/xcsh-lsp/lsp"
)

// plainTool is a module with one tool of this name, which says its folder.
func plainTool(name string) string {
	return fmt.Sprintf(`export default (pi) => ({
  name: %q, label: %q, description: "", parameters: {},
  async execute() { return { content: [{ type: "text", text: pi.cwd }] }; },
});
`, name, name)
}

// TestStatement18_SettingsThatDisable: a source, or one tool by its key, is as if
// it were not there; taking the setting back brings it.
func TestStatement18_SettingsThatDisable(t *testing.T) {
	files := map[string]string{
		".xcsh/tools/a.ts": plainTool("a"), ".xcsh/tools/b.ts": plainTool("b"), ".codex/tools/c.ts": plainTool("c"),
	}
	for name, c := range map[string]struct {
		settings object
		want     []string
	}{
		"nothing":    {object{}, []string{"ast_edit", "a", "b", "c"}},
		"a tool":     {object{"customTools.disabledExtensions": []string{"tool:a"}}, []string{"ast_edit", "b", "c"}},
		"a source":   {object{"customTools": object{"disabledProviders": []string{"codex"}}}, []string{"ast_edit", "a", "b"}},
		"everything": {object{"customTools.enabled": false}, []string{"ast_edit"}},
	} {
		t.Run(name, func(t *testing.T) {
			c.settings["trusted"] = true
			f := startWith(t, lsptest.Plain(), files, c.settings, withTools(t))
			if tools, errors := f.toolNames(); !slices.Equal(tools, c.want) || len(errors) > 0 {
				t.Fatalf("tools %q, errors %q", tools, errors)
			}
			f.SetSettings(object{"xcsh": object{"trusted": true}})
			f.waitTools("ast_edit", "a", "b", "c")
		})
	}
}

// waitTools waits for a load in the background to give these tools.
func (f *fixture) waitTools(want ...string) {
	f.t.Helper()
	eventually(f.t, strings.Join(want, ", ")+" are listed", func() bool {
		tools, _ := f.toolNames()
		return slices.Equal(tools, want)
	})
}

func TestCustomTools_SettingsOfWrongTypes(t *testing.T) {
	f := startWith(t, lsptest.Plain(), nil, object{"customTools": object{"disabledProviders": "codex", "disabledExtensions": 1, "editorRuntime": true}}, nil)
	f.run("xcsh.pending.list", object{})
	want := "xcsh settings: xcsh.customTools.disabledExtensions must be a list of \"tool:NAME\"; the default is used; " +
		"xcsh.customTools.disabledProviders must be a list of sources; the default is used; " +
		"xcsh.customTools.editorRuntime must be a path; the default is used."
	if got := f.warnings(); !slices.Equal(got, []string{want}) {
		t.Errorf("warned %q\nwant   %q", got, want)
	}
}

// program writes a program that notes how it was started and is Node.js.
func program(t *testing.T, path string) (startedAs func() string) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node on PATH")
	}
	note := filepath.Join(t.TempDir(), "started")
	script := fmt.Sprintf("#!/bin/sh\necho \"as node: $ELECTRON_RUN_AS_NODE\" > '%s'\nexec '%s' \"$@\"\n", note, node)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return func() string {
		text, _ := os.ReadFile(note) // none where it was not started
		return strings.TrimSpace(string(text))
	}
}

// An editor that hands its own program over has the tools run where the machine has
// no Node.js on PATH; it is told to be Node.js.
func TestCustomTools_RunInTheEditorsOwnProgram(t *testing.T) {
	withNode := withTools(t)
	editor := filepath.Join(t.TempDir(), "editor")
	startedAs := program(t, editor)
	t.Setenv("PATH", t.TempDir())
	files := map[string]string{".xcsh/tools/a.ts": plainTool("a")}
	f := startWith(t, lsptest.Plain(), files, object{"trusted": true, "customTools.editorRuntime": editor}, withNode)
	if tools, errors := f.toolNames(); !slices.Equal(tools, []string{"ast_edit", "a"}) {
		t.Fatalf("tools %q, errors %q", tools, errors)
	}
	if got := startedAs(); got != "as node: 1" {
		t.Errorf("the editor's program was started %q", got)
	}
}

// customTools.runtime names the one program that runs tools. One that the
// workspace brings is code as the tools are: without trust it is not started.
func TestCustomTools_RuntimeSetting(t *testing.T) {
	t.Run("outside the workspace", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "my-node")
		startedAs := program(t, path)
		f := startWith(t, lsptest.Plain(), map[string]string{".xcsh/tools/a.ts": plainTool("a")}, object{"trusted": true, "customTools.runtime": path}, withTools(t))
		if tools, errors := f.toolNames(); !slices.Contains(tools, "a") || startedAs() == "" {
			t.Errorf("tools %q, errors %q, started %q", tools, errors, startedAs())
		}
	})
	for _, key := range []string{"customTools.runtime", "customTools.editorRuntime"} {
		t.Run("inside the workspace: "+key, func(t *testing.T) {
			home := t.TempDir()
			f := connect(t, lsptest.Plain(), nil, withHome(t, home))
			startedAs := program(t, f.path("bin/node-of-theirs"))
			t.Setenv("PATH", t.TempDir()) // else Node.js comes before an editor's program
			(&fixture{t: t, dir: home}).write(".xcsh/agent/tools/mine.ts", plainTool("mine"))
			f.Initialize(object{"trusted": false, key: f.path("bin/node-of-theirs")}, f.dir)
			tools, errors := f.toolNames()
			if startedAs() != "" {
				t.Errorf("the workspace's program was started: %q", startedAs())
			}
			if refused := len(errors) == 1 && strings.HasSuffix(errors[0], "lies in a workspace that is not trusted"); refused != (key == "customTools.runtime") {
				t.Errorf("tools %q, errors %q", tools, errors)
			}
		})
	}
	t.Run("not there", func(t *testing.T) {
		f := startWith(t, lsptest.Plain(), map[string]string{".xcsh/tools/a.ts": plainTool("a")}, object{"trusted": true, "customTools.runtime": "/no/such/node"}, withTools(t))
		want := "a.ts: Failed to load tool: customTools.runtime: there is no file /no/such/node: set it to the path of Node.js, Bun or Deno"
		if tools, errors := f.toolNames(); !slices.Equal(tools, []string{"ast_edit"}) || !slices.Equal(errors, []string{want}) {
			t.Errorf("tools %q, errors %q", tools, errors)
		}
	})
}

// TestStatement98_NoBuiltInTools: what is not offered is neither listed nor can it be
// called as a tool; its command stays, and custom tools do.
func TestStatement98_NoBuiltInTools(t *testing.T) {
	tools := withTools(t)
	f := startWith(t, lsptest.Plain(), map[string]string{"a.ts": "foo(1);\n", ".xcsh/tools/mine.ts": plainTool("mine")}, object{"trusted": true}, func(cfg *lsp.Config) {
		tools(cfg)
		cfg.BuiltIns = []string{}
	})
	if got, errors := f.toolNames(); !slices.Equal(got, []string{"mine"}) || len(errors) > 0 {
		t.Errorf("tools %q, errors %q", got, errors)
	}
	if got := f.run("xcsh.tools.call", object{"name": "ast_edit", "params": edit("foo($A)", "bar($A)")}); !got.IsError || got.text() != "Tool ast_edit not found" {
		t.Errorf("got %+v", got)
	}
	if got := f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)")); got.IsError {
		t.Errorf("the command: %+v", got)
	}
	if got, _ := f.toolNames(); !slices.Equal(got, []string{"mine", "resolve"}) {
		t.Errorf("with something pending: tools %q", got)
	}
}
