package customtools

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// place is a home and a working directory of one test.
type place struct {
	t         *testing.T
	home, cwd string
	env       Environment
	cfg       DiscoverConfig
}

// newPlace writes files into a fresh place: names begin with HOME/ or CWD/,
// and the same words in their texts become the folders' paths.
func newPlace(t *testing.T, files map[string]string) *place {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &place{t: t, home: filepath.Join(root, "home"), cwd: filepath.Join(root, "home", "src", "cwd")}
	for _, dir := range []string{p.home, p.cwd} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	p.write(files)
	p.env = Environment{Home: p.home, ConfigDir: ".xcsh"}
	p.cfg = DiscoverConfig{Folders: []string{p.cwd}, Environment: p.env}
	return p
}

func (p *place) expand(text string) string {
	return strings.NewReplacer("HOME/", p.home+"/", "CWD/", p.cwd+"/", "PARENT/", filepath.Dir(p.cwd)+"/").Replace(text)
}

func (p *place) shorten(text string) string {
	return strings.NewReplacer(p.cwd+"/", "CWD/", filepath.Dir(p.cwd)+"/", "PARENT/", p.home+"/", "HOME/").Replace(text)
}

func (p *place) write(files map[string]string) {
	p.t.Helper()
	for name, text := range files {
		path := p.expand(name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			p.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(p.expand(text)), 0o644); err != nil {
			p.t.Fatal(err)
		}
	}
}

func (p *place) link(target, name string) {
	p.t.Helper()
	path := p.expand(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.Symlink(p.expand(target), path); err != nil {
		p.t.Skip("no symbolic links here:", err)
	}
}

func (p *place) discover() Discovery { return Discover(p.cfg, true) }

// lines are the paths found, each with its provider and level.
func (p *place) lines(d Discovery) []string {
	lines := []string{}
	for _, path := range d.Paths {
		lines = append(lines, p.shorten(path.Path)+" "+path.Source.Provider+" "+path.Source.Level)
	}
	return lines
}

func (p *place) wantPaths(d Discovery, want ...string) {
	p.t.Helper()
	if got := p.lines(d); !slices.Equal(got, want) {
		p.t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

func (p *place) errorLines(errors []LoadError) []string {
	lines := []string{}
	for _, e := range errors {
		lines = append(lines, p.shorten(e.Path+": "+e.Error))
	}
	return lines
}

func (p *place) wantErrors(errors []LoadError, want ...string) {
	p.t.Helper()
	if got := p.errorLines(errors); !slices.Equal(got, want) {
		p.t.Errorf("errors\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

func (p *place) wantWarnings(d Discovery, want ...string) {
	p.t.Helper()
	got := make([]string, len(d.Warnings))
	for i, w := range d.Warnings {
		got[i] = p.shorten(w)
	}
	if !slices.Equal(got, want) {
		p.t.Errorf("warnings %q, want %q", got, want)
	}
}
