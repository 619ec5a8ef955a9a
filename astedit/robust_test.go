package astedit_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
)

// A million nodes in one file, and ten thousand levels of nesting: a generated
// file can have both.
func TestRobust_ManyNodes(t *testing.T) {
	const lines = 50_000 // of some 20 nodes each
	w := newWorkspace(t)
	w.write("a.ts", strings.Repeat("foo(1, { a: [1, 2, 3] });\n", lines))
	r := run(t, newEngine(t), w, request("foo($A, $B)", "bar($B, $A)"), astedit.Options{})
	if r.TotalReplacements() != lines || len(r.Issues) != 0 {
		t.Errorf("%d replacements, issues %v", r.TotalReplacements(), r.Issues)
	}
	content, err := r.Files[0].NewContent()
	if err != nil || string(content) != strings.Repeat("bar({ a: [1, 2, 3] }, 1);\n", lines) {
		t.Errorf("the new content is not what the template says: %v", err)
	}
}

func TestRobust_DeepNesting(t *testing.T) {
	const depth = 10_000
	w := newWorkspace(t)
	w.write("a.ts", strings.Repeat("foo(", depth)+"1"+strings.Repeat(")", depth)+";\n")
	r := run(t, newEngine(t), w, request("foo($A)", "bar($A)"), astedit.Options{})
	if r.TotalReplacements() != 1 || r.Skipped() != depth-1 {
		t.Errorf("%d replacements, %d skipped", r.TotalReplacements(), r.Skipped())
	}
	same := strings.Repeat("foo(", depth) + "1" + strings.Repeat(")", depth)
	w.write("a.ts", "eq("+same+", "+same+");\n")
	if r := run(t, newEngine(t), w, request("eq($A, $A)", "same($A)"), astedit.Options{}); r.TotalReplacements() != 1 {
		t.Errorf("%d replacements of equal code that is deeply nested", r.TotalReplacements())
	}
}

// Random bytes are no code in any language: no crash, and an issue where they are
// no text.
func TestRobust_RandomBytes(t *testing.T) {
	w := newWorkspace(t)
	r := rand.New(rand.NewPCG(1, 2))
	names := []string{"a.c", "a.go", "a.java", "a.js", "a.py", "a.rs", "a.tsx", "a.ts"}
	for _, name := range names {
		content := make([]byte, 4096)
		for i := range content {
			content[i] = byte(1 + r.IntN(255))
		}
		w.write(name, "foo(1)"+string(content))
	}
	got := run(t, newEngine(t), w, request("foo($A)", "bar($A)"), astedit.Options{})
	if len(got.Issues) < len(names) {
		t.Errorf("%d issues for %d files of random bytes: %v", len(got.Issues), len(names), got.Issues)
	}
}
