package customtools

import (
	"fmt"
	"slices"
)

// merged is what the providers' items come to.
type merged struct {
	modules  []Item // one for each key
	shadowed []Item // modules whose key another has
	metadata []Item
}

// merge drops what is disabled or invalid, and all but the first module of a
// key. Metadata shadows nothing (customtools.md 3.4).
func (d *discoverer) merge(items []Item) merged {
	var m merged
	seen := map[string]bool{}
	for _, item := range items {
		if slices.Contains(d.cfg.DisabledExtensions, "tool:"+item.Key) {
			continue
		}
		if !item.executable() {
			m.metadata = append(m.metadata, item)
			continue
		}
		if seen[item.Key] {
			m.shadowed = append(m.shadowed, item)
			continue
		}
		seen[item.Key] = true
		m.modules = append(m.modules, item)
	}
	m.modules = d.validItems(m.modules)
	m.metadata = d.validItems(m.metadata)
	return m
}

// validItems reports and drops the items that lack what an item must have.
func (d *discoverer) validItems(items []Item) []Item {
	return slices.DeleteFunc(items, func(item Item) bool {
		problem := ""
		switch {
		case item.Key == "":
			problem = "Missing name"
		case item.Path == "":
			problem = "Missing path"
		}
		if problem != "" {
			d.found.Warnings = append(d.found.Warnings,
				fmt.Sprintf("[%s] Invalid item at %s: %s", item.Source.ProviderName, item.Path, problem))
		}
		return problem != ""
	})
}
