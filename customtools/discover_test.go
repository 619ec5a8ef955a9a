package customtools

import (
	"os"
	"path/filepath"
	"testing"
)

// blank are module files without a text: discovery does not look into them.
func blank(names ...string) map[string]string {
	files := map[string]string{}
	for _, name := range names {
		files[name] = "export default 1\n"
	}
	return files
}

// TestStatements1To13_Providers: one case for each statement.
func TestStatements1To13_Providers(t *testing.T) {
	tests := []struct {
		name  string
		files []string
		want  []string
	}{
		{"1 project native", []string{"CWD/.xcsh/tools/a.ts"}, []string{"CWD/.xcsh/tools/a.ts native project"}},
		{"2 user native", []string{"HOME/.xcsh/agent/tools/b.ts"}, []string{"HOME/.xcsh/agent/tools/b.ts native user"}},
		{"3 claude", []string{"HOME/.claude/tools/c.ts", "CWD/.claude/tools/d.js"},
			[]string{"HOME/.claude/tools/c.ts claude user", "CWD/.claude/tools/d.js claude project"}},
		{"4 codex", []string{"HOME/.codex/tools/e.ts", "CWD/.codex/tools/f.js"},
			[]string{"HOME/.codex/tools/e.ts codex user", "CWD/.codex/tools/f.js codex project"}},
		{"5 and 6 folder", []string{"CWD/.xcsh/tools/g/index.ts", "CWD/.xcsh/tools/g/helper.ts", "CWD/.xcsh/tools/only/helper.ts"},
			[]string{"CWD/.xcsh/tools/g/index.ts native project"}},
		{"index.js where index.ts is missing", []string{"CWD/.xcsh/tools/g/index.js", "CWD/.xcsh/tools/h/index.js", "CWD/.xcsh/tools/h/index.ts"},
			[]string{"CWD/.xcsh/tools/g/index.js native project", "CWD/.xcsh/tools/h/index.ts native project"}},
		{"7 no folders elsewhere", []string{"CWD/.claude/tools/h/index.ts"}, nil},
		{"8 hidden", []string{"CWD/.xcsh/tools/.hidden.ts", "CWD/.xcsh/tools/.dir/index.ts", "CWD/.xcsh/tools/node_modules/index.ts"}, nil},
		{"9 declarations", []string{"CWD/.xcsh/tools/types.d.ts"}, nil},
		{"10 parent", []string{"PARENT/.xcsh/tools/x.ts"}, nil},
		{"11 one key in three", []string{"CWD/.xcsh/tools/t.ts", "CWD/.claude/tools/t.ts", "CWD/.codex/tools/t.ts"},
			[]string{"CWD/.xcsh/tools/t.ts native project"}},
		{"12 project before user in native", []string{"CWD/.xcsh/tools/t.ts", "HOME/.xcsh/agent/tools/t.ts"},
			[]string{"CWD/.xcsh/tools/t.ts native project"}},
		{"13 user before project in claude", []string{"HOME/.claude/tools/t.ts", "CWD/.claude/tools/t.ts"},
			[]string{"HOME/.claude/tools/t.ts claude user"}},
		{"16 scripts", []string{"CWD/.xcsh/tools/s.sh", "CWD/.xcsh/tools/s.bash", "CWD/.xcsh/tools/s.py"}, nil},
		{"a project folder before a user file", []string{"HOME/.xcsh/agent/tools/t.ts", "CWD/.xcsh/tools/t/index.ts"},
			[]string{"CWD/.xcsh/tools/t/index.ts native project"}},
		{"a key is the name without its ending", []string{"CWD/.xcsh/tools/t.ts", "CWD/.claude/tools/t.js"},
			[]string{"CWD/.xcsh/tools/t.ts native project"}},
		{"byte order within a directory", []string{"CWD/.claude/tools/b.ts", "CWD/.claude/tools/a.ts", "CWD/.claude/tools/B.ts", "CWD/.claude/tools/a-b.js"},
			[]string{"CWD/.claude/tools/B.ts claude project", "CWD/.claude/tools/a-b.js claude project", "CWD/.claude/tools/a.ts claude project", "CWD/.claude/tools/b.ts claude project"}},
		{"endings that are not accepted", []string{"CWD/.xcsh/tools/a.mjs", "CWD/.claude/tools/b.cjs", "CWD/.claude/tools/c.TS", "CWD/.claude/tools/d.md"}, nil},
		{"xcsh of the user", []string{"HOME/.xcsh/tools/a.ts"}, []string{"HOME/.xcsh/tools/a.ts xcsh user"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlace(t, blank(tt.files...))
			d := p.discover()
			p.wantPaths(d, tt.want...)
			p.wantErrors(d.Errors)
			p.wantWarnings(d)
		})
	}
}

func TestStatements14And15_MetadataIsToldOfAndShadowsNothing(t *testing.T) {
	p := newPlace(t, blank("CWD/.xcsh/tools/n.md", "CWD/.xcsh/tools/n.ts", "CWD/.xcsh/tools/o.json", "CWD/.xcsh/tools/p.sh"))
	d := p.discover()
	p.wantPaths(d, "CWD/.xcsh/tools/n.ts native project")
	const text = "Declarative tool files (.md, .json) cannot be loaded as executable modules"
	p.wantErrors(d.Errors, "CWD/.xcsh/tools/n.md: "+text, "CWD/.xcsh/tools/o.json: "+text)
	if len(d.Metadata) != 3 {
		t.Errorf("metadata %v", d.Metadata)
	}
}

func TestItems_KeysAndDescriptions(t *testing.T) {
	p := newPlace(t, map[string]string{
		"CWD/.xcsh/tools/a.json": `{"name":"A","description":"does a"}`,
		"CWD/.xcsh/tools/b.json": `{"name":1,"description":"  "}`,
		"CWD/.xcsh/tools/c.json": `{`,
		"CWD/.xcsh/tools/d.md":   "---\nname: D\ndescription: does d\n---\ntext",
		"CWD/.xcsh/tools/e.md":   "---\r\ndescription: ''\r\n---\r\n",
		"CWD/.xcsh/tools/f.md":   "name: x",
		"CWD/.xcsh/tools/g.md":   "---\nname: [\n---\n",
		"CWD/.xcsh/tools/h.json": `{"name":""}`,
		"CWD/.xcsh/tools/s.sh":   "",
	})
	d := p.discover()
	want := []string{"A: does a", "b: b custom tool", "c: c custom tool", "D: does d", "e: e custom tool", "f: f custom tool", "s: s custom tool"}
	var got []string
	for _, item := range d.Metadata {
		got = append(got, item.Key+": "+item.Description)
	}
	wantStrings(t, got, want...)
	if len(d.Warnings) != 2 {
		t.Fatalf("warnings %q", d.Warnings)
	}
	wantPrefix(t, p.shorten(d.Warnings[0]), "[OMP] Failed to parse CWD/.xcsh/tools/g.md: front matter: ")
	wantStrings(t, []string{p.shorten(d.Warnings[1])}, "[OMP] Invalid item at CWD/.xcsh/tools/h.json: Missing name")
}

func TestStatement17_IgnoredFilesAreNoTools(t *testing.T) {
	p := newPlace(t, blank("CWD/.xcsh/tools/i.ts", "CWD/.xcsh/tools/j.ts", "CWD/.xcsh/tools/k/index.ts", "CWD/.xcsh/tools/l/index.ts"))
	p.write(map[string]string{"CWD/.git/HEAD": "", "CWD/.gitignore": "i.ts\n.xcsh/tools/k/\n"})
	p.wantPaths(p.discover(), "CWD/.xcsh/tools/j.ts native project", "CWD/.xcsh/tools/l/index.ts native project")

	// A directory that is ignored as a whole keeps its tools.
	p.write(map[string]string{"CWD/.gitignore": ".xcsh/\n"})
	if got := len(p.discover().Paths); got != 4 {
		t.Errorf("%d tools of an ignored directory, want 4", got)
	}
}

func TestStatement18_Disabled(t *testing.T) {
	p := newPlace(t, blank("CWD/.xcsh/tools/a.ts", "CWD/.xcsh/tools/b.ts", "CWD/.codex/tools/c.ts"))
	p.cfg.DisabledExtensions = []string{"tool:a"}
	p.cfg.DisabledProviders = []string{"codex"}
	p.wantPaths(p.discover(), "CWD/.xcsh/tools/b.ts native project")
	p.cfg.DisabledProviders = []string{"native"}
	p.wantPaths(p.discover(), "CWD/.xcsh/tools/b.ts xcsh project", "CWD/.codex/tools/c.ts codex project")
}

func TestStatement19_ConfigDirMovesTheUserSideOnly(t *testing.T) {
	p := newPlace(t, blank("HOME/.cfg/agent/tools/a.ts", "HOME/.xcsh/agent/tools/b.ts", "CWD/.xcsh/tools/c.ts", "CWD/.cfg/tools/d.ts"))
	env := map[string]string{"PI_CONFIG_DIR": ".cfg"}
	p.cfg.Environment = NewEnvironment(func(k string) string { return env[k] }, "linux", p.home)
	p.wantPaths(p.discover(), "CWD/.xcsh/tools/c.ts native project", "HOME/.cfg/agent/tools/a.ts native user")
}

func TestStatement20_OrderOfAllSources(t *testing.T) {
	p := newPlace(t, blank("CWD/.xcsh/tools/a.ts", "HOME/.claude/tools/b.ts", "HOME/.xcsh/tools/c.ts", "HOME/mp/tools/d.ts",
		"HOME/.codex/tools/e.ts", "HOME/.xcsh/plugins/node_modules/p/t.ts", "CWD/g.ts"))
	p.write(map[string]string{
		"HOME/.xcsh/plugins/installed_plugins.json":      `{"version":1,"plugins":{"x@m":[{"installPath":"HOME/mp"}]}}`,
		"HOME/.xcsh/plugins/package.json":                `{"dependencies":{"p":"1"}}`,
		"HOME/.xcsh/plugins/node_modules/p/package.json": `{"xcsh":{"tools":"./t.ts"}}`,
	})
	p.cfg.Configured = []string{"g.ts"}
	p.wantPaths(p.discover(),
		"CWD/.xcsh/tools/a.ts native project",
		"HOME/.claude/tools/b.ts claude user",
		"HOME/.xcsh/tools/c.ts xcsh user",
		"HOME/mp/tools/d.ts claude-plugins user",
		"HOME/.codex/tools/e.ts codex user",
		"HOME/.xcsh/plugins/node_modules/p/t.ts plugin user",
		"CWD/g.ts config project")
}

func TestStatements21To26_ConfiguredPathsAreLoadedOnce(t *testing.T) {
	p := newPlace(t, blank("CWD/.xcsh/tools/a.ts", "CWD/tool.ts", "HOME/t.ts", "CWD/my tool.ts"))
	p.cfg.Configured = []string{".xcsh/tools/a.ts", "./x/../tool.ts", "tool.ts", "~/t.ts", "~t.ts", "@~/t.ts", "@t.ts", "my\u00a0tool.ts", "my tool.ts",
		"file://" + p.cwd + "/my%20tool.ts", "mcp://x"}
	d := p.discover()
	p.wantPaths(d,
		"CWD/.xcsh/tools/a.ts native project",
		"CWD/tool.ts config project",
		"HOME/t.ts config project",
		"CWD/@t.ts config project",
		"CWD/my tool.ts config project")
	p.wantErrors(d.Errors, `mcp://x: Path "mcp://x" uses internal scheme "mcp://" and must be resolved through the proper protocol handler, not as a filesystem path.`)
}

func TestDiscover_LinksToFilesCountAndToFoldersDoNot(t *testing.T) {
	p := newPlace(t, blank("HOME/real/a.ts", "HOME/real/sub/index.ts"))
	p.link("HOME/real/a.ts", "CWD/.xcsh/tools/a.ts")
	p.link("HOME/real/sub", "CWD/.xcsh/tools/sub")
	p.link("HOME/real/none.ts", "CWD/.xcsh/tools/none.ts")
	p.wantPaths(p.discover(), "CWD/.xcsh/tools/a.ts native project")
}

func TestDiscover_UnreadableFile(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root reads everything")
	}
	p := newPlace(t, blank("CWD/.xcsh/tools/a.ts", "CWD/.xcsh/tools/b.ts"))
	if err := os.Chmod(p.expand("CWD/.xcsh/tools/a.ts"), 0); err != nil {
		t.Fatal(err)
	}
	d := p.discover()
	p.wantPaths(d, "CWD/.xcsh/tools/b.ts native project")
	p.wantWarnings(d, "[OMP] Failed to read file: CWD/.xcsh/tools/a.ts", "[xcsh] Failed to read file: CWD/.xcsh/tools/a.ts")
}

func TestDiscover_LaterFoldersBringTheirOwnOnly(t *testing.T) {
	p := newPlace(t, blank("CWD/.xcsh/tools/a.ts", "PARENT/other/.xcsh/tools/a.ts", "PARENT/other/.claude/tools/b.ts", "HOME/.claude/tools/u.ts", "CWD/c.ts"))
	other := filepath.Join(filepath.Dir(p.cwd), "other")
	p.cfg.Folders = append(p.cfg.Folders, other)
	p.cfg.Configured = []string{"c.ts"}
	d := p.discover()
	p.wantPaths(d,
		"CWD/.xcsh/tools/a.ts native project", "HOME/.claude/tools/u.ts claude user", "CWD/c.ts config project",
		"PARENT/other/.xcsh/tools/a.ts native project", "PARENT/other/.claude/tools/b.ts claude project")
	if d.Paths[3].Cwd != other || d.Paths[0].Cwd != p.cwd {
		t.Errorf("working directories %q, %q", d.Paths[0].Cwd, d.Paths[3].Cwd)
	}
}

func TestDiscover_WithoutFoldersNothingIsAProjects(t *testing.T) {
	p := newPlace(t, blank("HOME/.xcsh/tools/a.ts", "HOME/.claude/tools/u.ts", "HOME/b.ts"))
	p.cfg.Folders, p.cfg.Cwd, p.cfg.Configured = nil, p.home, []string{"b.ts"}
	for _, trusted := range []bool{true, false} {
		d := Discover(p.cfg, trusted)
		p.wantPaths(d, "HOME/.claude/tools/u.ts claude user", "HOME/.xcsh/tools/a.ts xcsh user", "HOME/b.ts config project")
		p.wantErrors(d.Errors)
	}
}

func TestDiscover_APanickingProviderCostsItselfOnly(t *testing.T) {
	d := &discoverer{trusted: true}
	items := d.run(provider{"x", "X", func(*discoverer, *scanner) []Item { panic("broken") }})
	if items != nil {
		t.Errorf("items %v", items)
	}
	wantStrings(t, d.found.Warnings, "[X] Failed to load: broken")
}
