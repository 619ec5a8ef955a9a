package astedit

import "testing"

func TestStatement73_LineHashes(t *testing.T) {
	tests := []struct {
		line       int
		code, want string
	}{
		{1, "legacyWrap(x, value)", "NB"},
		{1, "modernWrap(x, value)", "PT"},
		{3, "}", "RZ"},
		{4, "}", "NN"},
		{7, "const a = 1;", "ZY"},
		{7, "const a = 1; \t", "ZY"},
	}
	for _, test := range tests {
		if got := lineHash(test.code, test.line); got != test.want {
			t.Errorf("line %d %q: %s, want %s", test.line, test.code, got, test.want)
		}
	}
}

func TestStatement73_HashText(t *testing.T) {
	r := &Result{SingleFile: true, Files: []*FileEdit{{Display: "a.ts", Changes: []Change{
		{Before: "legacyWrap(x, value)", After: "modernWrap(x, value)", StartLine: 1, StartColumn: 1},
	}}}}
	if got, want := r.HashText(), "-1#NB:legacyWrap(x, value)\n+1#PT:modernWrap(x, value)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
