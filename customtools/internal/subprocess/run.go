package subprocess

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// MaxOutput is how many bytes of each stream are kept: the contract's 50 MiB.
const MaxOutput = 50 << 20

// Texts of the contract.
const (
	tooMuchOutput    = "Output exceeded %d bytes (subprocess stdout)"
	truncatedPattern = "\n…[stderr truncated at %d bytes]"
)

const (
	// killGrace is how long a command has to end after it was asked politely.
	killGrace = time.Second
	// pipeGrace is how long a dead command's output is waited for: a child that
	// left its group may hold it open for ever.
	pipeGrace = time.Second
)

// Command is what to run.
type Command struct {
	Name    string
	Args    []string
	Dir     string
	Env     []string      // nil inherits the program's
	Timeout time.Duration // 0 is none
	// MaxOutput is the limit in bytes; 0 is [MaxOutput].
	MaxOutput int
}

// Result is how a command ended.
type Result struct {
	Stdout string `json:"stdout"`
	Stderr string `json:"stderr"`
	// Code is the exit status, 128+n for a death by signal n, and 0 where the
	// command was killed by us.
	Code   int  `json:"code"`
	Killed bool `json:"killed"` // by the end of ctx, or by the timeout
}

// Run runs a command to its end, with no input. The end of ctx kills it, which
// is no error. An error says that it could not be started, or wrote too much.
func Run(ctx context.Context, c Command) (Result, error) {
	limit := c.MaxOutput
	if limit == 0 {
		limit = MaxOutput
	}
	overflow := make(chan struct{})
	stdout := &buffer{limit: limit, full: overflow}
	stderr := &buffer{limit: limit}
	cmd := exec.Command(c.Name, c.Args...)
	cmd.Dir, cmd.Env = c.Dir, c.Env
	cmd.Stdout, cmd.Stderr = stdout, stderr
	cmd.WaitDelay = pipeGrace
	lead(cmd)
	if err := cmd.Start(); err != nil {
		return Result{}, fmt.Errorf("run %s: %w", c.Name, err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // its state says how it ended
		close(ended)
	}()

	killed, exceeded := supervise(ctx, cmd, c.Timeout, ended, overflow)
	if exceeded {
		return Result{}, fmt.Errorf(tooMuchOutput, limit)
	}
	result := Result{
		Stdout: strings.ToValidUTF8(stdout.text(), "\uFFFD"),
		Stderr: strings.ToValidUTF8(stderr.text(), "\uFFFD"),
		Killed: killed,
		Code:   exitCode(cmd, killed),
	}
	if stderr.dropped {
		result.Stderr += fmt.Sprintf(truncatedPattern, limit)
	}
	return result, nil
}

// supervise waits until the command has ended, and ends it where it must.
func supervise(ctx context.Context, cmd *exec.Cmd, timeout time.Duration, ended, overflow <-chan struct{}) (killed, exceeded bool) {
	var timedOut <-chan time.Time
	if timeout > 0 {
		timer := time.NewTimer(timeout)
		defer timer.Stop()
		timedOut = timer.C
	}
	select {
	case <-ended:
		return false, closed(overflow)
	case <-overflow:
		exceeded = true
	case <-ctx.Done():
		killed = true
	case <-timedOut:
		killed = true
	}
	askToEnd(cmd)
	timer := time.NewTimer(killGrace)
	defer timer.Stop()
	select {
	case <-ended:
	case <-timer.C:
	}
	killTree(cmd) // also what a command that did end has left behind
	<-ended
	return killed, exceeded
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func exitCode(cmd *exec.Cmd, killed bool) int {
	state := cmd.ProcessState
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		if killed {
			return 0
		}
		return 128 + int(status.Signal())
	}
	return max(state.ExitCode(), 0)
}
