package customtools

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// problem is one thing that a validation found.
type problem struct {
	path    []string // into the arguments
	message string
	missing string   // the property that a required lacks
	want    []string // for a wrong type: the right ones
}

// line tells of the problem in a failure (customtools.md 14.3).
func (p problem) line() string {
	path := strings.Join(p.path, "/")
	if path == "" {
		path = cmp.Or(p.missing, "root")
	}
	return "  - " + path + ": " + p.message
}

// problemsOf lists what a validation found, by path. What is wrong in the
// branches of a union comes before the union itself.
func (s *schema) problemsOf(err error) []problem {
	var failure *jsonschema.ValidationError
	if !errors.As(err, &failure) {
		return []problem{{message: err.Error()}}
	}
	var list []problem
	s.collectProblems(failure, &list)
	slices.SortStableFunc(list, func(a, b problem) int { return slices.Compare(a.path, b.path) })
	return list
}

func (s *schema) collectProblems(e *jsonschema.ValidationError, list *[]problem) {
	for _, cause := range e.Causes {
		s.collectProblems(cause, list)
	}
	add := func(p problem) {
		p.path = e.InstanceLocation
		if !slices.ContainsFunc(*list, func(q problem) bool { return p.message == q.message && slices.Equal(p.path, q.path) }) {
			*list = append(*list, p)
		}
	}
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		for _, name := range k.Missing {
			add(problem{message: fmt.Sprintf("must have required property '%s'", name), missing: name})
		}
	case *kind.AdditionalProperties:
		for range k.Properties {
			add(problem{message: "must NOT have additional properties"})
		}
	case *kind.Type:
		add(problem{message: "must be " + strings.Join(s.writtenTypes(e, k.Want), ","), want: k.Want})
	default:
		if message := problemText(e); message != "" {
			add(problem{message: message})
		}
	}
}

// writtenTypes are the types that were wanted, as the schema lists them; the
// library has an order of its own.
func (s *schema) writtenTypes(e *jsonschema.ValidationError, want []string) []string {
	_, pointer, _ := strings.Cut(e.SchemaURL, "#")
	if n, err := s.pointed(pointer); err == nil && len(n.types()) == len(want) {
		return n.types()
	}
	return want
}

// problemText says what is wrong in the words of the validator that tool
// authors know; "" for what only groups others.
func problemText(e *jsonschema.ValidationError) string {
	switch k := e.ErrorKind.(type) {
	case *kind.Schema, *kind.Group, *kind.AllOf, *kind.Reference:
		return ""
	case *kind.AnyOf:
		return "must match a schema in anyOf"
	case *kind.OneOf:
		return "must match exactly one schema in oneOf"
	case *kind.Not:
		return "must NOT be valid"
	case *kind.FalseSchema:
		return "boolean schema is false"
	case *kind.Const:
		return "must be equal to constant"
	case *kind.Enum:
		return "must be equal to one of the allowed values"
	case *kind.Format:
		return fmt.Sprintf("must match format %q", k.Want)
	case *kind.Pattern:
		return `must match pattern "` + k.Want + `"`
	case *kind.Contains:
		return "must contain at least 1 valid item(s)"
	case *kind.PropertyNames:
		return "property name must be valid"
	case *kind.UniqueItems:
		return fmt.Sprintf("must NOT have duplicate items (items ## %d and %d are identical)", max(k.Duplicates[0], k.Duplicates[1]), min(k.Duplicates[0], k.Duplicates[1]))
	case *kind.AdditionalItems:
		return "must NOT have additional items"
	case *kind.DependentRequired:
		return fmt.Sprintf("must have properties %s when property %s is present", strings.Join(k.Missing, ", "), k.Prop)
	}
	return limitText(e)
}

// limitText is problemText for the keywords that set limits.
func limitText(e *jsonschema.ValidationError) string {
	fewer := func(n int, what string) string { return fmt.Sprintf("must NOT have fewer than %d %s", n, what) }
	more := func(n int, what string) string { return fmt.Sprintf("must NOT have more than %d %s", n, what) }
	switch k := e.ErrorKind.(type) {
	case *kind.Minimum:
		return "must be >= " + rational(k.Want)
	case *kind.Maximum:
		return "must be <= " + rational(k.Want)
	case *kind.ExclusiveMinimum:
		return "must be > " + rational(k.Want)
	case *kind.ExclusiveMaximum:
		return "must be < " + rational(k.Want)
	case *kind.MultipleOf:
		return "must be multiple of " + rational(k.Want)
	case *kind.MinLength:
		return fewer(k.Want, "characters")
	case *kind.MaxLength:
		return more(k.Want, "characters")
	case *kind.MinItems:
		return fewer(k.Want, "items")
	case *kind.MaxItems:
		return more(k.Want, "items")
	case *kind.MinProperties:
		return fewer(k.Want, "properties")
	case *kind.MaxProperties:
		return more(k.Want, "properties")
	}
	return fmt.Sprintf("must be valid by %s", strings.Join(e.ErrorKind.KeywordPath(), "/"))
}

func rational(r *big.Rat) string {
	f, _ := r.Float64()
	return number(f).String()
}
