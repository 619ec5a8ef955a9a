package syntax

import (
	"path/filepath"
	"slices"
	"strings"
)

// Registry is the set of linked languages.
type Registry struct {
	languages   []*Language
	byAlias     map[string]*Language
	byExtension map[string]*Language
}

// NewRegistry links the grammars. It fails where the tree-sitter runtime is not
// the real one.
func NewRegistry() (*Registry, error) {
	if err := CheckRuntime(); err != nil {
		return nil, err
	}
	r := &Registry{byAlias: map[string]*Language{}, byExtension: map[string]*Language{}}
	for _, l := range table() {
		r.add(l)
	}
	return r, nil
}

func (r *Registry) add(l *Language) {
	r.languages = append(r.languages, l)
	for _, alias := range l.Aliases {
		r.byAlias[alias] = l
	}
	for _, ext := range l.Extensions {
		if _, taken := r.byExtension[ext]; !taken {
			r.byExtension[ext] = l
		}
	}
}

// Languages returns the linked languages in table order.
func (r *Registry) Languages() []*Language { return slices.Clone(r.languages) }

// ByAlias finds the language that a `lang` value names, in any case.
func (r *Registry) ByAlias(alias string) (*Language, bool) {
	l, ok := r.byAlias[strings.ToLower(alias)]
	return l, ok
}

// Aliases returns every accepted `lang` value, sorted.
func (r *Registry) Aliases() []string {
	all := make([]string, 0, len(r.byAlias))
	for alias := range r.byAlias {
		all = append(all, alias)
	}
	slices.Sort(all)
	return all
}

// ByFileName infers a language from the last element of a path: first by whole
// names such as Makefile, then by the extension, which is case-sensitive.
func (r *Registry) ByFileName(name string) (*Language, bool) {
	name = filepath.Base(name)
	if alias, ok := wholeName(name); ok {
		l, linked := r.byAlias[alias]
		return l, linked
	}
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 {
		return nil, false
	}
	l, ok := r.byExtension[name[dot+1:]]
	return l, ok
}

// wholeName maps the file names that decide a language by themselves.
func wholeName(name string) (alias string, ok bool) {
	switch name {
	case "Makefile", "makefile", "GNUmakefile":
		return "make", true
	case "Justfile", "justfile":
		return "just", true
	case "CMakeLists.txt":
		return "cmake", true
	case "Dockerfile", "dockerfile", "Containerfile", "containerfile":
		return "dockerfile", true
	}
	if strings.HasPrefix(name, "Dockerfile.") || strings.HasPrefix(name, "dockerfile.") {
		return "dockerfile", true
	}
	return "", false
}
