package syntax_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/astedit/internal/syntax"
)

// Everything that makes parsing cheaper, together and on real code: XCSH_CORPORA
// lists folders. The plain parser keeps the table, the walk, the lexer and the memory
// that the runtime has.
func TestCorporaGiveTheNodesOfAPlainParser(t *testing.T) {
	folders := filepath.SplitList(os.Getenv("XCSH_CORPORA"))
	if len(folders) == 0 {
		t.Skip("XCSH_CORPORA names no folders")
	}
	fast, plain := newRegistry(t), newRegistry(t)
	fasts, plains := map[string]*syntax.Parser{}, map[string]*syntax.Parser{}
	for _, folder := range folders {
		compared := 0
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			l, known := fast.ByFileName(path)
			if err != nil || !known || !d.Type().IsRegular() {
				return err
			}
			source := readFile(t, path)
			if slices.Contains(source, 0) {
				return nil // never parsed
			}
			if fasts[l.Name] == nil {
				other, _ := plain.ByFileName(path)
				other.KeepPlainTable()
				other.WalkByCursor()
				fasts[l.Name], plains[l.Name] = newParser(t, l), newParser(t, other)
				plains[l.Name].WithoutArena()
			}
			got, errFast := fasts[l.Name].Parse(context.Background(), source, time.Minute)
			want, errPlain := plains[l.Name].Parse(context.Background(), source, time.Minute)
			if errFast != nil || errPlain != nil {
				t.Logf("%s: not compared: %v, %v", path, errFast, errPlain)
				return nil
			}
			if !slices.Equal(got.Nodes, want.Nodes) || got.HasError != want.HasError {
				t.Errorf("%s: the nodes are others", path)
			}
			if !l.WalksSubtrees() {
				t.Errorf("%s: the walks differ from %s on", l.Name, path)
			}
			compared++
			return nil
		})
		if err != nil || compared == 0 {
			t.Errorf("%s: %d files compared: %v", folder, compared, err)
		}
		t.Logf("%s: %d files compared", folder, compared)
	}
}
