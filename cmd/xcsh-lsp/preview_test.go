package main

import (
	"os"
	"strings"
	"testing"
)

func TestDryRunText(t *testing.T) {
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"no PATH", nil, "# a.ts (1 replacement)\n-1:1 foo(1)\n+1:1 bar(1)\n\n" +
			"# src\n## └─ b.ts (1 replacement)\n-2:1 foo(2)\n+2:1 bar(2)\n\n# src/n\n## └─ c.py (1 replacement)\n-1:1 foo(3)\n+1:1 bar(3)\n"},
		{"the current folder", []string{"."}, "# a.ts (1 replacement)\n-1:1 foo(1)\n+1:1 bar(1)\n\n" +
			"# src\n## └─ b.ts (1 replacement)\n-2:1 foo(2)\n+2:1 bar(2)\n\n# src/n\n## └─ c.py (1 replacement)\n-1:1 foo(3)\n+1:1 bar(3)\n"},
		{"a folder", []string{"src"}, "# b.ts (1 replacement)\n-2:1 foo(2)\n+2:1 bar(2)\n\n# n\n## └─ c.py (1 replacement)\n-1:1 foo(3)\n+1:1 bar(3)\n"},
		{"a file", []string{"src/b.ts"}, "-2:1 foo(2)\n+2:1 bar(2)\n"},
		{"several", []string{"a.ts", "src/n"}, "# a.ts (1 replacement)\n-1:1 foo(1)\n+1:1 bar(1)\n\n" +
			"# src/n\n## └─ c.py (1 replacement)\n-1:1 foo(3)\n+1:1 bar(3)\n"},
		{"one within another", []string{"src", "src/b.ts"}, "# b.ts (1 replacement)\n-2:1 foo(2)\n+2:1 bar(2)\n\n" +
			"# n\n## └─ c.py (1 replacement)\n-1:1 foo(3)\n+1:1 bar(3)\n"},
		{"a glob as PATH", []string{"src/*.ts"}, "# b.ts (1 replacement)\n-2:1 foo(2)\n+2:1 bar(2)\n"},
		{"--glob", []string{"--glob", "**/*.py"}, "# src/n\n## └─ c.py (1 replacement)\n-1:1 foo(3)\n+1:1 bar(3)\n"},
		{"--glob in a folder", []string{"--glob", "*.ts", "src"}, "# b.ts (1 replacement)\n-2:1 foo(2)\n+2:1 bar(2)\n"},
		{"--limit", []string{"--limit", "1"}, "# a.ts (1 replacement)\n-1:1 foo(1)\n+1:1 bar(1)\n\nLimit reached; narrow path or increase limit.\n"},
		{"--limit with a fraction", []string{"--limit=1.9"}, "# a.ts (1 replacement)\n-1:1 foo(1)\n+1:1 bar(1)\n\nLimit reached; narrow path or increase limit.\n"},
		{"--lang", []string{"--lang", "ts", "d.txt"}, "-1:1 foo(4)\n+1:1 bar(4)\n"},
		{"flags after a PATH", []string{"src/b.ts", "--limit", "5"}, "-2:1 foo(2)\n+2:1 bar(2)\n"},
		{"PATH after --", []string{"--", "src/b.ts"}, "-2:1 foo(2)\n+2:1 bar(2)\n"},
	}
	s := newShell(t)
	s.write("a.ts", "foo(1);\n")
	s.write("src/b.ts", "\nfoo(2);\n")
	s.write("src/n/c.py", "foo(3)\n")
	s.write("d.txt", "foo(4);\n")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { s.edit(tt.args...).prints(t, tt.want) })
	}
	t.Run("nothing is written", func(t *testing.T) {
		s.holds("a.ts", "foo(1);\n")
		s.holds("src/b.ts", "\nfoo(2);\n")
		if _, err := os.Stat(s.state); !os.IsNotExist(err) {
			t.Errorf("a dry run made the state folder: %v", err)
		}
	})
}

func TestStream(t *testing.T) {
	s := newShell(t)
	s.write("a.ts", "foo(1); foo(foo(2));\n")
	s.write("src/n/c.ts", "foo(3)\n")
	s.write("src/z.ts", "foo(4)\n")
	s.edit("--stream").prints(t, "# a.ts (2 replacements)\n-1:1 foo(1)\n+1:1 bar(1)\n-1:9 foo(foo(2))\n+1:9 bar(foo(2))\n"+
		"# src/n/c.ts (1 replacement)\n-1:1 foo(3)\n+1:1 bar(3)\n# src/z.ts (1 replacement)\n-1:1 foo(4)\n+1:1 bar(4)\n"+
		"1 overlapping match skipped; apply, then run again to reach it.\n")
	s.edit("--stream", "--limit", "1").prints(t, "# a.ts (1 replacement)\n-1:1 foo(1)\n+1:1 bar(1)\n"+
		"1 overlapping match skipped; apply, then run again to reach it.\nLimit reached; narrow path or increase limit.\n")
	s.run("ast-edit", "--pat", "nowhere($A)", "--out", "x", "--stream").prints(t, "No replacements made\n")
	s.holds("a.ts", "foo(1); foo(foo(2));\n")
}

func TestRules(t *testing.T) {
	s := newShell(t)
	s.write("a.ts", "one(1); two(2); gone(3);\n")
	s.write("m.go", "package m\n\nfunc f() { fmt.Println(1) }\n")

	t.Run("several, in their order", func(t *testing.T) {
		s.run("ast-edit", "--pat", "two($A)", "--out", "second($A)", "--pat", "one($A)", "--out", "first($A)", "a.ts").prints(t,
			"-1:1 one(1)\n+1:1 first(1)\n-1:9 two(2)\n+1:9 second(2)\n")
	})
	t.Run("all patterns, then all templates", func(t *testing.T) {
		s.run("ast-edit", "--pat", "two($A)", "--pat", "one($A)", "--out", "second($A)", "--out", "first($A)", "a.ts").prints(t,
			"-1:1 one(1)\n+1:1 first(1)\n-1:9 two(2)\n+1:9 second(2)\n")
	})
	t.Run("an empty template deletes", func(t *testing.T) {
		s.run("ast-edit", "--pat", "gone($A);", "--out", "", "a.ts").prints(t, "-1:17 gone(3);\n+1:17 \n")
		s.run("ast-edit", "--pat=gone($A);", "--out=", "a.ts").prints(t, "-1:17 gone(3);\n+1:17 \n")
	})
	t.Run("a template of two dashes", func(t *testing.T) {
		s.run("ast-edit", "--pat", "gone($A);", "--out", "--", "--limit", "1", "a.ts").prints(t, "-1:17 gone(3);\n+1:17 --\n")
	})
	t.Run("--sel", func(t *testing.T) {
		s.run("ast-edit", "--pat", "func t() { fmt.Println($$$A) }", "--sel", "call_expression", "--out", "log.Println($$$A)", "m.go").prints(t,
			"-3:12 fmt.Println(1)\n+3:12 log.Println(1)\n")
	})
	t.Run("nothing matches", func(t *testing.T) {
		s.edit("a.ts").prints(t, "No replacements made\n")
	})
	t.Run("a pattern that does not parse", func(t *testing.T) {
		s.run("ast-edit", "--pat", "foo(); bar();", "--out", "x", "a.ts").prints(t, "No replacements made\nParse issues:\n"+
			"- foo(); bar();: Invalid pattern: Multiple AST nodes are detected. Please check the pattern source `foo(); bar();`.\n")
	})
}

func TestStatement55_MaxFilesFromEnvironment(t *testing.T) {
	const (
		two   = "# a.ts (1 replacement)\n-1:1 foo(1)\n+1:1 bar(1)\n\n# b.ts (1 replacement)\n-1:1 foo(1)\n+1:1 bar(1)\n"
		three = two + "\n# c.ts (1 replacement)\n-1:1 foo(1)\n+1:1 bar(1)\n"
		limit = "\nLimit reached; narrow path or increase limit.\n"
	)
	s := newShell(t)
	for _, name := range []string{"a.ts", "b.ts", "c.ts"} {
		s.write(name, "foo(1);\n")
	}
	for _, tt := range []struct{ name, value, want string }{
		{"PI_MAX_AST_FILES", "2", two + limit},
		{"PI_MAX_AST_FILES", "2abc", two + limit},
		{"PI_MAX_AST_FILES", "3", three},
		{"PI_MAX_AST_FILES", "0", three},
		{"PI_MAX_AST_FILES", "abc", three},
		{"PI_MAX_AST_FILES", "", three},
		{"XCSH_MAX_AST_FILES", "2", two + limit},
	} {
		t.Run(tt.name+"="+tt.value, func(t *testing.T) {
			s.env[tt.name] = tt.value
			defer delete(s.env, tt.name)
			s.edit().prints(t, tt.want)
		})
	}
}

func TestFailures(t *testing.T) {
	s := newShell(t)
	s.write("a.ts", "foo(1);\n")
	s.write("notes.txt", "foo(1)\n")
	s.write("text/n.txt", "foo(1)\n")
	for _, tt := range []struct {
		name string
		args []string
		want string
	}{
		{"no such PATH", []string{"nope"}, "Path not found: nope"},
		{"several, none there", []string{"m1", "../m2"}, "Path not found: m1, ../m2"},
		{"a glob below no folder", []string{"nope/*.ts"}, "Path not found: nope/*.ts"},
		{"a blank PATH", []string{""}, "Search scope entries must be non-empty paths or globs"},
		{"a blank PATH beside one outside", []string{"", ".."}, "Search scope entries must be non-empty paths or globs"},
		{"limit 0", []string{"--limit", "0"}, "limit must be a positive number"},
		{"limit below 1", []string{"--limit", "0.5"}, "limit must be a positive number"},
		{"limit below 0", []string{"--limit", "-1"}, "limit must be a positive number"},
		{"limit NaN", []string{"--limit", "NaN"}, "limit must be a positive number"},
		{"limit infinite", []string{"--limit", "1e999"}, "limit must be a positive number"},
		{"no source files", []string{"text"}, "ast_edit found no supported source files for the given path/glob"},
		{"duplicate pattern", []string{"--pat", "foo($A)", "--out", "x"}, "Duplicate rewrite pattern: foo($A)"},
		{"empty pattern", []string{"--pat", "", "--out", "x"}, "`ops[1].pat` must be a non-empty pattern"},
		{"a URL", []string{"https://example.org/a.ts"}, "Search path must be a local path, not a URL: https://example.org/a.ts"},
	} {
		t.Run(tt.name, func(t *testing.T) { s.edit(tt.args...).fails(t, tt.want) })
	}
	t.Run("unknown language", func(t *testing.T) {
		s.edit("--lang", "brainfuck").failsWith(t, "Unsupported language 'brainfuck'. Supported: ")
	})
	t.Run("invalid glob", func(t *testing.T) {
		s.edit("--glob", "[z-a]").failsWith(t, "Invalid glob pattern: ")
	})
	t.Run("with --json as well", func(t *testing.T) {
		s.edit("--json", "nope").fails(t, "Path not found: nope")
	})
}

func TestMissingPathIsSaid(t *testing.T) {
	s := newShell(t)
	s.write("a.ts", "foo(1);\n")
	s.write("../other/b.ts", "foo(2);\n")
	for _, args := range [][]string{{"a.ts", "nope.ts"}, {"../other/b.ts", "nope.ts"}} {
		o := s.edit(args...)
		if o.status != exitOK || o.stderr != "xcsh-lsp: Path not found, passed over: nope.ts\n" || !strings.Contains(o.stdout, "bar(") {
			t.Errorf("%q: %+v", args, o)
		}
	}
}
