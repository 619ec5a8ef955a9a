package lsp_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Each test, case and session that docs/traps.md names is there.
func TestTrapsDocument(t *testing.T) {
	doc, err := os.ReadFile("../docs/traps.md")
	if err != nil {
		t.Fatal(err)
	}
	var sources strings.Builder
	err = filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (strings.HasPrefix(entry.Name(), ".") && entry.Name() != ".." || entry.Name() == "node_modules"):
			return filepath.SkipDir
		case strings.HasSuffix(path, ".txtar"):
			sources.WriteString(entry.Name() + "\n")
		case strings.HasSuffix(path, "_test.go"):
			content, err := os.ReadFile(path)
			sources.Write(content)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`(Test\\w+|Fuzz\\w+|\\w+\\.txtar)`").FindAllSubmatch(doc, -1)
	if len(named) < 60 {
		t.Errorf("the document names %d tests", len(named))
	}
	for _, match := range named {
		name := string(match[1])
		if !strings.Contains(sources.String(), "func "+name+"(") && !strings.Contains(sources.String(), name+"\n") {
			t.Errorf("%s is not there", name)
		}
	}
}
