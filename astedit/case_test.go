package astedit_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/tools/txtar"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
)

var update = flag.Bool("update", false, "rewrite the expectations of the cases; a case that changes fails all the same, so that its diff is read")

// testCase is one txtar file. Its sections are
//
//	request.json     the tool's parameters
//	options.json     maxFiles and the environment, optional
//	files.json       path → content that a section cannot hold: CRLF, no final
//	                 newline, a byte order mark; "base64:" begins any bytes
//	links.json       path → target of symbolic links
//	open/PATH        text of an open document
//	PATH             a file on disk
//	want/text        the preview, or "error: " and the error's text
//	want/details.json, want/files/PATH, want/files.json
//	                 the details, and the new content of each changed file
type testCase struct {
	path    string
	archive *txtar.Archive
	request astedit.Request
	options caseOptions
	files   map[string]string // on disk
	links   map[string]string
	open    map[string]string
}

type caseOptions struct {
	MaxFiles int
	Env      map[string]string
}

func readCase(t *testing.T, path string) *testCase {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	c := &testCase{path: path, archive: archive, files: map[string]string{}, open: map[string]string{}}
	for _, f := range archive.Files {
		switch name := f.Name; {
		case name == "request.json":
			unmarshal(t, path, f, &c.request)
		case name == "options.json":
			unmarshal(t, path, f, &c.options)
		case name == "links.json":
			unmarshal(t, path, f, &c.links)
		case name == "files.json":
			odd := map[string]string{}
			unmarshal(t, path, f, &odd)
			for name, content := range odd {
				c.files[name] = decode(t, content)
			}
		case strings.HasPrefix(name, "open/"):
			c.open[strings.TrimPrefix(name, "open/")] = string(f.Data)
		case !strings.HasPrefix(name, "want/"):
			c.files[name] = string(f.Data)
		}
	}
	return c
}

func unmarshal(t *testing.T, path string, f txtar.File, into any) {
	t.Helper()
	if err := json.Unmarshal(f.Data, into); err != nil {
		t.Fatalf("%s: %s: %v", path, f.Name, err)
	}
}

func decode(t *testing.T, content string) string {
	t.Helper()
	encoded, ok := strings.CutPrefix(content, "base64:")
	if !ok {
		return content
	}
	data, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// write makes the case's workspace in a fresh directory.
func (c *testCase) write(t *testing.T) *workspace {
	t.Helper()
	w := newWorkspace(t)
	for name, content := range c.files {
		w.write(name, content)
	}
	for name, target := range c.links {
		if err := os.Symlink(target, w.path(name)); err != nil {
			t.Fatal(err)
		}
	}
	for name, content := range c.open {
		w.open[w.path(name)] = []byte(content)
	}
	return w
}

func (c *testCase) engineOptions() astedit.Options {
	maxFiles := c.options.MaxFiles
	if c.options.Env != nil {
		maxFiles = astedit.DefaultMaxFiles
		if n, ok := astedit.MaxFilesFromEnv(func(key string) string { return c.options.Env[key] }); ok {
			maxFiles = n
		}
	}
	return astedit.Options{MaxFiles: maxFiles}
}

// want returns the sections that a run's outcome makes.
func (c *testCase) want(t *testing.T, result *astedit.Result, err error) []txtar.File {
	t.Helper()
	if err != nil {
		if user := (*astedit.UserError)(nil); !errors.As(err, &user) {
			t.Fatalf("error %v is not for the user", err)
		}
		return []txtar.File{{Name: "want/text", Data: []byte("error: " + err.Error() + "\n")}}
	}
	sections := []txtar.File{{Name: "want/text", Data: []byte(result.Text() + "\n")}}
	details := result.Details(false)
	details.SearchPath, details.CWD = "", "" // differ from run to run
	data, err := json.MarshalIndent(details, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	sections = append(sections, txtar.File{Name: "want/details.json", Data: append(data, '\n')})
	odd := map[string]string{}
	for _, f := range result.Files {
		content, err := f.NewContent()
		switch {
		case err != nil:
			t.Fatal(err)
		case string(content) == string(f.Old):
		case fitsSection(string(content)):
			sections = append(sections, txtar.File{Name: "want/files/" + f.Display, Data: content})
		default:
			odd[f.Display] = string(content)
		}
	}
	if len(odd) > 0 {
		data, err := json.MarshalIndent(odd, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		visible := strings.ReplaceAll(string(data), text.BOM, `\ufeff`)
		sections = append(sections, txtar.File{Name: "want/files.json", Data: []byte(visible + "\n")})
	}
	return sections
}

// fitsSection reports whether content comes back as it is from a txtar section.
func fitsSection(content string) bool {
	return utf8.ValidString(content) && strings.HasSuffix(content, "\n") &&
		!strings.ContainsAny(content, "\r\ufeff") && len(txtar.Parse([]byte(content)).Files) == 0
}

// check compares the sections with the file's, or rewrites the file.
func (c *testCase) check(t *testing.T, got []txtar.File) {
	t.Helper()
	var kept []txtar.File
	want := map[string]string{}
	for _, f := range c.archive.Files {
		if strings.HasPrefix(f.Name, "want/") {
			want[f.Name] = string(f.Data)
		} else {
			kept = append(kept, f)
		}
	}
	for _, f := range got {
		if string(f.Data) != want[f.Name] {
			t.Errorf("%s\n--- got\n%s--- want\n%s", f.Name, f.Data, want[f.Name])
		}
		delete(want, f.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		t.Errorf("%s is expected, but the run does not give it", name)
	}
	if *update && t.Failed() {
		c.archive.Files = append(kept, got...)
		if err := os.WriteFile(c.path, txtar.Format(c.archive), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Log("rewritten: read its diff, then run again without -update")
	}
}

func TestCases(t *testing.T) {
	paths, err := filepath.Glob("testdata/cases/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	engine := newEngine(t)
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			c := readCase(t, path)
			w := c.write(t)
			result, err := engine.Run(context.Background(), w.snapshot(), c.request, c.engineOptions())
			c.check(t, c.want(t, result, err))
			if err == nil {
				checkResult(t, w, result)
			}
			for _, name := range slices.Sorted(maps.Keys(c.files)) {
				if data, err := os.ReadFile(w.path(name)); err != nil || string(data) != c.files[name] {
					t.Errorf("the run changed %s on disk (%v)", name, err)
				}
			}
		})
	}
}
