package customtools

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

func definitionOf(parameters string) Definition {
	return Definition{Definition: resolve.Definition{Name: "t", Parameters: json.RawMessage(parameters)}}
}

func schemaOf(properties string, required ...string) string {
	names, _ := json.Marshal(append([]string{}, required...))
	return `{"type":"object","required":` + string(names) + `,"properties":{` + properties + `}}`
}

const numbers = `{"type":"array","items":{"type":"number"}}`

// TestStatements72To80_ArgumentsAreMadeValid: what execute gets.
func TestStatements72To80_ArgumentsAreMadeValid(t *testing.T) {
	number := schemaOf(`"timeout":{"type":"number"}`, "timeout")
	optional := schemaOf(`"a":{"type":"string"},"b":{"type":"object","properties":{"c":{"type":"number"}}}`)
	edits := schemaOf(`"edits":{"type":"array","items":{"type":"object","required":["target","op"],"properties":{"target":{"type":"string"},"op":{"type":"string"}}}}`, "edits")
	tests := []struct{ name, schema, args, want string }{
		{"72 numeral", number, `{"timeout":"300"}`, `{"timeout":300}`},
		{"72 negative, fraction, leading zeros", schemaOf(`"a":{"type":"number"},"b":{"type":"number"},"c":{"type":"integer"}`), `{"a":"-1.50","b":"007","c":"+3"}`, `{"a":-1.5,"b":7,"c":3}`},
		{"exponent, by coercion", number, `{"timeout":" 3e2 "}`, `{"timeout":300}`},
		{"73 a string stays", schemaOf(`"label":{"type":"string"}`, "label"), `{"label":"300"}`, `{"label":"300"}`},
		{"73 also in a union", schemaOf(`"label":{"anyOf":[{"type":"number"},{"type":"string"}]}`, "label"), `{"label":"300"}`, `{"label":"300"}`},
		{"73 also by type list", schemaOf(`"label":{"type":["number","string"]}`, "label"), `{"label":"300"}`, `{"label":"300"}`},
		{"number in a union", schemaOf(`"n":{"anyOf":[{"type":"null"},{"type":"integer"}]}`, "n"), `{"n":"4"}`, `{"n":4}`},
		{"74 array", schemaOf(`"items":`+numbers, "items"), `{"items":"[1, 2, 3]"}`, `{"items":[1,2,3]}`},
		{"74 array of numerals", schemaOf(`"items":`+numbers, "items"), `{"items":"[\"1\", 2]"}`, `{"items":[1,2]}`},
		{"75 optional null", optional, `{"a":null,"b":{"c":"null"},"d":null}`, `{"b":{},"d":null}`},
		{"75 optional null as text", optional, `{"a":"null"}`, `{}`},
		{"75 required null as text", schemaOf(`"a":{"type":"string"}`, "a"), `{"a":"null"}`, `{"a":"null"}`},
		{"75 in arrays", schemaOf(`"l":{"type":"array","items":` + optional + `}`), `{"l":[{"a":null},{"a":"x"}]}`, `{"l":[{},{"a":"x"}]}`},
		{"75 in the branch that fits", schemaOf(`"u":{"anyOf":[` + schemaOf(`"k":{"const":1},"x":{"type":"string"}`, "k") + `,` + schemaOf(`"k":{"const":2},"y":{"type":"string"}`, "k") + `]}`),
			`{"u":{"k":2,"x":null,"y":null}}`, `{"u":{"k":2,"x":null}}`},
		{"75 through allOf and references", `{"type":"object","definitions":{"o":` + optional + `},"allOf":[{"$ref":"#/definitions/o"}]}`, `{"a":null}`, `{}`},
		{"79 junk after JSON", edits, `{"edits":"[{\"target\":\"x\",\"op\":\"y\"}]\n</junk>"}`, `{"edits":[{"target":"x","op":"y"}]}`},
		{"escapes outside strings", edits, `{"edits":"[\\n\\t{\"target\":\"x\\\\n\",\"op\":\"y\"}\\n]"}`, `{"edits":[{"target":"x\\n","op":"y"}]}`},
		{"a bracket too many", edits, `{"edits":"[{\"target\":\"x\",\"op\":\"y\"}}]"}`, `{"edits":[{"target":"x","op":"y"}]}`},
		{"a wrong bracket", edits, `{"edits":"[{\"target\":\"x\",\"op\":\"y\"]]"}`, `{"edits":[{"target":"x","op":"y"}]}`},
		{"80 no defaults", schemaOf(`"x":{"type":"string","default":"x"}`), `{}`, `{}`},
		{"nothing at all", schemaOf(`"x":{"type":"string"}`), ``, `{}`},
		{"the whole argument as text", number, `"{\"timeout\": \"5\"}"`, `{"timeout":5}`},
		{"text in text", schemaOf(`"o":{"type":"object","properties":{"l":` + numbers + `}}`), `{"o":"{\"l\":\"[1]\"}"}`, `{"o":{"l":[1]}}`},
		{"booleans", schemaOf(`"b":{"type":"boolean"}`), `{"b":" true "}`, `{"b":true}`},
		{"additional properties and the order are kept", schemaOf(`"a":{"type":"number"}`), `{"z":{"y":1,"x":"<&>"},"a":"1"}`, `{"z":{"y":1,"x":"<&>"},"a":1}`},
		{"a number keeps its digits", number, `{"timeout":12345678901234567890}`, `{"timeout":12345678901234567890}`},
		{"unknown keywords and formats", schemaOf(`"a":{"type":"string","format":"nonsense","foo":1}`), `{"a":"x"}`, `{"a":"x"}`},
		{"recursion", `{"$id":"T0","type":"object","properties":{"n":{"type":"integer"},"next":{"$ref":"T0"}}}`, `{"next":{"next":{"n":"3"},"n":null}}`, `{"next":{"next":{"n":3}}}`},
		{"no schema", `null`, `{"a":1}`, `{"a":1}`},
		{"any", `{}`, `[1]`, `[1]`},
		{"tuple", schemaOf(`"t":{"type":"array","items":[{"type":"number"},{"type":"string"}],"additionalItems":false,"minItems":2,"maxItems":2}`), `{"t":["1","2"]}`, `{"t":[1,"2"]}`},
		{"record", `{"type":"object","patternProperties":{"^(.*)$":{"type":"number"}}}`, `{"a":"1"}`, `{"a":1}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			args := json.RawMessage(tt.args)
			got, err := newValidators().check(definitionOf(tt.schema), args)
			if err != nil {
				t.Fatal(err)
			}
			wantText(t, string(got), tt.want)
			if string(args) != tt.args {
				t.Errorf("the arguments were changed to %s", args)
			}
		})
	}
}

// TestStatements76To78And81_FailureText compares the whole text.
func TestStatements76To78And81_FailureText(t *testing.T) {
	tests := []struct{ name, schema, args, want string }{
		{"76 quoted numeral", schemaOf(`"timeout":{"type":"number"}`), `{"timeout":"\"300\""}`,
			"Validation failed for tool \"t\":\n  - timeout: must be number\n\nReceived arguments:\n{\n  \"timeout\": \"\\\"300\\\"\"\n}"},
		{"77 missing", schemaOf(`"a":{"type":"string"}`, "a", "b"), `{}`,
			"Validation failed for tool \"t\":\n  - a: must have required property 'a'\n  - b: must have required property 'b'\n\nReceived arguments:\n{}"},
		{"missing below", schemaOf(`"o":` + schemaOf(``, "a")), `{"o":{}}`,
			"Validation failed for tool \"t\":\n  - o: must have required property 'a'\n\nReceived arguments:\n{\n  \"o\": {}\n}"},
		{"78 item", schemaOf(`"o":` + numbers), `{"o":["x",1]}`,
			"Validation failed for tool \"t\":\n  - o/0: must be number\n\nReceived arguments:\n{\n  \"o\": [\n    \"x\",\n    1\n  ]\n}"},
		{"81 original and normalized", schemaOf(`"a":{"type":"number"},"b":{"type":"number"}`), `{"b":"x","a":"1"}`,
			"Validation failed for tool \"t\":\n  - b: must be number\n\nReceived arguments:\n{\n  \"original\": {\n    \"b\": \"x\",\n    \"a\": \"1\"\n  },\n  \"normalized\": {\n    \"b\": \"x\",\n    \"a\": 1\n  }\n}"},
		{"root", schemaOf(``), `[]`, "Validation failed for tool \"t\":\n  - root: must be object\n\nReceived arguments:\n[]"},
		{"text null where a number is required", schemaOf(`"a":{"type":"number"}`, "a"), `{"a":"null"}`,
			"Validation failed for tool \"t\":\n  - a: must be number\n\nReceived arguments:\n{\n  \"original\": {\n    \"a\": \"null\"\n  },\n  \"normalized\": {\n    \"a\": null\n  }\n}"},
		{"no JSON", schemaOf(``), `{`, "Validation failed for tool \"t\":\n  - root: must be JSON: unexpected end of JSON input\n\nReceived arguments:\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := newValidators().check(definitionOf(tt.schema), json.RawMessage(tt.args))
			if err == nil {
				t.Fatal("valid")
			}
			wantText(t, err.Error(), tt.want)
		})
	}
}

// TestSection143_Messages: the words for each keyword.
func TestSection143_Messages(t *testing.T) {
	for schema, tt := range map[string]struct{ value, want string }{
		`{"type":"string"}`:                              {`1`, "x: must be string"},
		`{"type":"integer"}`:                             {`1.5`, "x: must be integer"},
		`{"type":["integer","null"]}`:                    {`true`, "x: must be integer,null"},
		`{"const":"a"}`:                                  {`"b"`, "x: must be equal to constant"},
		`{"enum":["a","b"]}`:                             {`"c"`, "x: must be equal to one of the allowed values"},
		`{"anyOf":[{"type":"string"},{"const":3}]}`:      {`1`, "x: must be string|x: must be equal to constant|x: must match a schema in anyOf"},
		`{"oneOf":[{"type":"number"},{"const":3}]}`:      {`3`, "x: must match exactly one schema in oneOf"},
		`{"not":{}}`:                                     {`3`, "x: must NOT be valid"},
		`{"type":"object","additionalProperties":false}`: {`{"a":1}`, "x: must NOT have additional properties"},
		`{"minimum":1}`:                                  {`0`, "x: must be >= 1"},
		`{"maximum":1.5}`:                                {`2`, "x: must be <= 1.5"},
		`{"exclusiveMinimum":1}`:                         {`1`, "x: must be > 1"},
		`{"exclusiveMaximum":1}`:                         {`1`, "x: must be < 1"},
		`{"multipleOf":2}`:                               {`3`, "x: must be multiple of 2"},
		`{"minLength":2}`:                                {`"a"`, "x: must NOT have fewer than 2 characters"},
		`{"maxLength":2}`:                                {`"abc"`, "x: must NOT have more than 2 characters"},
		`{"minItems":1}`:                                 {`[]`, "x: must NOT have fewer than 1 items"},
		`{"maxItems":1}`:                                 {`[1,2]`, "x: must NOT have more than 1 items"},
		`{"pattern":"^a"}`:                               {`"b"`, `x: must match pattern "^a"`},
		`{"format":"email"}`:                             {`"b"`, `x: must match format "email"`},
		`{"uniqueItems":true}`:                           {`[1,2,1]`, "x: must NOT have duplicate items (items ## 2 and 0 are identical)"},
		`{"minProperties":1}`:                            {`{}`, "x: must NOT have fewer than 1 properties"},
		`{"type":"object","properties":{"a":{"type":"object","required":["b"]}}}`: {`{"a":{}}`, "x/a: must have required property 'b'"},
	} {
		_, err := newValidators().check(definitionOf(schemaOf(`"x":`+schema)), json.RawMessage(`{"x":`+tt.value+`}`))
		if err == nil {
			t.Errorf("%s takes %s", schema, tt.value)
			continue
		}
		_, rest, _ := strings.Cut(err.Error(), ":\n")
		lines, _, _ := strings.Cut(rest, "\n\n")
		got := strings.ReplaceAll(strings.TrimPrefix(lines, "  - "), "\n  - ", "|")
		if got != tt.want {
			t.Errorf("%s on %s:\n got  %s\n want %s", schema, tt.value, got, tt.want)
		}
	}
}

func TestValidation_ASchemaCannotReachOut(t *testing.T) {
	for _, ref := range []string{"file:///etc/passwd", "https://example.com/s.json", "other.json"} {
		_, err := newValidators().check(definitionOf(`{"$ref":"`+ref+`"}`), json.RawMessage(`{}`))
		if err == nil || !strings.Contains(err.Error(), "a tool's schema cannot refer to") {
			t.Errorf("%s: %v", ref, err)
		}
	}
}

func TestValidation_PatternsAreECMAScriptAndEnd(t *testing.T) {
	check := func(pattern, value string) error {
		text, _ := json.Marshal(pattern)
		_, err := newValidators().check(definitionOf(schemaOf(`"x":{"type":"string","pattern":`+string(text)+`}`)), json.RawMessage(`{"x":"`+value+`"}`))
		return err
	}
	if err := check(`^(?=.*\d)(?<w>a+)\k<w>[^\d]?.$`, "aa1"); err != nil {
		t.Error(err)
	}
	if err := check(`^(a+)+$`, strings.Repeat("a", 60)+"!"); err == nil {
		t.Error("a pattern without end has matched")
	}
}

// Normalising by a schema that is a union of itself has an end.
func TestValidation_ASchemaThatHasNoEnd(t *testing.T) {
	_, err := newValidators().check(definitionOf(`{"anyOf":[{"$ref":"#"},{"$ref":"#"}]}`), json.RawMessage(`{"a":null}`))
	if err == nil {
		t.Error("valid")
	}
}

func TestValidation_Lenient(t *testing.T) {
	d := definitionOf(schemaOf(`"a":{"type":"number"}`, "a"))
	d.LenientArgValidation = true
	got, err := newValidators().check(d, json.RawMessage(`{"b":"1"}`))
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, string(got), `{"b":"1"}`)
}

func FuzzCoercion(f *testing.F) {
	f.Add(`{"edits":"[{\"target\":\"x\"}]\n</junk>"}`, `{"type":"object","properties":{"edits":{"type":"array"}}}`)
	f.Add(`{"a":"null"}`, schemaOf(`"a":{"anyOf":[{"type":"number"},{"$ref":"#"}]}`, "a"))
	f.Fuzz(func(t *testing.T, args, schema string) {
		if got, err := newValidators().check(definitionOf(schema), json.RawMessage(args)); err == nil && json.Valid([]byte(args)) && !json.Valid(got) {
			t.Fatalf("%s became %s", args, got)
		}
	})
}
