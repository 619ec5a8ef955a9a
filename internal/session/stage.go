package session

import (
	"context"
	"slices"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// Origin is what an action is called and who staged it.
type Origin struct {
	Label          string // by convention "<Source>: <summary>"
	SourceToolName string
	ProposedBy     resolve.Actor
	Conn           ConnID
	Reverts        string // the id of the decision that the action undoes, if it does
}

// Callbacks do the work of an action that the session knows nothing of. They run
// within a call of Resolve, so they must not call it.
type Callbacks struct {
	Apply  resolve.ApplyFunc
	Reject resolve.RejectFunc // optional
}

// Stage puts an action on top of the stack that changes no files that the session
// knows of: it has no preview, so none can be out of date, and any revision will
// do to apply it.
func (s *Session) Stage(o Origin, c Callbacks) PendingRef {
	ref := s.push(o, nil, 0, func(*entry) Callbacks { return c })
	s.notify()
	return ref
}

// Lose marks an action whose callbacks can do nothing any more; why is a sentence
// for the user. The action stays on the stack until it is discarded, so that who
// staged it and who was to decide see what became of it. An id that is not pending
// is passed over.
func (s *Session) Lose(id, why string) {
	s.mu.Lock()
	e := s.entries[id]
	if e != nil {
		e.lost = why
	}
	s.mu.Unlock()
	if e != nil {
		s.notify()
	}
}

// StageEdit puts a fixed edit on top of the stack. It is previewed, compared,
// written and logged as a structural edit is. The error is that of a file edit
// without changes, or a failure to read the workspace.
func (s *Session) StageEdit(ctx context.Context, o Origin, e FixedEdit) (PendingRef, error) {
	if len(e.Files) == 0 || slices.ContainsFunc(e.Files, func(f *astedit.FileEdit) bool { return len(f.Changes) == 0 }) {
		return PendingRef{}, errNoChanges
	}
	since := s.beginRun()
	defer s.endRun()
	fixed, err := (&fixedEdit{FixedEdit: e, name: o.Label, now: e.Files}).again(ctx, s, nil)
	if err != nil {
		return PendingRef{}, err
	}
	ref := s.push(o, fixed, since, s.editCallbacks)
	s.notify()
	return ref, nil
}

// editCallbacks are those of an action that has an edit.
func (s *Session) editCallbacks(e *entry) Callbacks {
	return Callbacks{Apply: func(ctx context.Context, _ string, extra map[string]any) (resolve.Result, error) {
		return s.apply(ctx, e, extra)
	}}
}

// push puts an action on top of the stack, with an edit that was worked out by a
// run that began at since, or with none.
func (s *Session) push(o Origin, made edit, since uint64, callbacks func(*entry) Callbacks) PendingRef {
	e := &entry{
		revision: 1, proposedBy: o.ProposedBy, owner: o.Conn, sourceToolName: o.SourceToolName, createdAt: s.Now(), edit: made, reverts: o.Reverts, verdict: newVerdict(),
		differed: map[string]int{}, follows: map[string]bool{}, changed: map[string]uint64{},
	}
	c := callbacks(e)
	s.mu.Lock() // until the entry is there: whoever holds it finds one for every action
	defer s.mu.Unlock()
	e.id = s.store.Push(resolve.Action{Label: o.Label, SourceToolName: o.SourceToolName, Apply: c.Apply, Reject: c.Reject})
	s.entries[e.id] = e
	s.follow(e, since)
	s.refresh.poke() // to be prepared
	return PendingRef{ID: e.id, Label: o.Label, Revision: e.revision}
}
