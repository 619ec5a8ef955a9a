package customtools

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// DiscoverConfig says where to look for tools.
type DiscoverConfig struct {
	// Folders are the workspace folders, absolute, in their order. The first is
	// the working directory of all that is not another folder's own.
	Folders []string
	// Cwd is the working directory where there are no folders: then nothing is
	// a project's.
	Cwd         string
	Environment Environment

	Configured []string // explicit modules, as they were written
	PluginDirs []string // --plugin-dir, as they were written

	DisabledProviders  []string // ids
	DisabledExtensions []string // "tool:<key>"
}

// Discovery is what was found: the modules in the order in which they are
// loaded, and what is to be told about the rest.
type Discovery struct {
	Paths    []ToolPath
	Errors   []LoadError
	Warnings []string
	Metadata []Item // files that only describe a tool
	Shadowed []Item // modules whose key an earlier one has

	// Project are the modules of Paths that the workspace brings, and the
	// registries and overrides of its own that chose some: what trust is about.
	// A module counts by its real path, and by who named it.
	Project []string
}

// Discover lists the tool modules (customtools.md 3). Nothing is evaluated.
// With trusted false it leaves out what the workspace brings, as if it were
// not there, and has an error for each module.
func Discover(cfg DiscoverConfig, trusted bool) Discovery {
	all := discover(cfg, true)
	if trusted || len(all.Project) == 0 {
		return all
	}
	safe := discover(cfg, false)
	for _, p := range all.Paths {
		if slices.Contains(all.Project, p.Path) && !hasPath(safe.Paths, p.Path) {
			safe.Errors = append(safe.Errors, newLoadError(p, untrustedText, ErrorUntrusted))
		}
	}
	return safe
}

func hasPath(paths []ToolPath, path string) bool {
	return slices.ContainsFunc(paths, func(p ToolPath) bool { return p.Path == path })
}

// discoverer is one run over one folder after the other.
type discoverer struct {
	cfg     DiscoverConfig
	env     Environment
	trusted bool
	inside  insideTest
	found   Discovery
	taken   map[string]bool // absolute, normalised

	cwd   string
	first bool // cwd is the first folder
}

func discover(cfg DiscoverConfig, trusted bool) Discovery {
	d := &discoverer{
		cfg: cfg, env: cfg.Environment, trusted: trusted,
		inside: newInsideTest(cfg.Folders), taken: map[string]bool{},
	}
	for i, folder := range cfg.Folders {
		d.addAll(folder, i == 0)
	}
	if len(cfg.Folders) == 0 {
		d.addAll(cfg.Cwd, true)
	}
	slices.Sort(d.found.Project)
	d.found.Project = slices.Compact(d.found.Project)
	return d.found
}

func (d *discoverer) addAll(cwd string, first bool) {
	d.cwd, d.first = cwd, first
	d.addProviders()
	if first {
		d.addPlugins()
		d.addConfigured()
	}
}

// addProviders adds what the providers find. A later folder has only what is
// its own: the user's tools were found with the first.
func (d *discoverer) addProviders() {
	var items []Item
	for _, p := range providers() {
		if slices.Contains(d.cfg.DisabledProviders, p.id) {
			continue
		}
		for _, item := range d.run(p) {
			if d.first || item.byProject {
				items = append(items, item)
			}
		}
	}
	m := d.merge(items)
	for _, item := range m.modules {
		source := item.Source
		d.add(item.Path, &source, item.byProject)
	}
	for _, item := range m.metadata {
		if isDeclarative(item.Path) {
			source := item.Source
			d.found.Errors = append(d.found.Errors, newLoadError(ToolPath{Path: item.Path, Source: &source}, declarativeText, ErrorDeclarative))
		}
	}
	d.found.Metadata = append(d.found.Metadata, m.metadata...)
	d.found.Shadowed = append(d.found.Shadowed, m.shadowed...)
}

// run collects one provider's items. One that panics costs only itself. Where
// the workspace is not trusted its modules are as good as not there; that
// they cannot take a key from the user's own is the point.
func (d *discoverer) run(p provider) (items []Item) {
	s := &scanner{}
	defer func() {
		if problem := recover(); problem != nil {
			items = nil
			s.warn("Failed to load: %v", problem)
		}
		for _, w := range s.warnings {
			d.found.Warnings = append(d.found.Warnings, fmt.Sprintf("[%s] %s", p.name, w))
		}
	}()
	items = p.find(d, s)
	for i := range items {
		items[i].Source.Provider, items[i].Source.ProviderName = p.id, p.name
	}
	return slices.DeleteFunc(items, func(item Item) bool {
		return item.byProject && len(d.cfg.Folders) == 0 || !d.trusted && item.executable() && d.isProject(item.Path, item.byProject)
	})
}

// addConfigured adds the explicitly configured paths. Who wrote them is the
// client's matter; where they lie decides.
func (d *discoverer) addConfigured() {
	for _, given := range d.cfg.Configured {
		path, err := ResolvePath(given, d.cwd, d.env.Home)
		if err != nil {
			d.fail(given, err, configSource(), ErrorPath)
			continue
		}
		d.add(path, configSource(), false)
	}
}

// add appends a path to the list, where it is not in it yet.
func (d *discoverer) add(path string, source *resolve.ToolSource, byProject bool) {
	project := d.isProject(path, byProject)
	if project && !d.trusted {
		return
	}
	key := filepath.Clean(path)
	if d.taken[key] {
		return
	}
	d.taken[key] = true
	d.found.Paths = append(d.found.Paths, ToolPath{Path: path, Source: source, Cwd: d.cwd})
	if project {
		d.found.Project = append(d.found.Project, path)
	}
}

func (d *discoverer) isProject(path string, byProject bool) bool {
	return byProject || d.inside.has(path)
}

// chose notes a file by which the workspace chose modules.
func (d *discoverer) chose(file string) {
	d.found.Project = append(d.found.Project, file)
}

func (d *discoverer) fail(path string, err error, source *resolve.ToolSource, kind ErrorKind) {
	d.found.Errors = append(d.found.Errors, newLoadError(ToolPath{Path: path, Source: source}, err.Error(), kind))
}
