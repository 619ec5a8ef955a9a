package resolve

import (
	"encoding/json"
	"time"
)

// Reminder is the text that tells a model to decide on a preview.
const Reminder = "<system-reminder>\n" +
	"This is a preview. Call the `resolve` tool to apply or discard these changes.\n" +
	"</system-reminder>"

// ReminderMessage is a [Reminder] as an entry of a conversation: for the model,
// not for display.
type ReminderMessage struct {
	Content        string
	SourceToolName string // the tool whose preview it is about
	Time           time.Time
}

// MarshalJSON writes the message's envelope; the timestamp is in milliseconds
// since 1970.
func (m ReminderMessage) MarshalJSON() ([]byte, error) {
	type details struct {
		ToolName string `json:"toolName"`
	}
	return json.Marshal(struct {
		Role        string  `json:"role"`
		CustomType  string  `json:"customType"`
		Content     string  `json:"content"`
		Display     bool    `json:"display"`
		Attribution string  `json:"attribution"`
		Details     details `json:"details"`
		Timestamp   int64   `json:"timestamp"`
	}{"custom", "resolve-reminder", m.Content, false, "agent", details{m.SourceToolName}, m.Time.UnixMilli()})
}

// SoftToolRequirement asks for a tool call without forcing it: the model is
// reminded first, and forced only when it strays (see [Gate]).
type SoftToolRequirement struct {
	ID       string // of what the call is about; another id is another requirement
	ToolName string
	Reminder []ReminderMessage
	// Satisfies reports whether a call is the one asked for; where it is nil, a
	// call of ToolName is.
	Satisfies func(ToolCall) bool
}

// SoftRequirement is the requirement that head be resolved, as of a moment.
func SoftRequirement(head PendingHead, at time.Time) *SoftToolRequirement {
	return &SoftToolRequirement{
		ID: head.ID, ToolName: ToolName,
		Reminder: []ReminderMessage{{Content: Reminder, SourceToolName: head.SourceToolName, Time: at}},
	}
}

// satisfied reports whether a turn complies: it has a tool call, and no other one
// than the tool's.
func (r *SoftToolRequirement) satisfied(calls []ToolCall) bool {
	for _, call := range calls {
		ok := call.Name == r.ToolName
		if r.Satisfies != nil {
			ok = r.Satisfies(call)
		}
		if !ok {
			return false
		}
	}
	return len(calls) > 0
}

// TurnDirective says which tool choice the next request has. At most one field is
// set; with neither, the static choice holds.
type TurnDirective struct {
	Hard ToolChoice
	Soft *SoftToolRequirement
}

// NextDirective says which tool choice the next request has: the next hard choice,
// which is taken from the queue, else the requirement to resolve what is pending,
// which takes nothing. It is to be called once for each turn of the model. active
// says which tools the session offers now, at is the time of the reminder.
//
// A hard choice of a tool that is not active is rejected as unavailable.
func (q *ToolChoiceQueue) NextDirective(active func(name string) bool, at time.Time) TurnDirective {
	if choice, ok := q.NextToolChoice(); ok {
		if !choice.IsNamed() || active(choice.Name) {
			return TurnDirective{Hard: choice}
		}
		q.Reject(RejectUnavailable)
	}
	if head, ok := q.PeekPendingHead(); ok && active(ToolName) {
		return TurnDirective{Soft: SoftRequirement(head, at)}
	}
	return TurnDirective{}
}
