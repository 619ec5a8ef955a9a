package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// endPatience is how long the end of a server is waited for. That it comes within the 2 s
// of protocol.md 1 follows from the limits in lsp/internal/wire, which gives up on who
// holds it up: a limit here would be one on how busy the machine is.
const endPatience = 20 * time.Second

// serving is a server in its own process and an editor's end of its streams.
type serving struct {
	t        *testing.T
	cmd      *exec.Cmd
	stdin    io.WriteCloser
	messages chan map[string]any
	garbage  chan error // what on stdout was no message; nil at its end
	stderr   *bytes.Buffer
	ended    chan int // the exit status
}

func (s *shell) serve(args ...string) *serving {
	s.t.Helper()
	r := &serving{
		t: s.t, cmd: s.command(args...), stderr: &bytes.Buffer{},
		messages: make(chan map[string]any, 100), garbage: make(chan error, 1), ended: make(chan int, 1),
	}
	r.cmd.Stderr = r.stderr
	var err error
	if r.stdin, err = r.cmd.StdinPipe(); err != nil {
		s.t.Fatal(err)
	}
	stdout, err := r.cmd.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := r.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	go func() {
		r.garbage <- readMessages(stdout, r.messages)
		close(r.messages)
		_ = r.cmd.Wait() // the status says it
		r.ended <- r.cmd.ProcessState.ExitCode()
	}()
	s.t.Cleanup(func() { _ = r.cmd.Process.Kill() })
	return r
}

// readMessages reads frames, and nothing but frames, up to the end.
func readMessages(from io.Reader, into chan<- map[string]any) error {
	in := bufio.NewReader(from)
	for {
		header, err := in.ReadString('\n')
		if errors.Is(err, io.EOF) && header == "" {
			return nil
		}
		length, ok := strings.CutPrefix(header, "Content-Length: ")
		n, convErr := strconv.Atoi(strings.TrimSpace(length))
		if err != nil || !ok || convErr != nil {
			return fmt.Errorf("no header: %q", header)
		}
		if blank, err := in.ReadString('\n'); err != nil || blank != "\r\n" {
			return fmt.Errorf("no end of the header: %q", blank)
		}
		body := make([]byte, n)
		if _, err := io.ReadFull(in, body); err != nil {
			return err
		}
		var message map[string]any
		if err := json.Unmarshal(body, &message); err != nil {
			return fmt.Errorf("no message: %q", body)
		}
		into <- message
	}
}

func (r *serving) send(message map[string]any) {
	r.t.Helper()
	message["jsonrpc"] = "2.0"
	body, err := json.Marshal(message)
	if err != nil {
		r.t.Fatal(err)
	}
	if _, err := fmt.Fprintf(r.stdin, "Content-Length: %d\r\n\r\n%s", len(body), body); err != nil {
		r.t.Fatal(err)
	}
}

func (r *serving) notify(method string, params any) {
	r.t.Helper()
	r.send(map[string]any{"method": method, "params": params})
}

// call sends a request and returns the answer.
func (r *serving) call(id int, method string, params any) map[string]any {
	r.t.Helper()
	r.send(map[string]any{"id": id, "method": method, "params": params})
	timeout := time.After(endPatience)
	for {
		select {
		case m, open := <-r.messages:
			if !open {
				r.t.Fatalf("%s: the server has ended: %v", method, r.stderr)
			}
			if m["id"] == float64(id) && m["method"] == nil {
				return m
			}
		case <-timeout:
			r.t.Fatalf("%s: no answer", method)
		}
	}
}

func (r *serving) initialize(processID any) {
	r.t.Helper()
	answer := r.call(1, "initialize", map[string]any{
		"processId": processID, "capabilities": map[string]any{}, "rootUri": "file://" + filepath.ToSlash(r.cmd.Dir),
	})
	if answer["error"] != nil {
		r.t.Fatal(answer)
	}
	r.notify("initialized", map[string]any{})
}

// ends waits for the end by itself and checks the status, and that nothing but
// messages came.
func (r *serving) ends(status int) {
	r.t.Helper()
	for range r.messages {
	}
	select {
	case got := <-r.ended:
		if got != status {
			r.t.Errorf("exit status %d, want %d; %s", got, status, r.stderr)
		}
	case <-time.After(endPatience):
		r.t.Fatal("the server does not end")
	}
	if err := <-r.garbage; err != nil {
		r.t.Errorf("on standard output: %v", err)
	}
}

func TestServe(t *testing.T) {
	for name, args := range map[string][]string{
		"serve": {"serve"}, "serve --stdio": {"serve", "--stdio"}, "--stdio": {"--stdio"}, "no arguments": nil,
	} {
		t.Run(name, func(t *testing.T) {
			s := newShell(t)
			s.write("a.ts", "foo(1);\n")
			r := s.serve(args...)
			r.initialize(nil)
			answer := r.call(2, "workspace/executeCommand", map[string]any{"command": "xcsh.ast_edit", "arguments": []any{
				map[string]any{"ops": []any{map[string]any{"pat": "foo($A)", "out": "bar($A)"}}},
			}})
			if text := fmt.Sprint(answer["result"]); !strings.Contains(text, "+1:1 bar(1)") {
				t.Errorf("answer %v", answer)
			}
			r.notify("no/such/notification", map[string]any{})
			if answer := r.call(3, "no/such/request", nil); answer["error"] == nil {
				t.Errorf("answer %v", answer)
			}
			if answer := r.call(4, "shutdown", nil); answer["error"] != nil {
				t.Errorf("answer %v", answer)
			}
			r.notify("exit", nil)
			r.ends(exitOK)
			s.holds("a.ts", "foo(1);\n")
		})
	}
}

func TestServeEnds(t *testing.T) {
	t.Run("at exit without shutdown", func(t *testing.T) {
		r := newShell(t).serve()
		r.initialize(nil)
		r.notify("exit", nil)
		r.ends(exitFailed)
	})
	t.Run("at exit before initialize", func(t *testing.T) {
		r := newShell(t).serve()
		r.notify("exit", nil)
		r.ends(exitFailed)
	})
	t.Run("when standard input closes", func(t *testing.T) {
		r := newShell(t).serve()
		r.initialize(os.Getpid())
		if err := r.stdin.Close(); err != nil {
			t.Fatal(err)
		}
		r.ends(exitFailed)
	})
	t.Run("when standard input closes, and a tool hangs", func(t *testing.T) {
		s := newToolShell(t)
		s.write(".xcsh/tools/hello.ts", strings.Replace(helloTool, `throw new Error("a list is no session");`, `if (event.reason === "shutdown") for (;;);`, 1))
		r := s.serve("--trust")
		r.initialize(os.Getpid())
		answer := r.call(2, "workspace/executeCommand", map[string]any{"command": "xcsh.tools.list", "arguments": []any{map[string]any{}}})
		if text := fmt.Sprint(answer["result"]); !strings.Contains(text, "hello") {
			t.Fatalf("answer %v", answer)
		}
		if err := r.stdin.Close(); err != nil {
			t.Fatal(err)
		}
		r.ends(exitFailed)
	})
	t.Run("when standard input closes at once", func(t *testing.T) {
		r := newShell(t).serve()
		if err := r.stdin.Close(); err != nil {
			t.Fatal(err)
		}
		r.ends(exitFailed)
	})
	t.Run("when the client's process is gone", func(t *testing.T) {
		editor := exec.Command("sleep", "60")
		if err := editor.Start(); err != nil {
			t.Fatal(err)
		}
		r := newShell(t).serve() // standard input stays open
		r.initialize(editor.Process.Pid)
		select {
		case status := <-r.ended:
			t.Fatalf("ended with status %d while the client lives", status)
		case <-time.After(1500 * time.Millisecond): // more than one look at the process
		}
		if err := editor.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = editor.Wait() // killed: that is its error
		r.ends(exitFailed)
	})
	t.Run("when it is told to by a signal", func(t *testing.T) {
		r := newShell(t).serve()
		r.initialize(nil)
		if err := r.cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		r.ends(exitFailed)
	})
}

func TestLog(t *testing.T) {
	const method = "no/such/notification" // which is a line in the log
	session := func(t *testing.T, s *shell, args ...string) (stderr string) {
		t.Helper()
		r := s.serve(args...)
		r.initialize(nil)
		r.notify(method, nil)
		r.call(2, "shutdown", nil)
		r.notify("exit", nil)
		r.ends(exitOK)
		return r.stderr.String()
	}
	read := func(t *testing.T, path string) string {
		t.Helper()
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	t.Run("file and standard error", func(t *testing.T) {
		s := newShell(t)
		stderr := session(t, s, "--log-level", "debug")
		path := filepath.Join(s.state, "xcsh-lsp", "xcsh-lsp.log")
		if text := read(t, path); !strings.Contains(text, method) || text != stderr {
			t.Errorf("file %q\nstandard error %q", text, stderr)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info, err)
		}
	})
	t.Run("--log-level", func(t *testing.T) {
		s := newShell(t)
		if stderr := session(t, s, "--log-level=error"); stderr != "" {
			t.Errorf("standard error %q", stderr)
		}
	})
	t.Run("--log-file is added to", func(t *testing.T) {
		s := newShell(t)
		s.write("my.log", "before\n")
		session(t, s, "serve", "--log-level", "debug", "--log-file", "my.log")
		if text := read(t, "my.log"); !strings.HasPrefix(text, "before\n") || !strings.Contains(text, method) {
			t.Errorf("file %q", text)
		}
		if _, err := os.Stat(filepath.Join(s.state, "xcsh-lsp", "xcsh-lsp.log")); !os.IsNotExist(err) {
			t.Errorf("there is a default log too: %v", err)
		}
	})
	t.Run("a full file is put aside", func(t *testing.T) {
		s := newShell(t)
		s.write("my.log", strings.Repeat("x", maxLogSize+1))
		session(t, s, "--log-file", "my.log")
		if info, err := os.Stat("my.log"); err != nil || info.Size() > maxLogSize {
			t.Errorf("%v, %v", info, err)
		}
		if info, err := os.Stat("my.log.old"); err != nil || info.Size() != maxLogSize+1 {
			t.Errorf("%v, %v", info, err)
		}
	})
	t.Run("a file that cannot be written", func(t *testing.T) {
		s := newShell(t)
		s.run("--log-file", "no/folder/my.log").fails(t,
			"open the log file: open no/folder/my.log: no such file or directory; choose another with --log-file")
		s.run("--log-file", ".").fails(t, "open the log file: open .: is a directory; choose another with --log-file")
	})
	t.Run("a state folder that cannot be made", func(t *testing.T) {
		s := newShell(t)
		s.write("../state", "a file\n")
		s.run("serve").failsWith(t, "create state folder: ")
	})
}
