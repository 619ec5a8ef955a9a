package resolve

import (
	"bytes"
	"encoding/json"
	"reflect"
)

// Details are the details of every result of the resolve tool for a pending
// action, and of a discard that found none. They are built from scratch: the
// callback's own survive only under SourceResultDetails, and only where they
// are not null.
type Details struct {
	Action              Kind           `json:"action"`
	Reason              string         `json:"reason"`
	Extra               map[string]any `json:"extra,omitzero"` // nil where the call had none
	SourceToolName      string         `json:"sourceToolName,omitzero"`
	Label               string         `json:"label,omitzero"`
	SourceResultDetails any            `json:"sourceResultDetails,omitzero"`
}

func callDetails(p Params) Details {
	return Details{Action: p.Action, Reason: p.Reason, Extra: p.Extra}
}

func actionDetails(p Params, a Action) Details {
	d := callDetails(p)
	d.SourceToolName, d.Label = a.SourceToolName, a.Label
	return d
}

// withDetails returns the callback's result with its details rebuilt and all
// else kept.
func withDetails(r Result, p Params, a Action) Result {
	d := actionDetails(p, a)
	if !isNull(r.Details) {
		d.SourceResultDetails = r.Details
	}
	r.Details = d
	return r
}

// isNull reports whether v would be null as JSON: nil itself, a nil pointer,
// map or slice, or raw JSON that says null.
func isNull(v any) bool {
	if raw, ok := v.(json.RawMessage); ok {
		text := bytes.TrimSpace(raw)
		return len(text) == 0 || string(text) == "null"
	}
	switch rv := reflect.ValueOf(v); rv.Kind() {
	case reflect.Invalid:
		return true
	case reflect.Pointer, reflect.Map, reflect.Slice:
		return rv.IsNil()
	default:
		return false
	}
}
