package astedit

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func livePaths(e *Engine) (names []string) {
	for _, t := range e.live.trees {
		names = append(names, filepath.Base(t.path))
	}
	return names
}

// openFiles are documents that are open, by path.
type openFiles struct {
	diskOnly
	texts map[string][]byte
}

func (o openFiles) OpenText(path string) ([]byte, bool) {
	text, ok := o.texts[path]
	return text, ok
}

func TestLiveTreesStayWithinTheirLimits(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, maxLiveTrees+3)
	_, warm := warmEngine(t, 8<<20)
	docs := openFiles{texts: map[string][]byte{}}
	for i := range maxLiveTrees + 3 {
		docs.texts[filepath.Join(dir, fmt.Sprintf("f%02d.ts", i))] = fmt.Appendf(nil, "foo(%d);\n", i)
	}
	w := Workspace{Folders: []Folder{{Path: dir}}, Documents: docs}
	req := Request{Ops: []Op{{Pat: "foo($A)", Out: "bar($A)"}}}
	result := cacheRun(t, warm, dir, docs, "foo($A)")
	refresh := func(i int) {
		t.Helper()
		var err error
		if result, err = warm.Refresh(context.Background(), w, req, Options{}, result, filepath.Join(dir, fmt.Sprintf("f%02d.ts", i))); err != nil {
			t.Fatal(err)
		}
	}
	warm.Prepare(context.Background(), w, result)
	if got := livePaths(warm); len(got) != maxLiveTrees {
		t.Errorf("%v are prepared, want %d documents", got, maxLiveTrees)
	}
	refresh(0) // the most recently used now
	refresh(maxLiveTrees + 1)
	if got := livePaths(warm); len(got) != maxLiveTrees || !slices.Contains(got, "f00.ts") || slices.Contains(got, "f01.ts") {
		t.Errorf("%v are kept: the one used longest ago should have gone", got)
	}
	delete(docs.texts, filepath.Join(dir, "f00.ts"))
	refresh(0)
	if got := livePaths(warm); slices.Contains(got, "f00.ts") {
		t.Errorf("%v are kept, one of which is closed", got)
	}
	warm.KeepLive(func(path string) bool { return filepath.Base(path) == "f03.ts" })
	if got := livePaths(warm); !slices.Equal(got, []string{"f03.ts"}) || warm.live.held != warm.live.trees[0].size {
		t.Errorf("%v are kept, %d bytes counted", got, warm.live.held)
	}
	before := docs.texts[filepath.Join(dir, "f04.ts")]
	docs.texts[filepath.Join(dir, "f04.ts")] = []byte(strings.Repeat("foo(1);\n", 10_000))
	refresh(4)
	if got := livePaths(warm); !slices.Equal(got, []string{"f03.ts"}) {
		t.Errorf("%v are kept, one of which takes more than the budget", got)
	}
	docs.texts[filepath.Join(dir, "f04.ts")] = before
	warm.KeepTrees(0)
	if got := livePaths(warm); len(got) != 0 || warm.live.held != 0 {
		t.Errorf("without a budget %v are kept, %d bytes counted", got, warm.live.held)
	}
	refresh(3)
	if got := livePaths(warm); len(got) != 0 {
		t.Errorf("without a budget %v are kept", got)
	}
}
