package syntax_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// The samples, whole, cut off and with their tokens in disorder, which takes the
// parser through its recovery from errors: every tree is the same.
func TestDenseTableChangesNoTree(t *testing.T) {
	dense, plain := newRegistry(t), newRegistry(t)
	r := rand.New(rand.NewPCG(3, 5))
	compared := map[string]int{}
	for _, path := range sourceFiles(t) {
		l, ok := dense.ByFileName(path)
		if !ok || !l.IsDense() {
			continue
		}
		other, _ := plain.ByFileName(path)
		other.KeepPlainTable()
		source := string(readFile(t, path))
		a, b := newParser(t, l), newParser(t, other)
		texts := []string{source, source[:len(source)/2], string(soup(r, leaves(parse(t, a, source))))}
		for _, text := range texts {
			text = strings.Repeat(text, 1+1024/max(len(text), 1)) // large enough for the matrix
			got, err := a.Parse(context.Background(), []byte(text), time.Second)
			want, errPlain := b.Parse(context.Background(), []byte(text), time.Second)
			if err != nil || errPlain != nil {
				continue // a grammar that takes for ever on junk
			}
			if !slices.Equal(got.Nodes, want.Nodes) || got.HasError != want.HasError {
				t.Errorf("%s (%d bytes): the tree is another", path, len(text))
			}
			compared[l.Name]++
		}
	}
	if len(compared) < 20 {
		t.Errorf("compared %v: too few languages have a matrix", compared)
	}
}

func TestTooLargeATableStaysAsItIs(t *testing.T) {
	if language(t, "sql").IsDense() {
		t.Error("sql's table of 14,593 states became a matrix")
	}
}
