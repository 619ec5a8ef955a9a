package customtools

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
)

// Normalising follows a schema, and one that refers to itself has no end. What
// is beyond these bounds stays as it is, and the validation judges it.
const (
	maxSchemaDepth    = 100     // no value that a caller writes is that deep
	maxNormalizeSteps = 1 << 20 // unions that refer to each other multiply
)

// normalizer is one run over one value.
type normalizer struct {
	*schema
	steps int
}

// normalize returns the value as the tool is to get it, and whether that is
// another (customtools.md 14.1): optional properties that are null or "null"
// are gone, and a numeral is a number where one is expected.
func (s *schema) normalize(v any) (any, bool) {
	run := &normalizer{schema: s}
	return run.normalizeAt(s.root(), v, 0, nil)
}

// normalizeAt normalises v by one schema. seen are the schemas that have looked
// at v already: a second look finds nothing more.
func (s *normalizer) normalizeAt(n node, v any, depth int, seen []string) (any, bool) {
	if s.steps++; depth > maxSchemaDepth || s.steps > maxNormalizeSteps || slices.Contains(seen, n.pointer) {
		return v, false
	}
	seen = append(slices.Clip(seen), n.pointer)
	if _, ok := n.keyword("$ref"); ok {
		target, err := s.target(n)
		if err != nil {
			return v, false
		}
		return s.normalizeAt(target, v, depth, seen)
	}
	changed := false
	apply := func(next any, did bool) {
		if did {
			v, changed = next, true
		}
	}
	for _, branch := range n.list("allOf") {
		apply(s.normalizeAt(branch, v, depth, seen))
	}
	for _, union := range []string{"anyOf", "oneOf"} {
		if branches := n.list(union); len(branches) > 0 {
			apply(s.normalizeUnion(branches, v, depth, seen))
		}
	}
	switch value := v.(type) {
	case string:
		apply(numeral(n, value))
	case *object:
		apply(s.normalizeObject(n, value, depth+1))
	case []any:
		apply(s.normalizeList(n, value, depth+1))
	}
	return v, changed
}

// normalizeUnion prefers a branch by which the value is valid after the
// change. A string that a branch takes as it is stays one.
func (s *normalizer) normalizeUnion(branches []node, v any, depth int, seen []string) (any, bool) {
	if _, isText := v.(string); isText && slices.ContainsFunc(branches, func(b node) bool { return s.accepts(b.pointer, v) }) {
		return v, false
	}
	var first any
	changed := false
	for _, branch := range branches {
		next, did := s.normalizeAt(branch, v, depth, seen)
		if s.accepts(branch.pointer, next) {
			return next, did
		}
		if did && !changed {
			first, changed = next, true
		}
	}
	return first, changed
}

func (s *normalizer) normalizeObject(n node, o *object, depth int) (any, bool) {
	properties, _ := n.keyword("properties")
	additional, hasAdditional := n.keyword("additionalProperties")
	result := &object{}
	changed := false
	for _, m := range o.members {
		property, declared := properties.keyword(m.name)
		if !declared {
			if !hasAdditional {
				result.members = append(result.members, m)
				continue
			}
			property = additional
		} else if (m.value == nil || m.value == "null") && !n.requires(m.name) {
			changed = true
			continue
		}
		next, did := s.normalizeAt(property, m.value, depth, nil)
		if !did {
			next = m.value
		}
		changed = changed || did
		result.members = append(result.members, member{m.name, next})
	}
	return result, changed
}

func (s *normalizer) normalizeList(n node, list []any, depth int) (any, bool) {
	items, ok := n.keyword("items")
	if !ok {
		return list, false
	}
	tuple, isTuple := items.value.([]any)
	result := slices.Clone(list)
	changed := false
	for i, v := range list {
		item := items
		if isTuple {
			if i >= len(tuple) {
				break
			}
			item = node{items.pointer + "/" + strconv.Itoa(i), tuple[i]}
		}
		if next, did := s.normalizeAt(item, v, depth, nil); did {
			result[i], changed = next, true
		}
	}
	return result, changed
}

// requires reports whether the property is required here.
func (n node) requires(name string) bool {
	k, _ := n.keyword("required")
	names, _ := k.value.([]any)
	return slices.Contains(names, any(name))
}

// types are the types that a schema names.
func (n node) types() []string {
	k, _ := n.keyword("type")
	switch v := k.value.(type) {
	case string:
		return []string{v}
	case []any:
		var types []string
		for _, t := range v {
			if name, ok := t.(string); ok {
				types = append(types, name)
			}
		}
		return types
	}
	return nil
}

// numeral turns a plain decimal numeral into the number that the schema wants.
func numeral(n node, text string) (any, bool) {
	types := n.types()
	if slices.Contains(types, "string") || !isNumeral(text, false) {
		return text, false
	}
	return toNumber(text, types)
}

// toNumber converts a numeral where a number of such a type is expected.
func toNumber(text string, types []string) (any, bool) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(f, 0) {
		return text, false
	}
	if slices.Contains(types, "number") || slices.Contains(types, "integer") && f == math.Trunc(f) {
		return number(f), true
	}
	return text, false
}

// number writes a number as JavaScript would.
func number(f float64) json.Number {
	if f == 0 {
		return "0"
	}
	if abs := math.Abs(f); abs >= 1e-6 && abs < 1e21 {
		return json.Number(strconv.FormatFloat(f, 'f', -1, 64))
	}
	return json.Number(strconv.FormatFloat(f, 'g', -1, 64))
}

// isNumeral reports digits with an optional sign and fraction, and with
// exponent also an optional exponent.
func isNumeral(text string, exponent bool) bool {
	i := 0
	sign := func() {
		if i < len(text) && (text[i] == '+' || text[i] == '-') {
			i++
		}
	}
	digits := func() bool {
		start := i
		for i < len(text) && text[i] >= '0' && text[i] <= '9' {
			i++
		}
		return i > start
	}
	sign()
	if !digits() {
		return false
	}
	if i < len(text) && text[i] == '.' {
		if i++; !digits() {
			return false
		}
	}
	if exponent && i < len(text) && (text[i] == 'e' || text[i] == 'E') {
		i++
		sign()
		if !digits() {
			return false
		}
	}
	return i == len(text)
}
