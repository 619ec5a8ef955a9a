package session

import (
	"encoding/json"
	"fmt"
	"strings"

	"go.uber.org/zap"

	"github.com/xcsh-lsp/xcsh-lsp/internal/journal"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// Texts about an apply that was cut off; the first is followed by those that apply.
const (
	textWasUndone    = "The server was cut off while it applied \"%s\": what it had written is undone."
	textWasApplied   = "The server was cut off right after it applied \"%s\": all of it is written."
	textNotRestored  = "Could not be put back, and will be tried again: %s."
	textLeftAlone    = "Changed since, and left as they are: %s."
	textCheckUndone  = "Check these open documents, which may still have the change: %s."
	textCheckApplied = "Check these documents, which are not saved with the change: %s."
	textJournal      = "Cannot tell whether an apply was cut off: %s."

	// namesShown keeps a message readable; the log names all.
	namesShown = 20
	textMore   = "%s and %d more (see the log)"
)

// Recover makes every apply of the workspace that was cut off all or nothing, and
// returns what the human must know of it. It belongs before anything is proposed;
// an editor's documents do not count yet.
func (s *Session) Recover() (messages []string) {
	recovered, err := s.recover(nil)
	for _, r := range recovered {
		if r.Outcome != journal.Tidied {
			messages = append(messages, recoveredText(r))
		}
	}
	if err != nil {
		messages = append(messages, fmt.Sprintf(textJournal, strings.ReplaceAll(err.Error(), "\n", "; ")))
	}
	return messages
}

// recover settles what was cut off and logs it.
func (s *Session) recover(isOpen func(path string) bool) ([]journal.Recovered, error) {
	recovered, err := s.Journal.Recover(journal.Hooks{IsOpen: isOpen, Applied: s.restoreDecision})
	for _, r := range recovered {
		s.logRecovered(r)
		for _, path := range r.Restored {
			s.FileChanged(path)
		}
	}
	if err != nil {
		s.Log.Error("read the journal", zap.Error(err))
	}
	return recovered, err
}

// restoreDecision logs the decision of an apply whose process ended before it could.
func (s *Session) restoreDecision(raw json.RawMessage) error {
	var d resolve.Decision
	if err := json.Unmarshal(raw, &d); err != nil {
		return fmt.Errorf("read the decision of an apply: %w", err)
	}
	written, err := s.Decisions.Restore(d)
	if written && err == nil {
		s.Log.Info("logged the decision of an apply that was cut off", zap.String("decision", d.ID), zap.String("label", d.Label))
	}
	return err
}

func (s *Session) logRecovered(r journal.Recovered) {
	fields := []zap.Field{
		zap.String("label", r.Label), zap.Time("began", r.Began), zap.Strings("restored", r.Restored),
		zap.Strings("changedSince", names(r.LeftAlone)), zap.Strings("documentsInDoubt", r.InDoubt),
	}
	for _, f := range r.Failed {
		fields = append(fields, zap.NamedError("notRestored "+oldTextIn(f), f.Err))
	}
	if r.Untidy != nil {
		fields = append(fields, zap.NamedError("untidy", r.Untidy))
	}
	s.Log.Warn("an apply was cut off: "+string(r.Outcome), fields...)
}

func recoveredText(r journal.Recovered) string {
	first, check := textWasUndone, textCheckUndone
	if r.Outcome == journal.Applied {
		first, check = textWasApplied, textCheckApplied
	}
	sentences := []string{fmt.Sprintf(first, r.Label)}
	add := func(format string, names []string) {
		if len(names) > 0 {
			sentences = append(sentences, fmt.Sprintf(format, shortList(names)))
		}
	}
	add(textNotRestored, names(r.Failed))
	add(textLeftAlone, names(r.LeftAlone))
	add(check, r.InDoubt)
	return strings.Join(sentences, " ")
}

func names(files []journal.Kept) (out []string) {
	for _, f := range files {
		out = append(out, oldTextIn(f))
	}
	return out
}

func shortList(names []string) string {
	if len(names) <= namesShown {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf(textMore, strings.Join(names[:namesShown], ", "), len(names)-namesShown)
}
