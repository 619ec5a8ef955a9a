package customtools

import (
	"os"
	"path/filepath"
	"slices"
)

// pluginManifest is what a plugin package offers.
type pluginManifest struct {
	tools    []string // always
	features []pluginFeature
}

type pluginFeature struct {
	name      string
	byDefault bool
	tools     []string
}

func newPluginManifest(object jsonObject) pluginManifest {
	m := pluginManifest{tools: entryList(object, "tools")}
	for _, field := range object.object("features") {
		feature, err := parseObject(field.value)
		if err != nil {
			continue
		}
		byDefault, _ := decode[bool](feature.get("default"))
		m.features = append(m.features, pluginFeature{field.name, byDefault, entryList(feature, "tools")})
	}
	return m
}

// entryList reads a field that holds one entry or a list of them.
func entryList(object jsonObject, name string) []string {
	if one := object.text(name); one != "" {
		return []string{one}
	}
	list, _ := object.texts(name)
	return list
}

// modules are the files that the entries name, in their order; those that do
// not exist are left out. selected are the features that are on, nil for those
// that are by default.
func (m pluginManifest) modules(dir string, selected []string) []string {
	entries := slices.Clone(m.tools)
	for _, f := range m.features {
		if selected == nil && f.byDefault || slices.Contains(selected, f.name) {
			entries = append(entries, f.tools...)
		}
	}
	var paths []string
	for _, entry := range entries {
		if path, ok := entryModule(filepath.Join(dir, filepath.FromSlash(entry))); ok {
			paths = append(paths, path)
		}
	}
	return paths
}

// entryModule is the file that an entry names, or the index of the directory.
func entryModule(path string) (string, bool) {
	if !isDir(path) {
		return path, isFile(path)
	}
	for _, index := range []string{"index.ts", "index.js", "index.mjs", "index.cjs"} {
		if file := filepath.Join(path, index); isFile(file) {
			return file, true
		}
	}
	return "", false
}

// pluginLock is the plugins of a lock file.
type pluginLock jsonObject

type lockedPlugin struct {
	enabled  bool
	features []string // nil for those that are on by default
}

func (l pluginLock) names() []string {
	var names []string
	for _, f := range l {
		names = append(names, f.name)
	}
	return names
}

// state returns what the lock file says of a plugin, false where nothing.
func (l pluginLock) state(name string) (lockedPlugin, bool) {
	raw := jsonObject(l).get(name)
	entry, err := parseObject(raw)
	if raw == nil || err != nil {
		return lockedPlugin{}, false
	}
	enabled, _ := decode[bool](entry.get("enabled"))
	features, _ := entry.texts("enabledFeatures")
	return lockedPlugin{enabled, features}, true
}

// pluginOverrides is what a workspace says about plugins.
type pluginOverrides struct {
	file     string
	disabled []string
	features map[string][]string
}

func newPluginOverrides(file string, object jsonObject) pluginOverrides {
	o := pluginOverrides{file: file, features: map[string][]string{}}
	o.disabled, _ = object.texts("disabled")
	features := object.object("features")
	for _, f := range features {
		if list, ok := features.texts(f.name); ok {
			o.features[f.name] = list
		}
	}
	return o
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&os.ModeSymlink != 0
}
