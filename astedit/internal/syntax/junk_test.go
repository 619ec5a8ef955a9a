package syntax_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/astedit/internal/syntax"
)

// Bounds of the junk. A grammar may need for ever on it; that the deadline ends
// the parse is what counts, so it is short.
const (
	junkRounds   = 4
	junkLong     = 200 // with XCSH_ROBUST set
	junkTime     = 60 * time.Millisecond
	junkOverrun  = 5 * time.Second // a busy machine's delay, not the parser's
	maxJunkBytes = 16 << 10
)

// No grammar crashes or outlives its deadline, whatever the text: random bytes,
// the sample's own tokens in any order, the sample cut off anywhere. NUL is left
// out: Parse does not take it.
func TestJunkEndsInEveryGrammar(t *testing.T) {
	registry, timeouts, rounds := newRegistry(t), map[string]int{}, junkRounds
	if os.Getenv("XCSH_ROBUST") != "" {
		rounds = junkLong
	}
	for _, path := range samples(t) {
		l, _ := registry.ByFileName(path)
		t.Run(filepath.Base(path), func(t *testing.T) {
			p := newParser(t, l)
			source := readFile(t, path)
			tokens := leaves(parse(t, p, string(source)))
			r := rand.New(rand.NewPCG(3, uint64(len(source))))
			for range rounds {
				for _, junk := range [][]byte{randomBytes(r), soup(r, tokens), source[:r.IntN(len(source))]} {
					start := time.Now()
					tree, err := p.Parse(context.Background(), junk, junkTime)
					if took := time.Since(start); took > junkTime+junkOverrun {
						t.Errorf("took %v on %q", took, junk)
					}
					switch {
					case errors.Is(err, syntax.ErrTimeout):
						timeouts[l.Name]++
					case err != nil:
						t.Errorf("%v on %q", err, junk)
					default:
						checkShape(t, tree)
					}
				}
			}
			if after := parse(t, p, string(source)); after.HasError {
				t.Error("after junk the parser does not parse the sample")
			}
		})
	}
	t.Logf("out of time, of %d each: %v", 3*rounds, timeouts)
}

// A scanner that keeps what is open in a buffer of fixed size must not write past
// its end.
func TestDeepNestingEndsInEveryGrammar(t *testing.T) {
	const depth = 10_000
	for _, l := range newRegistry(t).Languages() {
		p := newParser(t, l)
		for _, open := range []string{"(", "[", "{", "<a>", "do\n", "let ", "\"${", "\"#{", "- ", "> ", "<<A ", "r#\"", "=begin\n", "/*", "(*", "$(", "begin ", "[[", "case x of "} {
			tree, err := p.Parse(context.Background(), bytes.Repeat([]byte(open), depth), junkTime)
			switch {
			case errors.Is(err, syntax.ErrTimeout), errors.Is(err, syntax.ErrTooNested):
			case err != nil:
				t.Errorf("%s: %v on %q", l.Name, err, open)
			default:
				checkShape(t, tree)
			}
		}
	}
}

func randomBytes(r *rand.Rand) []byte {
	junk := make([]byte, r.IntN(maxJunkBytes))
	for i := range junk {
		junk[i] = byte(1 + r.IntN(255))
	}
	return junk
}

// leaves returns the tokens of a tree with the blanks after them.
func leaves(tree *syntax.Tree) [][]byte {
	var tokens [][]byte
	for i := range uint32(len(tree.Nodes)) {
		if !tree.IsLeaf(i) || tree.Nodes[i].End == tree.Nodes[i].Start {
			continue
		}
		to := tree.Nodes[i].End
		for int(to) < len(tree.Source) && (tree.Source[to] == ' ' || tree.Source[to] == '\n') {
			to++
		}
		tokens = append(tokens, append([]byte(nil), tree.Source[tree.Nodes[i].Start:to]...))
	}
	return tokens
}

func soup(r *rand.Rand, tokens [][]byte) []byte {
	var junk []byte
	for len(junk) < maxJunkBytes {
		junk = append(junk, tokens[r.IntN(len(tokens))]...)
	}
	return junk
}
