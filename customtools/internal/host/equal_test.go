package host

import (
	"encoding/json"
	"testing"
)

// equalJSON reports whether two values are the same as JSON.
func equalJSON(t *testing.T, a, b any) bool {
	t.Helper()
	one, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	other, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	return string(one) == string(other)
}
