package customtools

import (
	"encoding/json"
	"testing"
)

func BenchmarkValidate(b *testing.B) {
	v := newValidators()
	d := definitionOf(schemaOf(`"a":{"type":"string"},"n":{"type":"number"},"l":{"type":"array","items":{"type":"string"}}`, "a"))
	args := json.RawMessage(`{"a":"x","n":"3","l":["a","b","c"]}`)
	for b.Loop() {
		if _, err := v.check(d, args); err != nil {
			b.Fatal(err)
		}
	}
}
