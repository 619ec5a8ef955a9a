package resolve_test

import (
	"encoding/json"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

func TestToolChoiceAsJSON(t *testing.T) {
	for _, text := range []string{`"none"`, `"auto"`, `"required"`, `"any"`, `null`, `{"type":"tool","name":"a"}`, `{"type":"function","name":"a"}`} {
		var choice resolve.ToolChoice
		if err := json.Unmarshal([]byte(text), &choice); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if got, err := json.Marshal(choice); err != nil || string(got) != text {
			t.Errorf("%s became %s, %v", text, got, err)
		}
	}
	for _, text := range []string{`"tool"`, `1`, `{"type":"tool"}`, `{"type":"auto","name":"a"}`, `[]`} {
		var choice resolve.ToolChoice
		if err := json.Unmarshal([]byte(text), &choice); err == nil {
			t.Errorf("%s was read as %+v", text, choice)
		}
	}
}
