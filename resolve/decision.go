package resolve

import (
	"encoding/json"
	"time"
)

// ReasonFrom says how a decision's reason was given.
type ReasonFrom string

// The ways in which a reason is given.
const (
	ReasonTyped    ReasonFrom = "typed"    // a person wrote it when asked
	ReasonChosen   ReasonFrom = "chosen"   // a person picked a ready-made one
	ReasonArgument ReasonFrom = "argument" // it came with the call
)

// ActorKind says what proposed or decided.
type ActorKind string

// The kinds of actor.
const (
	Human     ActorKind = "human"
	Agent     ActorKind = "agent"
	ToolActor ActorKind = "tool"
)

// Actor is who proposed or decided. Name is the agent's or the tool's, else
// that of the editor.
type Actor struct {
	Kind ActorKind `json:"kind"`
	Name string    `json:"name"`
}

// DecidedFile is a file that a decision was about. Before and After are hashes
// of its content, never the content; Verified says that the file was seen to
// hold After.
type DecidedFile struct {
	URI      string `json:"uri"`
	Before   string `json:"before"`
	After    string `json:"after"`
	Verified bool   `json:"verified"`
}

// Declined is what an apply left out of one file: the hunks, numbered from 0 as in
// the preview, or all of it.
type Declined struct {
	URI   string `json:"uri"`
	Hunks []int  `json:"hunks,omitzero"` // nil means the whole file
}

// Decision is one row of the decision log.
type Decision struct {
	ID             string        `json:"id"`      // unique across restarts and processes
	Session        string        `json:"session"` // marks the decisions of one session
	PendingID      string        `json:"pendingId"`
	Time           time.Time     `json:"time"`
	Action         Kind          `json:"action"`
	Label          string        `json:"label"`
	SourceToolName string        `json:"sourceToolName"`
	Reason         string        `json:"reason"`
	ReasonFrom     ReasonFrom    `json:"reasonFrom"`
	ProposedBy     Actor         `json:"proposedBy"`
	DecidedBy      Actor         `json:"decidedBy"`
	Files          []DecidedFile `json:"files"`
	// Undo names what a revert needs, where that is kept; Reverts is the decision
	// that this one undoes.
	Undo    string `json:"undo,omitzero"`
	Reverts string `json:"reverts,omitzero"`
	// IsError: an apply that failed by its own result, which consumes its action.
	IsError  bool       `json:"isError,omitzero"`
	Declined []Declined `json:"declined,omitzero"` // what an apply left out
}

// MarshalJSON writes files as an array always.
func (d Decision) MarshalJSON() ([]byte, error) {
	type plain Decision
	if d.Files == nil {
		d.Files = []DecidedFile{}
	}
	return json.Marshal(plain(d))
}
