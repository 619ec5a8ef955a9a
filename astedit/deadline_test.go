package astedit

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/astedit/internal/syntax"
)

// scanOne scans one TypeScript file of this text.
func scanOne(t *testing.T, ctx context.Context, source string, change func(*ruleSet)) outcome {
	t.Helper()
	engine, err := NewEngine()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "slow.ts")
	if err := os.WriteFile(path, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	lang, _ := engine.registry.ByAlias("typescript")
	rules, err := compileRules(context.Background(), &Request{Ops: []Op{{Pat: "foo($A)", Out: "bar($A)"}}}, []*syntax.Language{lang}, Smart)
	if err != nil {
		t.Fatal(err)
	}
	change(rules)
	s := newScanner(&Workspace{Documents: diskOnly{}}, rules)
	defer s.close()
	return s.scan(ctx, candidate{path: path, display: "slow.ts", lang: lang})
}

func TestRobust_FileOutOfTimeIsAnIssueWithItsName(t *testing.T) {
	o := scanOne(t, context.Background(), strings.Repeat("foo(1);\n", 10_000), func(rules *ruleSet) {
		rules.parseTime = func(int) time.Duration { return time.Microsecond }
	})
	if o.err != nil || o.edit != nil || !slices.Equal(o.issues, []string{"slow.ts: timed out"}) {
		t.Errorf("error %v, edit %v, issues %q", o.err, o.edit, o.issues)
	}
}

// countedContext ends at the n-th look at it.
type countedContext struct {
	context.Context
	left *int
}

func (c countedContext) Err() error {
	if *c.left--; *c.left < 0 {
		return context.Canceled
	}
	return nil
}

// Whenever the context ends while a file is scanned, the scan ends with its error
// at that look or the next: also in the midst of matching one huge file.
func TestRobust_CancelledInTheMidstOfAFile(t *testing.T) {
	source := strings.Repeat("foo(1);\n", 5_000) // 40,000 nodes
	const inMatching = 9                         // looks, at the least
	for looks := 0; ; looks++ {
		left := looks
		o := scanOne(t, countedContext{context.Background(), &left}, source, func(*ruleSet) {})
		if o.err == nil {
			if looks < inMatching || o.edit == nil {
				t.Errorf("scanned after %d looks at its context", looks)
			}
			return
		}
		if !errors.Is(o.err, context.Canceled) || o.edit != nil || left < -2 {
			t.Fatalf("ended after %d looks with error %v, %d looks later", looks, o.err, -left)
		}
	}
}
