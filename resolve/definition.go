package resolve

import (
	"encoding/json"
	"strings"
)

// The tool's definition, for whoever lists it.
const (
	ToolName   = "resolve"
	ToolLabel  = "Resolve"
	ToolHidden = true // never part of a default list
	ToolStrict = true // input is held to the schema exactly

	ToolDescription = `Decide on the change that is staged as a preview; the preview staged last is decided first.

- action "apply" carries the previewed change out.
- action "discard" drops it; nothing is changed.
- reason says why you decided so, in words that someone who reads it later understands.

Both action and reason are mandatory. Use this tool only while a staged preview is waiting: without one there is nothing to apply or to discard.`
)

// Schema returns the JSON Schema of the tool's input, its keys in the order
// in which they are to be shown.
func Schema() json.RawMessage {
	return json.RawMessage(`{"type":"object",` +
		`"required":["action","reason"],` +
		`"properties":{` +
		`"action":{"anyOf":[{"const":"apply","type":"string"},{"const":"discard","type":"string"}],` +
		`"description":"apply carries the staged change out, discard drops it"},` +
		`"reason":{"type":"string","description":"why this was decided"},` +
		`"extra":{"type":"object","additionalProperties":{},` +
		`"description":"further data for the tool that staged the change; most tools need none"}},` +
		`"additionalProperties":false}`)
}

// ActivityText returns one line that says what a call is about to do, for the
// title of its progress.
func ActivityText(p Params) string {
	doing := "accepting"
	if p.Action == Discard {
		doing = "discarding"
	}
	oneLine := strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ")
	if reason := strings.TrimSpace(oneLine.Replace(p.Reason)); reason != "" {
		return doing + ": " + reason
	}
	return doing + " changes"
}
