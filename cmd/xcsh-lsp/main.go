// Command xcsh-lsp is a language server for safe structural edits that a human
// decides on. See README.md for what it does and docs/ for its contract.
//
// This package reads command lines and wires the packages together; it knows
// nothing of edits or of the protocol.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
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
	name := "serve" // an editor may start the program with flags alone
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		name, args = args[0], args[1:]
	} else if len(args) > 0 {
		switch args[0] {
		case "-h", "-help", "--help":
			return p.help(args[1:])
		case "-version", "--version":
			name, args = "version", args[1:]
		}
	}
	switch name {
	case "serve":
		return p.serve(ctx, args)
	case "ast-edit":
		return p.astEdit(ctx, args)
	case "tools":
		return p.tools(args)
	case "mcp":
		return p.mcp(ctx, args)
	case "version":
		return p.version(args)
	case "help":
		return p.help(args)
	}
	return p.wrongUsage("", fmt.Errorf("unknown command %q", name))
}

func (p program) version(args []string) int {
	_, err := parseFlags(flag.NewFlagSet("version", flag.ContinueOnError), args, noArguments)
	if err != nil {
		return p.wrongUsage("version", err)
	}
	fmt.Fprintf(p.stdout, "xcsh-lsp %s (%s %s/%s)\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return exitOK
}

// help prints the help of the command named, or of the program.
func (p program) help(args []string) int {
	topic := ""
	if len(args) > 0 {
		topic = args[0]
	}
	text, ok := helpOf(topic)
	if !ok {
		return p.wrongUsage("", fmt.Errorf("unknown command %q", topic))
	}
	fmt.Fprint(p.stdout, text)
	return exitOK
}

// wrongUsage says what is wrong with the command line, and where the help is.
// Asking for the help is an error to those who parse, and none to the user.
func (p program) wrongUsage(command string, err error) int {
	if errors.Is(err, flag.ErrHelp) {
		return p.help([]string{command})
	}
	name := strings.TrimSpace("xcsh-lsp " + command)
	fmt.Fprintf(p.stderr, "%s: %v\nRun '%s --help' for usage.\n", name, err, name)
	return exitUsage
}

// fail says err and returns the status of failed work.
func (p program) fail(err error) int {
	fmt.Fprintf(p.stderr, "xcsh-lsp: %v\n", err)
	return exitFailed
}

// home returns the user's home folder, "" where there is none: each use of it
// knows what that means.
func home() string {
	dir, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return dir
}

// state returns the folder for what outlives a run, and makes it.
func (p program) state() (root string, err error) {
	root, err = statedir.Root(p.getenv, runtime.GOOS, home())
	if err != nil {
		return "", err
	}
	return root, statedir.Ensure(root)
}
