package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestProcess(t *testing.T) {
	s := newShell(t)
	s.write("a.ts", "foo(1);\n")
	for _, tt := range []struct {
		args   []string
		status int
		stdout string
		stderr string
	}{
		{[]string{"ast-edit", "--pat", "foo($A)", "--out", "bar($A)"}, 0, "# a.ts (1 replacement)\n-1:1 foo(1)\n+1:1 bar(1)\n", ""},
		{[]string{"ast-edit", "--pat", "nope", "--out", ""}, 0, "No replacements made\n", ""},
		{[]string{"ast-edit", "--pat", "x", "--out", "y", "nope"}, 1, "", "xcsh-lsp: Path not found: nope\n"},
		{[]string{"ast-edit"}, 2, "", "xcsh-lsp ast-edit: --pat is missing: say what to look for\nRun 'xcsh-lsp ast-edit --help' for usage.\n"},
	} {
		t.Run(strings.Join(tt.args, " "), func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			cmd := s.command(tt.args...)
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			_ = cmd.Run() // the status says it
			got := outcome{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
			if want := (outcome{tt.status, tt.stdout, tt.stderr}); got != want {
				t.Errorf("got %+v\nwant %+v", got, want)
			}
		})
	}
}

// Standard output is full: what was done must not look undone.
func TestResultCannotBePrinted(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full here")
	}
	defer full.Close()
	s := newShell(t)
	s.write("a.ts", "foo(1);\n")
	var stderr bytes.Buffer
	cmd := s.command("ast-edit", "--pat", "foo($A)", "--out", "bar($A)", "--apply", "--reason", "r")
	cmd.Stdout, cmd.Stderr = full, &stderr
	_ = cmd.Run() // the status says it
	if cmd.ProcessState.ExitCode() != exitFailed ||
		!strings.HasPrefix(stderr.String(), "xcsh-lsp: the changes are written, but the result cannot be printed: ") {
		t.Errorf("%v: %s", cmd.ProcessState, &stderr)
	}
	s.holds("a.ts", "bar(1);\n")
}

// Without a home or a place for state a dry run still works: it needs neither.
func TestDryRunNeedsNoHome(t *testing.T) {
	s := newShell(t)
	s.write("a.ts", "foo(1);\n")
	cmd := s.command("ast-edit", "--pat", "foo($A)", "--out", "bar($A)", "a.ts")
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
	if out, err := cmd.CombinedOutput(); err != nil || string(out) != "-1:1 foo(1)\n+1:1 bar(1)\n" {
		t.Errorf("%v: %s", err, out)
	}
	cmd = s.command("ast-edit", "--pat", "foo($A)", "--out", "bar($A)", "--apply", "--reason", "r", "a.ts")
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
	out, err := cmd.CombinedOutput()
	if err == nil || string(out) != "xcsh-lsp: cannot find the state folder: set $HOME\n" {
		t.Errorf("%v: %s", err, out)
	}
	s.holds("a.ts", "foo(1);\n")
}

// hugeWorkspace makes a workspace that takes a dry run many seconds: one file
// under many names, so that it takes no disk.
func (s *shell) hugeWorkspace() {
	s.t.Helper()
	const names = 400
	first := filepath.Join(s.dir, "0.ts")
	s.write("0.ts", "foo(1);\n"+strings.Repeat("const x = { foo: [1, 2, (a, b) => a + b] };\n", 5000))
	for i := 1; i < names; i++ {
		if err := os.Link(first, filepath.Join(s.dir, fmt.Sprintf("%d.ts", i))); err != nil {
			s.t.Fatal(err)
		}
	}
}

// waitUntilItReads waits until a dry run over hugeWorkspace has read several files. Where
// the system does not tell what a process reads, it gives it some time.
func (s *shell) waitUntilItReads(pid int) {
	s.t.Helper()
	const several = 1 << 20 // bytes
	for deadline := time.Now().Add(endPatience); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		counters, err := os.ReadFile(fmt.Sprintf("/proc/%d/io", pid))
		if err != nil {
			time.Sleep(500 * time.Millisecond)
			return
		}
		var read int
		if _, err := fmt.Sscanf(string(counters), "rchar: %d", &read); err == nil && read > several {
			return
		}
	}
	s.t.Fatalf("the dry run read nothing within %v", endPatience)
}

func TestInterrupt(t *testing.T) {
	s := newShell(t)
	s.hugeWorkspace()
	var stdout, stderr bytes.Buffer
	cmd := s.command("ast-edit", "--pat", "foo($A)", "--out", "bar($A)", "--apply", "--reason", "r")
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.waitUntilItReads(cmd.Process.Pid)
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatalf("the dry run is too short for this test: %v", err)
	}
	_ = cmd.Wait()
	want := outcome{exitFailed, "", "xcsh-lsp: interrupted; nothing was written\n"}
	if got := (outcome{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}); got != want {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	if data, err := os.ReadFile("0.ts"); err != nil || !strings.HasPrefix(string(data), "foo(1);") {
		t.Errorf("0.ts begins with %.10q, %v", data, err)
	}
	if hidden, err := filepath.Glob(".*"); err != nil || len(hidden) != 0 {
		t.Errorf("left behind: %v, %v", hidden, err)
	}
	s.noDecisions()
}
