package lsp_test

import (
	"context"
	"encoding/json"
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

const (
	cancelFilesShort = 4_000
	cancelFilesLong  = 100_000 // with XCSH_LONG=1
	filesInAFolder   = 100
)

// long reports whether tests are to run in full.
func long() bool { return os.Getenv("XCSH_LONG") != "" }

// manyFiles is a workspace in which a dry run of longEdit parses every file.
func manyFiles(t *testing.T, count int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	body := []byte(strings.Repeat("if (a && b) { call(c, d(e), [f, g, { h: i }]); }\n", 5))
	for i := range count {
		folder := filepath.Join(dir, "big", fmt.Sprint(i/filesInAFolder))
		if i%filesInAFolder == 0 {
			if err := os.MkdirAll(folder, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("f%d.ts", i)), body, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// The three ways to cancel, at several moments of a dry run over a large workspace:
// nothing is pushed, and the next command is answered. How long each takes is logged
// and not judged here; that a cancelled run reads no more files is tested in astedit.
func TestLife_CancelledOnALargeWorkspace(t *testing.T) {
	count, moments := cancelFilesShort, 3
	if long() {
		count, moments = cancelFilesLong, 5
	}
	dir := manyFiles(t, count)
	f := connect(t, lsptest.VSCodeLike(), nil, short)
	f.Initialize(object{"astEdit.cacheMB": 0}, dir)
	var whole time.Duration
	for range 2 { // what is read is in the system's cache the second time
		began := time.Now()
		if _, failed := f.Command(t.Context(), "xcsh.ast_edit", longEdit()); failed != nil {
			t.Fatal(failed)
		}
		whole = time.Since(began)
	}
	for name, cancel := range map[string]func(stop func(), token string){
		"$/cancelRequest": func(stop func(), _ string) { stop() },
		"window/workDoneProgress/cancel": func(_ func(), token string) {
			f.Notify("window/workDoneProgress/cancel", object{"token": token})
		},
		"xcsh.cancel": func(_ func(), token string) { f.run("xcsh.cancel", object{"token": token}) },
	} {
		t.Run(name, func(t *testing.T) {
			var took []time.Duration
			for moment := range moments {
				token := fmt.Sprintf("%s %d", name, moment)
				ctx, stop := context.WithCancel(context.Background())
				done := f.beginWithToken(ctx, "xcsh.ast_edit", longEdit(), json.RawMessage(fmt.Sprintf("%q", token)))
				f.Wait("the run to begin", func() bool { return f.inProgress(token) })
				time.Sleep(whole * time.Duration(moment) / time.Duration(moments+1))
				since := time.Now()
				cancel(stop, token)
				got := <-done
				if got.failed != nil { // else it had ended before it was cancelled
					took = append(took, time.Since(since))
					wantError(t, got.failed, protocol.CodeRequestCancelled, "cancelled")
				}
				stop()
			}
			if len(took) < moments/2 {
				t.Fatalf("only %d of %d runs could be cancelled", len(took), moments)
			}
			if pending := f.pendingIDs(); len(pending) != 0 {
				t.Errorf("pending %v", pending)
			}
			slices.Sort(took)
			t.Logf("%d files, a run takes %v; %d cancelled, answered after %v at the median, %v at most", count, whole.Round(time.Millisecond), len(took), took[len(took)/2], took[len(took)-1])
		})
	}
}

func (f *fixture) inProgress(token string) bool {
	return slices.ContainsFunc(f.Progress(), func(p lsptest.Progress) bool { return p.Token == fmt.Sprintf("%q", token) })
}
