package customtools

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

func resultOf(name, details string) SessionMessage {
	return SessionMessage{
		Role: "toolResult", ToolCallID: "1", ToolName: name,
		Content: []resolve.Block{{Type: resolve.TextBlock, Text: "x"}}, Details: json.RawMessage(details),
	}
}

func mustSession(t *testing.T, l *SessionLog) Session {
	t.Helper()
	s, err := l.Session("/w")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A tool rebuilds its state from the results after a restart (15.2).
func TestSessionLog_OutlivesTheProgram(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "0123456789abcdef")
	l := NewSessionLog(dir, time.Now)
	if s := mustSession(t, l); s.Entries == nil {
		t.Error("no entries are no list")
	}
	for i := range 3 {
		if err := l.Add(resultOf("t", fmt.Sprintf(`{"n":%d}`, i))); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.OpenFile(filepath.Join(dir, "session.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("{\"type\":\"mess\n"); err != nil { // torn
		t.Fatal(err)
	}
	f.Close()
	again := NewSessionLog(dir, time.Now)
	s := mustSession(t, again)
	if len(s.Entries) != 3 || string(s.Entries[2].Message.Details) != `{"n":2}` || s.Entries[2].ParentID != s.Entries[1].ID || s.Entries[0].ParentID != "" {
		t.Errorf("%+v", s.Entries)
	}
	if s.Cwd != "/w" || s.ID != "0123456789abcdef" || s.Dir != dir || s.Entries[0].Type != "message" {
		t.Errorf("%+v", s)
	}
	if err := again.Add(resultOf("t", `{"n":3}`)); err != nil {
		t.Fatal(err)
	}
	if got := mustSession(t, NewSessionLog(dir, time.Now)); len(got.Entries) != 4 {
		t.Errorf("%d entries", len(got.Entries))
	}
}

func TestSessionLog_IsBounded(t *testing.T) {
	dir := t.TempDir()
	l := NewSessionLog(dir, time.Now)
	for i := range 2*maxSessionEntries + 1 {
		if err := l.Add(resultOf("t", fmt.Sprint(i))); err != nil {
			t.Fatal(err)
		}
	}
	s := mustSession(t, NewSessionLog(dir, time.Now))
	if len(s.Entries) != maxSessionEntries || string(s.Entries[0].Message.Details) != fmt.Sprint(maxSessionEntries+1) {
		t.Errorf("%d entries, the first %s", len(s.Entries), s.Entries[0].Message.Details)
	}
	text, err := os.ReadFile(filepath.Join(dir, "session.jsonl"))
	if err != nil || strings.Count(string(text), "\n") != maxSessionEntries {
		t.Errorf("%d lines, %v", strings.Count(string(text), "\n"), err)
	}
	err = l.Add(resultOf("big", `"`+strings.Repeat("x", maxSessionLine)+`"`))
	if err == nil || !strings.Contains(err.Error(), "the result of big is too large to be kept") {
		t.Errorf("got %v", err)
	}
}
