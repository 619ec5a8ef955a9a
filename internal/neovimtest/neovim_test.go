package neovimtest

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const (
	// editorsVariable lists paths of Neovims as PATH lists folders.
	editorsVariable = "XCSH_NVIM"

	// modulesVariable names a node_modules folder with @modelcontextprotocol/sdk.
	modulesVariable = "XCSH_NPM"
	agentScenario   = "plugin/agent" // the one that needs it

	// scenarioTimeout is far above the 2 s that a scenario takes: an editor that
	// waits at a prompt nobody answers must not hold up the tests.
	scenarioTimeout = time.Minute

	// killDelay is how long an editor that is killed may leave its output open.
	killDelay = 5 * time.Second
)

// TestNeovim runs each scenario in each Neovim, in a process, a project and a
// state folder of its own.
func TestNeovim(t *testing.T) {
	editors := filepath.SplitList(os.Getenv(editorsVariable))
	if len(editors) == 0 {
		t.Skipf("%s is not set: `make test` installs Neovim and sets it", editorsVariable)
	}
	server := buildServer(t)
	for _, editor := range editors {
		t.Run(version(t, editor), func(t *testing.T) {
			for _, scenario := range scenarios(t) {
				t.Run(scenario, func(t *testing.T) {
					if scenario == agentScenario && os.Getenv(modulesVariable) == "" {
						t.Skipf("%s is not set: `make test` installs the MCP SDK and sets it", modulesVariable)
					}
					runScenario(t, editor, server, scenario)
				})
			}
		})
	}
}

// scenarios lists those without the plugin, then those with it.
func scenarios(t *testing.T) []string {
	t.Helper()
	list := []string{"apply", "discard", "dismiss", "stale"}
	found, err := filepath.Glob("testdata/plugin/*.lua")
	if err != nil || len(found) == 0 {
		t.Fatalf("no scenarios of the plugin: %v", err)
	}
	for _, path := range found {
		list = append(list, "plugin/"+strings.TrimSuffix(filepath.Base(path), ".lua"))
	}
	return list
}

func buildServer(t *testing.T) string {
	t.Helper()
	server := filepath.Join(t.TempDir(), "xcsh-lsp")
	build := exec.Command("go", "build", "-o", server, "../../cmd/xcsh-lsp")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the server: %v\n%s", err, output)
	}
	return server
}

// version is `NVIM v0.7.2` without its first word.
func version(t *testing.T, editor string) string {
	t.Helper()
	output, err := exec.Command(editor, "--version").Output()
	if err != nil {
		t.Fatalf("%s names an editor that does not run: %s: %v", editorsVariable, editor, err)
	}
	first, _, _ := strings.Cut(string(output), "\n")
	return strings.TrimPrefix(first, "NVIM ")
}

func runScenario(t *testing.T, editor, server, scenario string) {
	scripts, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	plugin, err := filepath.Abs("../../editor-clients/neovim")
	if err != nil {
		t.Fatal(err)
	}
	home, err := os.MkdirTemp("/tmp", "xn") // a socket's path is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(home) })
	ctx, cancel := context.WithTimeout(t.Context(), scenarioTimeout)
	defer cancel()
	run := exec.CommandContext(ctx, editor, "--headless", "-u", "NONE", "-i", "NONE", "-n",
		"-c", "luafile "+filepath.Join(scripts, "run.lua"))
	run.Env = append(os.Environ(),
		"XCSH_TEST_SCRIPTS="+scripts, "XCSH_TEST_SCENARIO="+scenario, "XCSH_TEST_SERVER="+server, "XCSH_TEST_PLUGIN="+plugin,
		"XCSH_TEST_PROJECT="+filepath.Join(home, "project"), "HOME="+home,
		"XDG_STATE_HOME="+filepath.Join(home, "state"), "XDG_CONFIG_HOME="+filepath.Join(home, "config"),
		"XDG_DATA_HOME="+filepath.Join(home, "data"), "XDG_CACHE_HOME="+filepath.Join(home, "cache"))
	run.WaitDelay = killDelay
	var screen bytes.Buffer
	run.Stdout, run.Stderr = t.Output(), io.Writer(&screen)
	if err := run.Run(); err != nil {
		t.Errorf("%v (%v)\nthe editor's screen:\n%s\n%s", err, ctx.Err(), screen.String(), logs(home))
	}
}

// logs returns the logs of the server and of the editor's client.
func logs(home string) string {
	var all strings.Builder
	for _, pattern := range []string{"state/xcsh-lsp/*.log", "state/nvim/*.log", "cache/nvim/*.log"} {
		found, err := filepath.Glob(filepath.Join(home, pattern))
		if err != nil {
			return err.Error()
		}
		for _, path := range found {
			content, err := os.ReadFile(path)
			if err != nil {
				content = []byte(err.Error())
			}
			all.WriteString(path + ":\n" + string(content) + "\n")
		}
	}
	return all.String()
}
