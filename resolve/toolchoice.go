package resolve

import (
	"encoding/json"
	"fmt"
)

// ChoiceType is a kind of [ToolChoice].
type ChoiceType string

// The kinds of tool choice. The last two name a tool; which of them a provider
// takes is the provider's matter.
const (
	ChoiceNone     ChoiceType = "none"     // call no tool
	ChoiceAuto     ChoiceType = "auto"     // the model decides
	ChoiceRequired ChoiceType = "required" // call some tool
	ChoiceAny      ChoiceType = "any"      // the same, in other providers' words
	ChoiceTool     ChoiceType = "tool"     // call the tool called Name
	ChoiceFunction ChoiceType = "function" // the same, in other providers' words
)

// ToolChoice says what a request lets a model call. The zero value is no choice:
// the request's own, static one holds.
type ToolChoice struct {
	Type ChoiceType
	Name string // of a named choice
}

// Named is the choice of one tool by its name.
func Named(name string) ToolChoice { return ToolChoice{Type: ChoiceTool, Name: name} }

// IsZero reports whether c is no choice.
func (c ToolChoice) IsZero() bool { return c == ToolChoice{} }

// IsNamed reports whether c names a tool.
func (c ToolChoice) IsNamed() bool { return c.Type == ChoiceTool || c.Type == ChoiceFunction }

// permits reports whether a request with this choice can be answered by a call
// of the tool.
func (c ToolChoice) permits(tool string) bool {
	return c.Type != ChoiceNone && (!c.IsNamed() || c.Name == tool)
}

type namedChoice struct {
	Type ChoiceType `json:"type"`
	Name string     `json:"name"`
}

// MarshalJSON writes a string, or { type, name } for a named choice, or null.
func (c ToolChoice) MarshalJSON() ([]byte, error) {
	switch {
	case c.IsZero():
		return []byte("null"), nil
	case c.IsNamed():
		return json.Marshal(namedChoice(c))
	}
	return json.Marshal(c.Type)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (c *ToolChoice) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*c = ToolChoice{}
		return nil
	}
	var word ChoiceType
	if json.Unmarshal(data, &word) == nil {
		switch word {
		case ChoiceNone, ChoiceAuto, ChoiceRequired, ChoiceAny:
			*c = ToolChoice{Type: word}
			return nil
		}
	}
	var named namedChoice
	if json.Unmarshal(data, &named) == nil && ToolChoice(named).IsNamed() && named.Name != "" {
		*c = ToolChoice(named)
		return nil
	}
	return fmt.Errorf(`a tool choice must be "none", "auto", "required", "any" or { type: "tool" | "function", name }, not %s`, data)
}
