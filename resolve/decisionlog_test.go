package resolve_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func stoppedClock() time.Time { return noon }

func newLog(dir string) *resolve.DecisionLog {
	return resolve.NewDecisionLog(resolve.DecisionLogConfig{Dir: dir, Now: stoppedClock})
}

func mustAppend(t *testing.T, l *resolve.DecisionLog, reason string) resolve.Decision {
	t.Helper()
	d, err := l.Append(resolve.Decision{PendingID: "p", Action: resolve.Apply, Reason: reason})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// reasons lists the log and returns the rows' reasons, joined.
func reasons(t *testing.T, l *resolve.DecisionLog, limit int, before, pendingID string) string {
	t.Helper()
	decisions, err := l.List(limit, before, pendingID)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range decisions {
		got = append(got, d.Reason)
	}
	return strings.Join(got, " ")
}

func TestDecisionRow(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state", "workspace")
	log := newLog(dir)
	if got := reasons(t, log, 0, "", ""); got != "" {
		t.Errorf("a missing file lists %q", got)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("listing touched the folder: %v", err)
	}
	given := resolve.Decision{
		PendingID: "pending-action:ast_edit:0", Action: resolve.Apply, Label: "L", SourceToolName: "ast_edit",
		Reason: "line\nline", ReasonFrom: resolve.ReasonTyped,
		ProposedBy: resolve.Actor{Kind: resolve.Agent, Name: "a"},
		DecidedBy:  resolve.Actor{Kind: resolve.Human, Name: "Neovim"},
		Files:      []resolve.DecidedFile{{URI: "file:///a", Before: "1", After: "2", Verified: true}},
		Declined:   []resolve.Declined{{URI: "file:///a", Hunks: []int{0, 2}}, {URI: "file:///b"}},
	}
	kept, err := log.Append(given)
	if err != nil {
		t.Fatal(err)
	}
	if kept.ID == "" || kept.Session == "" || !kept.Time.Equal(noon) {
		t.Errorf("id %q, time %v", kept.ID, kept.Time)
	}
	if _, err := log.Append(resolve.Decision{Action: resolve.Discard, Time: noon.Add(time.Hour)}); err != nil {
		t.Fatal(err)
	}
	listed, err := log.List(0, "", "")
	if err != nil || len(listed) != 2 {
		t.Fatalf("listed %+v, %v", listed, err)
	}
	if !reflect.DeepEqual(listed[1], kept) {
		t.Errorf("listed %+v, want %+v", listed[1], kept)
	}
	wantJSON(t, kept, `{"id":"`+kept.ID+`","session":"`+kept.Session+`","pendingId":"pending-action:ast_edit:0","time":"2026-03-04T12:00:00Z",
		"action":"apply","label":"L","sourceToolName":"ast_edit","reason":"line\nline","reasonFrom":"typed",
		"proposedBy":{"kind":"agent","name":"a"},"decidedBy":{"kind":"human","name":"Neovim"},
		"files":[{"uri":"file:///a","before":"1","after":"2","verified":true}],"declined":[{"uri":"file:///a","hunks":[0,2]},{"uri":"file:///b"}]}`)
	wantJSON(t, listed[0], `{"id":"`+listed[0].ID+`","session":"`+kept.Session+`","pendingId":"","time":"2026-03-04T13:00:00Z",
		"action":"discard","label":"","sourceToolName":"","reason":"","reasonFrom":"",
		"proposedBy":{"kind":"","name":""},"decidedBy":{"kind":"","name":""},"files":[]}`)

	wantMode(t, dir, 0o700)
	wantMode(t, filepath.Join(dir, "decisions.jsonl"), 0o600)
}

func wantMode(t *testing.T, path string, want fs.FileMode) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != want {
		t.Errorf("%s: mode %v, %v, want %v", path, info.Mode().Perm(), err, want)
	}
}

func TestDecisionPages(t *testing.T) {
	log := newLog(t.TempDir())
	var ids []string
	for _, reason := range []string{"a", "b", "c", "d", "e"} {
		pendingID := "even"
		if len(ids)%2 == 1 {
			pendingID = "odd"
		}
		d, err := log.Append(resolve.Decision{PendingID: pendingID, Reason: reason})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, d.ID)
	}
	for _, tc := range []struct {
		limit             int
		before, pendingID string
		want              string
	}{
		{0, "", "", "e d c b a"},
		{2, "", "", "e d"},
		{2, ids[3], "", "c b"},
		{2, ids[1], "", "a"},
		{2, ids[0], "", ""},
		{9, "", "even", "e c a"},
		{1, ids[4], "even", "c"},
		{1, ids[2], "odd", "b"},
		{1, "", "none", ""},
	} {
		if got := reasons(t, log, tc.limit, tc.before, tc.pendingID); got != tc.want {
			t.Errorf("List(%d, %q, %q) = %q, want %q", tc.limit, tc.before, tc.pendingID, got, tc.want)
		}
	}
	_, err := log.List(1, "gone", "")
	if fieldOf(err) != "before" || !strings.Contains(err.Error(), `"gone"`) {
		t.Errorf("unknown before: %v", err)
	}
	if !slices.IsSorted(ids) {
		t.Errorf("ids of a clock that stands still do not sort: %q", ids)
	}
}

func TestDecisionLimitDefaults(t *testing.T) {
	log := newLog(t.TempDir())
	for range resolve.DefaultDecisionLimit + 1 {
		mustAppend(t, log, "r")
	}
	decisions, err := log.List(-1, "", "")
	if err != nil || len(decisions) != resolve.DefaultDecisionLimit {
		t.Errorf("%d rows, %v", len(decisions), err)
	}
}

func TestDecisionsSurviveARestart(t *testing.T) {
	dir := t.TempDir()
	first := mustAppend(t, newLog(dir), "a")
	second := mustAppend(t, newLog(dir), "b") // the same clock, as after a clock that went back
	if first.ID == second.ID {
		t.Errorf("id %q given out twice", first.ID)
	}
	if got := reasons(t, newLog(dir), 0, "", ""); got != "b a" {
		t.Errorf("after a restart %q", got)
	}
}

// A crash in the middle of a line costs that line only, wherever it stopped.
func TestDecisionLineTornByACrash(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "decisions.jsonl")
	mustAppend(t, newLog(dir), "a")
	start, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	mustAppend(t, newLog(dir), "b")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for size := len(start); size <= len(whole); size++ {
		if err := os.WriteFile(path, whole[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		log := newLog(dir)
		// Only the newline may be missing of a line that counts as written.
		want := "a"
		if size >= len(whole)-1 {
			want = "b a"
		}
		if got := reasons(t, log, 0, "", ""); got != want {
			t.Errorf("cut at %d of %d: %q, want %q", size, len(whole), got, want)
		}
		mustAppend(t, log, "c")
		if got := reasons(t, log, 0, "", ""); got != "c "+want {
			t.Errorf("appended after a cut at %d of %d: %q, want %q", size, len(whole), got, "c "+want)
		}
	}
}

func TestForeignLinesAreSkipped(t *testing.T) {
	dir := t.TempDir()
	log := newLog(dir)
	mustAppend(t, log, "a")
	path := filepath.Join(dir, "decisions.jsonl")
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteString("\n\nnot JSON\n{}\n[1]\nnull\n")
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	mustAppend(t, log, "b")
	if got := reasons(t, log, 0, "", ""); got != "b a" {
		t.Errorf("%q", got)
	}
}

// Rows that are longer than what is read at a time, and many short ones, come
// back whole and in order.
func TestDecisionsLongerThanAChunk(t *testing.T) {
	log := newLog(t.TempDir())
	var want []string
	for i := range 40 {
		reason := strings.Repeat(string(rune('a'+i%26)), 1+i*i*97)
		mustAppend(t, log, reason)
		want = append(want, reason)
	}
	slices.Reverse(want)
	if got := reasons(t, log, 100, "", ""); got != strings.Join(want, " ") {
		t.Error("rows are damaged or out of order")
	}
}

func TestTwoProcessesAppend(t *testing.T) {
	const each = 100
	dir := t.TempDir()
	var wg sync.WaitGroup
	for _, name := range []string{"x", "y"} {
		log := newLog(dir) // a log of its own shares nothing but the file, as a process does
		for worker := range 2 {
			wg.Go(func() {
				for i := range each {
					if _, err := log.Append(resolve.Decision{Reason: fmt.Sprint(name, worker, "-", i)}); err != nil {
						t.Error(err)
					}
					if _, err := log.List(5, "", ""); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	wg.Wait()
	decisions, err := newLog(dir).List(10*each, "", "")
	if err != nil {
		t.Fatal(err)
	}
	ids, seen := map[string]bool{}, map[string]bool{}
	for _, d := range decisions {
		ids[d.ID], seen[d.Reason] = true, true
	}
	if len(decisions) != 4*each || len(ids) != 4*each || len(seen) != 4*each {
		t.Errorf("%d rows, %d ids, %d reasons, want %d of each", len(decisions), len(ids), len(seen), 4*each)
	}
}

func TestDisabledLogKeepsNothing(t *testing.T) {
	dir := t.TempDir()
	mustAppend(t, newLog(dir), "a")
	log := resolve.NewDecisionLog(resolve.DecisionLogConfig{Dir: dir, Disabled: true})
	if d := mustAppend(t, log, "b"); d.ID == "" {
		t.Error("a decision without an id")
	}
	if got := reasons(t, log, 0, "", ""); got != "" {
		t.Errorf("a disabled log lists %q", got)
	}
	log.SetDisabled(false)
	if got := reasons(t, log, 0, "", ""); got != "a" {
		t.Errorf("an enabled log lists %q, want a", got)
	}
}

func FuzzDecisionLogReadsAnything(f *testing.F) {
	f.Add([]byte("{\"id\":\"1\"}\n{\"id\":"))
	f.Add([]byte("\n\n\x00\xff"))
	f.Fuzz(func(t *testing.T, content []byte) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "decisions.jsonl"), content, 0o600); err != nil {
			t.Fatal(err)
		}
		log := newLog(dir)
		before, err := log.List(1<<30, "", "")
		if err != nil {
			t.Fatal(err)
		}
		mustAppend(t, log, "next")
		after, err := log.List(1<<30, "", "")
		if err != nil || len(after) != len(before)+1 || after[0].Reason != "next" {
			t.Errorf("%d rows before, %d after, %v", len(before), len(after), err)
		}
		if _, err := json.Marshal(after); err != nil {
			t.Error(err)
		}
	})
}
