package customtools

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// onSessionFailedText is the log line about an onSession that threw.
const onSessionFailedText = "Custom tool onSession error"

// SessionEvent is an event that has no fields but its reason; a missing
// previousSessionFile is undefined in the tool.
func SessionEvent(reason string) json.RawMessage {
	event, _ := json.Marshal(map[string]string{"reason": reason})
	return event
}

// SwitchEvent is the event of a session that goes on elsewhere: in other folders.
func SwitchEvent(previousSessionFile string) json.RawMessage {
	event, _ := json.Marshal(map[string]string{"reason": "switch", "previousSessionFile": previousSessionFile})
	return event
}

// Session passes an event on to the tools that take events, one after the
// other. What fails is logged and costs nothing else. After the end of ctx no
// more tools are called, which is logged too.
func (l Loaded) Session(ctx context.Context, event json.RawMessage, toolContext ToolContext) {
	for _, t := range l.Tools {
		if !t.definition.HasOnSession {
			continue
		}
		err := ctx.Err()
		if err == nil {
			err = t.tool.OnSession(ctx, event, toolContext)
		}
		if err != nil {
			t.warn(onSessionFailedText, err)
		}
	}
}

// Fresh are the tools that this load has evaluated, and that have heard of
// nothing yet.
func (l Loaded) Fresh() Loaded {
	tools := slices.DeleteFunc(slices.Clone(l.Tools), func(t *LoadedTool) bool { return t.Kept })
	return Loaded{Tools: tools}
}

// Registered returns the tools as the registry of package resolve has them,
// described as they are now. One that cannot be asked is described as it was.
func (l Loaded) Registered(ctx context.Context) resolve.Tools {
	tools := make(resolve.Tools, 0, len(l.Tools))
	for _, t := range l.Tools {
		d, err := t.tool.Describe(ctx)
		if err != nil {
			d = t.definition
		}
		d.Label = d.DisplayLabel()
		// The name is what the tool was registered by.
		d.Name = t.definition.Name
		tools = append(tools, resolve.RegisteredTool{Definition: d.Definition, Source: t.Source, Execute: t.Call})
	}
	return tools
}
