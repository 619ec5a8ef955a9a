package syntax_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// The other walk of the first text proves the runtime's layout; from the second text
// on the fast walk is taken, and it gives the public interface's nodes for whole,
// broken and shuffled texts of every language.
func TestWalksGiveTheSameNodes(t *testing.T) {
	subtrees, cursor := newRegistry(t), newRegistry(t)
	r := rand.New(rand.NewPCG(11, 13))
	for _, path := range sourceFiles(t) {
		l, _ := subtrees.ByFileName(path)
		other, _ := cursor.ByFileName(path)
		other.WalkByCursor()
		source := readFile(t, path)
		a, b := newParser(t, l), newParser(t, other)
		whole := parse(t, a, string(source))
		if !l.WalksSubtrees() {
			t.Fatalf("%s: the walks differ on %s", l.Name, path)
		}
		texts := [][]byte{source, source[:len(source)/2], soup(r, leaves(whole))}
		for i, text := range texts {
			got, err := a.Parse(context.Background(), text, time.Second)
			want, errCursor := b.Parse(context.Background(), text, time.Second)
			if err != nil || errCursor != nil {
				continue // a grammar that takes for ever on junk
			}
			if !slices.Equal(got.Nodes, want.Nodes) || got.HasError != want.HasError {
				t.Errorf("%s, text %d: the nodes are others", path, i)
			}
		}
		if !l.WalksSubtrees() || other.WalksSubtrees() {
			t.Fatalf("%s: the walk changed", l.Name)
		}
	}
}
