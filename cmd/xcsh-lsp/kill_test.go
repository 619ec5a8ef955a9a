package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/internal/atomicfile"
	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
)

const (
	killedFiles = 300 // on disk
	killedDocs  = 5   // open in the editor
	killsShort  = 40
	killsLong   = 1000 // with XCSH_LONG=1
)

// killed is a workspace whose server is killed again and again.
type killed struct {
	*shell
	t      *testing.T
	random *rand.Rand
}

// TestKilledWhileApplying kills the server at random moments of an apply. The next
// server leaves the files all old or all new and nothing else, and names the open
// documents that the killed one had asked the editor to change.
func TestKilledWhileApplying(t *testing.T) {
	kills := killsShort
	if os.Getenv("XCSH_LONG") != "" {
		kills = killsLong
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	k := &killed{shell: newShell(t), t: t, random: rand.New(rand.NewPCG(seed, 0))}
	k.inMemory()
	for i := range killedFiles {
		k.write(fmt.Sprintf("d%d/f%d.ts", i%10, i), "foo(1);\n")
	}
	k.writeDocs("foo")
	took := min(k.apply(), k.apply(), k.apply())
	counts := map[string]int{}
	var doubt []string // paths that the next server must name
	for range kills {
		limit := took + took/4
		k.serve(doubt, func(e *lsptest.Editor, process *os.Process, _ string) {
			doubt = k.kill(e, process, time.Duration(k.random.Int64N(int64(limit))), counts)
		})
		if t.Failed() {
			return
		}
	}
	k.serve(doubt, nil)
	t.Logf("%d kills: %v; an apply takes %v", kills, counts, took)
	if counts["undone"] == 0 {
		t.Error("no kill hit an apply")
	}
}

// inMemory moves the workspace to where files need no disk, if there is such a
// place: a kill loses nothing that was written, synced or not.
func (k *killed) inMemory() {
	dir, err := os.MkdirTemp("/dev/shm", "xcsh-killed")
	if err != nil {
		return
	}
	k.t.Cleanup(func() { os.RemoveAll(dir) })
	k.dir, k.state = filepath.Join(dir, "project"), filepath.Join(dir, "state")
	k.env["XDG_STATE_HOME"] = k.state
}

func (k *killed) writeDocs(name string) {
	for i := range killedDocs {
		k.write(fmt.Sprintf("open%d.ts", i), name+"(1);\n")
	}
}

func (k *killed) docs() (paths []string) {
	for i := range killedDocs {
		paths = append(paths, filepath.Join(k.dir, fmt.Sprintf("open%d.ts", i)))
	}
	return paths
}

// wholly returns which name all files on disk have, and fails where they differ or
// where there is a file of an apply.
func (k *killed) wholly() string {
	k.t.Helper()
	found := map[string]int{}
	err := filepath.WalkDir(k.dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if atomicfile.IsTemp(entry.Name()) {
			k.t.Errorf("left behind: %s", path)
		}
		if filepath.Dir(path) != k.dir {
			content, err := os.ReadFile(path)
			found[string(content)]++
			return err
		}
		return nil
	})
	if err != nil {
		k.t.Fatal(err)
	}
	for _, name := range []string{"foo", "bar"} {
		if found[name+"(1);\n"] == killedFiles {
			return name
		}
	}
	k.t.Fatalf("neither all old nor all new: %v", found)
	return ""
}

// serve starts a server, which recovers, checks what it made of the files, and has
// f do something. The server is gone at the end.
func (k *killed) serve(doubt []string, f func(e *lsptest.Editor, process *os.Process, name string)) {
	k.t.Helper()
	cmd := k.command("serve")
	in, err := cmd.StdinPipe()
	if err != nil {
		k.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		k.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		k.t.Fatal(err)
	}
	e := lsptest.New(k.t, killedStream{out, in}, lsptest.VSCodeLike())
	defer func() {
		_ = cmd.Process.Kill()
		e.Close()
		_ = cmd.Wait() // it was killed
	}()
	e.Initialize(nil, k.dir)
	name := k.wholly()
	k.journalIsEmpty()
	for _, path := range doubt {
		e.Wait("a message about "+path, func() bool {
			return slices.ContainsFunc(e.Messages(), func(m lsptest.Message) bool { return strings.Contains(m.Text, path) })
		})
	}
	k.writeDocs(name)
	for _, path := range k.docs() {
		e.OpenFile(path)
	}
	if f != nil {
		f(e, cmd.Process, name)
	}
}

func (k *killed) journalIsEmpty() {
	k.t.Helper()
	left, err := filepath.Glob(filepath.Join(k.state, "xcsh-lsp", "*", "journal", "*"))
	if err != nil || len(left) > 0 {
		k.t.Errorf("left in the journal: %v, %v", left, err)
	}
}

// apply applies an edit undisturbed and returns how long that took.
func (k *killed) apply() (took time.Duration) {
	k.t.Helper()
	k.serve(nil, func(e *lsptest.Editor, _ *os.Process, name string) {
		k.propose(e, name)
		began := time.Now()
		if _, err := k.resolve(e); err != nil {
			k.t.Fatal(err)
		}
		took = time.Since(began)
		if k.wholly() == name {
			k.t.Fatal("nothing was applied")
		}
	})
	return took
}

// kill kills the server some time after an apply has begun, and returns the
// documents that must be named: those of an apply that was cut off after it had
// asked for them.
func (k *killed) kill(e *lsptest.Editor, process *os.Process, after time.Duration, counts map[string]int) (doubt []string) {
	k.t.Helper()
	name := k.wholly()
	k.propose(e, name)
	answered := make(chan bool, 1)
	go func() {
		_, err := k.resolve(e)
		answered <- err == nil
	}()
	time.Sleep(after)
	if err := process.Kill(); err != nil {
		k.t.Fatal(err)
	}
	if <-answered {
		counts["applied"]++
		if k.wholly() == name {
			k.t.Error("answered, but not applied")
		}
		return nil
	}
	left, err := filepath.Glob(filepath.Join(k.state, "xcsh-lsp", "*", "journal", "*.*"))
	if err != nil {
		k.t.Fatal(err)
	}
	for _, path := range left {
		switch filepath.Ext(path) {
		case ".begun", ".asked":
			counts["undone"]++
		case ".done":
			counts["finished"]++
		}
	}
	if !slices.ContainsFunc(left, func(path string) bool { return filepath.Ext(path) == ".asked" }) {
		return nil
	}
	return k.docs()
}

func (k *killed) propose(e *lsptest.Editor, name string) {
	k.t.Helper()
	other := map[string]string{"foo": "bar", "bar": "foo"}[name]
	_, err := k.execute(e, "xcsh.ast_edit", map[string]any{
		"ops": []any{map[string]any{"pat": name + "($A)", "out": other + "($A)"}}, "limit": 10 * killedFiles,
	})
	if err != nil {
		k.t.Fatal(err)
	}
}

func (k *killed) resolve(e *lsptest.Editor) (json.RawMessage, error) {
	return k.execute(e, "xcsh.resolve", map[string]any{"action": "apply", "reason": "r"})
}

func (k *killed) execute(e *lsptest.Editor, command string, arg any) (json.RawMessage, error) {
	return e.Call(context.Background(), "workspace/executeCommand", map[string]any{"command": command, "arguments": []any{arg}})
}

// killedStream is the stream to a server that may be killed: then it is closed to
// those who read, and swallows what is written.
type killedStream struct {
	io.ReadCloser
	in io.WriteCloser
}

func (s killedStream) Read(b []byte) (int, error) {
	n, err := s.ReadCloser.Read(b)
	if err != nil {
		err = errors.New("stream closed")
	}
	return n, err
}

func (s killedStream) Write(b []byte) (int, error) {
	_, _ = s.in.Write(b)
	return len(b), nil
}

func (s killedStream) Close() error { return errors.Join(s.in.Close(), s.ReadCloser.Close()) }
