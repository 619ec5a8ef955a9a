package scope

import (
	"fmt"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// maxAlternatives bounds what the braces of one glob may multiply out to:
// {a,b} thirty times in a row is a billion patterns.
const maxAlternatives = 1000

// glob is a compiled glob: a path matches if one alternative does.
type glob struct{ alternatives []alternative }

// alternative is a glob without braces.
type alternative struct {
	form     form
	text     string // see form
	base     string // directory that every match lies below; empty = any
	maxDepth int    // most directories that a match can lie in; -1 = any number
}

// form is how an alternative is compared.
type form int

const (
	formPattern    form = iota // text is a doublestar pattern
	formEverything             // **/*
	formSuffix                 // **/*text
	formNameSuffix             // *text, no slash
	formNever                  // can match no path
)

func globError(format string, args ...any) error {
	return fmt.Errorf(msgInvalidGlob+format, args...)
}

func hasGlob(text string) bool { return strings.ContainsAny(text, "*?[{") }

// splitGlob splits a path at its first segment with a glob character. The root
// is empty where that is the first one.
func splitGlob(text string) (root, glob string) {
	text = strings.ReplaceAll(text, `\`, "/")
	start := 0
	for start < len(text) {
		segment, _, _ := strings.Cut(text[start:], "/")
		if hasGlob(segment) {
			break
		}
		start = min(start+len(segment)+1, len(text))
	}
	root = text[:start]
	if root != "/" {
		root = strings.TrimSuffix(root, "/")
	}
	return root, text[start:]
}

// joinGlobs makes one glob of a path's own and the glob parameter, each with
// its braces closed first.
func joinGlobs(own, param string) (string, error) {
	own, param = tidyGlob(own), tidyGlob(param)
	switch {
	case own == "":
		return param, nil
	case param == "":
		return own, nil
	}
	for _, part := range []string{own, param} {
		if err := checkGlob(part); err != nil {
			return "", err
		}
	}
	return strings.TrimRight(own, "/") + "/" + strings.TrimLeft(param, "/"), nil
}

// tidyGlob brings a glob into the one spelling that the rest expects.
func tidyGlob(text string) string {
	text = strings.ReplaceAll(text, `\`, "/")
	for strings.HasPrefix(text, "./") {
		text = strings.TrimLeft(text[2:], "/")
	}
	return text + strings.Repeat("}", openBraces(text))
}

// compileGlob compiles a tidy glob.
func compileGlob(text string) (*glob, error) {
	if err := checkGlob(text); err != nil {
		return nil, err
	}
	texts, err := expandBraces(text)
	if err != nil {
		return nil, err
	}
	g := &glob{alternatives: make([]alternative, len(texts))}
	for i, t := range texts {
		if g.alternatives[i], err = compileAlternative(t); err != nil {
			return nil, err
		}
	}
	return g, nil
}

func compileAlternative(text string) (alternative, error) {
	// "a/**" means what is below a; a file named a is not.
	if text == "**" || strings.HasSuffix(text, "/**") {
		text += "/*"
	}
	a := alternative{maxDepth: strings.Count(text, "/")}
	if strings.Contains(text, "**") || strings.Contains(text, "[") {
		a.maxDepth = -1
	}
	root, rest := splitGlob(text)
	a.base = root
	if rest == "" { // no glob character: the text is a path
		a.base = parentOf(text)
	}
	suffix, deep := strings.CutPrefix(text, "**/*")
	name, flat := strings.CutPrefix(text, "*")
	switch {
	case text == "**/*":
		a.form = formEverything
	case deep && !hasGlob(suffix) && !strings.Contains(suffix, "/"):
		a.form, a.text = formSuffix, suffix
	case flat && !hasGlob(name) && !strings.Contains(name, "/"):
		a.form, a.text = formNameSuffix, name
	default:
		pattern, possible := toDoublestar(text)
		a.form, a.text = formPattern, pattern
		if !possible {
			a.form = formNever
		}
		if !doublestar.ValidatePattern(pattern) {
			return a, globError("%q", text)
		}
	}
	return a, nil
}

// match reports whether the glob matches path, which is relative to the glob's
// root and has slashes.
func (g *glob) match(path string) bool {
	for i := range g.alternatives {
		if g.alternatives[i].match(path) {
			return true
		}
	}
	return false
}

func (a *alternative) match(path string) bool {
	switch a.form {
	case formEverything:
		return true
	case formSuffix:
		return strings.HasSuffix(path, a.text)
	case formNameSuffix:
		return strings.HasSuffix(path, a.text) && !strings.Contains(path, "/")
	case formNever:
		return false
	}
	return doublestar.MatchUnvalidated(a.text, path)
}

// mayMatchBelow reports whether a path in the directory dir can match.
func (g *glob) mayMatchBelow(dir string) bool {
	for i := range g.alternatives {
		if g.alternatives[i].mayMatchBelow(dir) {
			return true
		}
	}
	return false
}

func (a *alternative) mayMatchBelow(dir string) bool {
	if a.maxDepth >= 0 && strings.Count(dir, "/") >= a.maxDepth {
		return false
	}
	if a.base == "" || a.base == dir {
		return true
	}
	_, above := below(dir, a.base)
	_, under := below(a.base, dir)
	return above || under
}
