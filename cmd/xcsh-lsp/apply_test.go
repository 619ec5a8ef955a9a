package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// decisions reads the log of the workspace whose first folder is this.
func (s *shell) decisions(folder string) []resolve.Decision {
	s.t.Helper()
	sum := sha256.Sum256([]byte(folder))
	data, err := os.ReadFile(filepath.Join(s.state, "xcsh-lsp", hex.EncodeToString(sum[:])[:16], "decisions.jsonl"))
	if err != nil {
		s.t.Fatal(err)
	}
	var all []resolve.Decision
	for line := range strings.Lines(string(data)) {
		var d resolve.Decision
		decode(s.t, line, &d)
		all = append(all, d)
	}
	return all
}

func (s *shell) noDecisions() {
	s.t.Helper()
	if found, err := filepath.Glob(filepath.Join(s.state, "xcsh-lsp", "*", "decisions.jsonl")); err != nil || len(found) > 0 {
		s.t.Errorf("decisions %v, %v", found, err)
	}
}

func contentHash(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}

func TestApply(t *testing.T) {
	s := newShell(t)
	s.write("a.ts", "\ufefffoo(1);\r\nfoo(2);") // no newline at the end
	s.write("src/run.ts", "foo(3);\n")
	s.write("src/same.ts", "nothing;\n")
	if err := os.Chmod("src/run.ts", 0o750); err != nil {
		t.Fatal(err)
	}
	s.edit("--apply", "--reason", "bar replaces foo").prints(t, "# a.ts (2 replacements)\n-1:2 foo(1)\n+1:2 bar(1)\n-2:1 foo(2)\n+2:1 bar(2)\n\n"+
		"# src\n## └─ run.ts (1 replacement)\n-1:1 foo(3)\n+1:1 bar(3)\n\nApplied 3 replacements in 2 files.\n")

	s.holds("a.ts", "\ufeffbar(1);\r\nbar(2);")
	s.holds("src/run.ts", "bar(3);\n")
	s.holds("src/same.ts", "nothing;\n")
	if info, err := os.Stat("src/run.ts"); err != nil || info.Mode().Perm() != 0o750 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if names, err := filepath.Glob("*"); err != nil || len(names) != 2 {
		t.Errorf("left behind: %v, %v", names, err)
	}
	if hidden, err := filepath.Glob(".*"); err != nil || len(hidden) != 0 {
		t.Errorf("left behind: %v, %v", hidden, err)
	}

	all := s.decisions(s.dir)
	if len(all) != 1 {
		t.Fatalf("%d decisions", len(all))
	}
	d := all[0]
	shell := resolve.Actor{Kind: resolve.Human, Name: "xcsh-lsp ast-edit"}
	if d.Action != resolve.Apply || d.Reason != "bar replaces foo" || d.ReasonFrom != resolve.ReasonArgument || d.ProposedBy != shell ||
		d.DecidedBy != shell || d.SourceToolName != "ast_edit" || d.Label != "AST Edit: 3 replacements in 2 files" || len(d.Files) != 2 {
		t.Errorf("decision %+v", d)
	}
	if f := d.Files[1]; f.URI != "file://"+filepath.ToSlash(s.dir)+"/src/run.ts" || !f.Verified ||
		!strings.Contains(f.Before, contentHash("foo(3);\n")) || !strings.Contains(f.After, contentHash("bar(3);\n")) {
		t.Errorf("file %+v", f)
	}
	if info, err := os.Stat(filepath.Join(s.state, "xcsh-lsp")); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("state folder %v, %v", info, err)
	}
}

func TestApplyWithPaths(t *testing.T) {
	apply := []string{"--apply", "--reason", "because"}
	t.Run("below the current folder, whose log it is", func(t *testing.T) {
		s := newShell(t)
		s.write("src/a.ts", "foo(1);\n")
		s.write("b.ts", "foo(1);\n")
		s.edit(append(apply, "src")...)
		s.holds("src/a.ts", "bar(1);\n")
		s.holds("b.ts", "foo(1);\n")
		if n := len(s.decisions(s.dir)); n != 1 {
			t.Errorf("%d decisions", n)
		}
	})
	t.Run("flags after the PATH", func(t *testing.T) {
		s := newShell(t)
		s.write("a.ts", "foo(1);\n")
		s.edit(append([]string{"a.ts"}, apply...)...)
		s.holds("a.ts", "bar(1);\n")
	})
	t.Run("elsewhere, in the order given", func(t *testing.T) {
		s := newShell(t)
		s.write("a.ts", "foo(1);\n")
		s.write("../other/b.ts", "foo(2);\n")
		s.edit(append(apply, "../other/b.ts", "a.ts")...)
		s.holds("a.ts", "bar(1);\n")
		s.holds("../other/b.ts", "bar(2);\n")
		if all := s.decisions(filepath.Join(filepath.Dir(s.dir), "other")); len(all) != 1 || len(all[0].Files) != 2 {
			t.Errorf("decisions %+v", all)
		}
	})
	t.Run("twice", func(t *testing.T) {
		s := newShell(t)
		s.write("a.ts", "foo(1);\n")
		s.edit(apply...)
		s.edit(apply...).prints(t, "No replacements made\n")
		if n := len(s.decisions(s.dir)); n != 1 {
			t.Errorf("%d decisions", n)
		}
	})
}

func TestApplyAllOrNothing(t *testing.T) {
	apply := []string{"--apply", "--reason", "because"}
	t.Run("a read-only file", func(t *testing.T) {
		s := newShell(t)
		for _, name := range []string{"a.ts", "b.ts", "c.ts"} {
			s.write(name, "foo(1);\n")
		}
		if err := os.Chmod("b.ts", 0o444); err != nil {
			t.Fatal(err)
		}
		s.edit(apply...).fails(t, "Apply failed: Failed to write b.ts: the file is read-only")
		for _, name := range []string{"a.ts", "b.ts", "c.ts"} {
			s.holds(name, "foo(1);\n")
		}
		s.noDecisions()
	})
	t.Run("nowhere to keep the reason", func(t *testing.T) {
		s := newShell(t)
		s.write("a.ts", "foo(1);\n")
		s.write("../state", "a file\n")
		s.edit(apply...).failsWith(t, "create state folder: ")
		s.holds("a.ts", "foo(1);\n")
	})
	t.Run("a decision that cannot be kept is said", func(t *testing.T) {
		s := newShell(t)
		s.write("a.ts", "foo(1);\n")
		s.write(stateOf(s)+"/decisions.jsonl/x", "a folder where the file would be\n")
		o := s.edit(apply...)
		if o.status != exitOK || !strings.Contains(o.stdout, "Applied 1 replacement in 1 file.\n") ||
			!strings.Contains(o.stdout, "Warning: the decision on ") {
			t.Errorf("%+v", o)
		}
		s.holds("a.ts", "bar(1);\n")
	})
	t.Run("nothing is written without a journal", func(t *testing.T) {
		s := newShell(t)
		s.write("a.ts", "foo(1);\n")
		s.write(stateOf(s), "a file where the folder would be\n")
		s.edit(apply...).failsWith(t, "Apply failed: cannot keep the journal that undoes the apply after a crash: ")
		s.holds("a.ts", "foo(1);\n")
	})
	t.Run("interrupted", func(t *testing.T) {
		s := newShell(t)
		s.write("a.ts", "foo(1);\n")
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		s.runContext(ctx, append([]string{"ast-edit", "--pat", "foo($A)", "--out", "bar($A)"}, apply...)...).
			fails(t, "interrupted; nothing was written")
		s.holds("a.ts", "foo(1);\n")
		s.noDecisions()
	})
}

// An apply that was cut off is undone before the next, and the user is told.
func TestApplyUndoesWhatWasCutOff(t *testing.T) {
	s := newShell(t)
	const old, new = "foo(1);\n", "cut(1);\n"
	s.write("a.ts", new)
	s.write(".xcsh-A.old", old)
	s.write(".xcsh-A", "staged")
	hash := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return hex.EncodeToString(sum[:])
	}
	record, err := json.Marshal(map[string]any{"version": 1, "label": "a label", "files": []any{map[string]any{
		"path": s.dir + "/a.ts", "real": s.dir + "/a.ts", "temp": s.dir + "/.xcsh-A", "backup": s.dir + "/.xcsh-A.old",
		"before": hash(old), "after": hash(new), "mode": 0o644,
	}}})
	if err != nil {
		t.Fatal(err)
	}
	s.write(stateOf(s)+"/journal/A.begun", string(record))
	o := s.edit("--apply", "--reason", "r")
	if want := "xcsh-lsp: warning: The server was cut off while it applied \"a label\": what it had written is undone.\n"; o.status != exitOK || o.stderr != want {
		t.Errorf("%+v", o)
	}
	s.holds("a.ts", "bar(1);\n")
	if left, err := filepath.Glob(".xcsh-*"); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// stateOf is the folder of the workspace's state, relative to it.
func stateOf(s *shell) string {
	sum := sha256.Sum256([]byte(s.dir))
	return "../state/xcsh-lsp/" + hex.EncodeToString(sum[:])[:16]
}
