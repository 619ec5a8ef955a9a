package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
)

// streamEdit prints a dry run's changes file by file and holds none of them.
func (p program) streamEdit(ctx context.Context, flags *editFlags) error {
	w, err := p.readPaths(flags)
	if err != nil {
		return err
	}
	engine, err := astedit.NewEngine()
	if err != nil {
		return err
	}
	opts := astedit.Options{}
	if n, ok := astedit.MaxFilesFromEnv(p.getenv); ok {
		opts.MaxFiles = n
	}
	out := bufio.NewWriter(p.stdout)
	files, skipped := 0, 0
	result, err := engine.Each(ctx, p.diskHost(w).Workspace(), flags.request, opts, func(f *astedit.FileEdit) error {
		files++
		skipped += f.Skipped
		if _, err := out.WriteString(f.Text()); err != nil {
			return err
		}
		return out.Flush()
	})
	switch {
	case errors.Is(err, context.Canceled):
		return errInterrupted
	case err != nil:
		return err
	}
	for _, warning := range result.Warnings {
		fmt.Fprintf(p.stderr, "xcsh-lsp: warning: %s\n", warning)
	}
	if files == 0 {
		_, err := fmt.Fprintln(p.stdout, result.Text())
		return err
	}
	for _, note := range result.Notes(skipped) {
		if _, err := fmt.Fprintln(out, note); err != nil {
			return err
		}
	}
	return out.Flush()
}
