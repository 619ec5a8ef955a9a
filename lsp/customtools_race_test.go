package lsp_test

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/customtools/jshost"
	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
	"github.com/xcsh-lsp/xcsh-lsp/lsp"
)

// TestCustomTools_OnlyWhatWasTrustedIsRun changes a tool between the check of
// what is trusted and the load, which is the moment that an attacker waits for.
func TestCustomTools_OnlyWhatWasTrustedIsRun(t *testing.T) {
	const tool = ".xcsh/tools/greet.ts"
	var mu sync.Mutex
	var swap func() // runs once the code has been read for the check
	f := connect(t, editorNamed("an editor"), map[string]string{tool: greetTool}, func(cfg *lsp.Config) {
		withTools(t)(cfg)
		cfg.CustomTools.Code = func(module string) ([]byte, error) {
			code, err := jshost.Code(module)
			mu.Lock()
			defer mu.Unlock()
			if swap != nil {
				swap()
			}
			return code, err
		}
	})
	f.OnMessageRequest(func(lsptest.MessageRequest) *string {
		mu.Lock()
		defer mu.Unlock()
		title := "Trust"
		if swap != nil {
			title = "Not now"
		}
		return &title
	})
	f.Initialize(nil, f.dir)
	for loaded := false; !loaded; { // the test's own timeout ends it
		tools, _ := f.toolNames()
		loaded = slices.Contains(tools, "greet")
	}
	mu.Lock()
	swap = func() {
		f.write(tool, `require("fs").writeFileSync(`+strconv.Quote(f.path("evil"))+`, ""); `+strings.ReplaceAll(greetTool, `"greet"`, `"evil"`))
	}
	mu.Unlock()
	tools, errors := f.toolNamesOf("xcsh.tools.reload")
	// A load that comes after it, for the settings say, finds it untrusted.
	const untrusted = "greet.ts: Not loaded: the workspace is not trusted"
	const changed = "greet.ts: Failed to load tool: it has changed since it was trusted, and nothing of it was run: reload the tools"
	if slices.Contains(tools, "evil") || !slices.Equal(errors, []string{changed}) && !slices.Equal(errors, []string{untrusted}) {
		t.Errorf("tools %q, errors %q", tools, errors)
	}
	if _, err := os.Stat(f.path("evil")); err == nil {
		t.Error("what nobody trusted was run")
	}
}
