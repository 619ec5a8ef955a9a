package customtools

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// Item is one file that a provider found.
type Item struct {
	Key         string // what items are compared by; the tool's own name may differ
	Description string
	Path        string // absolute
	Source      resolve.ToolSource

	// byProject: the workspace named it, wherever it lies.
	byProject bool
}

// executable reports whether the item is a module, and not only metadata.
func (i Item) executable() bool { return isModule(i.Path) }

func isModule(path string) bool {
	switch filepath.Ext(path) {
	case ".ts", ".js", ".mjs", ".cjs":
		return !strings.HasSuffix(path, ".d.ts")
	}
	return false
}

// isDeclarative reports a file that describes a tool and is never run.
func isDeclarative(path string) bool {
	return strings.HasSuffix(path, ".md") || strings.HasSuffix(path, ".json")
}

// readItem makes the item of a file in a tools directory from its text
// (customtools.md 3.3).
func readItem(path string, text []byte) (Item, error) {
	base, ext := filepath.Base(path), filepath.Ext(path)
	item := Item{Key: strings.TrimSuffix(base, ext), Path: path}
	var named struct{ Name, Description any }
	switch ext {
	case ".json":
		// A file that is no JSON has its defaults.
		var fields map[string]any
		if json.Unmarshal(text, &fields) == nil {
			named.Name, named.Description = fields["name"], fields["description"]
		}
	case ".md":
		if front, ok := frontMatter(string(text)); ok {
			var fields map[string]any
			if err := yaml.Unmarshal([]byte(front), &fields); err != nil {
				return Item{}, fmt.Errorf("front matter: %w", err)
			}
			named.Name, named.Description = fields["name"], fields["description"]
		}
	}
	if name, ok := named.Name.(string); ok {
		item.Key = name
	}
	item.Description = item.Key + " custom tool"
	if d, ok := named.Description.(string); ok && strings.TrimSpace(d) != "" {
		item.Description = d
	}
	return item, nil
}

// frontMatter returns the lines between a first line of three dashes and the
// next such line.
func frontMatter(text string) (string, bool) {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return "", false
	}
	if strings.HasPrefix(rest, "---\n") || rest == "---" {
		return "", true
	}
	front, _, ok := strings.Cut(rest+"\n", "\n---\n")
	return front, ok
}
