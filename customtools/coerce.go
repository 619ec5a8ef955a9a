package customtools

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
)

// maxCoercionPasses is how often coercing is tried: a value in JSON text can
// hold JSON text again, which nobody means more than a few times over.
const maxCoercionPasses = 5

// coerce replaces the strings that failed the validation by their type, where
// what they say has the type (customtools.md 14.2).
func coerce(v any, problems []problem) (any, bool) {
	changed := false
	for _, p := range problems {
		if p.want == nil {
			continue
		}
		found, ok := at(v, p.path)
		text, isText := found.(string)
		if !ok || !isText || slices.Contains(p.want, "string") {
			continue
		}
		if next, ok := coerceText(strings.TrimSpace(text), p.want); ok {
			v, changed = replaceAt(v, p.path, next), true
		}
	}
	return v, changed
}

// coerceText reads a trimmed text as a value of one of the types. The text
// null becomes null whatever is wanted: the message then says so.
func coerceText(text string, want []string) (any, bool) {
	if isNumeral(text, true) {
		if n, ok := toNumber(text, want); ok {
			return n, true
		}
	}
	container := strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[")
	if !container && text != "true" && text != "false" && text != "null" && !isJSONNumber(text) {
		return nil, false
	}
	v, err := parseValue([]byte(text))
	if err != nil && container {
		v, err = parseDamaged(text)
	}
	if err != nil {
		return nil, false
	}
	return v, v == nil || slices.ContainsFunc(want, func(t string) bool { return hasType(v, t) })
}

func isJSONNumber(text string) bool {
	return text != "" && (text[0] == '-' || text[0] >= '0' && text[0] <= '9') && json.Valid([]byte(text))
}

func hasType(v any, name string) bool {
	switch v := v.(type) {
	case nil:
		return name == "null"
	case bool:
		return name == "boolean"
	case string:
		return name == "string"
	case json.Number:
		f, err := strconv.ParseFloat(v.String(), 64)
		return name == "number" || name == "integer" && err == nil && f == math.Trunc(f)
	case []any:
		return name == "array"
	case *object:
		return name == "object"
	}
	return false
}

// repairReach is how many bytes from the end a broken bracket is looked for:
// what models write wrong is the end of a list of lists.
const repairReach = 7

var errBeyondRepair = errors.New("no JSON value")

// parseDamaged reads the container that a text begins with. What follows its
// closing bracket is ignored, and one character near the end may be wrong.
func parseDamaged(text string) (any, error) {
	text = spacesForEscapes(text)
	if v, err := parseLeading(text); err == nil {
		return v, nil
	}
	for i := len(text) - 1; i >= max(0, len(text)-repairReach); i-- {
		before, after := text[:i], text[i+1:]
		for _, middle := range []string{"", "}", "]", "{", "["} {
			if v, err := parseValue([]byte(before + middle + after)); err == nil {
				return v, nil
			}
		}
	}
	return nil, errBeyondRepair
}

// parseLeading reads up to the bracket that closes the first one.
func parseLeading(text string) (any, error) {
	var open []byte
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '"':
			i = stringEnd(text, i)
		case '{':
			open = append(open, '}')
		case '[':
			open = append(open, ']')
		case '}', ']':
			if len(open) == 0 || open[len(open)-1] != c {
				return nil, errBeyondRepair
			}
			if open = open[:len(open)-1]; len(open) == 0 {
				return parseValue([]byte(text[:i+1]))
			}
		}
	}
	return nil, errBeyondRepair
}

// spacesForEscapes replaces the two characters \n, \t and \r by white space
// outside of JSON strings, where they mean nothing else.
func spacesForEscapes(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '"':
			end := min(stringEnd(text, i), len(text)-1)
			b.WriteString(text[i : end+1])
			i = end
		case text[i] == '\\' && i+1 < len(text) && strings.IndexByte("ntr", text[i+1]) >= 0:
			b.WriteByte(' ')
			i++
		default:
			b.WriteByte(text[i])
		}
	}
	return b.String()
}

// stringEnd returns the index of the quote that closes the one at start, or
// the text's length.
func stringEnd(text string, start int) int {
	for i := start + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(text)
}
