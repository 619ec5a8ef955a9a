package resolve

import (
	"fmt"
	"slices"
)

// UserForceLabel is the label of the directive that a user's choice of a tool is.
// Where the last served label is this one, a session sends no follow-up nags.
const UserForceLabel = "user-force"

// Texts of a user's choice that cannot be had (resolve.md 9.6).
const (
	textToolNotActive  = "Tool \"%s\" is not currently active."
	textNamingNotKnown = "Current model does not support forcing a specific tool."
)

// ForceTool makes the model call one tool in its next request and none in the one
// after, as the user of a session wants it. active says which tools the session
// offers now; named is how the current model's provider names a tool in a choice,
// with ok false where it cannot. Both failures are a [ToolError].
func (q *ToolChoiceQueue) ForceTool(name string, active func(name string) bool, named func(name string) (choice ToolChoice, ok bool)) error {
	if !active(name) {
		return &ToolError{Message: fmt.Sprintf(textToolNotActive, name)}
	}
	choice, ok := named(name)
	if !ok {
		return &ToolError{Message: textNamingNotKnown}
	}
	q.PushSequence([]ToolChoice{choice, {Type: ChoiceNone}}, DirectiveOptions{
		Label: UserForceLabel,
		OnRejected: func(_ ToolChoice, reason RejectReason) RejectOutcome {
			if reason == RejectUnavailable {
				return DropSequence
			}
			return Requeue
		},
	})
	return nil
}

// UserForced reports whether a user's choice is queued. Meanwhile a session must
// not add directives of its own accord.
func (q *ToolChoiceQueue) UserForced() bool {
	return slices.Contains(q.Inspect(), UserForceLabel)
}
