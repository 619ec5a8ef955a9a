package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"strings"
	"time"

	"go.uber.org/zap"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/internal/atomicfile"
	"github.com/xcsh-lsp/xcsh-lsp/internal/session"
	"github.com/xcsh-lsp/xcsh-lsp/internal/statedir"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// shellName is who proposes and decides in the decision log.
const shellName = "xcsh-lsp ast-edit"

// editFlags are the flags of `xcsh-lsp ast-edit`.
type editFlags struct {
	request astedit.Request
	paths   []string
	json    bool
	apply   bool
	reason  string
}

func (p program) astEdit(ctx context.Context, args []string) int {
	flags, err := p.parseEditFlags(args)
	if errors.Is(err, flag.ErrHelp) {
		return exitOK
	}
	if err != nil {
		fmt.Fprintf(p.stderr, "xcsh-lsp ast-edit: %v\n", err)
		return exitUsage
	}
	s, err := p.shellSession(flags)
	if err != nil {
		return p.fail(err)
	}
	defer s.Close()
	if err := p.runEdit(ctx, s, flags); err != nil {
		return p.fail(err)
	}
	return exitOK
}

// runEdit previews the edit, and applies it where that is asked for, through the
// same stack and log as an editor's.
func (p program) runEdit(ctx context.Context, s *session.Session, flags *editFlags) error {
	actor := resolve.Actor{Kind: resolve.Human, Name: shellName}
	result, run, err := s.Propose(ctx, session.Proposal{Request: flags.request, ProposedBy: actor})
	if err != nil {
		return err
	}
	details := result.Details.(session.ProposalDetails)
	if !flags.apply || details.Pending == nil {
		return p.print(flags, result, shellDetails{details, changesOf(run)}, "")
	}
	applied, err := s.Resolve(ctx, session.Call{
		Params: resolve.Params{Action: resolve.Apply, Reason: flags.reason},
		ID:     details.Pending.ID, Revision: details.Pending.Revision, Actor: actor, ReasonFrom: resolve.ReasonArgument,
	})
	if err != nil {
		return err
	}
	return p.print(flags, applied, appliedDetails{applied.Details.(resolve.Details), changesOf(run)}, result.Text()+"\n\n")
}

// print prints the text of a result, or with --json the result with details.
func (p program) print(flags *editFlags, result resolve.Result, details any, before string) error {
	if !flags.json {
		_, err := fmt.Fprintln(p.stdout, before+result.Text())
		return err
	}
	result.Details = details
	encoder := json.NewEncoder(p.stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(result)
}

func (p program) parseEditFlags(args []string) (*editFlags, error) {
	out := &editFlags{}
	var patterns, templates, globs []string
	limit := math.NaN()
	flags := flag.NewFlagSet("ast-edit", flag.ContinueOnError)
	flags.SetOutput(p.stderr)
	flags.Func("pat", "`PATTERN` to look for; repeatable, each with its --out", appendTo(&patterns))
	flags.Func("out", "`REPLACEMENT` template for the pattern; empty deletes", appendTo(&templates))
	flags.Func("glob", "`GLOB` that files must match, relative to the searched folder", appendTo(&globs))
	flags.StringVar(&out.request.Lang, "lang", "", "read every file as this `LANGUAGE`")
	flags.StringVar(&out.request.Sel, "sel", "", "node `KIND` to replace, where the pattern is its context")
	flags.Float64Var(&limit, "limit", limit, "stop after `N` replacements")
	flags.BoolVar(&out.json, "json", false, "print the result as JSON, with every change")
	flags.BoolVar(&out.apply, "apply", false, "write the changes; needs --reason")
	flags.StringVar(&out.reason, "reason", "", "`TEXT`: why the changes are applied; kept in the decision log")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	out.paths = flags.Args()
	if len(patterns) == 0 || len(patterns) != len(templates) {
		return nil, fmt.Errorf("each --pat needs its --out: %d given, with %d --out", len(patterns), len(templates))
	}
	for i := range patterns {
		out.request.Ops = append(out.request.Ops, astedit.Op{Pat: patterns[i], Out: templates[i]})
	}
	if len(globs) > 1 {
		return nil, errors.New("only one --glob can be given; join several as {a,b}")
	}
	if len(globs) == 1 {
		out.request.Glob = &globs[0]
	}
	if !math.IsNaN(limit) {
		out.request.Limit = &limit
	}
	if out.apply && strings.TrimSpace(out.reason) == "" {
		return nil, errors.New("--apply needs a --reason")
	}
	return out, nil
}

func appendTo(list *[]string) func(string) error {
	return func(value string) error {
		*list = append(*list, value)
		return nil
	}
}

// shellSession makes a session over the given paths, without an editor.
func (p program) shellSession(flags *editFlags) (*session.Session, error) {
	root, home, err := p.state()
	if err != nil {
		return nil, err
	}
	engine, err := astedit.NewEngine()
	if err != nil {
		return nil, err
	}
	folders, paths, err := shellWorkspace(flags.paths)
	if err != nil {
		return nil, err
	}
	flags.request.Paths = paths
	maxFiles := astedit.DefaultMaxFiles
	if n, ok := astedit.MaxFilesFromEnv(p.getenv); ok {
		maxFiles = n
	}
	return session.New(session.Config{
		Engine: engine, Files: atomicfile.OS(), Now: time.Now, Log: zap.NewNop(),
		Host:      session.DiskHost{Folders: folders, Home: home, GlobalIgnore: session.GlobalIgnore(p.getenv, home)},
		Decisions: resolve.NewDecisionLog(resolve.DecisionLogConfig{Dir: statedir.Workspace(root, folders[0].Path), Now: time.Now}),
		Policy:    func() session.Policy { return session.Policy{ResolveBy: session.ByEither, MaxFiles: maxFiles} },
	}), nil
}
