package customtools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
)

// maxSchemas bounds the compiled schemas that are kept. A tool has one; more
// come from tools that change theirs while they live.
const maxSchemas = 1000

// validators are the compiled schemas, by their text.
type validators struct {
	mu      sync.Mutex
	schemas map[string]*schema
}

func newValidators() *validators { return &validators{schemas: map[string]*schema{}} }

func (v *validators) schema(text json.RawMessage) (*schema, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if s := v.schemas[string(text)]; s != nil {
		return s, nil
	}
	s, err := newSchema(text)
	if err != nil {
		return nil, err
	}
	if len(v.schemas) >= maxSchemas {
		clear(v.schemas)
	}
	v.schemas[string(text)] = s
	return s, nil
}

// check returns the arguments as the tool is to get them: valid by its
// parameters, after normalising and coercing (customtools.md 14). The text of
// the error is for whoever called. A tool that is lenient gets the arguments
// as they came where they are not valid.
func (v *validators) check(d Definition, input json.RawMessage) (json.RawMessage, error) {
	if len(bytes.TrimSpace(input)) == 0 {
		input = json.RawMessage("{}")
	}
	if len(d.Parameters) == 0 || string(d.Parameters) == "null" {
		return input, nil
	}
	s, err := v.schema(d.Parameters)
	if err != nil {
		return nil, failure(d.Name, []problem{{message: "the tool's parameters are no JSON Schema: " + err.Error()}}, input)
	}
	original, err := parseValue(input)
	if err != nil {
		return nil, failure(d.Name, []problem{{message: "must be JSON: " + err.Error()}}, nil)
	}
	value, problems := s.validate(original)
	switch {
	case problems == nil:
		return encodeValue(value)
	case d.LenientArgValidation:
		return input, nil
	}
	received := original
	if changed, _ := encodeValue(value); !sameJSON(changed, original) {
		received = &object{[]member{{"original", original}, {"normalized", value}}}
	}
	shown, err := encodeValue(received)
	if err != nil {
		return nil, err
	}
	return nil, failure(d.Name, problems, shown)
}

func sameJSON(text json.RawMessage, v any) bool {
	other, err := encodeValue(v)
	return err == nil && bytes.Equal(text, other)
}

// validate normalises and coerces until the value is valid, or nothing more
// can be done; then it returns what is wrong with it.
func (s *schema) validate(v any) (any, []problem) {
	v, _ = s.normalize(v)
	err := s.whole.Validate(plain(v))
	for range maxCoercionPasses {
		if err == nil {
			break
		}
		next, changed := coerce(v, s.problemsOf(err))
		if !changed {
			break
		}
		v, _ = s.normalize(next)
		err = s.whole.Validate(plain(v))
	}
	if err == nil {
		return v, nil
	}
	return v, s.problemsOf(err)
}

// failure is the text about arguments that are not valid.
func failure(tool string, problems []problem, received json.RawMessage) error {
	lines := make([]string, len(problems))
	for i, p := range problems {
		lines[i] = p.line()
	}
	var shown bytes.Buffer
	if json.Indent(&shown, received, "", "  ") != nil {
		shown.Reset()
		shown.Write(received)
	}
	return fmt.Errorf("Validation failed for tool \"%s\":\n%s\n\nReceived arguments:\n%s",
		tool, strings.Join(lines, "\n"), shown.String())
}
