package scope

import (
	"errors"
	"slices"
	"strings"
	"unicode"
)

// selection is the targets that the parameters name.
type selection struct {
	targets []target
	missing []string
}

// selectPath reads the path parameter: one path, or, where the whole does not
// exist, a list separated by commas or white space.
func (r *resolver) selectPath(text string) (selection, error) {
	t, st := r.lookup(text)
	// A glob's root exists more often than not: only what exists without its
	// glob is "the whole".
	if !st.exists() || t.glob != "" {
		for _, separator := range []func(rune) bool{isComma, unicode.IsSpace} {
			if targets, ok, err := r.readList(text, separator); ok {
				return selection{targets: targets}, err
			}
		}
	}
	if st != stateFound {
		return selection{}, failure(t, st)
	}
	return selection{targets: []target{t}}, nil
}

func isComma(r rune) bool { return r == ',' }

// readList reads text as a list, which it is where it has two parts and the
// root of each exists. (What a part looks like does not matter: one without
// glob characters is its own root.) A part that exists outside the workspace
// makes it a list that is refused.
func (r *resolver) readList(text string, separator func(rune) bool) ([]target, bool, error) {
	parts := splitList(text, separator)
	if len(parts) < 2 {
		return nil, false, nil
	}
	targets := make([]target, 0, len(parts))
	var refused error
	for _, part := range parts {
		t, st := r.lookup(unquote(part))
		if !st.exists() {
			return nil, false, nil
		}
		if st != stateFound && refused == nil {
			refused = failure(t, st)
		}
		targets = append(targets, t)
	}
	return targets, true, refused
}

// selectEntries reads the paths parameter. Missing entries are skipped as long
// as one is left; one outside the workspace is refused in any case.
func (r *resolver) selectEntries(entries []string) (selection, error) {
	if len(entries) == 0 {
		return selection{}, errors.New(msgEmptyEntry)
	}
	var texts []string
	for _, entry := range entries {
		text := unquote(entry)
		if text == "" {
			return selection{}, errors.New(msgEmptyEntry)
		}
		if !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	var found selection
	for _, text := range texts {
		t, st := r.lookup(text)
		switch {
		case st == stateFound:
			found.targets = append(found.targets, t)
		case st == stateMissing && len(texts) > 1:
			found.missing = append(found.missing, text)
		default:
			return selection{}, failure(t, st)
		}
	}
	if len(found.targets) == 0 {
		return selection{}, errors.New(msgNotFound + strings.Join(found.missing, ", "))
	}
	return found, nil
}

// splitList splits text at separators outside brackets and quotes. A backslash
// takes away the meaning of the character after it. Parts are trimmed; empty
// and repeated ones are dropped.
func splitList(text string, separator func(rune) bool) []string {
	var (
		parts   []string
		start   int
		depth   int
		quote   rune
		escaped bool
	)
	add := func(part string) {
		part = strings.TrimSpace(part)
		if part == "" || slices.Contains(parts, part) {
			return
		}
		parts = append(parts, part)
	}
	for i, c := range text {
		switch {
		case escaped:
			escaped = false
		case c == '\\':
			escaped = true
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'' || c == '`':
			quote = c
		case strings.ContainsRune("{[(", c):
			depth++
		case strings.ContainsRune("}])", c):
			depth = max(depth-1, 0)
		case depth == 0 && separator(c):
			add(text[start:i])
			start = i + len(string(c))
		}
	}
	add(text[start:])
	return parts
}
