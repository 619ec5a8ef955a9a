// Command xcsh-lsp is a language server for safe structural edits that a human
// decides on. See README.md for what it does and docs/ for its contract.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"github.com/xcsh-lsp/xcsh-lsp/internal/statedir"
)

// version is what the program calls itself to clients.
const version = "0.1.0"

// Exit statuses.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

const usage = `xcsh-lsp: structural edits that a human decides on

usage:
  xcsh-lsp [serve] [--stdio] [--log-level LEVEL] [--log-file FILE]
        the language server, over standard input and output
  xcsh-lsp ast-edit --pat PATTERN --out REPLACEMENT [PATH ...]
        one structural edit from the shell: a dry run, unless --apply --reason TEXT
        is given (xcsh-lsp ast-edit --help)
  xcsh-lsp version
`

// program is the outside world of one run.
type program struct {
	stdin  io.ReadCloser
	stdout io.WriteCloser
	stderr io.Writer
	getenv func(string) string
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	p := program{os.Stdin, os.Stdout, os.Stderr, os.Getenv}
	status := p.run(ctx, os.Args[1:])
	stop()
	os.Exit(status)
}

func (p program) run(ctx context.Context, args []string) int {
	name := "serve"
	if len(args) > 0 && args[0] != "" && args[0][0] != '-' {
		name, args = args[0], args[1:]
	}
	if len(args) > 0 && (args[0] == "--help" || args[0] == "-h") && name != "ast-edit" {
		fmt.Fprint(p.stdout, usage)
		return exitOK
	}
	switch name {
	case "serve":
		return p.serve(ctx, args)
	case "ast-edit":
		return p.astEdit(ctx, args)
	case "version":
		fmt.Fprintf(p.stdout, "xcsh-lsp %s (%s %s/%s)\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
		return exitOK
	case "help":
		fmt.Fprint(p.stdout, usage)
		return exitOK
	}
	fmt.Fprintf(p.stderr, "xcsh-lsp: unknown command %q\n\n%s", name, usage)
	return exitUsage
}

// fail says err and returns the status of failed work.
func (p program) fail(err error) int {
	fmt.Fprintf(p.stderr, "xcsh-lsp: %v\n", err)
	return exitFailed
}

// state returns the folder for what outlives a run, and the home folder.
func (p program) state() (root, home string, err error) {
	home, err = os.UserHomeDir()
	if err != nil {
		return "", "", fmt.Errorf("find the home folder: %w", err)
	}
	root, err = statedir.Root(p.getenv, runtime.GOOS, home)
	if err != nil {
		return "", "", err
	}
	return root, home, statedir.Ensure(root)
}
