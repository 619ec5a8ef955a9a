package astedit

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestHoles(t *testing.T) {
	filler := strings.Repeat("other(1); ", 20)
	for _, test := range []struct {
		name, source, pattern string
		tried, fellBack       bool
		changes               int
	}{
		{"match outside of holes", "foo(1);\nfunction f() { " + filler + "}\n", "foo($A)", true, false, 1},
		{"match in a block beside a hole", "function g() { foo(1) }\nfunction f() { " + filler + "}\n", "foo($A)", true, false, 1},
		{"no match", "foo(1, 2);\nfunction f() { " + filler + "}\n", "foo($A)", true, false, 0},
		{"match over a hole", "foo(() => { " + filler + "});\n", "foo($A)", true, true, 1},
		{"match over a hole beside another hole", "foo(() => { " + filler + "});\nfunction f() { " + filler + "}\n", "foo($A)", true, false, 1},
		{"pattern that looks into blocks", "if (foo) { bar(1); if (x) { " + filler + "} }\n", "if (foo) { $A; $$$ }", true, true, 1},
		{"hole compared with a hole", "foo(() => { " + filler + "}, () => { " + filler + "x() });\n", "foo($A, $A)", true, true, 0},
		{"literal in a nested block", "function f() { " + filler + " if (x) { foo(2) } }\nfunction g() { " + filler + "}", "foo($A)", true, false, 1},
		{"error beside a hole", "foo(1) ];\nfoo(2);\nfunction f() { " + filler + "}\n", "foo($A)", false, false, 2},
		{"no literal", "foo(1);\nfunction f() { " + filler + "}\n", "$A", false, false, 1}, // the whole file
	} {
		t.Run(test.name, func(t *testing.T) {
			testHoles(t, "a.ts", "typescript", test.source, test.pattern, test.tried, test.fellBack, test.changes)
		})
	}
}

func TestHoles_Python(t *testing.T) {
	filler := strings.Repeat("    other(1)\n", 20)
	for _, test := range []struct {
		name, source, pattern string
		tried, fellBack       bool
		changes               int
	}{
		{"no match", "foo(1, 2)\ndef f():\n" + filler, "foo($A)", true, false, 0},
		{"match beside a hole", "def g():\n    foo(1)\ndef f():\n" + filler, "foo($A)", true, false, 1},
		{"literal in a nested block", "def f():\n" + filler + "    if x:\n        foo(2)\ndef g():\n" + filler, "foo($A)", true, false, 1},
		{"pattern that looks into blocks", "if foo:\n    if x:\n        bar(1)\ndef g():\n" + filler, "if foo: $A", true, false, 1},
		{"match that a hole ends", "if foo():\n    bar(1)\n    def f():\n" + strings.ReplaceAll(filler, "    ", "        ") + "x = 1\n", "if foo(): $$$A", true, true, 1},
		{"match in the header of a hole", "if foo(1):\n" + filler + "if foo(2):  # why\n" + filler, "foo($A)", true, false, 2},
		{"text that looks like a block", "s = \"\"\"\nif x:\n" + filler + "\"\"\"\nfoo(1)\n", "foo($A)", false, false, 1},
		{"else of a header without its block", "if x:\n" + filler + "elif y:\n" + filler + "else:\n    foo(1, 2)\n", "foo($A)", true, false, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			testHoles(t, "a.py", "python", test.source, test.pattern, test.tried, test.fellBack, test.changes)
		})
	}
}

func testHoles(t *testing.T, name, language, source, pattern string, wantTried, wantFellBack bool, wantChanges int) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	engine, err := NewEngine()
	if err != nil {
		t.Fatal(err)
	}
	lang, _ := engine.registry.ByAlias(language)
	c := shortcutCheck{t: t}
	rules := c.compile(lang, pattern, "")
	s := newScanner(&Workspace{Documents: diskOnly{}}, rules)
	defer s.close()
	o := s.scan(context.Background(), candidate{path: path, display: name, lang: lang})
	if o.err != nil {
		t.Fatal(o.err)
	}
	tried, fellBack := 0, 0
	if f := s.holes[lang]; f != nil {
		tried, fellBack = f.tried, f.fellBack
	}
	if (tried > 0) != wantTried || (fellBack > 0) != wantFellBack {
		t.Errorf("holes tried %d times, fell back %d times", tried, fellBack)
	}
	changes := 0
	if o.edit != nil {
		changes = len(o.edit.Changes)
	}
	if changes != wantChanges {
		t.Errorf("%d changes, want %d", changes, wantChanges)
	}
}
