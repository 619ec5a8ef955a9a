package customtools

import (
	"os"
	"path/filepath"
	"testing"
)

const (
	pluginHome = "HOME/.xcsh/plugins/"
	pluginP    = pluginHome + "node_modules/p/"
)

// TestStatements37To44_PluginPackages: a case for each statement. The package
// p has the modules a.ts, b.ts, f1.ts, f2.ts and dir/index.js.
func TestStatements37To44_PluginPackages(t *testing.T) {
	const features = `{"xcsh":{"tools":"a.ts","features":{"f1":{"default":true,"tools":["f1.ts"]},"f2":{"tools":["f2.ts"]}}}}`
	line := func(names ...string) []string {
		var lines []string
		for _, name := range names {
			lines = append(lines, pluginP+name+" plugin user")
		}
		return lines
	}
	tests := []struct {
		name, manifest, lock, overrides string
		want                            []string
	}{
		{"37 one tool", `{"xcsh":{"tools":"./a.ts"}}`, "", "", line("a.ts")},
		{"38 manifest under pi", `{"pi":{"tools":"./a.ts"}}`, "", "", line("a.ts")},
		{"38 xcsh before pi", `{"pi":{"tools":"./a.ts"},"xcsh":{"tools":"b.ts"}}`, "", "", line("b.ts")},
		{"38 no manifest", `{"name":"p"}`, "", "", nil},
		{"39 two in order", `{"xcsh":{"tools":["./b.ts","./a.ts"]}}`, "", "", line("b.ts", "a.ts")},
		{"40 a directory", `{"xcsh":{"tools":"./dir"}}`, "", "", line("dir/index.js")},
		{"41 missing", `{"xcsh":{"tools":["./missing.ts","./empty"]}}`, "", "", nil},
		{"42 off in the lock file", `{"xcsh":{"tools":"a.ts"}}`, `{"plugins":{"p":{"enabled":false}}}`, "", nil},
		{"42 not said to be on", `{"xcsh":{"tools":"a.ts"}}`, `{"plugins":{"p":{}}}`, "", nil},
		{"42 no entry", `{"xcsh":{"tools":"a.ts"}}`, `{"plugins":{"q":{"enabled":false}}}`, "", line("a.ts")},
		{"43 off in the overrides", `{"xcsh":{"tools":"a.ts"}}`, "", `{"disabled":["p"]}`, nil},
		{"44 default features", features, "", "", line("a.ts", "f1.ts")},
		{"44 null in the lock", features, `{"plugins":{"p":{"enabled":true,"enabledFeatures":null}}}`, "", line("a.ts", "f1.ts")},
		{"44 chosen in the lock", features, `{"plugins":{"p":{"enabled":true,"enabledFeatures":["f2","unknown"]}}}`, "", line("a.ts", "f2.ts")},
		{"44 none in the lock", features, `{"plugins":{"p":{"enabled":true,"enabledFeatures":[]}}}`, "", line("a.ts")},
		{"44 overrides beat the lock, in the manifest's order", features, `{"plugins":{"p":{"enabled":true,"enabledFeatures":[]}}}`,
			`{"features":{"p":["f2","f1"]}}`, line("a.ts", "f1.ts", "f2.ts")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlace(t, blank(pluginP+"a.ts", pluginP+"b.ts", pluginP+"f1.ts", pluginP+"f2.ts", pluginP+"dir/index.js", pluginP+"dir/index.mjs", pluginP+"empty/x.ts"))
			p.write(map[string]string{pluginHome + "package.json": `{"dependencies":{"p":"1"}}`, pluginP + "package.json": tt.manifest})
			if tt.lock != "" {
				p.write(map[string]string{pluginHome + "xcsh-plugins.lock.json": tt.lock})
			}
			if tt.overrides != "" {
				p.write(map[string]string{"CWD/.xcsh/plugin-overrides.json": "{", "CWD/.codex/plugin-overrides.json": tt.overrides, "CWD/.gemini/plugin-overrides.json": `{}`})
			}
			d := p.discover()
			p.wantPaths(d, tt.want...)
			p.wantErrors(d.Errors)
		})
	}
}

func TestStatement45_AMalformedPackageFileCostsItselfOnly(t *testing.T) {
	p := newPlace(t, blank("CWD/.xcsh/tools/a.ts"))
	p.write(map[string]string{pluginHome + "package.json": "{", pluginHome + "node_modules/x/y": ""})
	d := p.discover()
	p.wantPaths(d, "CWD/.xcsh/tools/a.ts native project")
	p.wantErrors(d.Errors, pluginHome+"package.json: unexpected end of JSON input")
}

func TestPlugins_MalformedLockAndManifest(t *testing.T) {
	p := newPlace(t, blank(pluginP+"a.ts", pluginHome+"node_modules/q/b.ts"))
	p.write(map[string]string{
		pluginHome + "package.json":                `{"dependencies":{"q":"1","p":"1","gone":"1"}}`,
		pluginHome + "xcsh-plugins.lock.json":      `[]`,
		pluginP + "package.json":                   `{"xcsh":{"tools":"a.ts"}}`,
		pluginHome + "node_modules/q/package.json": `nonsense`,
	})
	d := p.discover()
	p.wantPaths(d, pluginP+"a.ts plugin user")
	p.wantErrors(d.Errors, pluginHome+"xcsh-plugins.lock.json: not a JSON object",
		pluginHome+"node_modules/q/package.json: invalid character 'o' in literal null (expecting 'u')")
}

func TestPlugins_WhichPackagesCount(t *testing.T) {
	manifest := `{"xcsh":{"tools":"t.ts"}}`
	files := blank("HOME/dev/linked/t.ts", pluginHome+"node_modules/copied/t.ts", pluginHome+"node_modules/@s/n/t.ts")
	files["HOME/dev/linked/package.json"] = manifest
	files[pluginHome+"node_modules/copied/package.json"] = manifest
	files[pluginHome+"node_modules/@s/n/package.json"] = manifest
	files[pluginHome+"xcsh-plugins.lock.json"] = `{"plugins":{"linked":{"enabled":true},"copied":{"enabled":true}}}`
	p := newPlace(t, files)
	p.link("HOME/dev/linked", pluginHome+"node_modules/linked")

	// Without package.json, what the lock file lists.
	p.wantPaths(p.discover(), pluginHome+"node_modules/linked/t.ts plugin user", pluginHome+"node_modules/copied/t.ts plugin user")
	// With it, the dependencies and what is linked.
	p.write(map[string]string{pluginHome + "package.json": `{"dependencies":{"@s/n":"1"}}`})
	p.wantPaths(p.discover(), pluginHome+"node_modules/@s/n/t.ts plugin user", pluginHome+"node_modules/linked/t.ts plugin user")
	// Without node_modules, nothing.
	if err := os.RemoveAll(p.expand(pluginHome + "node_modules")); err != nil {
		t.Fatal(err)
	}
	p.wantPaths(p.discover())
}

func TestPlugins_HomeFollowsXDG(t *testing.T) {
	p := newPlace(t, blank("HOME/data/xcsh/plugins/node_modules/p/t.ts"))
	p.write(map[string]string{
		"HOME/data/xcsh/plugins/package.json":                `{"dependencies":{"p":"1"}}`,
		"HOME/data/xcsh/plugins/node_modules/p/package.json": `{"xcsh":{"tools":"t.ts"}}`,
	})
	env := map[string]string{"XDG_DATA_HOME": filepath.Join(p.home, "data")}
	get := func(k string) string { return env[k] }
	p.cfg.Environment = NewEnvironment(get, "linux", p.home)
	p.wantPaths(p.discover(), "HOME/data/xcsh/plugins/node_modules/p/t.ts plugin user")
	p.cfg.Environment = NewEnvironment(get, "windows", p.home)
	p.wantPaths(p.discover())
	env["PI_CODING_AGENT_DIR"] = "/agent"
	p.cfg.Environment = NewEnvironment(get, "linux", p.home)
	p.wantPaths(p.discover())
}
