package astedit_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
)

func TestOptions_FailOnParseError(t *testing.T) {
	w := newWorkspace(t)
	w.write("a.ts", "foo(1);\n")
	w.write("b.ts", "foo(2; function (\n")
	opts := astedit.Options{FailOnParseError: true}
	for _, test := range []struct{ pattern, want string }{
		{"foo($A)", "b.ts: parse error (syntax tree contains error nodes)"},
		{"foo(); bar();", "foo(); bar();: Invalid pattern: Multiple AST nodes are detected. Please check the pattern source `foo(); bar();`."},
	} {
		_, err := newEngine(t).Run(context.Background(), w.snapshot(), request(test.pattern, "x"), opts)
		var user *astedit.UserError
		if !errors.As(err, &user) || user.Text != test.want {
			t.Errorf("%s: error %v, want %s", test.pattern, err, test.want)
		}
	}
	w.write("b.ts", "foo(2);\n")
	if r := run(t, newEngine(t), w, request("foo($A)", "x"), opts); r.TotalReplacements() != 2 {
		t.Errorf("%d replacements in files without problems", r.TotalReplacements())
	}
}

func TestOptions_Timeout(t *testing.T) {
	w := newWorkspace(t)
	code := strings.Repeat("foo({ a: [1, 2, 3] });\n", 5000)
	for i := range 40 {
		w.write(fmt.Sprintf("f%d.ts", i), code)
	}
	searched := 0
	_, err := newEngine(t).Run(context.Background(), w.snapshot(), request("foo($A)", "bar($A)"), astedit.Options{
		Timeout: 20 * time.Millisecond, Progress: func(files, _ int) { searched = files },
	})
	if !errors.Is(err, astedit.ErrTimeout) || err.Error() != "Aborted: Timeout" {
		t.Errorf("error %v", err)
	}
	if searched == 40 {
		t.Error("a run with 20 ms searched all of the files")
	}
}

func TestOptions_Strictness(t *testing.T) {
	w := newWorkspace(t)
	w.write("a.ts", "foo(1,);\nfoo(/* c */ 1);\nfoo(1);\n")
	for strictness, want := range map[astedit.Strictness]int{astedit.Smart: 3, astedit.CST: 1, astedit.AST: 2, astedit.Relaxed: 3} {
		r := run(t, newEngine(t), w, request("foo($A)", "bar($A)"), astedit.Options{Strictness: strictness})
		if r.TotalReplacements() != want {
			t.Errorf("strictness %v: %d replacements, want %d", strictness, r.TotalReplacements(), want)
		}
	}
}
