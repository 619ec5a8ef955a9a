package lsp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"

	"github.com/xcsh-lsp/xcsh-lsp/internal/session"
	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
)

const (
	// diskPoll is how often the disk is looked at for what an editor writes there.
	diskPoll = 50 * time.Millisecond
	// saveWait is how long an editor that saves by itself is given to do so.
	saveWait = time.Second
	// endWait is how long a request that failed for another cause than its answer
	// or its deadline is taken to be the first sign of the connection's end.
	endWait = time.Second
)

// Causes of a failed edit, in the user's words.
const (
	textRefused    = "the client refused the edit."
	textEditorGone = "the editor closed its connection."
	textNoAnswer   = "the client did not answer within %s."
	textUnverified = "the client says that it made the edit, but these do not show it: %s."
	textOutOfStep  = "the text of %s is not known for certain; close and open it again."
	textTakenBack  = "An edit that had been given up was made late, and has been taken back: %s."
	textLateDoubt  = "An edit that had been given up was made late and could not be taken back: %s."
)

// editor edits through the client of one connection: its part of [editors].
type editor struct{ server *Server }

func (e editor) isOpen(path string) bool { return e.server.docs.at(path) != nil }

// Edit is session.Editor's Edit. A client's word that it made the edit is not
// enough: the documents must have been seen with their new texts.
func (e editor) Edit(ctx context.Context, label string, docs []session.DocumentEdit) error {
	e.server.late.forget(docs)
	if lost := e.outOfStep(docs); lost != "" {
		return fmt.Errorf(textOutOfStep, lost)
	}
	edit, err := e.server.workspaceEdit(label, docs)
	if err != nil {
		return err
	}
	texts := map[string][]byte{}
	for _, doc := range docs {
		texts[doc.Path] = doc.New
	}
	expected := e.server.docs.expect(texts)
	if err := e.request(ctx, label, edit); err != nil {
		e.server.docs.release(expected)
		if mayHaveBegun(err) {
			e.server.late.mayCome(docs)
		}
		if errors.Is(err, context.DeadlineExceeded) {
			return fmt.Errorf(textNoAnswer, e.server.cfg.Deadlines.Answer)
		}
		return err
	}
	e.wait(ctx, expected, docs)
	if missing := e.server.docs.release(expected); len(missing) > 0 {
		e.server.late.mayCome(docs)
		return fmt.Errorf(textUnverified, namesOf(docs, missing))
	}
	return nil
}

// outOfStep names the documents whose text the server has lost track of: an edit
// of them could neither be placed nor verified.
func (e editor) outOfStep(docs []session.DocumentEdit) string {
	var lost []string
	for _, doc := range docs {
		if open := e.server.docs.at(doc.Path); open != nil && open.lost {
			lost = append(lost, doc.Display)
		}
	}
	return strings.Join(lost, ", ")
}

// request asks for the edit. The error is [context.DeadlineExceeded] where no
// answer came in time.
func (e editor) request(ctx context.Context, label string, edit *protocol.WorkspaceEdit) error {
	ctx, cancel := context.WithTimeout(ctx, e.server.cfg.Deadlines.Answer)
	defer cancel()
	params := &protocol.ApplyWorkspaceEditParams{Label: &label, Edit: *edit}
	// Only where it is known: Eglot fails on a parameter that it does not know.
	if e.server.client.savesRefactorings && e.server.currentSettings().ApplySave {
		refactoring := true
		params.Metadata = &protocol.WorkspaceEditMetadata{IsRefactoring: &refactoring}
	}
	answer, err := e.server.editor.ApplyEdit(ctx, params)
	switch {
	case err != nil:
		return e.explain(err)
	case answer == nil:
		return errors.New(textRefused)
	case answer.Applied:
		return nil
	case answer.FailedChange != nil:
		return &brokenOff{reasonOf(answer)}
	}
	return errors.New(reasonOf(answer))
}

// reasonOf is why a client refused an edit.
func reasonOf(answer *protocol.ApplyWorkspaceEditResult) string {
	if reason := answer.FailureReason; reason != nil && strings.TrimSpace(*reason) != "" {
		return *reason
	}
	return textRefused
}

// brokenOff is a refusal that names the change at which it came: those before it
// may have been made.
type brokenOff struct{ reason string }

func (b *brokenOff) Error() string { return b.reason }

// mayHaveBegun reports whether a client that failed with err can have changed a
// document of which it has not told yet: one that refuses has changed none.
func mayHaveBegun(err error) bool {
	var answered *jsonrpc2.Error
	var broken *brokenOff
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &answered) || errors.As(err, &broken)
}

// explain returns err in the user's words where the connection has ended, and
// returns once it has: what the client had open counts no more then.
func (e editor) explain(err error) error {
	var answered *jsonrpc2.Error
	if errors.As(err, &answered) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	select {
	case <-e.server.background.Done():
		return errors.New(textEditorGone)
	case <-time.After(endWait):
		return err
	}
}

// wait waits for the expected texts: in documents as they change, on disk by
// looking there, since a client may write a file that it does not open.
func (e editor) wait(ctx context.Context, expected *expectation, docs []session.DocumentEdit) {
	deadline := time.NewTimer(e.server.cfg.Deadlines.Verify)
	defer deadline.Stop()
	poll := time.NewTicker(diskPoll)
	defer poll.Stop()
	for {
		select {
		case <-expected.met:
			return
		case <-deadline.C:
			return
		case <-ctx.Done():
			return
		case <-e.server.background.Done():
			return
		case <-poll.C:
		}
		for _, doc := range docs {
			if !e.isOpen(doc.Path) && onDisk(doc.Path, doc.New) {
				e.server.docs.confirm(expected, doc.Path)
			}
		}
	}
}

func namesOf(docs []session.DocumentEdit, keys []string) string {
	var names []string
	for _, doc := range docs {
		for _, key := range keys {
			if doc.Path == key {
				names = append(names, doc.Display)
			}
		}
	}
	return strings.Join(names, ", ")
}

// present returns the text that a document has now: the editor's, else the disk's.
func (e editor) present(path string) []byte {
	if doc := e.server.docs.at(path); doc != nil {
		return doc.text
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return content
}

// Abandon is session.Editor's Abandon.
func (e editor) Abandon(ctx context.Context, label string, docs []session.DocumentEdit) []session.DocumentEdit {
	var made, unmade, inDoubt []session.DocumentEdit
	for _, doc := range docs {
		switch present := withoutBOM(e.present(doc.Path)); {
		case bytes.Equal(present, withoutBOM(doc.New)):
			made = append(made, doc)
		case bytes.Equal(present, withoutBOM(doc.Old)):
			unmade = append(unmade, doc)
		default:
			inDoubt = append(inDoubt, doc)
		}
	}
	if len(made) > 0 {
		inDoubt = append(inDoubt, e.takeBack(ctx, label, made)...)
	}
	e.server.watchLate(label, unmade)
	return inDoubt
}

// takeBack reverses edits that were made and returns those that stay.
func (e editor) takeBack(ctx context.Context, label string, docs []session.DocumentEdit) []session.DocumentEdit {
	reversed := make([]session.DocumentEdit, len(docs))
	for i, doc := range docs {
		reversed[i] = reverse(doc)
	}
	err := e.Edit(ctx, "Undo "+label, reversed)
	if err == nil {
		return nil
	}
	e.server.log.Error("take back an edit", zap.String("label", label), zap.Error(err))
	var left []session.DocumentEdit
	for _, doc := range docs {
		if !bytes.Equal(withoutBOM(e.present(doc.Path)), withoutBOM(doc.Old)) {
			left = append(left, doc)
		}
	}
	return left
}

// reverse returns the edit that turns doc's new text into its old one.
func reverse(doc session.DocumentEdit) session.DocumentEdit {
	return session.DocumentEdit{
		Path: doc.Path, Display: doc.Display, Old: doc.New, New: doc.Old, Edits: text.Invert(doc.Old, doc.Edits),
	}
}

// Unsaved is session.Editor's Unsaved.
func (e editor) Unsaved(ctx context.Context, docs []session.DocumentEdit) []session.DocumentEdit {
	deadline := time.Now()
	if e.server.client.savesRefactorings && e.server.currentSettings().ApplySave {
		deadline = deadline.Add(saveWait)
	}
	for {
		var unsaved []session.DocumentEdit
		soon := false
		for _, doc := range docs {
			if !onDisk(doc.Path, e.present(doc.Path)) {
				unsaved = append(unsaved, doc)
				// One that had unsaved changes before the edit is the human's to save.
				soon = soon || onDisk(doc.Path, doc.Old)
			}
		}
		if !soon || !time.Now().Before(deadline) {
			return unsaved
		}
		select {
		case <-ctx.Done():
			return unsaved
		case <-e.server.background.Done():
			return unsaved
		case <-time.After(diskPoll):
		}
	}
}

// onDisk reports whether the file holds content; a byte order mark, which an
// editor does not show, does not count.
func onDisk(path string, content []byte) bool {
	disk, err := os.ReadFile(path)
	return err == nil && bytes.Equal(withoutBOM(disk), withoutBOM(content))
}
