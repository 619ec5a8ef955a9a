package syntax_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/astedit/internal/syntax"
)

func newLive(t testing.TB, l *syntax.Language) *syntax.Live {
	t.Helper()
	live, err := syntax.NewLive(l)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(live.Close)
	return live
}

// typed makes an edit of the kinds that people make; most of them leave correct code
// correct, as the interesting states are those without an error.
func typed(r *rand.Rand, source []byte) []byte {
	at := r.IntN(len(source) + 1)
	splice := func(from, to int, text string) []byte {
		return slices.Concat(source[:from], []byte(text), source[to:])
	}
	lineStart := bytes.LastIndexByte(source[:at], '\n') + 1
	lineEnd := len(source)
	if i := bytes.IndexByte(source[at:], '\n'); i >= 0 {
		lineEnd = at + i + 1
	}
	blank := at
	if i := bytes.IndexAny(source[at:], " \n"); i >= 0 {
		blank = at + i
	}
	word := at
	if i := bytes.IndexFunc(source[at:], func(c rune) bool { return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' }); i >= 0 {
		word = at + i
	}
	switch r.IntN(12) {
	case 0, 1:
		return splice(blank, blank, " ")
	case 2:
		return splice(lineEnd, lineEnd, "\n")
	case 3, 4:
		return splice(word, word, string(rune('a'+r.IntN(26))))
	case 5:
		if word < len(source) {
			return splice(word, word+1, "")
		}
	case 6:
		return splice(lineStart, lineStart, string(source[lineStart:lineEnd])) // a line twice
	case 7:
		return splice(lineStart, lineEnd, "")
	case 8:
		other := r.IntN(len(source) + 1)
		from, to := min(at, other), max(at, other)
		return splice(from, min(to, from+r.IntN(200)), "")
	case 9:
		return splice(lineEnd, lineEnd, "x😀 = \"ü\"\n")
	case 10:
		return splice(at, at, []string{"(", ")", "{", "}", "\"", "'", "/*", "//", "`", "<", "\r\n", "\t", ";", ",", "#"}[r.IntN(15)])
	}
	return splice(lineStart, lineStart, "    ")
}

// edits is how often a text is edited; 10,000 times over all files in the long form.
func edits(files int) int {
	if os.Getenv("XCSH_LONG") != "" {
		return 10_000/files + 1
	}
	return 20
}

// What a Live gives is what a parse of the whole text gives, whatever edits led there,
// in every language.
func TestLiveEqualsParse(t *testing.T) {
	files := sourceFiles(t)
	registry := newRegistry(t)
	seed := uint64(7)
	if s := os.Getenv("XCSH_SEED"); s != "" {
		seed, _ = strconv.ParseUint(s, 10, 64)
	}
	differ := map[string]int{}
	for _, path := range files {
		l, ok := registry.ByFileName(path)
		if !ok {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, uint64(len(path))))
			live, whole := newLive(t, l), newParser(t, l)
			first := readFile(t, path)
			source := first
			var before []byte
			for step := range edits(len(files)) {
				got, err := live.Parse(context.Background(), source, 0)
				want := parse(t, whole, string(source))
				if err != nil {
					t.Fatal(err)
				}
				if got.HasError != want.HasError || !slices.Equal(got.Nodes, want.Nodes) {
					differ[l.Name]++
					t.Fatalf("%s: step %d: %d nodes, error %v; a parse of the whole gives %d, %v: %s", l.Name, step, len(got.Nodes), got.HasError,
						len(want.Nodes), want.HasError, changeBetween(before, source))
				}
				before = source
				if want.HasError && r.IntN(2) == 0 {
					source = first // as by undo
				} else {
					source = typed(r, source)
				}
				if bytes.IndexByte(source, 0) >= 0 || l.TooNested != nil && l.TooNested(source) {
					source = first
				}
			}
		})
	}
	if len(differ) > 0 {
		t.Logf("languages that differ: %v", differ)
	}
}

func changeBetween(before, after []byte) string {
	i := 0
	for i < min(len(before), len(after)) && before[i] == after[i] {
		i++
	}
	around := func(b []byte) string { return string(b[max(0, i-60):min(len(b), i+60)]) }
	return fmt.Sprintf("at byte %d\nbefore: %q\nafter:  %q", i, around(before), around(after))
}

func TestLiveOfManyTexts(t *testing.T) {
	l := language(t, "go")
	live, whole := newLive(t, l), newParser(t, l)
	for _, source := range []string{"", "package p\n", "", "package p\nvar a = 1\n", "package p\nvar a = \"😀\"\n", "package p\nvar a = \"😁\"\n", "package p\nvar = \n", "package p\nvar b = 1\n"} {
		got, err := live.Parse(context.Background(), []byte(source), 0)
		if err != nil {
			t.Fatal(err)
		}
		if want := parse(t, whole, source); !slices.Equal(got.Nodes, want.Nodes) {
			t.Errorf("%q: %d nodes, want %d", source, len(got.Nodes), len(want.Nodes))
		}
	}
}

func TestLiveAfterACancellation(t *testing.T) {
	l := language(t, "go")
	live := newLive(t, l)
	if _, err := live.Parse(context.Background(), []byte("package p\n"), 0); err != nil {
		t.Fatal(err)
	}
	if _, err := live.Parse(context.Background(), bigSource(), time.Millisecond); err == nil {
		t.Fatal("a parse of many MB has ended at once")
	}
	source := []byte("package q\nvar a = 1\n")
	got, err := live.Parse(context.Background(), source, 0)
	if err != nil {
		t.Fatal(err)
	}
	if want := parse(t, newParser(t, l), string(source)); !slices.Equal(got.Nodes, want.Nodes) {
		t.Errorf("%d nodes, want %d", len(got.Nodes), len(want.Nodes))
	}
}

func FuzzLive(f *testing.F) {
	f.Add("go", "package p\nfunc f() { g(1) }\n", "package p\nfunc f() { g(12) }\n")
	f.Add("typescript", "const a = f(`${x}`);\n", "const a = f(`${x}` + 1);\n")
	f.Add("python", "if a:\n    f(1)\ng(2)\n", "if a:\n    f(1)\n    g(2)\n")
	f.Add("ruby", "a = <<X\nb\nX\nc\n", "a = <<X\nb\nc\nX\nc\n")
	registry := newRegistry(f)
	f.Fuzz(func(t *testing.T, alias, before, after string) {
		l, ok := registry.ByAlias(alias)
		if !ok || len(before)+len(after) > 1<<16 || strings.ContainsRune(before+after, 0) {
			t.Skip()
		}
		live := newLive(t, l)
		for _, source := range []string{before, after, before} {
			got, err := live.Parse(context.Background(), []byte(source), 1e9)
			if err != nil {
				t.Skip() // some grammars take for ever on junk
			}
			want, err := newParser(t, l).Parse(context.Background(), []byte(source), 1e10)
			if err != nil || !slices.Equal(got.Nodes, want.Nodes) {
				t.Fatalf("%s: %q: %d nodes, want %d (%v)", alias, source, len(got.Nodes), len(want.Nodes), err)
			}
		}
	})
}

func BenchmarkLive(b *testing.B) {
	l := language(b, "typescript")
	source := []byte(strings.Repeat("export function plain(a: number) { return a + 1; }\n", 10_000))
	live, at := newLive(b, l), len(source)/2
	at = bytes.IndexByte(source[at:], '\n') + at
	for i := range b.N {
		b.StopTimer()
		text := slices.Concat(source[:at], bytes.Repeat([]byte(" "), i%2), source[at:])
		b.StartTimer()
		if _, err := live.Parse(context.Background(), text, 0); err != nil {
			b.Fatal(err)
		}
	}
}
