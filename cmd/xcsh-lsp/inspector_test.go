package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// inspector is the program behind `mcp-inspector --cli`, below node_modules.
const inspector = "@modelcontextprotocol/inspector-cli/build/index.js"

// The command line of the MCP inspector lists the tools and calls them; it starts the
// server anew for each.
func TestMCP_WithTheInspector(t *testing.T) {
	modules := os.Getenv("XCSH_NPM")
	if modules == "" {
		t.Skip("XCSH_NPM does not name a node_modules folder with @modelcontextprotocol/inspector-cli (make test sets it)")
	}
	s := newShell(t)
	s.write("a.ts", "foo(1);\n")
	inspect := func(result any, args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "node", slices.Concat([]string{filepath.Join(modules, inspector), os.Getenv(programEnv), "mcp", "--method"}, args)...)
		cmd.Dir, cmd.Env = s.dir, s.command().Env
		var stderr strings.Builder
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %v\n%s%s", args, err, out, stderr.String())
		}
		if err := json.Unmarshal(out, result); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	var list struct {
		Tools []struct {
			Name        string
			InputSchema json.RawMessage
			Annotations struct{ ReadOnlyHint bool }
		}
	}
	inspect(&list, "tools/list")
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		if len(tool.InputSchema) == 0 || tool.Annotations.ReadOnlyHint != (tool.Name == "pending") {
			t.Errorf("%s: schema %s, read-only %v", tool.Name, tool.InputSchema, tool.Annotations.ReadOnlyHint)
		}
	}
	slices.Sort(names)
	if want := []string{"ast_edit", "pending"}; !slices.Equal(names, want) {
		t.Errorf("tools %q, want %q: nothing can be resolved yet", names, want)
	}
	var called struct {
		Content           []struct{ Text string }
		StructuredContent struct{ TotalReplacements int }
		IsError           bool
	}
	inspect(&called, "tools/call", "--tool-name", "ast_edit", "--tool-arg", `ops=[{"pat":"foo($A)","out":"bar($A)"}]`)
	if called.IsError || called.StructuredContent.TotalReplacements != 1 || !strings.HasPrefix(called.Content[0].Text, "# a.ts (1 replacement)\n-1:1 foo(1)\n+1:1 bar(1)\n") {
		t.Errorf("the proposal: %+v", called)
	}
	inspect(&called, "tools/call", "--tool-name", "ast_edit", "--tool-arg", "ops=[]")
	if !called.IsError {
		t.Errorf("a proposal without rules: %+v", called)
	}
	s.holds("a.ts", "foo(1);\n")
}
