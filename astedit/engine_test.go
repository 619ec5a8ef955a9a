package astedit_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
)

func run(t testing.TB, e *astedit.Engine, w *workspace, req astedit.Request, opts astedit.Options) *astedit.Result {
	t.Helper()
	r, err := e.Run(context.Background(), w.snapshot(), req, opts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestStatement5_LimitThatIsNoNumber(t *testing.T) {
	w := newWorkspace(t)
	w.write("a.ts", "foo(1);\n")
	for _, limit := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		req := request("foo($A)", "bar($A)")
		req.Limit = &limit
		_, err := newEngine(t).Run(context.Background(), w.snapshot(), req, astedit.Options{})
		var user *astedit.UserError
		if !errors.As(err, &user) || user.Text != "limit must be a positive number" {
			t.Errorf("limit %v: error %v", limit, err)
		}
	}
}

func TestStatement54_HugeLimitIsNone(t *testing.T) {
	w := newWorkspace(t)
	w.write("a.ts", "foo(1);\n")
	limit, req := 1e300, request("foo($A)", "bar($A)")
	req.Limit = &limit
	if r := run(t, newEngine(t), w, req, astedit.Options{}); r.TotalReplacements() != 1 || r.LimitReached {
		t.Errorf("%d replacements, limit reached %v", r.TotalReplacements(), r.LimitReached)
	}
}

func TestStatement55_MaxFilesFromEnvironment(t *testing.T) {
	for _, test := range []struct {
		pi, xcsh string
		want     int
		ok       bool
	}{
		{"2", "", 2, true}, {"10abc", "", 10, true}, {"", "7", 7, true}, {"3", "7", 3, true},
		{"", "", 0, false}, {"abc", "7", 0, false}, {"0", "", 0, false}, {"-3", "", 0, false},
		{" 5", "", 0, false}, {"99999999999999999999", "", 0, false},
	} {
		env := map[string]string{"PI_MAX_AST_FILES": test.pi, "XCSH_MAX_AST_FILES": test.xcsh}
		n, ok := astedit.MaxFilesFromEnv(func(key string) string { return env[key] })
		if ok != test.ok || ok && n != test.want {
			t.Errorf("%q %q gives %d %v, want %d %v", test.pi, test.xcsh, n, ok, test.want, test.ok)
		}
	}
}

func TestStatement59_ByteOffsetsAndColumns(t *testing.T) {
	w := newWorkspace(t)
	w.write("a.ts", "/* é日本 */ foo(1)\n")
	c := run(t, newEngine(t), w, request("foo($A)", "bar($A)"), astedit.Options{}).Files[0].Changes[0]
	if c.StartColumn != 11 || c.Span.Start != 15 || c.Span.End != 21 || c.EndColumn != 17 || c.StartLine != 1 || c.EndLine != 1 {
		t.Errorf("change %+v", c)
	}
}

func TestStatement74_EndedContext(t *testing.T) {
	w := newWorkspace(t)
	w.write("a.ts", "foo(1);\n")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if r, err := newEngine(t).Run(ctx, w.snapshot(), request("foo($A)", "bar($A)"), astedit.Options{}); !errors.Is(err, context.Canceled) || r != nil {
		t.Errorf("result %v, error %v", r, err)
	}
}

// randomSource makes TypeScript with matches of foo($A), sometimes none,
// sometimes broken, sometimes no text at all.
func randomSource(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(6) {
		switch r.IntN(8) {
		case 0, 1, 2:
			fmt.Fprintf(&b, "foo(%d);\n", r.IntN(100))
		case 3:
			b.WriteString("if (x) {\n  foo(foo(y));\n}\n")
		case 4:
			b.WriteString("other(1, 'é');\n")
		case 5:
			b.WriteString("x = { foo(1) bar(2) ] };\n")
		case 6:
			b.WriteString("// foo(1)\n")
		case 7:
			if r.IntN(3) == 0 {
				b.WriteString("foo(1) \xff\n")
			}
		}
	}
	return b.String()
}

func randomWorkspace(t testing.TB, r *rand.Rand, files int) (w *workspace, names []string) {
	w = newWorkspace(t)
	for i := range files {
		name := fmt.Sprintf("d%d/f%02d.%s", i%3, i, []string{"ts", "tsx", "js", "py"}[r.IntN(4)])
		w.write(name, randomSource(r))
		names = append(names, name)
	}
	return w, names
}

// sameResult compares what two runs say; issues count as a set.
func sameResult(t *testing.T, got, want *astedit.Result) {
	t.Helper()
	if differ := got.Differences(want); len(differ) > 0 || len(got.Files) != len(want.Files) {
		t.Errorf("the changes differ in %v (%d and %d files)", differ, len(got.Files), len(want.Files))
	}
	for i := range min(len(got.Files), len(want.Files)) {
		if g, w := got.Files[i], want.Files[i]; g.Path != w.Path || g.Skipped != w.Skipped {
			t.Errorf("file %d is %s with %d skipped, want %s with %d", i, g.Path, g.Skipped, w.Path, w.Skipped)
		}
	}
	if got.LimitReached != want.LimitReached || got.FilesSearched != want.FilesSearched {
		t.Errorf("limit reached %v, searched %d, want %v, %d", got.LimitReached, got.FilesSearched, want.LimitReached, want.FilesSearched)
	}
	order := func(a, b astedit.Issue) int { return strings.Compare(a.Path+"\x00"+a.Text, b.Path+"\x00"+b.Text) }
	if a, b := slices.SortedFunc(slices.Values(got.Issues), order), slices.SortedFunc(slices.Values(want.Issues), order); !slices.Equal(a, b) {
		t.Errorf("issues %v, want %v", a, b)
	}
}

// limitsOf lets a property run with and without limits.
func limitsOf(r *rand.Rand) (limit *float64, maxFiles int) {
	if r.IntN(2) == 0 {
		n := float64(1 + r.IntN(12))
		limit = &n
	}
	if r.IntN(2) == 0 {
		maxFiles = 1 + r.IntN(6)
	}
	return limit, maxFiles
}

func TestResultDoesNotDependOnWorkers(t *testing.T) {
	e, r := newEngine(t), rand.New(rand.NewPCG(3, 4))
	for range 25 {
		w, _ := randomWorkspace(t, r, 30)
		req := request("foo($A)", "bar($A)")
		var opts astedit.Options
		req.Limit, opts.MaxFiles = limitsOf(r)
		opts.Workers = 1
		want := run(t, e, w, req, opts)
		checkResult(t, w, want)
		for _, workers := range []int{2, 8} {
			opts.Workers = workers
			got := run(t, e, w, req, opts)
			sameResult(t, got, want)
			if got.Text() != want.Text() {
				t.Errorf("%d workers give the text\n%s\none gives\n%s", workers, got.Text(), want.Text())
			}
		}
	}
}

func TestProgressIsTold(t *testing.T) {
	w := newWorkspace(t)
	for i := range 200 {
		w.write(fmt.Sprintf("f%03d.ts", i), "foo(1);\n")
	}
	var searched, replaced []int
	opts := astedit.Options{Progress: func(files, replacements int) {
		searched, replaced = append(searched, files), append(replaced, replacements)
	}}
	run(t, newEngine(t), w, request("foo($A)", "bar($A)"), opts)
	if len(searched) == 0 || !slices.IsSorted(searched) || !slices.Equal(searched, replaced) || searched[len(searched)-1] > 200 {
		t.Errorf("progress %v, replacements %v", searched, replaced)
	}
}

func TestRunEndsSoonAfterCancellation(t *testing.T) {
	w := newWorkspace(t)
	body := strings.Repeat("function f(a) { if (a && a()) { foo(a, [1, 2, { b: a }]); } }\n", 400)
	for i := range 400 {
		w.write(fmt.Sprintf("d%d/f%d.ts", i%20, i), body)
	}
	e, req := newEngine(t), request("$F($$$A)", "$F(0, $$$A)")
	for _, after := range []time.Duration{0, time.Millisecond, 30 * time.Millisecond, 100 * time.Millisecond} {
		ctx, cancel := context.WithTimeout(context.Background(), after)
		searched := 0
		_, err := e.Run(ctx, w.snapshot(), req, astedit.Options{Workers: 2, Progress: func(files, _ int) { searched = files }})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("after %v: error %v", after, err)
		}
		if searched == 400 { // it takes several seconds
			t.Errorf("after %v: all files were searched", after)
		}
		cancel()
	}
}

// Without anywhere to stage it, a preview is a result like any other.
func TestStatement75_PreviewWithoutAStack(t *testing.T) {
	w := newWorkspace(t)
	w.write("a.ts", "foo(1);\n")
	r := run(t, newEngine(t), w, request("foo($A)", "bar($A)"), astedit.Options{})
	if got, want := r.Text(), "# a.ts (1 replacement)\n-1:1 foo(1)\n+1:1 bar(1)"; got != want || r.Details(false).Applied {
		t.Errorf("got %q, want %q", got, want)
	}
}
