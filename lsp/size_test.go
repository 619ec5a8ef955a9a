package lsp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
)

// sizeChanges is how many replacements each file of the size test has.
const sizeChanges = 20

// sizeFiles is 100,000 replacements in 5,000 files in the long form.
func sizeFiles() int {
	if os.Getenv("XCSH_LONG") != "" {
		return 5000
	}
	return 300
}

// A large edit is previewed and applied in full, and the client is not flooded: what it
// is sent depends on the caps and the time, not on the size of the edit.
func TestSize_ManyFilesAreAppliedWithoutAFlood(t *testing.T) {
	count := sizeFiles()
	f := connect(t, lsptest.VSCodeLike(), nil, nil)
	name := func(i int) string { return fmt.Sprintf("d%03d/f%04d.ts", i/40, i) }
	text := func(call string) string {
		return strings.Repeat("export const v = "+call+"(1, { key: \"😀\" });\nfunction other(a: number) { return a + 1; }\n", sizeChanges)
	}
	for i := range count {
		f.write(name(i), text("legacyWrap"))
	}
	f.Initialize(object{"astEdit.maxFiles": 10_000}, f.dir)
	var open []string
	for i := range 3 {
		open = append(open, f.OpenFile(f.path(name(i*count/3))))
	}
	began := time.Now()
	id, revision := f.run("xcsh.ast_edit", edit("legacyWrap($A, $B)", "modernWrap($B, $A)")).pending(t)
	previewed := time.Since(began)
	for _, uri := range open {
		f.WaitDiagnostics(uri, func(d []protocol.Diagnostic) bool { return len(d) == sizeChanges })
	}
	shown := time.Since(began)

	began = time.Now()
	result := f.run("xcsh.resolve", object{"action": "apply", "reason": "all of it", "id": id, "revision": revision})
	applied := time.Since(began)
	var titles []string
	for _, p := range f.Progress() {
		if p.Value.Title != "" {
			titles = append(titles, p.Value.Title)
		}
	}
	if !slices.Equal(titles, []string{"xcsh: structural edit", "xcsh: apply"}) {
		t.Errorf("progress of %q", titles)
	}
	want := fmt.Sprintf("Applied %d replacements in %d files.", count*sizeChanges, count)
	if got := result.text(); !strings.HasPrefix(got, want) {
		t.Fatalf("%.300s", got)
	}
	changes := make([]object, count) // what an editor that watches files reports
	for i := range count {
		changes[i] = object{"uri": "file://" + f.path(name(i)), "type": 2}
		content, err := os.ReadFile(f.path(name(i)))
		if err != nil {
			t.Fatal(err)
		}
		if f.IsOpen("file://" + f.path(name(i))) {
			content = []byte(f.Text("file://" + f.path(name(i))))
		}
		if got := string(content); got != strings.ReplaceAll(text("modernWrap"), `1, { key: "😀" }`, `{ key: "😀" }, 1`) {
			t.Fatalf("%s: %.200q", name(i), got)
		}
	}
	f.Notify("workspace/didChangeWatchedFiles", object{"changes": changes})
	f.Wait("the diagnostics to go", func() bool {
		d, _ := f.Diagnostics(open[0])
		return len(d) == 0
	})
	if left, err := filepath.Glob(filepath.Join(f.dir, "*", ".xcsh-*")); err != nil || left != nil {
		t.Errorf("left behind: %v %v", left, err)
	}

	// 2,000 ranges are shown: each of their files is published once, and taken back.
	published := 2*(2000/sizeChanges) + 2*len(open) + 10
	// 10 reports of progress a second and command, with begin, end and create.
	reports := int((previewed+applied)/(100*time.Millisecond)) + 10
	const others = 30 // messages, registrations, the edit of the open documents, lenses
	total := len(f.Received())
	if n := len(f.Received("textDocument/publishDiagnostics")); n > published {
		t.Errorf("%d times diagnostics were published, want at most %d", n, published)
	}
	if n := len(f.Progress()); n > reports || n < 3 {
		t.Errorf("%d reports of progress in %v, want 3 to %d", n, previewed+applied, reports)
	}
	if total > published+reports+others {
		t.Errorf("%d messages in all, want at most %d", total, published+reports+others)
	}
	t.Logf("%d files, %d replacements: previewed in %v, shown after %v, applied in %v; %d messages to the client", count, count*sizeChanges, previewed, shown, applied, total)
}
