package customtools

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// Servers on one file start again and again, which cuts it, while the others
// write: what is left of each is the end of what it wrote, without a gap.
func TestSessionLog_SeveralServersOnOneFile(t *testing.T) {
	const servers, runs, results = 4, 12, 45
	dir := t.TempDir()
	var wg sync.WaitGroup
	for server := range servers {
		wg.Go(func() {
			for i := range runs * results {
				l := NewSessionLog(dir, time.Now)
				if i%results != 0 { // else a fresh start, which reads and cuts
					l.read = true
				}
				if err := l.Add(resultOf(fmt.Sprint(server), fmt.Sprint(i))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	s := mustSession(t, NewSessionLog(dir, time.Now))
	if len(s.Entries) != maxSessionEntries {
		t.Errorf("%d entries", len(s.Entries))
	}
	next := map[string]string{}
	for i, e := range s.Entries {
		name, n := e.Message.ToolName, string(e.Message.Details)
		if want, ok := next[name]; ok && n != want {
			t.Fatalf("server %s: %s after the one before %s", name, n, want)
		}
		var number int
		if _, err := fmt.Sscan(n, &number); err != nil {
			t.Fatal(err)
		}
		next[name] = fmt.Sprint(number + 1)
		if i > 0 && e.ParentID != s.Entries[i-1].ID {
			t.Fatalf("entry %d is no child of the one before it", i)
		}
	}
	for name, n := range next {
		if n != fmt.Sprint(runs*results) {
			t.Errorf("server %s: its results from %s on are missing", name, n)
		}
	}
}

// What a crash left of a line does not swallow the next one, and a line that is
// too long hides nothing behind it.
func TestSessionLog_DamagedLinesCostOnlyThemselves(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, sessionFile)
	if err := os.WriteFile(file, []byte(`{"id":"long","x":"`+strings.Repeat("x", 3*maxSessionLine)+"\"}\n"+`{"type":"message","id":"a","message":{"details":1}}`+"\n"+`{"type":"mess`), 0o600); err != nil {
		t.Fatal(err)
	}
	l := NewSessionLog(dir, time.Now)
	if err := l.Add(resultOf("t", "2")); err != nil {
		t.Fatal(err)
	}
	for _, l := range []*SessionLog{l, NewSessionLog(dir, time.Now)} {
		s := mustSession(t, l)
		if len(s.Entries) != 2 || s.Entries[0].ID != "a" || string(s.Entries[1].Message.Details) != "2" {
			t.Errorf("%+v", s.Entries)
		}
	}
}

// All of it goes to a tool at once, so it is bounded by its size too, in memory
// and on disk, as long as one server runs.
func TestSessionLog_IsBoundedInBytes(t *testing.T) {
	dir := t.TempDir()
	l := NewSessionLog(dir, time.Now)
	large := `"` + strings.Repeat("x", maxSessionLine-1000) + `"`
	for range (maxSessionGrowth + 1) * maxSessionBytes / maxSessionLine {
		if err := l.Add(resultOf("t", large)); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(mustSession(t, l).Entries); n < 10 || n*len(large) > maxSessionBytes {
		t.Errorf("%d entries in memory", n)
	}
	info, err := os.Stat(filepath.Join(dir, sessionFile))
	if err != nil || info.Size() > (maxSessionGrowth+1)*maxSessionBytes {
		t.Fatalf("%v, %v", info, err)
	}
	if n := len(mustSession(t, NewSessionLog(dir, time.Now)).Entries); n < 10 || n*len(large) > maxSessionBytes {
		t.Errorf("%d entries from the file", n)
	}
	if info, err = os.Stat(filepath.Join(dir, sessionFile)); err != nil || info.Size() > 2*maxSessionBytes {
		t.Errorf("%d bytes after it was cut, %v", info.Size(), err)
	}
}
