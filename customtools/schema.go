package customtools

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/dlclark/regexp2"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

const (
	// schemaURL names a tool's schema; nothing is loaded from it.
	schemaURL = "tool:///parameters"

	// patternTimeout is how long a pattern may look at one string. Real ones
	// take microseconds; this is for those that backtrack without end.
	patternTimeout = 250 * time.Millisecond
)

// schema is the parameters of a tool, ready to check values.
type schema struct {
	document any // plain, as the schema library reads it
	whole    *jsonschema.Schema

	mu       sync.Mutex // the compiler is for one at a time
	compiler *jsonschema.Compiler
	parts    map[string]*jsonschema.Schema // by pointer; nil where it is no schema
}

// newSchema compiles a schema: draft 2019-09 where it names no other, formats
// asserted, patterns as ECMAScript has them. Nothing is fetched.
func newSchema(text json.RawMessage) (*schema, error) {
	document, err := parseValue(text)
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2019)
	c.AssertFormat()
	c.UseLoader(noLoader{})
	c.UseRegexpEngine(compilePattern)
	s := &schema{document: plain(document), compiler: c, parts: map[string]*jsonschema.Schema{}}
	if err := c.AddResource(schemaURL, s.document); err != nil {
		return nil, err
	}
	s.whole, err = c.Compile(schemaURL)
	return s, err
}

// part returns the schema at a JSON pointer into the document; nil where there
// is none.
func (s *schema) part(pointer string) *jsonschema.Schema {
	s.mu.Lock()
	defer s.mu.Unlock()
	if part, ok := s.parts[pointer]; ok {
		return part
	}
	part, err := s.compiler.Compile(schemaURL + "#" + (&url.URL{Path: pointer}).EscapedPath())
	if err != nil {
		part = nil
	}
	s.parts[pointer] = part
	return part
}

// accepts reports whether a value is valid by the schema at a pointer.
func (s *schema) accepts(pointer string, v any) bool {
	part := s.part(pointer)
	return part != nil && part.Validate(plain(v)) == nil
}

// noLoader refuses to load: a schema that a tool brings must not read files or
// ask servers.
type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("a tool's schema cannot refer to %s", url)
}

// pattern is a regular expression with a time limit. One that runs out of time
// has not matched.
type pattern struct{ *regexp2.Regexp }

func compilePattern(text string) (jsonschema.Regexp, error) {
	re, err := regexp2.Compile(text, regexp2.ECMAScript|regexp2.Unicode)
	if err != nil {
		return nil, err
	}
	re.MatchTimeout = patternTimeout
	return pattern{re}, nil
}

func (p pattern) MatchString(s string) bool {
	ok, err := p.Regexp.MatchString(s)
	return ok && err == nil
}

// node is a place in a schema's document.
type node struct {
	pointer string
	value   any
}

func (s *schema) root() node { return node{"", s.document} }

// keyword returns what a keyword holds; false where the node is no object.
func (n node) keyword(name string) (node, bool) {
	object, ok := n.value.(map[string]any)
	if !ok {
		return node{}, false
	}
	value, ok := object[name]
	return node{n.pointer + "/" + escapePointer(name), value}, ok
}

// list returns the schemas that a keyword lists.
func (n node) list(name string) []node {
	k, _ := n.keyword(name)
	values, _ := k.value.([]any)
	nodes := make([]node, len(values))
	for i, v := range values {
		nodes[i] = node{k.pointer + "/" + strconv.Itoa(i), v}
	}
	return nodes
}

// target follows a reference within the document.
func (s *schema) target(n node) (node, error) {
	k, ok := n.keyword("$ref")
	ref, isText := k.value.(string)
	if !ok || !isText {
		return n, nil
	}
	if pointer, local := strings.CutPrefix(ref, "#"); local && (pointer == "" || pointer[0] == '/') {
		return s.pointed(pointer)
	}
	if found, ok := findID(s.root(), ref); ok {
		return found, nil
	}
	return node{}, errors.New("no such place in the schema: " + ref)
}

// pointed follows a JSON pointer, as it is written in a URL.
func (s *schema) pointed(pointer string) (node, error) {
	n := s.root()
	for _, step := range strings.Split(pointer, "/")[1:] {
		name, err := url.PathUnescape(step)
		if err != nil {
			return node{}, err
		}
		name = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
		next := node{pointer: n.pointer + "/" + escapePointer(name)}
		switch v := n.value.(type) {
		case map[string]any:
			next.value = v[name]
		case []any:
			if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(v) {
				next.value = v[i]
			}
		}
		if next.value == nil {
			return node{}, errors.New("no such place in the schema: " + pointer)
		}
		n = next
	}
	return n, nil
}

// findID looks for the schema that calls itself id.
func findID(n node, id string) (node, bool) {
	switch v := n.value.(type) {
	case map[string]any:
		if v["$id"] == id {
			return n, true
		}
		for name, value := range v {
			if found, ok := findID(node{n.pointer + "/" + escapePointer(name), value}, id); ok {
				return found, true
			}
		}
	case []any:
		for i, value := range v {
			if found, ok := findID(node{n.pointer + "/" + strconv.Itoa(i), value}, id); ok {
				return found, true
			}
		}
	}
	return node{}, false
}

func escapePointer(name string) string {
	if !strings.ContainsAny(name, "~/") {
		return name // nearly always, and a replacer is slow to make
	}
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}
