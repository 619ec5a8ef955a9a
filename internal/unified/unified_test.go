package unified_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
	"github.com/xcsh-lsp/xcsh-lsp/internal/unified"
)

func edit(start, end int, with string) text.Edit {
	return text.Edit{Span: text.Span{Start: start, End: end}, New: with}
}

func diff(t *testing.T, old string, edits []text.Edit) string {
	t.Helper()
	var b strings.Builder
	for h, err := range unified.Hunks([]byte(old), edits) {
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(h.String())
	}
	return b.String()
}

func TestHunks(t *testing.T) {
	const ten = "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n"
	for name, c := range map[string]struct {
		old   string
		edits []text.Edit
		want  string
	}{
		"nothing":                 {"a\n", nil, ""},
		"no change":               {"a\n", []text.Edit{edit(0, 1, "a")}, ""},
		"one line":                {"a\nb\nc\n", []text.Edit{edit(2, 3, "x")}, "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n"},
		"two on a line":           {"a b\n", []text.Edit{edit(0, 1, "x"), edit(2, 3, "y")}, "@@ -1,1 +1,1 @@\n-a b\n+x y\n"},
		"far apart":               {ten, []text.Edit{edit(0, 1, "x"), edit(18, 19, "y\nz")}, "@@ -1,4 +1,4 @@\n-0\n+x\n 1\n 2\n 3\n@@ -7,4 +7,5 @@\n 6\n 7\n 8\n-9\n+y\n+z\n"},
		"close":                   {ten, []text.Edit{edit(0, 1, "x"), edit(14, 15, "y")}, "@@ -1,10 +1,10 @@\n-0\n+x\n 1\n 2\n 3\n 4\n 5\n 6\n-7\n+y\n 8\n 9\n"},
		"a line deleted":          {"a\nb\n", []text.Edit{edit(0, 2, "")}, "@@ -1,2 +1,1 @@\n-a\n b\n"},
		"all deleted":             {"a\n", []text.Edit{edit(0, 2, "")}, "@@ -1,1 +0,0 @@\n-a\n"},
		"into an empty text":      {"", []text.Edit{edit(0, 0, "a\n")}, "@@ -0,0 +1,1 @@\n+a\n"},
		"a line inserted":         {"a\nb\n", []text.Edit{edit(2, 2, "x\n")}, "@@ -1,2 +1,3 @@\n a\n+x\n b\n"},
		"a line behind another":   {"a\nb\n", []text.Edit{edit(1, 1, "\nx")}, "@@ -1,2 +1,3 @@\n a\n+x\n b\n"},
		"equal at both ends":      {"a\nb\nc\n", []text.Edit{edit(0, 5, "a\nx\nc")}, "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n"},
		"lines joined":            {"a\nb\n", []text.Edit{edit(1, 2, "")}, "@@ -1,2 +1,1 @@\n-a\n-b\n+ab\n"},
		"joined by an earlier":    {"ab\nc\n", []text.Edit{edit(0, 0, "x"), edit(0, 3, "")}, "@@ -1,2 +1,1 @@\n-ab\n-c\n+xc\n"},
		"no newline at the end":   {"a\nb", []text.Edit{edit(2, 3, "x")}, "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+x\n\\ No newline at end of file\n"},
		"the newline is added":    {"b", []text.Edit{edit(1, 1, "\n")}, "@@ -1,1 +1,1 @@\n-b\n\\ No newline at end of file\n+b\n"},
		"carriage returns remain": {"a\r\nb\r\n", []text.Edit{edit(0, 1, "x")}, "@@ -1,2 +1,2 @@\n-a\r\n+x\r\n b\r\n"},
	} {
		if got := diff(t, c.old, c.edits); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

func TestASpanOutsideIsAnError(t *testing.T) {
	for _, err := range unified.Hunks([]byte("a\n"), []text.Edit{edit(1, 9, "")}) {
		if !errors.Is(err, text.ErrOutOfBounds) {
			t.Errorf("got %v", err)
		}
		return
	}
	t.Error("nothing is yielded")
}

// git, given the diff of random edits, makes the text that the edits make.
func TestGitAppliesWhatIsPrinted(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	r := rand.New(rand.NewPCG(1, 2))
	dir := t.TempDir()
	for i := range 300 {
		old, edits := randomEdits(r)
		want, err := text.Apply([]byte(old), edits)
		if err != nil {
			t.Fatal(err)
		}
		hunks := diff(t, old, edits)
		if hunks == "" {
			if string(want) != old {
				t.Fatalf("%d: no hunk for %q → %q", i, old, want)
			}
			continue
		}
		path := filepath.Join(dir, "f")
		if err := os.WriteFile(path, []byte(old), 0o644); err != nil {
			t.Fatal(err)
		}
		apply := exec.Command("git", "apply", "--unidiff-zero", "--whitespace=nowarn", "-")
		apply.Dir, apply.Env = dir, append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
		apply.Stdin = strings.NewReader("--- a/f\n+++ b/f\n" + hunks)
		if out, err := apply.CombinedOutput(); err != nil {
			t.Fatalf("%d: %v: %s\n%q by %+v\n%s", i, err, out, old, edits, hunks)
		}
		got, err := os.ReadFile(path)
		if err != nil || string(got) != string(want) {
			t.Fatalf("%d: git makes %q, want %q (%v)\n%q by %+v\n%s", i, got, want, err, old, edits, hunks)
		}
	}
}

func randomEdits(r *rand.Rand) (old string, edits []text.Edit) {
	piece := func(most int) string {
		var b strings.Builder
		for range r.IntN(most + 1) {
			b.WriteByte("ab\n\n"[r.IntN(4)])
		}
		return b.String()
	}
	old = "q" + piece(80) // git makes no difference between an empty and a missing file
	for at := 1; at <= len(old) && len(edits) < 6; {
		start := at + r.IntN(12)
		end := start + r.IntN(4)
		if end > len(old) {
			break
		}
		edits = append(edits, edit(start, end, piece(4)))
		at = end + 1
	}
	return old, edits
}
