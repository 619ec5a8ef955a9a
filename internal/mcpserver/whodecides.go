package mcpserver

import (
	"fmt"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// What an agent is told under a preview: whether it is to decide, and how it hears what
// somebody else has decided.
const (
	textHumanOnly = "<system-reminder>\n" +
		"This is a preview. Only the human may apply it (setting resolve.by). %s " +
		"You may discard it with `resolve` if you proposed it. What was decided, and why: `pending` with id \"%s\".\n" +
		"</system-reminder>"
	textTheyDecide = "They see it in their editor and decide there; go on with other work."
	textNoEditor   = "No editor is open on this workspace now."
	textEither     = "The human sees it in their editor too, and may decide first. What was decided, and why: `pending` with id \"%s\"."
)

// resolveByHuman is the value of the setting resolve.by that leaves applying to humans.
const resolveByHuman = "human"

// whoDecides ends the text of a preview: what it leaves to the agent.
func whoDecides(resolveBy string, inEditor bool, id string) string {
	note := noteOn(resolveBy, inEditor, id)
	switch {
	case resolveBy == resolveByHuman:
		return note
	case note == "":
		return resolve.Reminder
	}
	return resolve.Reminder + "\n" + note
}

// noteOn is what the reminder of the session does not say, "" for nothing.
func noteOn(resolveBy string, inEditor bool, id string) string {
	switch {
	case resolveBy == resolveByHuman && inEditor:
		return fmt.Sprintf(textHumanOnly, textTheyDecide, id)
	case resolveBy == resolveByHuman:
		return fmt.Sprintf(textHumanOnly, textNoEditor, id)
	case inEditor:
		return fmt.Sprintf(textEither, id)
	}
	return ""
}
