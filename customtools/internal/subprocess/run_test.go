//go:build unix

package subprocess

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func run(t *testing.T, ctx context.Context, c Command) Result {
	t.Helper()
	result, err := Run(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func TestStatement62_StreamsAndExitCode(t *testing.T) {
	got := run(t, t.Context(), Command{Name: "sh", Args: []string{"-c", "echo o; echo e >&2; exit 3"}})
	if want := (Result{Stdout: "o\n", Stderr: "e\n", Code: 3}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestStatement63_TimeoutKills(t *testing.T) {
	got := run(t, t.Context(), Command{Name: "sleep", Args: []string{"600"}, Timeout: time.Millisecond})
	if want := (Result{Killed: true}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestStatement64_AbortedBeforeStartKills(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := run(t, ctx, Command{Name: "sleep", Args: []string{"600"}}); !got.Killed {
		t.Errorf("got %+v, want it killed", got)
	}
}

func TestStatement65_UnknownCommandIsAnError(t *testing.T) {
	for _, c := range []Command{
		{Name: "no-such-binary-xyz"},
		{Name: "true", Dir: "/no/such/folder"},
		{Name: t.TempDir()},
	} {
		if got, err := Run(t.Context(), c); err == nil {
			t.Errorf("%+v: got %+v, want an error", c, got)
		}
	}
}

func TestStatement66_WorkingDirectory(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if got := run(t, t.Context(), Command{Name: "pwd", Dir: dir}); got.Stdout != dir+"\n" {
		t.Errorf("got %q, want %q", got.Stdout, dir)
	}
}

func TestStatement67_ArgumentsAreLiteral(t *testing.T) {
	args := []string{"a b", `"q"`, "$(echo no)", "*", "'", ""}
	got := run(t, t.Context(), Command{Name: "sh", Args: append([]string{"-c", `printf '%s\n' "$@"`, "sh"}, args...)})
	if want := strings.Join(args, "\n") + "\n"; got.Stdout != want {
		t.Errorf("got %q, want %q", got.Stdout, want)
	}
}

func TestDeathByAForeignSignal(t *testing.T) {
	got := run(t, t.Context(), Command{Name: "sh", Args: []string{"-c", "kill -9 $$"}})
	if want := (Result{Code: 128 + 9}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestACommandThatIgnoresTheTermSignalIsKilledWithItsChildren(t *testing.T) {
	marker := filepath.Join(t.TempDir(), "child")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan Result)
	go func() {
		result, _ := Run(ctx, Command{Name: "sh", Args: []string{"-c", `trap '' TERM; sh -c 'trap "" TERM; echo $$ >` + marker + `; while :; do sleep 1; done'`}})
		done <- result
	}()
	var pid string
	for pid == "" {
		data, _ := os.ReadFile(marker)
		pid = strings.TrimSpace(string(data))
	}
	cancel()
	if got := <-done; !got.Killed {
		t.Errorf("got %+v, want it killed", got)
	}
	for { // it is gone, or a zombie that its new parent has not reaped
		status, err := os.ReadFile("/proc/" + pid + "/stat")
		if err != nil || strings.Contains(string(status), ") Z ") {
			return
		}
	}
}

func TestTooMuchStdoutKillsAndFails(t *testing.T) {
	_, err := Run(t.Context(), Command{Name: "sh", Args: []string{"-c", "while :; do echo 0123456789; done"}, MaxOutput: 1000})
	if err == nil || err.Error() != "Output exceeded 1000 bytes (subprocess stdout)" {
		t.Errorf("got %v", err)
	}
	_, err = Run(t.Context(), Command{Name: "sh", Args: []string{"-c", "printf '%01001d' 1"}, MaxOutput: 1000})
	if err == nil {
		t.Error("a command that ends with one byte too many passes")
	}
}

func TestTooMuchStderrIsCut(t *testing.T) {
	got := run(t, t.Context(), Command{Name: "sh", Args: []string{"-c", "printf '%01001d' 1 >&2"}, MaxOutput: 1000})
	want := strings.Repeat("0", 1000) + "\n…[stderr truncated at 1000 bytes]"
	if got.Stderr != want || got.Code != 0 {
		t.Errorf("got code %d and %d bytes ending %q", got.Code, len(got.Stderr), got.Stderr[max(0, len(got.Stderr)-50):])
	}
}

func TestOutputIsDecodedAsUTF8(t *testing.T) {
	got := run(t, t.Context(), Command{Name: "printf", Args: []string{`caf\303\251 \377`}})
	if want := "café \uFFFD"; got.Stdout != want {
		t.Errorf("got %q, want %q", got.Stdout, want)
	}
}

func TestNoInput(t *testing.T) {
	if got := run(t, t.Context(), Command{Name: "cat"}); got.Stdout != "" || got.Code != 0 {
		t.Errorf("got %+v", got)
	}
}
