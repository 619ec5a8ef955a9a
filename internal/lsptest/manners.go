package lsptest

import (
	"strings"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
)

// Stale is what an editor does with an edit for another version of a document
// than the one that it has.
type Stale int

const (
	// StaleRefused: nothing at all is changed, and applied is false.
	StaleRefused Stale = iota
	// StaleSkipped: the document is left out without a word, the others are
	// changed, and applied is true. Only the first document of an edit is
	// checked, and version 0 counts as none.
	StaleSkipped
	// StaleError: the answer is a JSON-RPC error. What came before the document
	// in the edit is already changed.
	StaleError
	// StaleApplied: versions are not looked at.
	StaleApplied
)

// Manners are how an editor behaves. The zero value can do nothing; start from
// one of the constructors.
type Manners struct {
	// Name is clientInfo.name.
	Name string
	// Encodings are the position encodings on offer, best first. None on offer
	// means utf-16.
	Encodings []text.Encoding
	// Capabilities is merged over what follows from the other fields: objects
	// field by field, nil removes a field, anything else replaces.
	Capabilities map[string]any
	// FirstVersion is the version of a document that is opened.
	FirstVersion int32

	// What the client declares.
	ApplyEdit             bool // workspace/applyEdit
	DocumentChanges       bool
	ChangeAnnotations     bool
	DisabledActions       bool
	WorkDoneProgress      bool
	Configuration         bool   // workspace/configuration, and its changes
	RefreshesLenses       bool   // workspace/codeLens/refresh
	SavesRefactorings     bool   // saves clean documents after an edit that is a refactoring
	Input                 bool   // experimental.xcsh.input
	QuickPick             bool   // experimental.xcsh.quickPick
	PendingChanged        bool   // experimental.xcsh.pendingChanged
	ToolUpdate            bool   // experimental.xcsh.toolUpdate
	Agent                 string // experimental.xcsh.agent.name
	Forms                 bool   // experimental.interactiveResolve with strings
	TakesDocumentChanges  bool   // takes them, declared or not
	NoShowMessageRequest  bool   // never answers window/showMessageRequest
	FirstChoiceOnly       bool   // answers window/showMessageRequest as if dismissed where another is chosen
	ResolvesCommandAction bool   // asks codeAction/resolve before it runs an action's command

	// How the client takes workspace/applyEdit.
	Stale Stale
	// Refuses: applied is false and nothing is changed; RefusalReason is the
	// failureReason, "" for none.
	Refuses       bool
	RefusalReason string
	// Silent: never answers, and changes nothing.
	Silent bool
	// FirstOnly: changes the first document only, and applied is true.
	FirstOnly bool
	// ChangesNothing: applied is true all the same.
	ChangesNothing bool
	// BreaksOff: changes the first document only, and the answer is a JSON-RPC error.
	// NamesFailedChange: the answer is applied: false with failedChange instead.
	BreaksOff, NamesFailedChange bool
	// ApplyDelay passes before the edit is looked at.
	ApplyDelay time.Duration
	// ChangeDelay passes between the answer and the didChange of the edit; 0:
	// didChange goes before the answer.
	ChangeDelay time.Duration
	// SendsWhole: a didChange has the whole text, and what it was in between, since
	// the last one, is never seen.
	SendsWhole bool
	// WritesUnopened: an edit of a document that is not open is written to the
	// disk; else the document is opened.
	WritesUnopened bool
	// HoldsChanges: no didChange is sent while a command has no answer.
	HoldsChanges bool
	// KnowsNoMetadata: metadata in the request is answered with an internal error.
	KnowsNoMetadata bool
	// CountsCodePoints: columns of an edit are taken for code points, whatever was
	// agreed on. Only with SendsWhole does the server learn what comes of it.
	CountsCodePoints bool
	// FormatOnSave changes a document whenever it is saved; nil leaves it.
	FormatOnSave func(content string) string
}

// VSCodeLike is an honest editor that can do everything LSP has, and nothing
// beyond it.
func VSCodeLike() Manners {
	return Manners{
		Name: "Visual Studio Code", Encodings: []text.Encoding{text.UTF16}, FirstVersion: 1,
		ApplyEdit: true, DocumentChanges: true, TakesDocumentChanges: true, ChangeAnnotations: true,
		DisabledActions: true, WorkDoneProgress: true, Configuration: true, RefreshesLenses: true, SavesRefactorings: true,
		Stale: StaleRefused,
	}
}

// NeovimLike takes documentChanges without declaring them, claims to have applied
// what it skipped, and debounces its changes.
func NeovimLike() Manners {
	return Manners{
		Name: "Neovim", FirstVersion: 0,
		ApplyEdit: true, TakesDocumentChanges: true, WorkDoneProgress: true, Configuration: true,
		ResolvesCommandAction: true, Stale: StaleSkipped, ChangeDelay: 150 * time.Millisecond,
	}
}

// Plain is an editor with the basics of LSP only.
func Plain() Manners {
	return Manners{
		Name: "plain", FirstVersion: 1,
		ApplyEdit: true, DocumentChanges: true, TakesDocumentChanges: true, Stale: StaleRefused,
	}
}

// UTF8 offers utf-8 before utf-16.
func (m Manners) UTF8() Manners {
	m.Encodings = []text.Encoding{text.UTF8, text.UTF16}
	return m
}

// Silent never answers workspace/applyEdit.
func Silent() Manners {
	m := Plain()
	m.Silent = true
	return m
}

// Refusing answers workspace/applyEdit with applied: false and the reason, "" for
// none.
func Refusing(reason string) Manners {
	m := Plain()
	m.Refuses, m.RefusalReason = true, reason
	return m
}

// Erroring answers a stale edit with a JSON-RPC error, as Eglot does.
func Erroring() Manners {
	m := Plain()
	m.Name, m.Stale = "Eglot", StaleError
	return m
}

// EglotLike is Eglot 1.9: it waits for the answer to a command and does nothing else
// meanwhile but what the server asks for.
func EglotLike() Manners {
	m := Erroring()
	m.HoldsChanges, m.KnowsNoMetadata = true, true
	return m
}

// VimLSPLike is vim-lsp of April 2026.
func VimLSPLike() Manners {
	m := Plain()
	m.Name, m.FirstChoiceOnly, m.CountsCodePoints, m.SendsWhole = "vim-lsp", true, true, true
	return m
}

// Partial changes the first document of an edit only and says true.
func Partial() Manners {
	m := Plain()
	m.FirstOnly = true
	return m
}

// BreakingOff changes the first document of an edit, answers with an error, and
// tells of its change only that long after.
func BreakingOff(delay time.Duration) Manners {
	m := Plain()
	m.BreaksOff, m.ChangeDelay = true, delay
	return m
}

// NoApplyEdit has no workspace/applyEdit.
func NoApplyEdit() Manners {
	m := Plain()
	m.ApplyEdit = false
	return m
}

// DebouncedChange sends didChange that long after its answer to the edit.
func DebouncedChange(delay time.Duration) Manners {
	m := Plain()
	m.ChangeDelay = delay
	return m
}

// EarlyChange sends didChange before its answer to the edit.
func EarlyChange() Manners {
	m := Plain()
	m.ChangeDelay = 0
	return m
}

// FormatOnSave saves after an edit that is a refactoring, and takes the blanks at
// the ends of lines away when it saves.
func FormatOnSave() Manners {
	m := VSCodeLike()
	m.FormatOnSave = trimLines
	return m
}

func trimLines(content string) string {
	lines := strings.Split(content, "\n")
	for i, line := range lines {
		body, cr := strings.CutSuffix(line, "\r")
		lines[i] = strings.TrimRight(body, " \t")
		if cr {
			lines[i] += "\r"
		}
	}
	return strings.Join(lines, "\n")
}
