package customtools

import (
	"encoding/json"
	"path/filepath"
)

// registry is one file that lists installed plugins.
type registry struct {
	path    string
	problem string // warning for a file that is none, with the path as its verb
	project bool   // the project's own: its entries are the project's, whatever they say

	// For Claude Code's registry: the project that is active, and the switches
	// of its settings.
	ofProject string
	enabled   map[string]pluginSwitch
}

// pluginSwitch is what settings say about a plugin; nil is nothing.
type pluginSwitch struct {
	user, project *bool
}

// on reports whether a plugin whose entry says enabled is on, and whether the
// project's settings alone made it so.
func (s pluginSwitch) on(enabled bool) (on, byProject bool) {
	if s.user != nil {
		enabled = *s.user
	}
	if s.project == nil {
		return enabled, false
	}
	return *s.project, *s.project && !enabled
}

// read returns the roots that the registry lists, and the ids that it has
// entries for, enabled or not. A missing file lists nothing; what is wrong
// with it becomes warnings.
func (r registry) read(s *scanner) (roots []pluginRoot, listed []string) {
	plugins, ok := r.plugins(s)
	if !ok {
		return nil, nil
	}
	for _, plugin := range plugins {
		if _, _, ok := splitPluginID(plugin.name); !ok {
			s.warn(invalidPluginIDText, plugin.name)
			continue
		}
		entries, _ := decode[[]json.RawMessage](plugin.value)
		if len(entries) > 0 {
			listed = append(listed, plugin.name)
		}
		for _, raw := range entries {
			if root, ok := r.root(s, plugin.name, raw); ok {
				roots = append(roots, root)
			}
		}
	}
	return roots, listed
}

func (r registry) plugins(s *scanner) (jsonObject, bool) {
	file, err := readObject(r.path)
	if err != nil && isMissing(err) {
		return nil, false
	}
	if err == nil {
		if _, versioned := decode[float64](file.get("version")); versioned {
			if plugins, err := parseObject(file.get("plugins")); err == nil {
				return plugins, true
			}
		}
	}
	s.warn(r.problem, r.path)
	return nil, false
}

// root reads one entry of a plugin.
func (r registry) root(s *scanner, id string, raw json.RawMessage) (pluginRoot, bool) {
	entry, err := parseObject(raw)
	if err != nil {
		s.warn(noInstallPathText, id)
		return pluginRoot{}, false
	}
	enabled, set := decode[bool](entry.get("enabled"))
	on, byProject := r.enabled[id].on(enabled || !set)
	if !on {
		return pluginRoot{}, false
	}
	path := entry.text("installPath")
	if !filepath.IsAbs(path) {
		s.warn(noInstallPathText, id)
		return pluginRoot{}, false
	}
	_, marketplace, _ := splitPluginID(id)
	root := pluginRoot{
		id: id, marketplace: marketplace, version: entry.text("version"),
		level: levelOfScope(entry.text("scope")), path: filepath.Clean(path),
		byProject: r.project || byProject,
	}
	if root.version == "" {
		root.version = "unknown"
	}
	if r.project {
		root.level = LevelProject
	}
	return root, r.concerns(entry, root.level)
}

// concerns reports whether an entry is for this project: one of Claude Code's
// that was installed for another is not.
func (r registry) concerns(entry jsonObject, level string) bool {
	path := entry.text("projectPath")
	if r.project || level == LevelUser || path == "" {
		return true
	}
	return sameReal(path, r.ofProject)
}

func sameReal(a, b string) bool {
	realA, okA := realPath(filepath.Clean(a))
	realB, okB := realPath(filepath.Clean(b))
	return okA && okB && realA == realB
}

func levelOfScope(scope string) string {
	if scope == "project" || scope == "local" {
		return LevelProject
	}
	return LevelUser
}
