package main

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/lsp"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

const helloTool = `export default (pi) => ({
  name: "hello", label: "Hello", description: "Greets someone.\nAnd more.",
  parameters: pi.typebox.Type.Object({ name: pi.typebox.Type.String() }),
  async execute(_id, params) { return { content: [{ type: "text", text: "Hello " + params.name }] }; },
  onSession(event) { throw new Error("a list is no session"); },
});
`

func newToolShell(t *testing.T) *shell {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("no Node.js")
	}
	s := newShell(t)
	s.write(".xcsh/tools/hello.ts", helloTool)
	s.write(".xcsh/tools/bad.ts", "export const x = 1;\n")
	s.write(".xcsh/tools/stages.ts", `export default (pi) => { pi.pushPendingAction({ label: "L", apply() {} }); return []; };`)
	return s
}

// What a folder brings is code: it is not run before its user has said so.
func TestToolsOfAFolderThatIsNotTrusted(t *testing.T) {
	s := newToolShell(t)
	got := s.run("tools")
	if got.status != exitOK || strings.Contains(got.stdout, "Greets") {
		t.Errorf("got %+v", got)
	}
	for _, name := range []string{"bad.ts", "hello.ts", "stages.ts"} {
		want := filepath.Join(s.dir, ".xcsh/tools", name) + " (OMP, project): Not loaded: the workspace is not trusted\n"
		if !strings.Contains(got.stdout, want) {
			t.Errorf("no line %q in %s", want, got.stdout)
		}
	}
}

func TestToolsAreListedWithTheirErrors(t *testing.T) {
	s := newToolShell(t)
	got := s.run("tools", "--trust", "--log-level", "error")
	var lines [][]string
	for _, line := range strings.Split(strings.TrimSpace(got.stdout), "\n") {
		lines = append(lines, strings.Fields(line))
	}
	if got.status != exitOK || len(lines) != 5 || lines[0][0] != "ast_edit" || lines[2][0] != "resolve" || lines[2][1] != "(hidden)" {
		t.Fatalf("got %+v", got)
	}
	if line := strings.Join(lines[1], " "); line != "hello OMP, project Greets someone." {
		t.Errorf("hello is listed as %q", line)
	}
	for name, want := range map[string]string{
		"bad.ts":    "Tool must export a default function",
		"stages.ts": "Failed to load tool: Pending action store unavailable for custom tools in this runtime.",
	} {
		if line := filepath.Join(s.dir, ".xcsh/tools", name) + " (OMP, project): " + want + "\n"; !strings.Contains(got.stdout, line) {
			t.Errorf("no line %q in %s", line, got.stdout)
		}
	}
}

func TestToolsAsJSON(t *testing.T) {
	s := newToolShell(t)
	s.write("../outside.js", strings.Replace(helloTool, `"hello"`, `"outside"`, 1))
	got := s.run("tools", "--json", "--tool", "../outside.js")
	var list lsp.ToolList
	if err := json.Unmarshal([]byte(got.stdout), &list); err != nil {
		t.Fatalf("%v: %+v", err, got)
	}
	if len(list.Tools) != 3 || list.Tools[1].Name != "outside" || len(list.Errors) != 3 {
		t.Fatalf("got %s", got.stdout)
	}
	if !strings.Contains(string(list.Tools[1].Parameters), `"required":["name"]`) || list.Tools[1].Source.Provider != "config" {
		t.Errorf("the tool is %+v", list.Tools[1])
	}
}

// TestStatement98_ToolsFlag: --tools and --no-tools choose among the built-in tools;
// custom tools stay, and cannot be named.
func TestStatement98_ToolsFlag(t *testing.T) {
	s := newToolShell(t)
	for _, c := range []struct {
		flags  []string
		want   string
		warned string
	}{
		{nil, "ast_edit hello resolve", ""},
		{[]string{"--tools", " AST_EDIT ,"}, "ast_edit hello resolve", ""},
		{[]string{"--tools", "ast_edit,my_custom", "--tools", "hello"}, "ast_edit hello resolve",
			"Unknown tool passed to --tools: my_custom (valid: ast_edit)\nUnknown tool passed to --tools: hello (valid: ast_edit)\n"},
		{[]string{"--tools", ""}, "hello resolve", ""},
		{[]string{"--tools=hello"}, "hello resolve", "Unknown tool passed to --tools: hello (valid: ast_edit)\n"},
		{[]string{"--no-tools"}, "hello resolve", ""},
		{[]string{"--no-tools", "--tools", "ast_edit"}, "hello resolve", ""},
	} {
		got := s.run(append([]string{"tools", "--json", "--trust"}, c.flags...)...)
		var list lsp.ToolList
		if err := json.Unmarshal([]byte(got.stdout), &list); err != nil {
			t.Fatalf("%q: %v: %+v", c.flags, err, got)
		}
		var names []string
		for _, tool := range list.Tools {
			names = append(names, tool.Name)
		}
		if strings.Join(names, " ") != c.want || got.status != exitOK || got.stderr != c.warned {
			t.Errorf("%q: tools %q, status %d, standard error %q", c.flags, names, got.status, got.stderr)
		}
	}
}

func TestToolsUsage(t *testing.T) {
	s := newToolShell(t)
	for _, args := range [][]string{{"--tools"}, {"--no-tools=maybe"}, {"--log-level", "loud"}, {"somewhere"}, {"--nonsense"}} {
		if got := s.run(append([]string{"tools"}, args...)...); got.status != exitUsage || got.stdout != "" || !strings.Contains(got.stderr, "xcsh-lsp tools --help") {
			t.Errorf("%q: %+v", args, got)
		}
	}
}

// What a tool prints, by whatever way, is not in what the program prints.
func TestStatement103_ToolsDoNotPrintIntoTheList(t *testing.T) {
	s := newToolShell(t)
	s.write(".xcsh/tools/loud.ts", `import { writeSync } from "fs"; import { execSync } from "child_process";
console.log("noise"); process.stdout.write("noise\n"); writeSync(1, "noise\n"); execSync("echo noise", { stdio: "inherit" });
export default () => ({ name: "loud", description: "d", parameters: {}, execute() {} });`)
	got := s.run("tools", "--json", "--trust")
	var list lsp.ToolList
	if err := json.Unmarshal([]byte(got.stdout), &list); err != nil {
		t.Fatalf("%v: %s", err, got.stdout)
	}
	if strings.Contains(got.stdout, "noise") || !slices.ContainsFunc(list.Tools, func(tool resolve.RegisteredTool) bool { return tool.Name == "loud" }) {
		t.Errorf("got %s", got.stdout)
	}
}
