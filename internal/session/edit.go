package session

import (
	"context"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
)

// edit is what a pending action would change in files, as it was worked out over
// one state of the workspace. It is immutable: another state has another one, of
// the same type.
type edit interface {
	label() string
	// files are what changes; each has a change at least.
	files() []*astedit.FileEdit
	// again works the edit out over the workspace as it is now. paths are those of
	// the files that have changed since; nil means that any can have.
	again(ctx context.Context, s *Session, paths []string) (edit, error)
	// differences returns the display paths of the files in which fresh, which again
	// has returned, is not what people have seen of this one.
	differences(fresh edit) []string
	// refused says why the edit cannot be made as the files are now, by a text for
	// the user and the files at fault; "" where it can.
	refused() (text string, outdated []*astedit.FileEdit)
	// part is the edit of some of its files, or of some changes in them, alone.
	part(files []*astedit.FileEdit) edit
	// applied is what is said, as text and as data, once the edit has been made.
	applied() (text string, details astedit.Details)
}

// ruleEdit is the edit of a rewriting rule, which follows the files: what it
// changes is what it finds.
type ruleEdit struct {
	request astedit.Request
	result  *astedit.Result
}

func (r *ruleEdit) label() string              { return r.result.Label() }
func (r *ruleEdit) files() []*astedit.FileEdit { return r.result.Files }

func (r *ruleEdit) again(ctx context.Context, s *Session, paths []string) (edit, error) {
	result, err := r.rerun(ctx, s, paths)
	if err != nil {
		return nil, err
	}
	return &ruleEdit{r.request, result}, nil
}

// rerun returns the result with the files at paths scanned again.
func (r *ruleEdit) rerun(ctx context.Context, s *Session, paths []string) (*astedit.Result, error) {
	if paths == nil {
		return s.run(ctx, r.request, progressOf(ctx))
	}
	w, opts := s.Host.Workspace(), astedit.Options{MaxFiles: s.Policy().MaxFiles}
	result := r.result
	for _, path := range paths {
		if !result.Tracks(path) { // an earlier preview showed it
			return s.Engine.Run(ctx, w, r.request, opts)
		}
		var err error
		if result, err = s.Engine.Refresh(ctx, w, r.request, opts, result, path); err != nil {
			return nil, err
		}
	}
	return result, nil
}

func (r *ruleEdit) differences(fresh edit) []string {
	return r.result.Differences(fresh.(*ruleEdit).result)
}

// refused: an edit that changes nothing any more can only be discarded.
func (r *ruleEdit) refused() (string, []*astedit.FileEdit) {
	if len(r.result.Files) == 0 {
		return textNothingMatches, nil
	}
	return "", nil
}

func (r *ruleEdit) part(files []*astedit.FileEdit) edit {
	result := *r.result
	result.Files = files
	return &ruleEdit{r.request, &result}
}

func (r *ruleEdit) applied() (string, astedit.Details) {
	return r.result.AppliedText(), r.result.Details(true)
}
