package customtools

import "testing"

const (
	claudeRegistry  = "HOME/.claude/plugins/installed_plugins.json"
	ownRegistry     = "HOME/.xcsh/plugins/installed_plugins.json"
	projectRegistry = "CWD/.xcsh/plugins/installed_plugins.json"
	parentRegistry  = "PARENT/.xcsh/plugins/installed_plugins.json"
)

func registryText(plugins string) string { return `{"version":2,"plugins":{` + plugins + `}}` }

// TestStatements27To36_Marketplaces: a case for each statement, and for the
// rules between them. Every plugin has a folder HOME/<letter> with one tool.
func TestStatements27To36_Marketplaces(t *testing.T) {
	const mp = "[Claude Code Marketplace] "
	tests := []struct {
		name     string
		files    map[string]string
		want     []string
		warnings []string
	}{
		{"27 user entry", map[string]string{claudeRegistry: registryText(`"m@x":[{"scope":"user","installPath":"HOME/m"}]`)},
			[]string{"HOME/m/tools/m.ts claude-plugins user"}, nil},
		{"28 not enabled", map[string]string{claudeRegistry: registryText(`"m@x":[{"installPath":"HOME/m","enabled":false}]`)}, nil, nil},
		{"29 id without a marketplace", map[string]string{claudeRegistry: registryText(`"m":[{"installPath":"HOME/m"}]`)}, nil,
			[]string{mp + "Invalid plugin ID format (missing @marketplace): m"}},
		{"an id is split at the last @", map[string]string{claudeRegistry: registryText(`"@s/m@x":[{"installPath":"HOME/m"}],"@m":[{"installPath":"HOME/n"}]`)},
			[]string{"HOME/m/tools/m.ts claude-plugins user"}, []string{mp + "Invalid plugin ID format (missing @marketplace): @m"}},
		{"30 no installPath", map[string]string{ownRegistry: registryText(`"m@x":[{"scope":"user"}]`)}, nil,
			[]string{mp + "Plugin m@x entry has no installPath"}},
		{"31 no version", map[string]string{claudeRegistry: `{"plugins":{}}`, ownRegistry: `{"plugins":{}}`, projectRegistry: `{"plugins":{}}`}, nil,
			[]string{mp + "Failed to parse Claude Code plugin registry: " + claudeRegistry, mp + "Failed to parse plugin registry: " + ownRegistry,
				mp + "Failed to parse project plugin registry: " + projectRegistry}},
		{"31 no registries", map[string]string{claudeRegistry: `[]`, ownRegistry: `{"version":1,"plugins":[]}`, projectRegistry: `{"version":"1","plugins":{}}`}, nil,
			[]string{mp + "Failed to parse Claude Code plugin registry: " + claudeRegistry, mp + "Failed to parse plugin registry: " + ownRegistry,
				mp + "Failed to parse project plugin registry: " + projectRegistry}},
		{"32 our own registry counts", map[string]string{
			claudeRegistry: registryText(`"p@x":[{"installPath":"HOME/m"}],"q@x":[{"installPath":"HOME/o"}]`),
			ownRegistry:    registryText(`"p@x":[{"installPath":"HOME/n"}]`)},
			[]string{"HOME/o/tools/o.ts claude-plugins user", "HOME/n/tools/n.ts claude-plugins user"}, nil},
		{"32 even where it is off in our own", map[string]string{
			claudeRegistry: registryText(`"p@x":[{"installPath":"HOME/m"}]`),
			ownRegistry:    registryText(`"p@x":[{"installPath":"HOME/n","enabled":false}]`)}, nil, nil},
		{"but an empty list says nothing", map[string]string{
			claudeRegistry: registryText(`"p@x":[{"installPath":"HOME/m"}]`), ownRegistry: registryText(`"p@x":[]`)},
			[]string{"HOME/m/tools/m.ts claude-plugins user"}, nil},
		{"33 the project's registry counts", map[string]string{
			claudeRegistry:  registryText(`"p@x":[{"installPath":"HOME/m"}],"q@x":[{"installPath":"HOME/o"}]`),
			projectRegistry: registryText(`"p@x":[{"scope":"user","installPath":"HOME/n"}]`)},
			[]string{"HOME/n/tools/n.ts claude-plugins project", "HOME/o/tools/o.ts claude-plugins user"}, nil},
		{"34 all entries of an id", map[string]string{claudeRegistry: registryText(`"p@x":[{"installPath":"HOME/m"},{"installPath":"HOME/n"}]`)},
			[]string{"HOME/m/tools/m.ts claude-plugins user", "HOME/n/tools/n.ts claude-plugins user"}, nil},
		{"35 scopes", map[string]string{claudeRegistry: registryText(`"p@x":[{"installPath":"HOME/m"},{"scope":"local","installPath":"HOME/n"},{"scope":"project","installPath":"HOME/o"}]`)},
			[]string{"HOME/m/tools/m.ts claude-plugins user", "HOME/n/tools/n.ts claude-plugins project", "HOME/o/tools/o.ts claude-plugins project"}, nil},
		{"36 the parent's registry", map[string]string{parentRegistry: registryText(`"p@x":[{"installPath":"HOME/m"}]`)},
			[]string{"HOME/m/tools/m.ts claude-plugins project"}, nil},
		{"36 by a repository", map[string]string{"PARENT/.git": "gitdir: x", "CWD/a.txt": "", "PARENT/.xcsh": "a file", claudeRegistry: registryText(`"p@x":[{"installPath":"HOME/m","scope":"project","projectPath":"PARENT/."}]`)},
			[]string{"HOME/m/tools/m.ts claude-plugins project"}, nil},
		{"36 home is no project", map[string]string{ownRegistry: registryText(`"p@x":[{"installPath":"HOME/m"}]`)},
			[]string{"HOME/m/tools/m.ts claude-plugins user"}, nil},
		{"for another project", map[string]string{claudeRegistry: registryText(`"p@x":[{"installPath":"HOME/m","scope":"local","projectPath":"HOME/other"},{"installPath":"HOME/n","scope":"local","projectPath":"CWD/."}]`)},
			[]string{"HOME/n/tools/n.ts claude-plugins project"}, nil},
		{"settings turn off and on", map[string]string{
			claudeRegistry:                    registryText(`"p@x":[{"installPath":"HOME/m"}],"q@x":[{"installPath":"HOME/n","enabled":false}],"r@x":[{"installPath":"HOME/o"}]`),
			"HOME/.claude/settings.json":      `{"enabledPlugins":{"p@x":false,"q@x":true}}`,
			"CWD/.claude/settings.json":       `{"enabledPlugins":{"p@x":true,"r@x":true}}`,
			"CWD/.claude/settings.local.json": `{"enabledPlugins":{"r@x":false}}`},
			[]string{"HOME/m/tools/m.ts claude-plugins user", "HOME/n/tools/n.ts claude-plugins user"}, nil},
		{"the same entry in both", map[string]string{
			claudeRegistry: registryText(`"p@x":[{"installPath":"HOME/m"},{"installPath":"HOME/m"}]`)},
			[]string{"HOME/m/tools/m.ts claude-plugins user"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlace(t, blank("HOME/m/tools/m.ts", "HOME/n/tools/n.ts", "HOME/o/tools/o.ts", "HOME/m/tools/lib/x.ts"))
			p.write(tt.files)
			d := p.discover()
			p.wantPaths(d, tt.want...)
			p.wantWarnings(d, tt.warnings...)
			p.wantErrors(d.Errors)
		})
	}
}

func TestPluginDir_ComesFirstAndReplacesItsID(t *testing.T) {
	p := newPlace(t, blank("HOME/m/tools/m.ts", "HOME/d/tools/d.ts", "HOME/e/tools/e.ts"))
	p.write(map[string]string{
		claudeRegistry:                      registryText(`"named@__local__":[{"installPath":"HOME/m"}],"k@x":[{"installPath":"HOME/m"}]`),
		"HOME/d/.claude-plugin/plugin.json": `{"name":"named"}`,
	})
	p.cfg.PluginDirs = []string{"~/d", "HOME/e"}
	p.cfg.PluginDirs[1] = p.expand(p.cfg.PluginDirs[1])
	p.wantPaths(p.discover(),
		"HOME/d/tools/d.ts claude-plugins user", "HOME/e/tools/e.ts claude-plugins user", "HOME/m/tools/m.ts claude-plugins user")
}
