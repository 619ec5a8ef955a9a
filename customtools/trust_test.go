package customtools

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// TestSection1_WhatTheWorkspaceBringsNeedsTrust: by real path, by link, by
// registry, by override. The user's own keep their names.
func TestSection1_WhatTheWorkspaceBringsNeedsTrust(t *testing.T) {
	const not = ": Not loaded: the workspace is not trusted"
	manifest := `{"xcsh":{"tools":"a.ts","features":{"f":{"tools":"b.ts"}}}}`
	tests := []struct {
		name          string
		files         map[string]string
		links         map[string]string
		configured    []string
		paths, errors []string
		chosen        []string // files of Project beside the errors'
	}{
		{name: "nothing of the workspace", files: blank("HOME/.claude/tools/u.ts"), paths: []string{"HOME/.claude/tools/u.ts claude user"}},
		{name: "discovered", files: blank("CWD/.xcsh/tools/a.ts", "HOME/.claude/tools/u.ts"),
			paths: []string{"HOME/.claude/tools/u.ts claude user"}, errors: []string{"CWD/.xcsh/tools/a.ts" + not}},
		{name: "the user's tool keeps its key", files: blank("CWD/.xcsh/tools/t.ts", "HOME/.xcsh/agent/tools/t.ts"),
			paths: []string{"HOME/.xcsh/agent/tools/t.ts native user"}, errors: []string{"CWD/.xcsh/tools/t.ts" + not}},
		{name: "configured inside and outside", files: blank("CWD/a.ts", "HOME/b.ts"), configured: []string{"a.ts", "~/b.ts"},
			paths: []string{"HOME/b.ts config project"}, errors: []string{"CWD/a.ts" + not}},
		{name: "a link in the workspace to a module elsewhere", files: blank("HOME/evil/e.ts"), links: map[string]string{"CWD/.claude/tools/e.ts": "HOME/evil/e.ts"},
			errors: []string{"CWD/.claude/tools/e.ts" + not}},
		{name: "a link elsewhere into the workspace", files: blank("CWD/lib/e.ts"), links: map[string]string{"HOME/.claude/tools/e.ts": "CWD/lib/e.ts"},
			errors: []string{"HOME/.claude/tools/e.ts" + not}},
		{name: "a configured directory that is a link", files: blank("CWD/lib/e.ts"), links: map[string]string{"HOME/lib": "CWD/lib"}, configured: []string{"~/lib/e.ts"},
			errors: []string{"HOME/lib/e.ts" + not}},
		{name: "a configured link to nothing", links: map[string]string{"HOME/n.ts": "HOME/none.ts"}, configured: []string{"~/n.ts"},
			errors: []string{"HOME/n.ts" + not}},
		{name: "the project's registry, whatever it names", files: map[string]string{
			"HOME/m/tools/m.ts": "", projectRegistry: registryText(`"p@x":[{"installPath":"HOME/m"}]`)},
			errors: []string{"HOME/m/tools/m.ts" + not}, chosen: []string{projectRegistry}},
		{name: "a user's plugin is not replaced by the project's", files: map[string]string{
			"HOME/m/tools/m.ts": "", "HOME/n/tools/n.ts": "",
			ownRegistry:     registryText(`"p@x":[{"installPath":"HOME/n"}]`),
			projectRegistry: registryText(`"p@x":[{"installPath":"HOME/m"}]`)},
			paths: []string{"HOME/n/tools/n.ts claude-plugins user"}, errors: []string{"HOME/m/tools/m.ts" + not}, chosen: []string{projectRegistry}},
		{name: "settings of the project", files: map[string]string{
			"HOME/m/tools/m.ts": "", claudeRegistry: registryText(`"p@x":[{"installPath":"HOME/m","enabled":false}]`),
			"CWD/.claude/settings.json": `{"enabledPlugins":{"p@x":true}}`},
			errors: []string{"HOME/m/tools/m.ts" + not}},
		{name: "overrides that choose features", files: map[string]string{
			pluginHome + "package.json": `{"dependencies":{"p":"1"}}`, pluginP + "package.json": manifest, pluginP + "a.ts": "", pluginP + "b.ts": "",
			"CWD/.xcsh/plugin-overrides.json": `{"features":{"p":["f"]}}`},
			paths: []string{pluginP + "a.ts plugin user"}, errors: []string{pluginP + "b.ts" + not}, chosen: []string{"CWD/.xcsh/plugin-overrides.json", pluginP + "a.ts"}},
		{name: "a plugin that is linked into the workspace", files: map[string]string{
			pluginHome + "package.json": `{"dependencies":{"p":"1"}}`, "CWD/p/package.json": manifest, "CWD/p/a.ts": ""},
			links: map[string]string{pluginHome + "node_modules/p": "CWD/p"}, errors: []string{pluginP + "a.ts" + not}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlace(t, tt.files)
			for name, target := range tt.links {
				p.link(target, name)
			}
			p.cfg.Configured = tt.configured
			d := Discover(p.cfg, false)
			p.wantPaths(d, tt.paths...)
			p.wantErrors(d.Errors, tt.errors...)

			// With trust all of it loads, and is what trust was about.
			all := p.discover()
			p.wantErrors(all.Errors)
			for _, line := range append(tt.errors, tt.chosen...) {
				file := p.expand(strings.TrimSuffix(line, not))
				if !strings.Contains(strings.Join(all.Project, "\n")+"\n", file+"\n") {
					t.Errorf("%s is not among %q", file, all.Project)
				}
			}
			if len(all.Project) != len(tt.errors)+len(tt.chosen) {
				t.Errorf("project files %q", all.Project)
			}
		})
	}
}

func TestInsideFolders_SymbolicLinks(t *testing.T) {
	p := newPlace(t, blank("CWD/in.ts", "HOME/out.ts"))
	p.link("CWD/in.ts", "HOME/to-in.ts")
	p.link("HOME/out.ts", "CWD/to-out.ts")
	for name, want := range map[string]bool{"CWD/in.ts": true, "HOME/out.ts": false, "HOME/to-in.ts": true, "CWD/to-out.ts": true,
		"CWD/missing/x": true, "HOME/missing/x": false, "PARENT/cwd2/x": false} {
		if got := InsideFolders(p.expand(name), []string{p.cwd}); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func newTrustPlace(t *testing.T, mode TrustMode) (*place, *Trust, []string) {
	p := newPlace(t, map[string]string{"CWD/.xcsh/tools/a.ts": "one"})
	return p, NewTrust(mode, NewTrustStore(filepath.Join(p.home, "state")), nil), []string{p.expand("CWD/.xcsh/tools/a.ts")}
}

func wantTrust(t *testing.T, trust *Trust, p *place, files []string, wantTrusted, wantAsk bool) *TrustQuestion {
	t.Helper()
	trusted, q, err := trust.Check(p.cwd, files)
	if err != nil || trusted != wantTrusted || (q != nil) != wantAsk {
		t.Fatalf("trusted %v, question %v, %v; want %v, %v", trusted, q, err, wantTrusted, wantAsk)
	}
	return q
}

func TestTrust_Modes(t *testing.T) {
	p, trust, files := newTrustPlace(t, TrustAlways)
	wantTrust(t, trust, p, files, true, false)
	trust.SetMode(TrustNever)
	wantTrust(t, trust, p, files, false, false)
	wantTrust(t, trust, p, nil, true, false)
	trust.SetMode(TrustAsk)
	wantTrust(t, trust, p, nil, true, false)
	wantTrust(t, trust, p, files, false, true)
	for setting, want := range map[string]TrustMode{"true": TrustAlways, "false": TrustNever, "ask": TrustAsk, "": TrustAsk} {
		if got := ParseTrustMode(setting); got != want {
			t.Errorf("%q: %v", setting, got)
		}
	}
}

func TestTrust_IsRememberedByPathAndDigest(t *testing.T) {
	p, trust, files := newTrustPlace(t, TrustAsk)
	q := wantTrust(t, trust, p, files, false, true)
	wantStrings(t, q.Files, files...)
	if err := trust.Grant(q); err != nil {
		t.Fatal(err)
	}
	wantTrust(t, trust, p, files, true, false)

	// By another session too, not for another path, not with another text.
	again := NewTrust(TrustAsk, NewTrustStore(filepath.Join(p.home, "state")), nil)
	wantTrust(t, again, p, files, true, false)
	if trusted, q, _ := again.Check(p.home, files); trusted || q == nil {
		t.Error("another workspace is trusted")
	}
	p.write(map[string]string{"CWD/.xcsh/tools/a.ts": "two"})
	wantTrust(t, again, p, files, false, true)
	p.write(map[string]string{"CWD/.xcsh/tools/a.ts": "one", "CWD/b.ts": ""})
	wantTrust(t, again, p, append(files, p.expand("CWD/b.ts")), false, true)
	wantTrust(t, again, p, files, true, false)

	info, err := os.Stat(filepath.Join(p.home, "state", "trust.json"))
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

func TestTrust_DeclinedIsNotAskedAgainUntilItChanges(t *testing.T) {
	p, trust, files := newTrustPlace(t, TrustAsk)
	trust.Decline(wantTrust(t, trust, p, files, false, true))
	wantTrust(t, trust, p, files, false, false)
	p.write(map[string]string{"CWD/.xcsh/tools/a.ts": "two"})
	wantTrust(t, trust, p, files, false, true)
}

func TestTrust_FilesThatChangeWhileTheQuestionIsOpenAreNotTrusted(t *testing.T) {
	p, trust, files := newTrustPlace(t, TrustAsk)
	q := wantTrust(t, trust, p, files, false, true)
	p.write(map[string]string{"CWD/.xcsh/tools/a.ts": "evil"})
	if err := trust.Grant(q); err == nil {
		t.Error("granted")
	}
	wantTrust(t, trust, p, files, false, true)
}

// What a module imports is part of what is trusted.
func TestTrust_CountsAllThatRuns(t *testing.T) {
	p, _, files := newTrustPlace(t, TrustAsk)
	helper := "1"
	trust := NewTrust(TrustAsk, NewTrustStore(filepath.Join(p.home, "state")), func(module string) ([]byte, error) { return []byte(module + helper), nil })
	if err := trust.Grant(wantTrust(t, trust, p, files, false, true)); err != nil {
		t.Fatal(err)
	}
	wantTrust(t, trust, p, files, true, false)
	helper = "2"
	wantTrust(t, trust, p, files, false, true)
}

func TestTrustStore_DamagedFile(t *testing.T) {
	p, trust, files := newTrustPlace(t, TrustAsk)
	p.write(map[string]string{"HOME/state/trust.json": "{"})
	trusted, q, err := trust.Check(p.cwd, files)
	if trusted || q == nil || err == nil || !strings.Contains(err.Error(), "trust.json cannot be read, so no workspace is trusted") {
		t.Fatalf("%v, %v, %v", trusted, q, err)
	}
	if err := trust.Grant(q); err != nil {
		t.Fatal(err)
	}
	wantTrust(t, trust, p, files, true, false)
}

func TestTrustStore_ManyAtOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	var wg sync.WaitGroup
	names := []string{"a", "b", "c", "d"}
	for _, name := range names {
		wg.Go(func() {
			if err := NewTrustStore(dir).Remember("/"+name, "digest "+name); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, name := range names {
		if got, err := NewTrustStore(dir).Digest("/" + name); got != "digest "+name || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// Only the code that was looked at may be run, and only where the decision went
// by the code.
func TestTrust_PinsTheCode(t *testing.T) {
	p, trust, files := newTrustPlace(t, TrustAsk)
	pinned := func() string {
		paths := []ToolPath{{Path: files[0]}, {Path: p.expand("HOME/own.ts")}}
		trust.Pin(paths)
		if paths[1].CodeSum != "" {
			t.Error("the user's own tool is pinned")
		}
		return paths[0].CodeSum
	}
	if err := trust.Grant(wantTrust(t, trust, p, files, false, true)); err != nil {
		t.Fatal(err)
	}
	wantTrust(t, trust, p, files, true, false)
	if got, want := pinned(), CodeSum([]byte("one")); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	trust.SetMode(TrustAlways)
	wantTrust(t, trust, p, files, true, false)
	if got := pinned(); got != "" {
		t.Errorf("trusted without a look at the code: %q", got)
	}
}

// A runtime is larger than any other file that is read, and still counts whole.
func TestTrust_CountsALargeRuntime(t *testing.T) {
	p, trust, _ := newTrustPlace(t, TrustAsk)
	program := p.expand("CWD/node")
	large := make([]byte, maxReadBytes+2)
	write := func() {
		if err := os.WriteFile(program, large, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write()
	if err := trust.Grant(wantTrust(t, trust, p, []string{program}, false, true)); err != nil {
		t.Fatal(err)
	}
	large[maxReadBytes+1] = 1
	write()
	wantTrust(t, trust, p, []string{program}, false, true)
}
