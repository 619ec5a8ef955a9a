package lsp_test

import (
	"os"
	"slices"
	"testing"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/internal/docexample"
)

// A reader who does what the page says has what it promises.
func TestCustomTools_DocumentedExamples(t *testing.T) {
	files, err := docexample.Files("../docs/custom-tools.md")
	if err != nil {
		t.Fatal(err)
	}
	files["README.md"] = "one\ntwo\n"
	files["notes.txt"] = "mine\n"
	f := startWith(t, editorNamed("an editor"), files, object{"trusted": true}, withTools(t))
	if tools, errors := f.toolNames(); !slices.Equal(tools, []string{"ast_edit", "count_lines", "delete_file"}) || len(errors) > 0 {
		t.Fatalf("tools %q, errors %q", tools, errors)
	}
	if got := f.run("xcsh.tools.call", object{"name": "count_lines", "params": object{"path": "README.md"}}).text(); got != "README.md: 2 lines" {
		t.Errorf("count_lines: %q", got)
	}
	remove := object{"name": "delete_file", "params": object{"path": "notes.txt"}}
	f.run("xcsh.tools.call", remove)
	f.write("notes.txt", "mine, and more\n")
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(f.path("notes.txt"), later, later); err != nil {
		t.Fatal(err)
	}
	failed := f.fails("xcsh.resolve", object{"action": "apply", "reason": "not needed"})
	if want := "Apply failed: notes.txt has changed since; propose it again."; failed.Message != want {
		t.Errorf("a changed file: %q", failed.Message)
	}
	f.run("xcsh.resolve", object{"action": "discard", "reason": "it has changed"})
	f.run("xcsh.tools.call", remove)
	if got := f.run("xcsh.resolve", object{"action": "apply", "reason": "not needed"}).text(); got != "Deleted notes.txt." {
		t.Errorf("delete_file: %q", got)
	}
	if _, err := os.Stat(f.path("notes.txt")); !os.IsNotExist(err) {
		t.Errorf("notes.txt: %v", err)
	}
}
