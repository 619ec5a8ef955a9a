package resolve_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// smallFile is a size that two or three decisions fill.
const smallFile = 600

func newSmallLog(dir string, files resolve.FileSystem) *resolve.DecisionLog {
	return resolve.NewDecisionLog(resolve.DecisionLogConfig{Dir: dir, Now: stoppedClock, MaxBytes: smallFile, Files: files})
}

func logFiles(t *testing.T, dir string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// appendMany appends decisions with the reasons 0, 1, … and returns their ids and
// what List gives for all of them, newest first.
func appendMany(t *testing.T, l *resolve.DecisionLog, n int) (ids []string, all string) {
	t.Helper()
	var reasons []string
	for i := range n {
		d := mustAppend(t, l, strconv.Itoa(i))
		ids, reasons = append(ids, d.ID), append(reasons, d.Reason)
	}
	slices.Reverse(reasons)
	return ids, strings.Join(reasons, " ")
}

func TestAFullLogIsPutAside(t *testing.T) {
	const n = 40
	dir := t.TempDir()
	log := newSmallLog(dir, nil)
	ids, all := appendMany(t, log, n)
	files := logFiles(t, dir)
	if len(files) < n/4 {
		t.Fatalf("%d files", len(files))
	}
	for _, path := range files {
		wantMode(t, path, 0o600)
		if info, err := os.Stat(path); err != nil || info.Size() > 2*smallFile {
			t.Errorf("%s: %d bytes, %v", path, info.Size(), err)
		}
	}
	for _, log := range []*resolve.DecisionLog{log, newLog(dir)} {
		if got := reasons(t, log, 2*n, "", ""); got != all {
			t.Errorf("listed %q, want %q", got, all)
		}
		// Page by page, the same.
		var pages []string
		before := ""
		for {
			page, err := log.List(7, before, "")
			if err != nil {
				t.Fatal(err)
			}
			if len(page) == 0 {
				break
			}
			for _, d := range page {
				pages = append(pages, d.Reason)
			}
			before = page[len(page)-1].ID
		}
		if got := strings.Join(pages, " "); got != all {
			t.Errorf("in pages %q, want %q", got, all)
		}
	}
	for i, id := range ids {
		d, ok, err := newLog(dir).Find(id)
		if err != nil || !ok || d.Reason != strconv.Itoa(i) {
			t.Errorf("Find(%q) = %+v, %v, %v", id, d, ok, err)
		}
	}
	if _, ok, err := log.Find("gone"); ok || err != nil {
		t.Errorf("found what is not there: %v", err)
	}
}

// What cannot be put aside goes on growing: the decision comes first.
func TestALogThatCannotBePutAsideGrows(t *testing.T) {
	for _, fail := range []string{"rename", "lock"} {
		t.Run(fail, func(t *testing.T) {
			dir := t.TempDir()
			log := newSmallLog(dir, brokenFiles{fail})
			_, all := appendMany(t, log, 20)
			if got := reasons(t, log, 99, "", ""); got != all || len(logFiles(t, dir)) != 1 {
				t.Errorf("listed %q in %d files", got, len(logFiles(t, dir)))
			}
			mustAppend(t, newSmallLog(dir, nil), "next")
			if len(logFiles(t, dir)) != 2 {
				t.Error("a log that can put the file aside does not")
			}
		})
	}
}

func TestFailingReadOfOlderFilesIsSaid(t *testing.T) {
	dir := t.TempDir()
	appendMany(t, newSmallLog(dir, nil), 20)
	for _, fail := range []string{"read dir", "open aside"} {
		log := newSmallLog(dir, brokenFiles{fail})
		if _, err := log.List(99, "", ""); !errors.Is(err, errBroken) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: List: %v", fail, err)
		}
		if _, _, err := log.Find("gone"); !errors.Is(err, errBroken) {
			t.Errorf("%s: Find: %v", fail, err)
		}
	}
}

// A file that is put aside while it is read is neither missed nor read twice, and
// what came after the start is not seen.
func TestPutAsideWhileItIsRead(t *testing.T) {
	dir := t.TempDir()
	writer := newSmallLog(dir, nil)
	_, all := appendMany(t, writer, 20)
	reader := newSmallLog(dir, meddlingFiles{brokenFiles{}, func() { appendMany(t, writer, 10) }})
	if got := reasons(t, reader, 99, "", ""); got != all {
		t.Errorf("listed %q, want %q", got, all)
	}
}

// meddlingFiles has something happen before the folder is read.
type meddlingFiles struct {
	brokenFiles
	meddle func()
}

func (m meddlingFiles) ReadDir(name string) ([]os.DirEntry, error) {
	m.meddle()
	return m.brokenFiles.ReadDir(name)
}

// An agent asks by the pending id whether its proposal has been decided: what
// became of another session's under the same id is no answer.
func TestPendingIDMeansThisSession(t *testing.T) {
	const id = "pending-action:ast_edit:0"
	dir := t.TempDir()
	decide := func(log *resolve.DecisionLog, reason string) {
		t.Helper()
		if _, err := log.Append(resolve.Decision{PendingID: id, Action: resolve.Discard, Reason: reason}); err != nil {
			t.Fatal(err)
		}
	}
	decide(newSmallLog(dir, nil), "an older session's")
	mine, beside := newSmallLog(dir, nil), newSmallLog(dir, nil)
	if got := reasons(t, mine, 0, "", id); got != "" {
		t.Errorf("still to be decided, and answered with %q", got)
	}
	decide(beside, "of a session beside")
	if got := reasons(t, mine, 0, "", id); got != "" {
		t.Errorf("still to be decided, and answered with %q", got)
	}
	decide(mine, "mine")
	appendMany(t, mine, 9)
	decide(beside, "of a session beside")
	if got := reasons(t, mine, 0, "", id); got != "mine" {
		t.Errorf("answered with %q", got)
	}
	if got := reasons(t, mine, 99, "", ""); !strings.HasSuffix(got, "mine of a session beside an older session's") {
		t.Errorf("without a pending id %q: others' are missing", got)
	}
}

const (
	appenderDir  = "XCSH_TEST_APPENDER_DIR"
	appenderName = "XCSH_TEST_APPENDER_NAME"
	appends      = 60
)

// TestMain is the appender where a test has started this program as one.
func TestMain(m *testing.M) {
	dir := os.Getenv(appenderDir)
	if dir == "" {
		os.Exit(m.Run())
	}
	log := resolve.NewDecisionLog(resolve.DecisionLogConfig{Dir: dir, MaxBytes: 4 * smallFile})
	for i := range appends {
		d, err := log.Append(resolve.Decision{PendingID: "p", Reason: fmt.Sprint(os.Getenv(appenderName), "-", i)})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(d.ID)
		if own, err := log.List(1, "", "p"); err != nil || own[0].Reason != fmt.Sprint(os.Getenv(appenderName), "-", i) {
			fmt.Fprintln(os.Stderr, "listed", own, err)
			os.Exit(1)
		}
	}
}

// appender is a process that appends decisions and prints the id of each.
func appender(dir, name string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), appenderDir+"="+dir, appenderName+"="+name)
	cmd.Stderr = os.Stderr
	return cmd
}

// Processes are killed at any moment: what each said to be kept is there, once, and
// the next one goes on.
func TestKilledProcessesLoseNothing(t *testing.T) {
	dir := t.TempDir()
	var kept []string
	for i := range 8 {
		cmd := appender(dir, strconv.Itoa(i))
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for range 1 + 5*i {
			if !lines.Scan() {
				t.Fatal("the appender ended by itself")
			}
			kept = append(kept, lines.Text())
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for lines.Scan() { // what it said until then
			kept = append(kept, lines.Text())
		}
		_ = cmd.Wait() // it was killed
	}
	decisions, err := newLog(dir).List(1<<20, "", "")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]int{}
	for _, d := range decisions {
		listed[d.ID]++
	}
	for _, id := range kept {
		if listed[id] != 1 {
			t.Errorf("%s is listed %d times", id, listed[id])
		}
	}
}

// Several processes append to one folder, and put its files aside under each
// other's hands: every decision is there once, and each process's are in order.
func TestProcessesShareALog(t *testing.T) {
	dir := t.TempDir()
	var processes []*exec.Cmd
	for i := range 4 {
		cmd := appender(dir, strconv.Itoa(i))
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		processes = append(processes, cmd)
	}
	for _, cmd := range processes {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	if files := logFiles(t, dir); len(files) < 10 {
		t.Errorf("%d files: nothing was put aside", len(files))
	}
	decisions, err := newLog(dir).List(1<<20, "", "")
	if err != nil || len(decisions) != len(processes)*appends {
		t.Fatalf("%d decisions, %v, want %d", len(decisions), err, len(processes)*appends)
	}
	next, ids := map[string]int{}, map[string]bool{}
	slices.Reverse(decisions)
	for _, d := range decisions {
		name, number, _ := strings.Cut(d.Reason, "-")
		if number != strconv.Itoa(next[name]) {
			t.Fatalf("decision %s of process %s, want number %d", number, name, next[name])
		}
		next[name]++
		ids[d.ID] = true
	}
	if len(ids) != len(decisions) {
		t.Errorf("%d ids for %d decisions", len(ids), len(decisions))
	}
}

// Ids sort by time only as far as clocks agree: files of a clock that was ahead are
// found and paged through all the same.
func TestClocksThatDisagree(t *testing.T) {
	dir := t.TempDir()
	var ids []string
	var all []string
	for i, ahead := range []time.Duration{0, 9 * time.Hour, time.Hour, -time.Hour} {
		log := resolve.NewDecisionLog(resolve.DecisionLogConfig{
			Dir: dir, MaxBytes: smallFile, Now: func() time.Time { return noon.Add(ahead) },
		})
		for j := range 10 {
			d := mustAppend(t, log, fmt.Sprint(i, "-", j))
			ids, all = append(ids, d.ID), append(all, d.Reason)
		}
	}
	log := newLog(dir)
	for i, id := range ids {
		older := slices.Clone(all[:i])
		slices.Reverse(older)
		if got := reasons(t, log, 99, id, ""); got != strings.Join(older, " ") {
			t.Errorf("before %s: %q, want %q", all[i], got, older)
		}
		if d, ok, err := log.Find(id); !ok || err != nil || d.Reason != all[i] {
			t.Errorf("Find(%s): %+v, %v", all[i], d, err)
		}
	}
}

// A page of one pending id goes on where the last one ended, over what an older
// session wrote.
func TestPagesOfAPendingID(t *testing.T) {
	dir := t.TempDir()
	older, _ := appendMany(t, newSmallLog(dir, nil), 5)
	mine := newSmallLog(dir, nil)
	ids, _ := appendMany(t, mine, 9)
	for _, tc := range []struct{ before, want string }{
		{"", "8 7 6"}, {ids[6], "5 4 3"}, {ids[1], "0"}, {ids[0], ""}, {older[2], ""},
	} {
		if got := reasons(t, mine, 3, tc.before, "p"); got != tc.want {
			t.Errorf("before %q: %q, want %q", tc.before, got, tc.want)
		}
	}
	if got := reasons(t, newSmallLog(dir, nil), 3, ids[3], "p"); got != "" {
		t.Errorf("a session without decisions: %q", got)
	}
}
