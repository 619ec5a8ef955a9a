package customtools

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/xcsh-lsp/xcsh-lsp/internal/ignore"
)

// The texts about registries (customtools.md 3.5).
const (
	claudeRegistryText  = "Failed to parse Claude Code plugin registry: %s"
	ownRegistryText     = "Failed to parse plugin registry: %s"
	projectRegistryText = "Failed to parse project plugin registry: %s"
	invalidPluginIDText = "Invalid plugin ID format (missing @marketplace): %s"
	noInstallPathText   = "Plugin %s entry has no installPath"
)

const registryFile = "installed_plugins.json"

// pluginRoot is a folder in which a marketplace's plugin is installed.
type pluginRoot struct {
	id, marketplace, version string
	level                    string
	path                     string // absolute
	byProject                bool
}

// marketplace finds the modules in the tools folders of plugin roots.
func (d *discoverer) marketplace(s *scanner) []Item {
	var items []Item
	for _, root := range d.pluginRoots(s) {
		found := s.files(filepath.Join(root.path, "tools"), "ts", "js")
		for i := range found {
			found[i].Source.Level = root.level
			found[i].byProject = root.byProject
		}
		items = append(items, found...)
	}
	return items
}

// pluginRoots reads the registries: Claude Code's, our own, which is the one
// that counts for an id, the project's, and what was named on the command line.
func (d *discoverer) pluginRoots(s *scanner) []pluginRoot {
	project := d.projectRoot()
	if project == "" {
		project = d.cwd
	}
	claude := registry{
		path:    filepath.Join(d.env.Home, ".claude", "plugins", registryFile),
		problem: claudeRegistryText, ofProject: project,
		enabled: d.enabledPlugins(project),
	}
	roots, _ := claude.read(s)

	own := registry{path: d.env.userConfig("plugins", registryFile), problem: ownRegistryText}
	ownRoots, listed := own.read(s)
	roots = append(withoutIDs(roots, listed), ownRoots...)
	roots = uniqueRoots(roots)

	if path := d.projectRegistry(); d.trusted && path != "" && path != own.path {
		r := registry{path: path, problem: projectRegistryText, project: true}
		projectRoots, listed := r.read(s)
		if len(projectRoots) > 0 {
			d.chose(path)
		}
		roots = append(projectRoots, withoutIDs(roots, listed)...)
	}
	local := d.localRoots()
	return append(local, withoutIDs(roots, idsOf(local))...)
}

func withoutIDs(roots []pluginRoot, ids []string) []pluginRoot {
	return slices.DeleteFunc(roots, func(r pluginRoot) bool { return slices.Contains(ids, r.id) })
}

func idsOf(roots []pluginRoot) []string {
	var ids []string
	for _, r := range roots {
		ids = append(ids, r.id)
	}
	return ids
}

// uniqueRoots keeps the first of the roots with one id and path.
func uniqueRoots(roots []pluginRoot) []pluginRoot {
	var unique []pluginRoot
	for _, r := range roots {
		if !slices.ContainsFunc(unique, func(u pluginRoot) bool { return u.id == r.id && u.path == r.path }) {
			unique = append(unique, r)
		}
	}
	return unique
}

// localRoots are the folders named by --plugin-dir.
func (d *discoverer) localRoots() []pluginRoot {
	const marketplace = "__local__"
	var roots []pluginRoot
	for _, given := range d.cfg.PluginDirs {
		path, err := ResolvePath(given, d.cwd, d.env.Home)
		if err != nil {
			d.fail(given, err, nil, ErrorPath)
			continue
		}
		roots = append(roots, pluginRoot{
			id: localPluginName(path) + "@" + marketplace, marketplace: marketplace, version: "local",
			level: LevelUser, path: path,
		})
	}
	return uniqueRoots(roots)
}

// localPluginName is the name that a plugin folder gives itself, else its own.
func localPluginName(dir string) string {
	for _, config := range []string{".xcsh-plugin", ".claude-plugin"} {
		if manifest, err := readObject(filepath.Join(dir, config, "plugin.json")); err == nil {
			if name := manifest.text("name"); name != "" {
				return name
			}
		}
	}
	return filepath.Base(dir)
}

// projectRegistry is the registry of the project that the working directory is
// in; "" where there is none.
func (d *discoverer) projectRegistry() string {
	if root := d.projectRoot(); root != "" {
		return filepath.Join(root, filepath.FromSlash(d.env.ConfigDir), "plugins", registryFile)
	}
	return ""
}

// projectRoot is the nearest directory from the working directory up that has
// a configuration directory, else the nearest that is a repository. The home
// directory and what is above it are no project.
func (d *discoverer) projectRoot() string {
	if root := d.climb(func(dir string) bool { return isDir(filepath.Join(dir, filepath.FromSlash(d.env.ConfigDir))) }); root != "" {
		return root
	}
	return d.climb(func(dir string) bool {
		_, err := os.Stat(filepath.Join(dir, ignore.GitDir))
		return err == nil
	})
}

func (d *discoverer) climb(is func(dir string) bool) string {
	home := filepath.Clean(d.env.Home)
	for dir := filepath.Clean(d.cwd); dir != home && !newInsideTest([]string{dir}).hasText(home); dir = filepath.Dir(dir) {
		if is(dir) {
			return dir
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return ""
}

// enabledPlugins reads the switches by which Claude Code's settings turn
// plugins on and off; later files win. The project's own count once it is
// trusted.
func (d *discoverer) enabledPlugins(project string) map[string]pluginSwitch {
	switches := map[string]pluginSwitch{}
	for id, on := range settingsSwitches(d.env.Home, "settings.json") {
		switches[id] = pluginSwitch{user: &on}
	}
	if !d.trusted || len(d.cfg.Folders) == 0 {
		return switches
	}
	for _, name := range []string{"settings.json", "settings.local.json"} {
		for id, on := range settingsSwitches(project, name) {
			switches[id] = pluginSwitch{user: switches[id].user, project: &on}
		}
	}
	return switches
}

func settingsSwitches(dir, name string) map[string]bool {
	switches := map[string]bool{}
	settings, err := readObject(filepath.Join(dir, ".claude", name))
	if err != nil {
		return switches
	}
	for _, field := range settings.object("enabledPlugins") {
		if on, ok := decode[bool](field.value); ok {
			switches[field.name] = on
		}
	}
	return switches
}

// splitPluginID splits an id at its last @.
func splitPluginID(id string) (name, marketplace string, ok bool) {
	i := strings.LastIndexByte(id, '@')
	if i <= 0 || i == len(id)-1 {
		return "", "", false
	}
	return id[:i], id[i+1:], true
}
