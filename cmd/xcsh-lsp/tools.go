package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"go.uber.org/zap/zapcore"

	"github.com/xcsh-lsp/xcsh-lsp/customtools"
	"github.com/xcsh-lsp/xcsh-lsp/customtools/types"
	"github.com/xcsh-lsp/xcsh-lsp/lsp"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// tools lists the tools that a server would have in the current folder.
func (p program) tools(args []string) int {
	given := serveFlags{level: zapcore.ErrorLevel}
	flags := flag.NewFlagSet("tools", flag.ContinueOnError)
	asJSON := flags.Bool("json", false, "")
	typesDir := flags.String("types", "", "")
	given.register(flags)
	if _, err := parseFlags(flags, args, noArguments); err != nil {
		return p.wrongUsage("tools", err)
	}
	if *typesDir != "" {
		return p.writeTypes(*typesDir)
	}
	dir, err := os.Getwd()
	if err != nil {
		return p.fail(err)
	}
	cfg, closeLog, err := p.serverConfig(given)
	if err != nil {
		return p.fail(err)
	}
	defer closeLog()
	if given.level > zapcore.WarnLevel { // else the log has told of them
		for _, name := range given.unknown {
			fmt.Fprintf(p.stderr, "%s: %s (valid: %s)\n", customtools.UnknownToolWarning, name, strings.Join(lsp.BuiltInTools(), ", "))
		}
	}
	list := lsp.ListTools(cfg, dir)
	if *asJSON {
		err = json.NewEncoder(p.stdout).Encode(list)
	} else {
		err = printTools(p.stdout, list)
	}
	if err != nil {
		return p.fail(err)
	}
	return exitOK
}

// writeTypes writes what an editor and tsc need to know of tools.
func (p program) writeTypes(dir string) int {
	written, err := types.Write(dir)
	if err != nil {
		return p.fail(err)
	}
	for _, path := range written {
		fmt.Fprintln(p.stdout, path)
	}
	return exitOK
}

func printTools(w io.Writer, list lsp.ToolList) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, t := range list.Tools {
		name := t.Name
		if t.Hidden {
			name += " (hidden)"
		}
		about, _, _ := strings.Cut(t.Description, "\n")
		fmt.Fprintf(out, "%s\t%s\t%s\n", name, describeSource(t.Source), about)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	for _, e := range list.Errors {
		if _, err := fmt.Fprintf(w, "%s (%s): %s\n", e.Path, describeSource(e.Source), e.Error); err != nil {
			return err
		}
	}
	return nil
}

func describeSource(s *resolve.ToolSource) string {
	switch {
	case s == nil:
		return "unknown"
	case s.Level == "":
		return s.ProviderName
	}
	return s.ProviderName + ", " + s.Level
}
