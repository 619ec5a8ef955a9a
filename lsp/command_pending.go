package lsp

import (
	"context"
	"time"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/internal/session"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// pendingList is the result of xcsh.pending.list and of xcsh/pendingChanged.
type pendingList struct {
	Version uint64          `json:"version"`
	Actions []pendingAction `json:"actions"`
}

type pendingAction struct {
	ID             string        `json:"id"`
	Revision       int           `json:"revision"`
	Label          string        `json:"label"`
	SourceToolName string        `json:"sourceToolName"`
	ProposedBy     resolve.Actor `json:"proposedBy"`
	ProposerGone   bool          `json:"proposerGone,omitzero"` // its connection has ended
	CreatedAt      string        `json:"createdAt"`             // RFC 3339
	Stale          bool          `json:"stale"`
	Lost           string        `json:"lost,omitzero"` // why it can only be discarded any more
	Files          []pendingFile `json:"files"`
}

type pendingFile struct {
	URI          string `json:"uri"`
	Replacements int    `json:"replacements"`
}

// pendingList answers xcsh.pending.list.
func (s *Server) pendingList(_ context.Context, call commandCall) (any, error) {
	var args struct {
		Agent *agentMark `json:"agent"`
	}
	if err := decodeArgument(call, &args); err != nil {
		return nil, err
	}
	list := s.listPending()
	head := ""
	if len(list.Actions) > 0 {
		head = list.Actions[0].ID
	}
	s.seen.noteHead(head)
	return list, nil
}

// listPending lists the stack, top first; the client has then been given the
// revisions.
func (s *Server) listPending() pendingList {
	version, stack := s.session.Pending()
	list := pendingList{Version: version, Actions: []pendingAction{}}
	for _, p := range stack {
		s.seen.note(p.ID, p.Revision)
		action := pendingAction{
			ID: p.ID, Revision: p.Revision, Label: p.Label, SourceToolName: p.SourceToolName,
			ProposedBy: p.ProposedBy, ProposerGone: p.ProposerGone, CreatedAt: p.CreatedAt.Format(time.RFC3339), Stale: p.Stale, Lost: p.Lost, Files: []pendingFile{},
		}
		for _, f := range p.Files {
			action.Files = append(action.Files, pendingFile{s.uri(f.Path), len(f.Changes)})
		}
		list.Actions = append(list.Actions, action)
	}
	return list
}

// previewResult is the result of xcsh.pending.preview.
type previewResult struct {
	ID        string                  `json:"id"`
	Revision  int                     `json:"revision"`
	Label     string                  `json:"label"`
	Edit      *protocol.WorkspaceEdit `json:"edit"`
	Hunks     []hunk                  `json:"hunks"`
	Documents []previewDocument       `json:"documents,omitzero"`
}

// diffResult is the result of xcsh.pending.preview where a diff is asked for.
type diffResult struct {
	ID        string       `json:"id"`
	Revision  int          `json:"revision"`
	Label     string       `json:"label"`
	ResolveBy string       `json:"resolveBy"` // the setting, for whoever decides what to do next
	Diff      *previewDiff `json:"diff"`
}

// hunk is one replacement, numbered from 0 within its file.
type hunk struct {
	URI    string         `json:"uri"`
	Index  int            `json:"index"`
	Range  protocol.Range `json:"range"`
	Before string         `json:"before"`
	After  string         `json:"after"`
}

type previewDocument struct {
	URI        string `json:"uri"`
	PreviewURI string `json:"previewUri"` // of the text after, see previewURI
	LanguageID string `json:"languageId"`
	Before     string `json:"before"`
	After      string `json:"after"`
}

// Texts of xcsh.pending.preview.
const (
	textNothingPending = "Nothing is pending."
	textNotPreviewed   = "%s is not changed by this preview."
)

// pendingPreview answers xcsh.pending.preview.
func (s *Server) pendingPreview(ctx context.Context, call commandCall) (any, error) {
	var args struct {
		ID    string     `json:"id"`
		URI   string     `json:"uri"`
		Diff  *diffPage  `json:"diff"`
		Agent *agentMark `json:"agent"`
	}
	if err := decodeArgument(call, &args); err != nil {
		return nil, err
	}
	if err := args.Diff.check(); err != nil {
		return nil, err
	}
	p, err := s.findPreview(ctx, args.ID)
	if err != nil {
		return nil, err
	}
	s.seen.note(p.ID, p.Revision)
	if p.ID == s.meantID("") {
		s.seen.noteHead(p.ID)
	}
	if len(p.Outdated) > 0 { // its ranges would be those of another text
		return nil, p.StaleError()
	}
	if args.Diff != nil {
		diff, err := diffOf(p, *args.Diff)
		return diffResult{p.ID, p.Revision, p.Label, s.workspace.policy().ResolveBy, diff}, err
	}
	out := previewResult{ID: p.ID, Revision: p.Revision, Label: p.Label, Hunks: []hunk{}}
	if out.Edit, err = s.workspaceEdit(p.Label, editsOf(p.Files)); err != nil {
		return nil, err
	}
	for _, f := range p.Files {
		hunks, err := s.hunksOf(f)
		if err != nil {
			return nil, err
		}
		out.Hunks = append(out.Hunks, hunks...)
	}
	if args.URI != "" {
		out.Documents, err = s.previewDocuments(p, args.URI)
	}
	return out, err
}

func (s *Server) findPreview(ctx context.Context, id string) (session.Preview, error) {
	for _, p := range s.settled(ctx) {
		if id == "" || id == p.ID {
			return p, nil
		}
	}
	if id == "" {
		return session.Preview{}, toolErrorf(textNothingPending)
	}
	return session.Preview{}, toolErrorf(session.TextGone, id)
}

func (s *Server) hunksOf(f *astedit.FileEdit) ([]hunk, error) {
	ranges, err := s.changeRanges(f)
	if err != nil {
		return nil, err
	}
	hunks := make([]hunk, len(f.Changes))
	for i, c := range f.Changes {
		hunks[i] = hunk{URI: s.uri(f.Path), Index: i, Range: ranges[i], Before: c.Before, After: c.After}
	}
	return hunks, nil
}

func (s *Server) previewDocuments(p session.Preview, raw string) ([]previewDocument, error) {
	key, _ := keyOf(raw)
	f := p.File(key)
	if f == nil {
		return nil, toolErrorf(textNotPreviewed, raw)
	}
	after, err := f.NewContent()
	if err != nil {
		return nil, err
	}
	return []previewDocument{{URI: s.uri(f.Path), PreviewURI: previewURI(s.uri(f.Path), p), LanguageID: s.cfg.Engine.LanguageID(f.Path), Before: string(f.Old), After: string(after)}}, nil
}
