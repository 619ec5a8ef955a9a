package host

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/customtools/internal/jsruntime"
)

func TestOnlyWhoKnowsTheTokenIsAccepted(t *testing.T) {
	for name, open := range map[string]func() (net.Listener, string, error){
		"socket": func() (net.Listener, string, error) { return listen(t.TempDir()) },
		"port":   listenLocal, // Windows
	} {
		t.Run(name, func(t *testing.T) {
			listener, address, err := open()
			if err != nil {
				t.Fatal(err)
			}
			defer listener.Close()
			if name == "port" {
				address = "127.0.0.1:" + address
			}
			for _, token := range []string{"wrong\n", "token\n"} {
				conn, err := net.Dial(listener.Addr().Network(), address)
				if err != nil {
					t.Fatal(err)
				}
				defer conn.Close()
				if _, err := conn.Write([]byte(token)); err != nil {
					t.Fatal(err)
				}
			}
			conn, err := accept(t.Context(), listener, "token")
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
		})
	}
}

func TestTheFolderIsPrivateAndGoes(t *testing.T) {
	s := open(t, "-- t.ts --\n"+factory("return { content: [] };"))
	s.tool("t.ts")
	dir := s.rt.running().dir
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("got %v, %v", info.Mode(), err)
	}
	if err := s.rt.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("after Close: got %v", err)
	}
	if _, err := s.tryLoad("t.ts"); err == nil || !strings.Contains(err.Error(), "shut down") {
		t.Errorf("a load after Close: got %v", err)
	}
}

// A runtime that does not start, or is too old, gives way to the next.
func TestTheFirstRuntimeThatWorksIsTaken(t *testing.T) {
	node := installed(t, jsruntime.Node)
	dir := t.TempDir()
	script := func(name, text string) jsruntime.Runtime {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
		return jsruntime.Runtime{Kind: jsruntime.Node, Path: path}
	}
	broken := script("broken", "#!/bin/sh\necho no such thing >&2\nexit 1\n")
	old := script("old", "#!/bin/sh\nexec "+node.Path+" --import 'data:text/javascript,Object.defineProperty(process.versions,\"node\",{value:\"16.20.0\"})' \"$@\"\n")
	candidates := []jsruntime.Runtime{broken, old, node}
	s := open(t, "-- t.ts --\n"+factory("return { content: [] };"))
	s.rt.find = func() ([]jsruntime.Runtime, error) { return candidates, nil }
	s.tool("t.ts")

	s = open(t, "-- t.ts --\n"+factory("return { content: [] };"))
	s.rt.find = func() ([]jsruntime.Runtime, error) { return candidates[:2], nil }
	_, err := s.tryLoad("t.ts")
	for _, part := range []string{"install Node.js 18 or newer", "no such thing", "is Node.js 16.20.0: install 18 or newer"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("got %v, want it to say %q", err, part)
		}
	}
}

// A debugger's hook, an editor's mark and a workspace's settings do not reach
// the runtime.
func TestNothingOfTheSurroundingsIsLoaded(t *testing.T) {
	t.Setenv("NODE_OPTIONS", "--require /no/such/hook.js")
	t.Setenv("ELECTRON_RUN_AS_NODE", "1")
	eachRuntime(t, func(t *testing.T, rt jsruntime.Runtime) {
		s := openOn(t, rt, "-- bunfig.toml --\npreload = ['./preload.ts']\n-- preload.ts --\nprocess.env.PRELOADED = 'yes';\n-- .env --\nFROM_FILE=yes\n-- t.ts --\n"+
			factory("const { NODE_OPTIONS, ELECTRON_RUN_AS_NODE, XCSH_TOOLHOST_TOKEN, PRELOADED, FROM_FILE } = process.env; return { content: [], details: { cwd: process.cwd() === pi.cwd, NODE_OPTIONS, ELECTRON_RUN_AS_NODE, XCSH_TOOLHOST_TOKEN, PRELOADED, FROM_FILE } };"))
		if got, want := s.mustCall(s.tool("t.ts"), "{}"), `{"content":[],"details":{"cwd":true}}`; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

func TestJunkOnTheWireIsLogged(t *testing.T) {
	s := open(t, "-- t.ts --\nimport { parentPort } from 'worker_threads';\n"+factory(`
for (const junk of ["junk", "{}", '{"method":1}', '{"id":99,"result":1}', '{"id":"x"}', '{"method":"stage","params":[]}', '{"method":"nope","params":{"worker":1}}', '{"method":"exited","params":{"worker":99}}']) parentPort!.postMessage(junk);
return { content: [] };`))
	tool := s.tool("t.ts")
	for range 2 {
		if got := s.mustCall(tool, "{}"); got != `{"content":[]}` {
			t.Errorf("got %s", got)
		}
	}
	s.host.awaitLog(t, "cannot be read")
}
