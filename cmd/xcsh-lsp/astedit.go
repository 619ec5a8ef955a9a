package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"go.uber.org/zap"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/internal/atomicfile"
	"github.com/xcsh-lsp/xcsh-lsp/internal/contentstore"
	"github.com/xcsh-lsp/xcsh-lsp/internal/journal"
	"github.com/xcsh-lsp/xcsh-lsp/internal/session"
	"github.com/xcsh-lsp/xcsh-lsp/internal/statedir"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// shellName is who proposes and decides in the decision log.
const shellName = "xcsh-lsp ast-edit"

// errInterrupted: an apply that has begun to write is not interrupted any more.
var errInterrupted = errors.New("interrupted; nothing was written")

func (p program) astEdit(ctx context.Context, args []string) int {
	flags, err := parseEditFlags(args)
	if err != nil {
		return p.wrongUsage("ast-edit", err)
	}
	if flags.stream {
		if err := p.streamEdit(ctx, flags); err != nil {
			return p.fail(err)
		}
		return exitOK
	}
	s, err := p.shellSession(flags)
	if err != nil {
		return p.fail(err)
	}
	defer s.Close()
	if flags.apply {
		for _, message := range s.Recover() {
			fmt.Fprintf(p.stderr, "xcsh-lsp: warning: %s\n", message)
		}
	}
	if err := p.runEdit(ctx, s, flags); err != nil {
		if errors.Is(err, context.Canceled) {
			err = errInterrupted
		}
		return p.fail(err)
	}
	return exitOK
}

// runEdit previews the edit, and applies it where that is asked for, through the
// same stack and log as an editor's.
func (p program) runEdit(ctx context.Context, s *session.Session, flags *editFlags) error {
	actor := resolve.Actor{Kind: resolve.Human, Name: shellName}
	preview, run, err := s.Propose(ctx, session.Proposal{Request: flags.request, ProposedBy: actor})
	if err != nil {
		return err
	}
	for _, warning := range run.Warnings {
		fmt.Fprintf(p.stderr, "xcsh-lsp: warning: %s\n", warning)
	}
	details := preview.Details.(session.ProposalDetails)
	if !flags.apply || details.Pending == nil {
		// What is pending ends with the program, so its id is of no use to anyone.
		preview.Details = previewDetails{details.Details, changesOf(run)}
		return p.print(flags, preview, "")
	}
	applied, err := s.Resolve(ctx, session.Call{
		Params: resolve.Params{Action: resolve.Apply, Reason: flags.reason},
		ID:     details.Pending.ID, Revision: details.Pending.Revision, Actor: actor, ReasonFrom: resolve.ReasonArgument,
	})
	if err != nil {
		return err
	}
	applied.Details = appliedDetails{applied.Details.(resolve.Details), changesOf(run)}
	if err := p.print(flags, applied.Result, preview.Text()+"\n\n"); err != nil {
		return fmt.Errorf("the changes are written, but the result cannot be printed: %w", err)
	}
	return nil
}

// print prints a result as JSON, or its text with what goes before.
func (p program) print(flags *editFlags, result resolve.Result, before string) error {
	if !flags.json {
		// Not joined, and not through fmt, which copies: a preview can be large.
		for _, part := range []string{before, result.Text(), "\n"} {
			if _, err := io.WriteString(p.stdout, part); err != nil {
				return err
			}
		}
		return nil
	}
	data, err := json.MarshalIndent(result, "", "  ")
	if err != nil {
		return err
	}
	_, err = p.stdout.Write(append(readable(data), '\n'))
	return err
}

// shellSession makes a session over the PATHs, without an editor, and completes
// the request with them. A dry run leaves no trace, so it has no state.
func (p program) shellSession(flags *editFlags) (*session.Session, error) {
	w, err := p.readPaths(flags)
	if err != nil {
		return nil, err
	}
	log := resolve.DecisionLogConfig{Disabled: true, Now: time.Now}
	var contents *contentstore.Store
	var records *journal.Journal
	if flags.apply {
		root, err := p.state()
		if err != nil {
			return nil, err
		}
		dir := statedir.Workspace(root, w.folders[0].Path)
		log = resolve.DecisionLogConfig{Dir: dir, Now: time.Now}
		contents = contentstore.New(filepath.Join(dir, contentstore.Folder), contentstore.DefaultMB<<20)
		records = journal.New(atomicfile.OS(), statedir.Journal(dir), statedir.Turn(root), time.Now)
	}
	engine, err := astedit.NewEngine()
	if err != nil {
		return nil, err
	}
	maxFiles := astedit.DefaultMaxFiles
	if n, ok := astedit.MaxFilesFromEnv(p.getenv); ok {
		maxFiles = n
	}
	return session.New(session.Config{
		Engine: engine, Files: atomicfile.OS(), Journal: records, Now: time.Now, Log: zap.NewNop(),
		Host:      p.diskHost(w),
		Decisions: resolve.NewDecisionLog(log), Contents: contents,
		Policy: func() session.Policy { return session.Policy{ResolveBy: session.ByEither, MaxFiles: maxFiles} },
	}), nil
}

// readPaths reads the PATHs and completes the request with them.
func (p program) readPaths(flags *editFlags) (workspace, error) {
	w, err := readPaths(flags.paths)
	if err != nil {
		return workspace{}, err
	}
	if len(w.missing) > 0 {
		fmt.Fprintf(p.stderr, "xcsh-lsp: Path not found, passed over: %s\n", strings.Join(w.missing, ", "))
	}
	flags.request.Paths = w.paths
	return w, nil
}

func (p program) diskHost(w workspace) session.DiskHost {
	return session.DiskHost{Folders: w.folders, Home: home(), GlobalIgnore: session.GlobalIgnore(p.getenv, home())}
}
