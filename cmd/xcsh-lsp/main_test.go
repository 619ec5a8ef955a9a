package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// programEnv holds the path of the built program, for the tests that need a
// process: signals, exit, standard streams.
const programEnv = "XCSH_TEST_PROGRAM"

func TestMain(m *testing.M) {
	os.Exit(buildAndRun(m))
}

func buildAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "xcsh-lsp-test")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "xcsh-lsp")
	if out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		panic(string(out))
	}
	os.Setenv(programEnv, path)
	return m.Run()
}

// shell is a user's shell: a folder to work in, and a home and a state folder
// that are nobody else's.
type shell struct {
	t     *testing.T
	dir   string // the current folder
	state string // $XDG_STATE_HOME
	env   map[string]string
}

func newShell(t *testing.T) *shell {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &shell{t: t, dir: filepath.Join(dir, "project"), state: filepath.Join(dir, "state")}
	home := filepath.Join(dir, "home")
	t.Setenv("HOME", home)
	s.env = map[string]string{"XDG_STATE_HOME": s.state, "HOME": home}
	for _, d := range []string{s.dir, home} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(s.dir)
	return s
}

// write writes a file below the current folder; the name may lead out of it.
func (s *shell) write(name, content string) {
	s.t.Helper()
	path := filepath.Join(s.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

func (s *shell) link(target, name string) {
	s.t.Helper()
	if err := os.Symlink(target, filepath.Join(s.dir, name)); err != nil {
		s.t.Fatal(err)
	}
}

func (s *shell) holds(name, want string) {
	s.t.Helper()
	got, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		s.t.Fatal(err)
	}
	if string(got) != want {
		s.t.Errorf("%s holds %q, want %q", name, got, want)
	}
}

// outcome is what a run of the program leaves its caller with.
type outcome struct {
	status         int
	stdout, stderr string
}

// run runs the program in this process.
func (s *shell) run(args ...string) outcome {
	s.t.Helper()
	return s.runContext(s.t.Context(), args...)
}

func (s *shell) runContext(ctx context.Context, args ...string) outcome {
	s.t.Helper()
	var stdout, stderr bytes.Buffer
	p := program{
		stdin:  io.NopCloser(strings.NewReader("")),
		stdout: nopWriteCloser{&stdout}, stderr: &stderr,
		getenv: func(name string) string { return s.env[name] },
	}
	status := p.run(ctx, args)
	return outcome{status, stdout.String(), stderr.String()}
}

type nopWriteCloser struct{ io.Writer }

func (nopWriteCloser) Close() error { return nil }

// edit runs `ast-edit` with foo($A) → bar($A) and more arguments.
func (s *shell) edit(args ...string) outcome {
	s.t.Helper()
	return s.run(append([]string{"ast-edit", "--pat", "foo($A)", "--out", "bar($A)"}, args...)...)
}

// command prepares the built program as a process.
func (s *shell) command(args ...string) *exec.Cmd {
	s.t.Helper()
	cmd := exec.Command(os.Getenv(programEnv), args...)
	cmd.Dir = s.dir
	cmd.Env = os.Environ()
	for name, value := range s.env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	return cmd
}

// prints checks for success with exactly this result.
func (o outcome) prints(t *testing.T, want string) {
	t.Helper()
	if want := (outcome{exitOK, want, ""}); o != want {
		t.Errorf("got %+v\nwant %+v", o, want)
	}
}

// fails checks for a failure of the work with exactly this message.
func (o outcome) fails(t *testing.T, message string) {
	t.Helper()
	if want := (outcome{exitFailed, "", "xcsh-lsp: " + message + "\n"}); o != want {
		t.Errorf("got %+v\nwant %+v", o, want)
	}
}

// failsWith checks for a failure whose message begins with this.
func (o outcome) failsWith(t *testing.T, prefix string) {
	t.Helper()
	if o.status != exitFailed || o.stdout != "" || !strings.HasPrefix(o.stderr, "xcsh-lsp: "+prefix) {
		t.Errorf("got %+v\nwant status 1 and on stderr %q…", o, "xcsh-lsp: "+prefix)
	}
}

func decode(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
}
