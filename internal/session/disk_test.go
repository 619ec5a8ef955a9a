package session_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/zap"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/internal/atomicfile"
	"github.com/xcsh-lsp/xcsh-lsp/internal/journal"
	"github.com/xcsh-lsp/xcsh-lsp/internal/session"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

func TestSessionWithoutAnEditor(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.ts")
	if err := os.WriteFile(path, []byte("foo(1);\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	engine, err := astedit.NewEngine()
	if err != nil {
		t.Fatal(err)
	}
	s := session.New(session.Config{
		Engine: engine, Host: session.DiskHost{Folders: []astedit.Folder{{Name: "w", Path: dir}}},
		Files: atomicfile.OS(), Journal: journal.New(atomicfile.OS(), t.TempDir(), filepath.Join(t.TempDir(), "apply.lock"), time.Now), Now: time.Now, Log: zap.NewNop(),
		Decisions: resolve.NewDecisionLog(resolve.DecisionLogConfig{Dir: t.TempDir()}),
		// An editor's setting, without an editor.
		Policy: func() session.Policy { return session.Policy{UnopenedThroughClient: true} },
	})
	defer s.Close()
	result, _, err := s.Propose(context.Background(), session.Proposal{Request: foo(), ProposedBy: human})
	if err != nil {
		t.Fatal(err)
	}
	ref := result.Details.(session.ProposalDetails).Pending
	if _, err := s.Resolve(context.Background(), session.Call{
		Params: resolve.Params{Action: resolve.Apply, Reason: "why"}, ID: ref.ID, Revision: ref.Revision, Actor: human,
	}); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "bar(1);\n" {
		t.Errorf("%q, %v", got, err)
	}
	list, err := s.Decisions.List(0, "", "")
	if err != nil || len(list) != 1 || list[0].Files[0].URI != "file://"+path {
		t.Errorf("decisions %+v, %v", list, err)
	}
}

func TestGlobalIgnore(t *testing.T) {
	home, config := t.TempDir(), t.TempDir()
	for _, dir := range []string{filepath.Join(home, ".config"), config} {
		if err := os.MkdirAll(filepath.Join(dir, "git"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "git", "ignore"), []byte("*.log\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, tc := range map[string]struct{ config, home, want string }{
		"by the variable":   {config, home, filepath.Join(config, "git", "ignore")},
		"in the home":       {"", home, filepath.Join(home, ".config", "git", "ignore")},
		"nowhere":           {"", "", ""},
		"file is not there": {t.TempDir(), home, ""},
	} {
		getenv := func(key string) string {
			if key == "XDG_CONFIG_HOME" {
				return tc.config
			}
			return ""
		}
		if got := session.GlobalIgnore(getenv, tc.home); got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}
