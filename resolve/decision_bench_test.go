package resolve_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// fill writes n decisions on two files each, as many logs would have, and returns
// their ids, oldest first.
func fill(tb testing.TB, dir string, n int) (ids []string) {
	tb.Helper()
	var lines []byte
	number := 0
	flush := func(name string) {
		if err := os.WriteFile(filepath.Join(dir, name), lines, 0o600); err != nil {
			tb.Fatal(err)
		}
		lines = nil
	}
	for i := range n {
		at := noon.Add(time.Duration(i) * time.Second)
		file := resolve.DecidedFile{URI: "file:///home/user/project/src/package/file.ts", Before: fmt.Sprintf("%064d", i), After: fmt.Sprintf("%064d", i+1), Verified: true}
		d := resolve.Decision{
			ID: at.Format("20060102T150405.000000000Z") + fmt.Sprintf("-%013d", i), Session: "AAAAAAAAAAAAA", Time: at,
			PendingID: fmt.Sprint("pending-action:ast_edit:", i%100), Action: resolve.Apply, Label: "AST Edit: 2 replacements in 2 files",
			SourceToolName: "ast_edit", Reason: "Reviewed: the change is right", ReasonFrom: resolve.ReasonChosen,
			ProposedBy: resolve.Actor{Kind: resolve.Agent, Name: "agent"}, DecidedBy: resolve.Actor{Kind: resolve.Human, Name: "editor"},
			Files: []resolve.DecidedFile{file, file},
		}
		line, err := json.Marshal(d)
		if err != nil {
			tb.Fatal(err)
		}
		ids = append(ids, d.ID)
		if lines = append(append(lines, line...), '\n'); len(lines) >= resolve.DefaultLogBytes {
			number++
			flush(fmt.Sprintf("decisions-%06d-AAAAAAAA.jsonl", number))
		}
	}
	flush("decisions.jsonl")
	return ids
}

func BenchmarkHundredThousandDecisions(b *testing.B) {
	dir := b.TempDir()
	ids := fill(b, dir, 100_000)
	log := newLog(dir)
	if _, err := log.Append(resolve.Decision{PendingID: "pending-action:ast_edit:0", Reason: "mine"}); err != nil {
		b.Fatal(err)
	}
	list := func(before, pendingID string, want int) func(*testing.B) {
		return func(b *testing.B) {
			for b.Loop() {
				if page, err := log.List(0, before, pendingID); err != nil || len(page) != want {
					b.Fatalf("%d decisions, %v", len(page), err)
				}
			}
		}
	}
	b.Run("newest page", list("", "", 100))
	b.Run("page in the middle", list(ids[50_000], "", 100))
	b.Run("oldest page", list(ids[100], "", 100))
	b.Run("by pending id", list("", "pending-action:ast_edit:0", 1))
	b.Run("by a pending id that is not decided", list("", "pending-action:ast_edit:7", 0))
	b.Run("find the oldest", func(b *testing.B) {
		for b.Loop() {
			if _, ok, err := log.Find(ids[0]); err != nil || !ok {
				b.Fatal(ok, err)
			}
		}
	})
	b.Run("append", func(b *testing.B) {
		for b.Loop() {
			if _, err := log.Append(resolve.Decision{PendingID: "p"}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
