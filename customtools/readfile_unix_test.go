//go:build unix

package customtools

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestDiscover_ReadsNoPipeAndNoDevice: an untrusted workspace must not hold the
// server up, nor use its memory up, by being opened. The test's own timeout is
// what fails it.
func TestDiscover_ReadsNoPipeAndNoDevice(t *testing.T) {
	p := newPlace(t, blank("CWD/.xcsh/tools/good.ts"))
	for _, name := range []string{
		"CWD/.xcsh/tools/a.md", "CWD/.xcsh/tools/b.ts", "CWD/.xcsh/tools/.gitignore", "CWD/.xcsh/plugin-overrides.json",
		"CWD/.claude/settings.json", projectRegistry, "CWD/.git",
	} {
		path := p.expand(name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Skip("no pipes here:", err)
		}
	}
	for _, name := range []string{"CWD/.xcsh/tools/zero.ts", "CWD/.codex/plugin-overrides.json", "CWD/.claude/settings.local.json"} {
		p.link("/dev/zero", name)
	}
	large, err := os.Create(p.expand("CWD/.xcsh/tools/large.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer large.Close()
	if err := large.Truncate(maxReadBytes + 1); err != nil {
		t.Fatal(err)
	}
	for _, trusted := range []bool{false, true} {
		d := Discover(p.cfg, trusted)
		var warned bool
		for _, w := range d.Warnings {
			warned = warned || strings.HasSuffix(w, "Failed to read file: "+p.expand("CWD/.xcsh/tools/large.json"))
		}
		if !warned {
			t.Errorf("warnings %q", d.Warnings)
		}
		if trusted {
			p.wantPaths(d, "CWD/.xcsh/tools/good.ts native project")
		}
	}
}
