package host

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/customtools"
	"github.com/xcsh-lsp/xcsh-lsp/customtools/internal/jsruntime"
)

// The rows of engineering.md 2: each fault costs its own call or worker, and
// never another tool.

const neighbour = "\n-- neighbour.ts --\nlet calls = 0;\nexport default () => ({ name: 'n', description: 'd', parameters: {}, execute: () => ({ content: [], details: ++calls }) });\n"

// faulty opens a tool that misbehaves and its neighbour, whose state shows
// whether its worker lives on.
func faulty(t *testing.T, rt jsruntime.Runtime, body string, limits ...Limits) (s *tools, bad, good customtools.RuntimeTool) {
	t.Helper()
	s = openOn(t, rt, "-- t.ts --\nimport { execSync, spawn } from 'child_process';\nimport { writeFileSync } from 'fs';\nlet calls = 0;\n"+factory("if (params.ok) return { content: [], details: ++calls };\n"+body)+neighbour, limits...)
	bad, good = s.tool("t.ts"), s.tool("neighbour.ts")
	if got := s.mustCall(bad, `{"ok":true}`); !strings.HasSuffix(got, "1}") {
		t.Fatalf("got %s", got)
	}
	s.mustCall(good, "{}")
	return s, bad, good
}

// counts checks how often each tool was called in its present worker.
func (s *tools) counts(bad, good customtools.RuntimeTool, wantBad, wantGood int) {
	s.t.Helper()
	for _, c := range []struct {
		name string
		tool customtools.RuntimeTool
		want int
	}{{"the faulty tool", bad, wantBad}, {"its neighbour", good, wantGood}} {
		if got, want := s.mustCall(c.tool, `{"ok":true}`), fmt.Sprintf(`{"content":[],"details":%d}`, c.want); got != want {
			s.t.Errorf("%s: got %s, want %s", c.name, got, want)
		}
	}
}

func TestFaultEndlessLoop(t *testing.T) {
	eachRuntime(t, func(t *testing.T, rt jsruntime.Runtime) {
		s, bad, good := faulty(t, rt, "onUpdate?.({}); for (;;);")
		ctx, cancel := contextOf(t)
		done := s.started(ctx, bad, "{}")
		cancel()
		if o := <-done; !errors.Is(o.err, ctx.Err()) {
			t.Errorf("got %+v", o)
		}
		s.counts(bad, good, 1, 2)
	})
}

func TestFaultIgnoredAbort(t *testing.T) {
	eachRuntime(t, func(t *testing.T, rt jsruntime.Runtime) {
		s, bad, good := faulty(t, rt, "onUpdate?.({}); await new Promise(() => { setInterval(() => {}, 1000); });")
		ctx, cancel := contextOf(t)
		done := s.started(ctx, bad, "{}")
		cancel()
		if o := <-done; !errors.Is(o.err, ctx.Err()) {
			t.Errorf("got %+v", o)
		}
		s.counts(bad, good, 1, 2)
	})
}

func TestFaultBlockedInAChildProcess(t *testing.T) {
	eachRuntime(t, func(t *testing.T, rt jsruntime.Runtime) {
		s, bad, good := faulty(t, rt, "onUpdate?.({}); execSync('sleep 600');")
		p := s.rt.running()
		ctx, cancel := contextOf(t)
		done := s.started(ctx, bad, "{}")
		cancel()
		if o := <-done; !errors.Is(o.err, ctx.Err()) {
			t.Errorf("got %+v", o)
		}
		// Node.js cannot end such a thread: the process goes, and comes back.
		if rt.Kind == jsruntime.Node {
			<-p.done
			s.counts(bad, good, 1, 1)
			return
		}
		s.mustCall(bad, `{"ok":true}`)
		s.mustCall(good, `{"ok":true}`)
	})
}

func TestFaultUncaughtExceptionIsItsCalls(t *testing.T) {
	eachRuntime(t, func(t *testing.T, rt jsruntime.Runtime) {
		s, bad, good := faulty(t, rt, "setTimeout(() => { throw new Error('in a timer'); }, 1); await new Promise(() => {});")
		if _, err := s.call(t.Context(), bad, "{}"); err == nil || err.Error() != "uncaught exception: in a timer" {
			t.Errorf("got %v", err)
		}
		s.host.awaitLog(t, "in a timer")
		s.counts(bad, good, 2, 2)
	})
}

func TestFaultUncaughtExceptionAfterTheCall(t *testing.T) {
	eachRuntime(t, func(t *testing.T, rt jsruntime.Runtime) {
		s, bad, good := faulty(t, rt, "setTimeout(() => { throw new Error('too late'); }, 1); return { content: [] };")
		s.mustCall(bad, "{}")
		s.host.awaitLog(t, "too late")
		s.counts(bad, good, 2, 2)
	})
}

func TestFaultUnhandledRejectionIsLogged(t *testing.T) {
	eachRuntime(t, func(t *testing.T, rt jsruntime.Runtime) {
		s, bad, good := faulty(t, rt, "Promise.reject(new Error('nobody cares')); await new Promise((done) => setTimeout(done, 20)); return { content: [] };")
		s.mustCall(bad, "{}")
		s.host.awaitLog(t, "nobody cares")
		s.counts(bad, good, 2, 2)
	})
}

func TestFaultProcessExitIsAnError(t *testing.T) {
	eachRuntime(t, func(t *testing.T, rt jsruntime.Runtime) {
		s, bad, good := faulty(t, rt, "if (params.later) { setTimeout(() => process.exit(3), 1); await new Promise(() => {}); } process.exit(7);")
		if _, err := s.call(t.Context(), bad, "{}"); err == nil || err.Error() != "process.exit(7) was called: a tool cannot end its host" {
			t.Errorf("got %v", err)
		}
		if _, err := s.call(t.Context(), bad, `{"later":true}`); err == nil || !strings.HasSuffix(err.Error(), "process.exit(3) was called: a tool cannot end its host") {
			t.Errorf("got %v", err)
		}
		s.counts(bad, good, 2, 2)
	})
}

// Bun does not keep to a heap limit; there the size of the process counts.
func TestFaultHeapBomb(t *testing.T) {
	eachRuntime(t, func(t *testing.T, rt jsruntime.Runtime) {
		s, bad, good := faulty(t, rt, "const all: any[] = []; for (;;) all.push(new Array(1000).fill({}));", Limits{HeapMB: 32, ProcessMB: 500})
		if _, err := s.call(t.Context(), bad, "{}"); err == nil || !strings.Contains(err.Error(), "memory") && !s.abortsWithoutHeap() {
			t.Errorf("got %v", err)
		}
		if rt.Kind == jsruntime.Node && !s.abortsWithoutHeap() {
			s.counts(bad, good, 1, 2)
			return
		}
		s.mustCall(bad, `{"ok":true}`)
		s.mustCall(good, "{}")
	})
}

// abortsWithoutHeap reports a Node.js whose thread without heap may take the
// process along: since 24 its garbage collector overshoots the limit by more
// than the room that Node.js gives it for a tidy end. All tools start again.
func (s *tools) abortsWithoutHeap() bool {
	p, err := s.rt.process(s.t.Context(), s.dir)
	if err != nil {
		s.t.Fatal(err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	major, _, _ := strings.Cut(p.version, ".")
	n, err := strconv.Atoi(major)
	return err != nil || n >= 24
}

func TestFaultMemoryOutsideTheHeap(t *testing.T) {
	eachRuntime(t, func(t *testing.T, rt jsruntime.Runtime) {
		body := "const all: any[] = []; const stop = Date.now() + 60000; while (all.length < 60 && Date.now() < stop) { all.push(Buffer.alloc(10 << 20, 1)); } while (Date.now() < stop); return { content: [] };"
		s, bad, good := faulty(t, rt, body, Limits{ProcessMB: 400})
		if _, err := s.call(t.Context(), bad, "{}"); err == nil || !strings.Contains(err.Error(), "out of memory: the tools use more than 400 MiB") {
			t.Errorf("got %v", err)
		}
		s.mustCall(bad, `{"ok":true}`)
		s.mustCall(good, "{}")
	})
}

func TestFaultManyUpdatesAreCoalesced(t *testing.T) {
	eachRuntime(t, func(t *testing.T, rt jsruntime.Runtime) {
		s, bad, _ := faulty(t, rt, "for (let i = 1; i <= 20000; i++) onUpdate?.({ content: [], details: i }); return { content: [] };")
		var mu sync.Mutex
		var got []int
		_, err := bad.Execute(t.Context(), customtools.RuntimeCall{Params: json.RawMessage("{}"), Host: s.host, Update: func(p json.RawMessage) {
			var u struct{ Details int }
			if err := json.Unmarshal(p, &u); err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			got = append(got, u.Details)
		}})
		if err != nil {
			t.Fatal(err)
		}
		if len(got) > 2000 || got[0] != 1 || got[len(got)-1] != 20000 {
			t.Errorf("got %d updates, first %d, last %d", len(got), got[0], got[len(got)-1])
		}
		for i := 1; i < len(got); i++ {
			if got[i] <= got[i-1] {
				t.Fatalf("update %d came after %d", got[i], got[i-1])
			}
		}
	})
}

func TestFaultHugeResult(t *testing.T) {
	eachRuntime(t, func(t *testing.T, rt jsruntime.Runtime) {
		s, bad, good := faulty(t, rt, "return { content: [], details: 'x'.repeat(params.size) };")
		const size = 50 << 20
		if got := s.mustCall(bad, fmt.Sprintf(`{"size":%d}`, size)); len(got) != size+len(`{"content":[],"details":""}`) {
			t.Errorf("got %d bytes", len(got))
		}
		_, err := s.call(t.Context(), bad, fmt.Sprintf(`{"size":%d}`, 64<<20))
		if want := fmt.Sprintf("The answer has %d characters; at most %d are taken", 64<<20+27, 64<<20); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
		s.counts(bad, good, 2, 2)
	})
}

func TestFaultTheProcessIsKilled(t *testing.T) {
	eachRuntime(t, func(t *testing.T, rt jsruntime.Runtime) {
		s, bad, good := faulty(t, rt, "onUpdate?.({}); await new Promise(() => {});")
		done := s.started(t.Context(), bad, "{}")
		if err := s.rt.running().child.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if o := <-done; o.err == nil || !strings.Contains(o.err.Error(), "the JavaScript process ended (signal: killed") {
			t.Errorf("got %+v", o)
		}
		s.counts(bad, good, 1, 1)
	})
}

// TestFaultTheServerIsKilled runs a server, which is this test in a process of
// its own, kills it while a tool has a child process, and sees that both the
// tool's process and the child go.
func TestFaultTheServerIsKilled(t *testing.T) {
	if os.Getenv("XCSH_TEST_SERVER") != "" {
		t.Skip("this is the server")
	}
	eachRuntime(t, func(t *testing.T, rt jsruntime.Runtime) {
		server := exec.Command(os.Args[0], "-test.run=^TestServerToBeKilled$", "-test.v")
		server.Env = append(os.Environ(), "XCSH_TEST_SERVER="+string(rt.Kind))
		out, err := server.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		server.Stderr = os.Stderr
		if err := server.Start(); err != nil {
			t.Fatal(err)
		}
		var host, child int
		if _, err := fmt.Fscanf(skipTo(out, "pids "), "%d %d", &host, &child); err != nil {
			t.Fatal(err)
		}
		if err := server.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = server.Wait()
		for _, pid := range []int{host, child} {
			for !isGone(pid) { // the test's own timeout ends this
			}
		}
	})
}

// TestServerToBeKilled is the server of the test above.
func TestServerToBeKilled(t *testing.T) {
	kind := os.Getenv("XCSH_TEST_SERVER")
	if kind == "" {
		t.Skip("only as a process of its own")
	}
	s := openOn(t, installed(t, jsruntime.Kind(kind)), "-- t.ts --\nimport { spawn } from 'child_process';\nimport { writeFileSync, renameSync } from 'fs';\n"+factory(`
const child = spawn("sleep", ["600"]);
writeFileSync("tmp", String(child.pid)); renameSync("tmp", "pid");
onUpdate({}); for (;;);`))
	s.started(t.Context(), s.tool("t.ts"), "{}")
	pid, err := os.ReadFile(s.dir + "/pid")
	if err != nil {
		t.Fatal(err)
	}
	child, err := strconv.Atoi(string(pid))
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("pids %d %d\n", s.rt.running().child.cmd.Process.Pid, child)
	select {}
}
