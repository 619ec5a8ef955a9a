package resolve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// Params are the input of one resolve call.
type Params struct {
	Action Kind   `json:"action"`
	Reason string `json:"reason"` // free text, never interpreted; may be empty
	// Extra is metadata for the callback, passed on untouched; nil where the
	// call had none. [ParseParams] keeps its numbers as [json.Number], so that
	// none loses digits: decode it into a type of your own by way of its JSON.
	Extra map[string]any `json:"extra,omitzero"`
}

// ParamError says which input field is wrong. Field is empty where the input
// as a whole is.
type ParamError struct {
	Field   string
	Problem string
}

func (e *ParamError) Error() string {
	if e.Field == "" {
		return "the argument " + e.Problem
	}
	return fmt.Sprintf("field %q %s", e.Field, e.Problem)
}

// Validate reports what is wrong with the parameters as a [ParamError].
func (p Params) Validate() error {
	if p.Action != Apply && p.Action != Discard {
		return &ParamError{"action", fmt.Sprintf("must be %q or %q, not %q", Apply, Discard, string(p.Action))}
	}
	return nil
}

// ParseParams reads and validates the parameters as [Schema] has them. Every
// failure is a [ParamError].
func ParseParams(data []byte) (Params, error) {
	fields, err := objectFields(data)
	if err != nil {
		return Params{}, err
	}
	var p Params
	for _, f := range fields {
		switch f.name {
		case "action":
			err = f.decode(&p.Action, "a string")
		case "reason":
			err = f.decode(&p.Reason, "a string")
		case "extra":
			err = f.decode(&p.Extra, "an object")
		default:
			err = &ParamError{f.name, "is not known"}
		}
		if err != nil {
			return Params{}, err
		}
	}
	for _, name := range []string{"action", "reason"} {
		if !fields.has(name) {
			return Params{}, &ParamError{name, "is required"}
		}
	}
	if err := p.Validate(); err != nil {
		return Params{}, err
	}
	return p, nil
}

type field struct {
	name string
	raw  json.RawMessage
}

type fieldList []field

// objectFields splits a JSON object into its fields. encoding/json's own way
// into a struct is too lenient for a decision: it takes "Action" for "action"
// and lets the last of two actions win.
func objectFields(data []byte) (fieldList, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	if start, err := dec.Token(); err != nil || start != json.Delim('{') {
		return nil, &ParamError{Problem: "must be a JSON object"}
	}
	var fields fieldList
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, &ParamError{Problem: "is not valid JSON: " + err.Error()}
		}
		name, _ := key.(string)
		if fields.has(name) {
			return nil, &ParamError{name, "is given twice"}
		}
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return nil, &ParamError{name, "is not valid JSON: " + err.Error()}
		}
		fields = append(fields, field{name, raw})
	}
	if _, err := dec.Token(); err != nil {
		return nil, &ParamError{Problem: "is not valid JSON: " + err.Error()}
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, &ParamError{Problem: "must be one JSON object and nothing after it"}
	}
	return fields, nil
}

func (l fieldList) has(name string) bool {
	for _, f := range l {
		if f.name == name {
			return true
		}
	}
	return false
}

func (f field) decode(into any, want string) error {
	dec := json.NewDecoder(bytes.NewReader(f.raw))
	dec.UseNumber()
	if string(f.raw) == "null" || dec.Decode(into) != nil {
		return &ParamError{f.name, "must be " + want}
	}
	return nil
}
