package main

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/lsp"
)

const helloTool = `export default (pi) => ({
  name: "hello", label: "Hello", description: "Greets someone.\nAnd more.",
  parameters: pi.typebox.Type.Object({ name: pi.typebox.Type.String() }),
  async execute(_id, params) { return { content: [{ type: "text", text: "Hello " + params.name }] }; },
  onSession() { throw new Error("a list is no session"); },
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
