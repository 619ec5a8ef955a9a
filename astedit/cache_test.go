package astedit

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// editor is a disk with one document open over it.
type editor struct {
	diskOnly
	path string
	text []byte
}

func (e *editor) OpenText(path string) ([]byte, bool) { return e.text, e.text != nil && path == e.path }

func cacheRun(t *testing.T, e *Engine, dir string, docs Documents, pattern string) *Result {
	t.Helper()
	w := Workspace{Folders: []Folder{{Path: dir}}, Documents: docs}
	r, err := e.Run(context.Background(), w, Request{Ops: []Op{{Pat: pattern, Out: "bar($A)"}}}, Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func writeFiles(t *testing.T, dir string, count int) {
	t.Helper()
	for i := range count {
		source := fmt.Sprintf("foo(%d);\nfunction f() { %s }\n", i, strings.Repeat("other(1); ", 20))
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%02d.ts", i)), []byte(source), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func warmEngine(t *testing.T, budget int64) (cold, warm *Engine) {
	t.Helper()
	cold, err := NewEngine()
	if err != nil {
		t.Fatal(err)
	}
	if warm, err = NewEngine(); err != nil {
		t.Fatal(err)
	}
	warm.KeepTrees(budget)
	return cold, warm
}

// A warm answer is the cold one, whatever patterns and edits came before.
func TestWarmAnswersAreNeverStale(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, 20)
	cold, warm := warmEngine(t, 1<<20)
	docs := &editor{path: filepath.Join(dir, "f01.ts")}
	same := func(step string) {
		t.Helper()
		for _, pattern := range []string{"foo($A)", "foo($A)", "other($A)", "$F($A)"} {
			want, got := cacheRun(t, cold, dir, docs, pattern), cacheRun(t, warm, dir, docs, pattern)
			if d := want.Differences(got); len(d) > 0 || want.TotalReplacements() != got.TotalReplacements() {
				t.Errorf("%s: %s differs in %v", step, pattern, d)
			}
		}
	}
	same("at first")
	if warm.cache.Load().held == 0 {
		t.Fatal("nothing is kept")
	}
	edited := filepath.Join(dir, "f07.ts")
	before, err := os.Stat(edited)
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(edited)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(edited, []byte(strings.Replace(string(source), "foo(7)", "too(8)", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(edited, time.Time{}, before.ModTime()); err != nil {
		t.Fatal(err)
	}
	same("after an edit of the same size within one tick of the clock")
	docs.text = []byte("foo(open);\n")
	same("with a document open")
	docs.text = []byte("too(open);\n")
	same("after a keystroke")
	docs.text = nil
	same("with the document closed")
	if err := os.Remove(edited); err != nil {
		t.Fatal(err)
	}
	same("after a file is gone")
}

func TestWarmRunDoesNotParse(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, 3)
	_, warm := warmEngine(t, 1<<20)
	cacheRun(t, warm, dir, diskOnly{}, "foo($A)")
	first := map[cacheKey]any{}
	for key, element := range warm.cache.Load().entries {
		first[key] = element.Value.(*cacheEntry).tree
	}
	cacheRun(t, warm, dir, diskOnly{}, "foo($A)")
	if len(first) != 3 || len(warm.cache.Load().entries) != 3 {
		t.Fatalf("%d and %d trees are kept", len(first), len(warm.cache.Load().entries))
	}
	for key, element := range warm.cache.Load().entries {
		if element.Value.(*cacheEntry).tree != first[key] {
			t.Errorf("%s was parsed again", key.path)
		}
	}
}

func TestCacheStaysWithinItsBudget(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, 20)
	const budget = 30_000
	cold, warm := warmEngine(t, budget)
	for _, pattern := range []string{"foo($A)", "$F($A)", "$F($A)"} {
		want, got := cacheRun(t, cold, dir, diskOnly{}, pattern), cacheRun(t, warm, dir, diskOnly{}, pattern)
		if d := want.Differences(got); len(d) > 0 {
			t.Errorf("%s differs in %v", pattern, d)
		}
		var sum int64
		for _, element := range warm.cache.Load().entries {
			sum += element.Value.(*cacheEntry).size
		}
		if sum != warm.cache.Load().held || sum > budget || sum == 0 || warm.cache.Load().recent.Len() != len(warm.cache.Load().entries) {
			t.Errorf("%d bytes counted, %d held, budget %d", warm.cache.Load().held, sum, budget)
		}
	}
}

// Live trees take their room from the kept ones, within the one budget, and give it back.
func TestCache_LeavesLiveTreesTheirRoom(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, 20)
	_, warm := warmEngine(t, 40<<10)
	run := func() *Result { return cacheRun(t, warm, dir, diskOnly{}, "other($A)") }
	before := run()
	cache := warm.cache.Load()
	full := cache.held
	if full < cache.budget*3/4 {
		t.Fatalf("%d of %d bytes are in use: nothing is tested", full, cache.budget)
	}
	open := &editor{path: filepath.Join(dir, "f01.ts"), text: []byte("foo(1);\n")}
	warm.Prepare(context.Background(), Workspace{Folders: []Folder{{Path: dir}}, Documents: open}, before)
	if warm.live.size() == 0 || cache.held+warm.live.size() > cache.budget {
		t.Errorf("%d bytes of live trees beside %d kept, budget %d", warm.live.size(), cache.held, cache.budget)
	}
	warm.KeepLive(func(string) bool { return false })
	run()
	if cache.held < full*3/4 {
		t.Errorf("%d bytes are kept once the live trees are gone, %d before", cache.held, full)
	}
}
