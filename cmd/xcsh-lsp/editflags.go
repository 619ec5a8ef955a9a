package main

import (
	"errors"
	"flag"
	"fmt"
	"strconv"
	"strings"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
)

// editFlags is the command line of `xcsh-lsp ast-edit`.
type editFlags struct {
	request astedit.Request // without its paths
	paths   []string
	json    bool
	stream  bool
	apply   bool
	reason  string
}

// parseEditFlags reads and checks the command line. What only the engine can
// judge, such as a language or a limit of 0, is left to it.
func parseEditFlags(args []string) (*editFlags, error) {
	out := &editFlags{}
	var patterns, templates []string
	var lang, sel, reason *string
	flags := flag.NewFlagSet("ast-edit", flag.ContinueOnError)
	flags.Func("pat", "", appendTo(&patterns))
	flags.Func("out", "", appendTo(&templates))
	flags.Func("glob", "", once(&out.request.Glob))
	flags.Func("lang", "", once(&lang))
	flags.Func("sel", "", once(&sel))
	flags.Func("limit", "", limitFlag(&out.request.Limit))
	flags.BoolVar(&out.json, "json", false, "")
	flags.BoolVar(&out.stream, "stream", false, "")
	flags.BoolVar(&out.apply, "apply", false, "")
	flags.Func("reason", "", once(&reason))
	var err error
	if out.paths, err = parseFlags(flags, args, anyArguments); err != nil {
		return nil, err
	}
	out.request.Lang, out.request.Sel, out.reason = deref(lang), deref(sel), deref(reason)
	if out.request.Ops, err = pairs(patterns, templates); err != nil {
		return nil, err
	}
	if out.stream && (out.json || out.apply) {
		return nil, errors.New("--stream goes without --json and --apply: it holds no changes")
	}
	return out, out.checkReason(reason != nil)
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// limitFlag takes any number: which ones make sense is the engine's to say.
func limitFlag(into **float64) func(string) error {
	return func(value string) error {
		n, err := strconv.ParseFloat(value, 64)
		if errors.Is(err, strconv.ErrSyntax) {
			return errors.New("not a number")
		}
		*into = &n
		return nil
	}
}

// pairs joins patterns and templates in their order.
func pairs(patterns, templates []string) ([]astedit.Op, error) {
	switch {
	case len(patterns) == 0:
		return nil, errors.New("--pat is missing: say what to look for")
	case len(templates) == 0:
		return nil, errors.New("--out is missing: say what takes the place of a match ('' deletes it)")
	case len(patterns) != len(templates):
		return nil, fmt.Errorf("each --pat needs its own --out: there are %d --pat and %d --out", len(patterns), len(templates))
	}
	ops := make([]astedit.Op, len(patterns))
	for i := range ops {
		ops[i] = astedit.Op{Pat: patterns[i], Out: templates[i]}
	}
	return ops, nil
}

func (f *editFlags) checkReason(given bool) error {
	switch {
	case f.apply && !given:
		return errors.New("--apply needs --reason TEXT: why the changes are made")
	case f.apply && strings.TrimSpace(f.reason) == "":
		return errors.New("--reason is blank: say why the changes are made")
	case given && !f.apply:
		return errors.New("--reason is only for --apply: without it nothing is written")
	}
	return nil
}
