package customtools

import (
	"path/filepath"
	"slices"
)

// addPlugins adds the modules of installed plugin packages (customtools.md 3.6).
func (d *discoverer) addPlugins() {
	home := d.env.pluginHome()
	modules := filepath.Join(home, nodeModules)
	if !isDir(modules) {
		return
	}
	lock := d.readPluginLock(filepath.Join(home, "xcsh-plugins.lock.json"))
	overrides := d.pluginOverrides()
	for _, name := range d.pluginNames(home, modules, lock) {
		locked, isLocked := lock.state(name)
		if isLocked && !locked.enabled || slices.Contains(overrides.disabled, name) {
			continue
		}
		dir := filepath.Join(modules, filepath.FromSlash(name))
		manifest, ok := d.readPluginManifest(filepath.Join(dir, "package.json"))
		if !ok {
			continue
		}
		selected, byProject := overrides.features[name]
		if byProject {
			d.chose(overrides.file)
		} else {
			selected = locked.features
		}
		for _, path := range manifest.modules(dir, selected) {
			d.add(path, pluginSource(), byProject)
		}
	}
}

// pluginNames are the installed packages: the dependencies in their order, then
// what is linked without being one. A registry without package.json has what
// the lock file lists.
func (d *discoverer) pluginNames(home, modules string, lock pluginLock) []string {
	file := filepath.Join(home, "package.json")
	pkg, err := readObject(file)
	if err != nil {
		if isMissing(err) {
			return lock.names()
		}
		d.unreadable(file, err)
	}
	var names []string
	for _, dependency := range pkg.object("dependencies") {
		names = append(names, dependency.name)
	}
	for _, name := range lock.names() {
		if !slices.Contains(names, name) && isLink(filepath.Join(modules, filepath.FromSlash(name))) {
			names = append(names, name)
		}
	}
	return names
}

// readPluginManifest reads what a package says of itself as a plugin; false
// where it is none.
func (d *discoverer) readPluginManifest(file string) (pluginManifest, bool) {
	pkg, err := readObject(file)
	if err != nil {
		if !isMissing(err) {
			d.unreadable(file, err)
		}
		return pluginManifest{}, false
	}
	for _, key := range []string{"xcsh", "pi"} {
		if manifest, err := parseObject(pkg.get(key)); err == nil {
			return newPluginManifest(manifest), true
		}
	}
	return pluginManifest{}, false
}

func (d *discoverer) readPluginLock(file string) pluginLock {
	lock, err := readObject(file)
	if err != nil && !isMissing(err) {
		d.unreadable(file, err)
	}
	return pluginLock(lock.object("plugins"))
}

// pluginOverrides reads the workspace's own say about plugins: the first file
// that is there and parses. It has none before it is trusted.
func (d *discoverer) pluginOverrides() pluginOverrides {
	if !d.trusted || len(d.cfg.Folders) == 0 {
		return pluginOverrides{}
	}
	for _, config := range []string{projectConfigDir, ".codex", ".gemini"} {
		file := filepath.Join(d.cwd, config, "plugin-overrides.json")
		if object, err := readObject(file); err == nil {
			return newPluginOverrides(file, object)
		}
	}
	return pluginOverrides{}
}

// unreadable records a file of the plugin registry that cannot be read. What
// it would have said is missing; everything else still loads.
func (d *discoverer) unreadable(file string, err error) {
	d.fail(file, err, pluginSource(), ErrorUnreadable)
}
