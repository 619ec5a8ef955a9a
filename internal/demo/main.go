// Command demo shows the product at its main job, on real code: first a dry run
// over the Go standard library, then the same loop as an editor's session in
// miniature, on a copy in a temporary folder. Nothing else is written.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// The rule of the demo. A call at the top level of a Go file is no call to the
// grammar, so the pattern gives it a function to stand in and selects it.
const (
	pattern     = `func _() { strings.Replace($S, $OLD, $NEW, -1) }`
	selector    = `call_expression`
	replacement = `strings.ReplaceAll($S, $OLD, $NEW)`
	glob        = `**/*.go`
)

// shownLines is how much of the long preview the demo prints.
const shownLines = 24

// deadline is for the whole demo: it takes seconds.
const deadline = 2 * time.Minute

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: demo PATH-OF-xcsh-lsp  (make demo)")
		os.Exit(2)
	}
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	err := run(ctx, os.Args[1])
	cancel()
	if err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, program string) error {
	program, err := filepath.Abs(program)
	if err != nil {
		return err
	}
	goroot, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("ask go for its GOROOT: %w", err)
	}
	source := filepath.Join(strings.TrimSpace(string(goroot)), "src")
	state, err := os.MkdirTemp("", "xcsh-demo-state-")
	if err != nil {
		return err
	}
	workspace, err := os.MkdirTemp("", "xcsh-demo-workspace-")
	if err != nil {
		return err
	}
	err = errors.Join(dryRun(ctx, program, state, source), miniature(ctx, program, state, source, workspace))
	return errors.Join(err, os.RemoveAll(state), os.RemoveAll(workspace))
}

func title(text string) { fmt.Printf("\n==== %s\n\n", text) }

// dryRun previews the rule over the standard library, from the shell.
func dryRun(ctx context.Context, program, state, source string) error {
	title("A dry run over the Go standard library")
	fmt.Printf("$ cd %s\n$ xcsh-lsp ast-edit --pat '%s' \\\n      --sel %s --out '%s' --glob '%s'\n\n", source, pattern, selector, replacement, glob)
	command := exec.CommandContext(ctx, program, "ast-edit", "--pat", pattern, "--sel", selector, "--out", replacement, "--glob", glob)
	command.Dir = source
	command.Env = append(os.Environ(), "XDG_STATE_HOME="+state)
	command.Stderr = os.Stderr
	began := time.Now()
	output, err := command.Output()
	if err != nil {
		return fmt.Errorf("run xcsh-lsp ast-edit: %w", err)
	}
	lines := strings.Split(strings.TrimRight(string(output), "\n"), "\n")
	fmt.Println(strings.Join(lines[:min(len(lines), shownLines)], "\n"))
	if len(lines) > shownLines {
		fmt.Printf("… and %d more lines\n", len(lines)-shownLines)
	}
	fmt.Printf("\nThat took %.1f s. Nothing was written. To apply it, the same command with\n    --apply --reason \"why\"\nwould write all of it or nothing, and keep the reason in the decision log.\n", time.Since(began).Seconds())
	return nil
}
