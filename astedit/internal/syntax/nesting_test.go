package syntax_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/astedit/internal/syntax"
)

// What a scanner cannot hold is refused, and what it can is not.
func TestTooDeepNestingIsRefused(t *testing.T) {
	for _, c := range []struct {
		lang, source string
		refused      bool
	}{
		{"kotlin", `val x = ` + strings.Repeat(`"${`, 1001), true},
		{"kotlin", `val x = ` + strings.Repeat(`"${`, 999), false},
		{"markdown", strings.Repeat("> ", 201), true},
		{"markdown", "a\n" + strings.Repeat("- ", 201) + "\n", true},
		{"markdown", strings.Repeat("1. ", 300), true},
		{"markdown", strings.Repeat("\t", 101) + "- a", true},
		{"markdown", strings.Repeat("> ", 130) + "a\n" + strings.Repeat("- ", 130), false},
		{"markdown", strings.Repeat("-", 5000) + "\n" + strings.Repeat("| a ", 2000), false},
		{"json", strings.Repeat("[", 5000), false},
	} {
		_, err := newParser(t, language(t, c.lang)).Parse(context.Background(), []byte(c.source), junkTime*10)
		if refused := errors.Is(err, syntax.ErrTooNested); refused != c.refused {
			t.Errorf("%s: %.20q…: %v", c.lang, c.source, err)
		}
	}
}
