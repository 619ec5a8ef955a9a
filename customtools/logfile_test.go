package customtools

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/internal/filelock"
)

// logPlace is a log in a folder that is not there yet, and its clock.
type logPlace struct {
	*LogFile
	t    *testing.T
	time time.Time
}

func newLogPlace(t *testing.T) *logPlace {
	p := &logPlace{t: t, time: time.Date(2026, 3, 4, 5, 6, 7, 89e6, time.UTC)}
	p.LogFile = NewLogFile(filepath.Join(t.TempDir(), "cfg", "logs"), func() time.Time { return p.time })
	p.pid = 42
	return p
}

func (p *logPlace) write(entries ...LogEntry) {
	p.t.Helper()
	if err := p.Write(entries...); err != nil {
		p.t.Fatal(err)
	}
}

func (p *logPlace) read(name string) string {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(p.dir, name))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(text)
}

func (p *logPlace) names() []string {
	p.t.Helper()
	list, err := p.list()
	if err != nil {
		p.t.Fatal(err)
	}
	var names []string
	for _, n := range list {
		names = append(names, n.name)
	}
	return names
}

// Section 9: an object a line, with the context's keys beside the others.
func TestSection9_LogLines(t *testing.T) {
	const begin = `{"timestamp":"2026-03-04T05:06:07.089Z","level":"warn","pid":42,"message":`
	for name, c := range map[string]struct {
		entry LogEntry
		want  string
	}{
		"plain":             {LogEntry{Message: "m"}, `"m"}`},
		"context":           {LogEntry{Message: "m", Context: json.RawMessage(`{"b":1,"a":{"x":[null,"<&>"]}}`)}, `"m","b":1,"a":{"x":[null,"<&>"]}}`},
		"keys of ours":      {LogEntry{Message: "m", Context: json.RawMessage(`{"pid":1,"message":"x"}`)}, `"m","context.pid":1,"context.message":"x"}`},
		"a module":          {LogEntry{Message: "m", Path: "/w/t.ts"}, `"m","module":"/w/t.ts"}`},
		"no object":         {LogEntry{Message: "m", Context: json.RawMessage(`[1]`)}, `"m","context":[1]}`},
		"null":              {LogEntry{Message: "m", Context: json.RawMessage(`null`)}, `"m"}`},
		"no JSON":           {LogEntry{Message: "m", Context: json.RawMessage(`{`)}, `"m","context":"{"}`},
		"ends of lines":     {LogEntry{Message: "a\r\nb\u2028c"}, `"a\r\nb\u2028c"}`},
		"no UTF-8":          {LogEntry{Message: "a\xffb"}, `"a` + "\uFFFD" + `b"}`},
		"digits of numbers": {LogEntry{Message: "m", Context: json.RawMessage(`{"n":12345678901234567890}`)}, `"m","n":12345678901234567890}`},
	} {
		t.Run(name, func(t *testing.T) {
			p := newLogPlace(t)
			c.entry.Level = LogWarn
			p.write(c.entry)
			got := p.read("xcsh.2026-03-04.log")
			wantText(t, got, begin+c.want+"\n")
			if !json.Valid([]byte(got)) {
				t.Error("no JSON")
			}
		})
	}
	p := newLogPlace(t)
	p.write(LogEntry{Level: LogError, Message: strings.Repeat("é", maxLogLine), Context: json.RawMessage(`{"a":1}`)})
	got := p.read("xcsh.2026-03-04.log")
	if len(got) > 2*maxCutMessage || !strings.HasSuffix(got, `é","cut":"a line of 2097236 bytes"}`+"\n") {
		t.Errorf("a line that is too long has %d bytes and ends with %q", len(got), got[max(0, len(got)-60):])
	}
}

// Section 9: a file a day, put aside at 10 MB; the newest five are kept.
func TestSection9_LogRotation(t *testing.T) {
	p := newLogPlace(t)
	p.write(LogEntry{Level: LogDebug, Message: "first day"})
	if info, err := os.Stat(p.dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder: %v, %v", info, err)
	}
	if info, err := os.Stat(filepath.Join(p.dir, "xcsh.2026-03-04.log")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v, %v", info, err)
	}
	for _, other := range []string{"xcsh.log", "other.2026-03-04.log", "xcsh.2026-03-04.log.gz"} {
		if err := os.WriteFile(filepath.Join(p.dir, other), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p.time = p.time.AddDate(0, 0, 1)
	half := LogEntry{Level: LogDebug, Message: strings.Repeat("x", maxLogLine-200)}
	var many []LogEntry
	for range 24 { // more than two files
		many = append(many, half)
	}
	p.write(many...)
	wantStrings(t, p.names(), "xcsh.2026-03-04.log", "xcsh.2026-03-05.1.log", "xcsh.2026-03-05.2.log", "xcsh.2026-03-05.log")
	for _, name := range p.names() {
		if info, err := os.Stat(filepath.Join(p.dir, name)); err != nil || info.Size() > maxLogFile {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	p.time = p.time.AddDate(0, 0, 1)
	p.write(LogEntry{Level: LogDebug, Message: "third day"})
	wantStrings(t, p.names(), "xcsh.2026-03-04.log", "xcsh.2026-03-05.1.log", "xcsh.2026-03-05.2.log", "xcsh.2026-03-05.log", "xcsh.2026-03-06.log")
	p.time = p.time.AddDate(0, 0, 1)
	p.write(LogEntry{Level: LogDebug, Message: "fourth day"})
	p.write(LogEntry{Level: LogDebug, Message: "more of it"})
	wantStrings(t, p.names(), "xcsh.2026-03-05.1.log", "xcsh.2026-03-05.2.log", "xcsh.2026-03-05.log", "xcsh.2026-03-06.log", "xcsh.2026-03-07.log")
	if lines := strings.Count(p.read("xcsh.2026-03-07.log"), "\n"); lines != 2 {
		t.Errorf("%d lines", lines)
	}
	for _, other := range []string{"xcsh.log", "other.2026-03-04.log", "xcsh.2026-03-04.log.gz"} {
		p.read(other)
	}
}

// Servers share the log: none loses a line of another, also while files are put
// aside. Each LogFile stands for a process: locks of one exclude each other too.
func TestLogFile_SeveralServers(t *testing.T) {
	p := newLogPlace(t)
	pad := strings.Repeat("x", 64<<10)
	var work sync.WaitGroup
	const servers, entries = 4, 60 // 15 MB
	for server := range servers {
		work.Go(func() {
			log := NewLogFile(p.dir, p.now)
			for i := range entries {
				if err := log.Write(LogEntry{Level: LogDebug, Message: fmt.Sprint(server, " ", i), Context: json.RawMessage(`{"pad":"` + pad + `"}`)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	work.Wait()
	seen := map[string]bool{}
	for _, name := range p.names() {
		for line := range strings.Lines(p.read(name)) {
			var entry struct{ Message string }
			if err := json.Unmarshal([]byte(line), &entry); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			seen[entry.Message] = true
		}
	}
	if len(seen) != servers*entries || len(p.names()) != 2 {
		t.Errorf("%d lines in %q", len(seen), p.names())
	}
}

func TestLogFile_Failures(t *testing.T) {
	p := newLogPlace(t)
	if err := os.WriteFile(filepath.Dir(p.dir), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	err := p.Write(LogEntry{Level: LogDebug, Message: "m"})
	if err == nil {
		t.Fatal("it was written")
	}
	wantPrefix(t, err.Error(), "the tools' log cannot be written: mkdir ")
}

// Another server that stopped while it rotated costs no line, only the size of a
// file.
func TestLogFile_RotationIsHeldUp(t *testing.T) {
	p := newLogPlace(t)
	p.write(LogEntry{Level: LogDebug, Message: "first"})
	if err := os.Truncate(filepath.Join(p.dir, "xcsh.2026-03-04.log"), maxLogFile); err != nil {
		t.Fatal(err)
	}
	release, err := filelock.Acquire(filepath.Join(p.dir, logLock), time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if err := p.Write(LogEntry{Level: LogDebug, Message: "second"}); !errors.Is(err, filelock.ErrBusy) {
		t.Errorf("error %v", err)
	}
	wantStrings(t, p.names(), "xcsh.2026-03-04.log")
	if got := p.read("xcsh.2026-03-04.log"); !strings.HasSuffix(got, "\"second\"}\n") {
		t.Errorf("the file ends with %q", got[len(got)-20:])
	}
}
