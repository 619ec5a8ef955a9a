package syntax_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

// flat are lists, in which a text has most of its nodes side by side: by language, what
// is around the items, and some of those.
func flat() map[string][3]string {
	return map[string][3]string{
		"typescript": {"", "f(1);\nconst a = b, c = [1, 2];\nif (a) { g(); h(); }\n// note\nlet s = `x${y}z`\nx\n", ""},
		"javascript": {"f([\n", "1,\n/* note */ a,\n...b,\n(c) => d,\n", "0]);\n"},
		"python":     {"x = 1\n", "f(1)\nif a:\n    b()\n    c()\n# note\ny = [1, 2]\n", ""},
		"go":         {"package p\n", "var a = 1\nfunc f() { g(); h() }\n// note\ntype t struct{}\n", ""},
		"json":       {"[\n", "1,\n{\"a\": [1, 2]},\n\"s\",\n", "0]\n"},
		"yaml":       {"", "- b: 2\n  c: 3\n# note\n- d\n", ""},
		"bash":       {"", "a b c\nif a; then b; fi\n# note\nx=1\n", ""},
		"c":          {"", "int a = 1;\nvoid f(void) { g(); h(); }\n// note\n#define X 1\n", ""},
		"css":        {"", "a { color: red; top: 0 }\n/* note */\n.b, c > d {}\n", ""},
		"html":       {"<ul>\n", "<li>one</li>\n<br>\ntext\n<!-- note -->\n", "</ul>\n"},
		"toml":       {"", "a = 1\nb = [1, 2]\n# note\n[c]\n", ""},
		"sql":        {"", "select a, b from t;\ninsert into t values (1, 2);\n-- note\n", ""},
		"rust":       {"", "fn f() { g(); h(); }\nconst A: u8 = 1;\n// note\n", ""},
		"markdown":   {"# a\n", "one *two*\n\n- x\n- y\n\n", ""},
	}
}

// A list gives a whole parse's nodes after any number of edits anywhere in it, which
// take its halves apart and make it as deep as it may become.
func TestLiveLists(t *testing.T) {
	steps := 150
	if os.Getenv("XCSH_LONG") != "" {
		steps = 3000
	}
	for name, parts := range flat() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := language(t, name)
			live, whole := newLive(t, l), newParser(t, l)
			r := rand.New(rand.NewPCG(3, uint64(len(name))))
			items := strings.SplitAfter(parts[1], "\n")
			items = items[:len(items)-1]
			lines := slices.Repeat(items, 40)
			for step := range steps {
				source := []byte(parts[0] + strings.Join(lines, "") + parts[2])
				got, err := live.Parse(context.Background(), source, 0)
				if err != nil {
					t.Fatal(err)
				}
				if step == 0 && got.HasError {
					t.Fatal("the list has a syntax error before any edit")
				}
				if want := parse(t, whole, string(source)); got.HasError != want.HasError || !slices.Equal(got.Nodes, want.Nodes) {
					t.Fatalf("step %d: %d nodes, a parse of the whole gives %d", step, len(got.Nodes), len(want.Nodes))
				}
				at := r.IntN(len(lines))
				switch r.IntN(5) {
				case 0:
					lines = slices.Delete(lines, at, at+1)
				case 1:
					lines[at] = " " + lines[at]
				case 2:
					lines[at] = strings.Replace(lines[at], "a", "ab", 1)
				default: // whole items, so that the list stays correct mostly
					lines = slices.Insert(lines, at-at%len(items), items...)
				}
				if len(lines) > 4000 || r.IntN(30) == 0 {
					lines = slices.Repeat(items, 40)
				}
			}
		})
	}
}

// benchmarkEdits times what comes and goes at a place of a text. broken tells whether
// the text has a syntax error while it is there.
func benchmarkEdits(b *testing.B, lang string, source []byte, at int, typed string, broken bool) {
	live := newLive(b, language(b, lang))
	at += bytes.IndexByte(source[at:], '\n')
	texts := [2][]byte{source, slices.Concat(source[:at], []byte(typed), source[at:])}
	for i, want := range []bool{false, broken} {
		tree, err := live.Parse(context.Background(), texts[i], 0)
		if err != nil {
			b.Fatal(err)
		}
		if tree.HasError != want {
			b.Fatalf("text %d: syntax error %v, want %v", i, tree.HasError, want)
		}
	}
	b.ResetTimer()
	for i := range b.N {
		if _, err := live.Parse(context.Background(), texts[i%2], 0); err != nil {
			b.Fatal(err)
		}
	}
}

// flatText is some 10,000 lines without any nesting.
func flatText(lang string) []byte {
	parts := flat()[lang]
	return []byte(parts[0] + strings.Repeat(parts[1], 10_000/strings.Count(parts[1], "\n")) + parts[2])
}

func BenchmarkLiveFlat(b *testing.B) {
	for _, name := range []string{"typescript", "python", "go", "json", "yaml", "markdown"} {
		source := flatText(name)
		for part, at := range map[string]int{"begin": len(flat()[name][0]), "middle": len(source) / 2, "end": len(source) * 99 / 100} {
			b.Run(fmt.Sprintf("%s/%s", name, part), func(b *testing.B) { benchmarkEdits(b, name, source, at, " ", false) })
		}
	}
}

// BenchmarkLiveError is the mean of a keystroke that makes a syntax error, after which
// the whole text is parsed, and of the one that mends it.
func BenchmarkLiveError(b *testing.B) {
	for name, typed := range map[string]string{"typescript": " (", "python": "\n(", "go": "\n(", "json": " \"", "yaml": "\n\""} {
		source := flatText(name)
		b.Run(name, func(b *testing.B) { benchmarkEdits(b, name, source, len(source)/2, typed, true) })
	}
}
