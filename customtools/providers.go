package customtools

import "path/filepath"

// provider finds items in one family of directories (customtools.md 3.2).
type provider struct {
	id, name string
	find     func(*discoverer, *scanner) []Item
}

// providers are all of them, the one with the highest priority first.
func providers() []provider {
	return []provider{
		{"native", "OMP", (*discoverer).native},
		{"claude", "Claude Code", flatProvider(".claude")},
		{"xcsh", "xcsh", flatProvider(projectConfigDir)},
		{"claude-plugins", "Claude Code Marketplace", (*discoverer).marketplace},
		{"codex", "OpenAI Codex", flatProvider(".codex")},
	}
}

// flatProvider looks for modules in the tools directory of a configuration
// directory, the user's before the project's.
func flatProvider(configDir string) func(*discoverer, *scanner) []Item {
	return func(d *discoverer, s *scanner) []Item {
		user := s.files(filepath.Join(d.env.Home, configDir, "tools"), "ts", "js")
		project := s.files(filepath.Join(d.cwd, configDir, "tools"), "ts", "js")
		return append(atLevel(user, LevelUser), atLevel(project, LevelProject)...)
	}
}

// native looks in the product's own directories, the project's before the
// user's.
func (d *discoverer) native(s *scanner) []Item {
	find := func(dir string, level string) []Item {
		files := s.files(dir, "json", "md", "ts", "js", "sh", "bash", "py")
		return atLevel(append(files, s.folders(dir)...), level)
	}
	return append(
		find(filepath.Join(d.cwd, projectConfigDir, "tools"), LevelProject),
		find(d.env.userConfig("agent", "tools"), LevelUser)...)
}

// atLevel says whose the items are. What lies in the project's directories is
// the project's choice.
func atLevel(items []Item, level string) []Item {
	for i := range items {
		items[i].Source.Level = level
		items[i].byProject = level == LevelProject
	}
	return items
}
