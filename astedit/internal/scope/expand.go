package scope

import (
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
)

// unquote trims text and strips one pair of double quotes around it. Quotes
// that belong to several quoted parts are no pair.
func unquote(text string) string {
	text = strings.TrimSpace(text)
	if len(text) >= 2 && text[0] == '"' && text[len(text)-1] == '"' && !strings.Contains(text[1:len(text)-1], `"`) {
		return strings.TrimSpace(text[1 : len(text)-1])
	}
	return text
}

// expand replaces the shorthands of one path string (customtools.md 4): a
// leading @, Unicode spaces, file URLs and ~.
func expand(text, home string) string {
	if rest, ok := strings.CutPrefix(text, "@"); ok && atMayGo(rest) {
		text = rest
	}
	text = strings.Map(plainSpace, text)
	if path, ok := fileURLPath(text); ok {
		return path
	}
	return expandHome(text, home)
}

// atMayGo reports whether an @ before rest is a shorthand and not the first
// character of a name.
func atMayGo(rest string) bool {
	return strings.HasPrefix(rest, "/") || rest == "~" || strings.HasPrefix(rest, "~/") ||
		windowsAbsolute(rest) || internalScheme(rest) != ""
}

func windowsAbsolute(text string) bool {
	if strings.HasPrefix(text, `\\`) {
		return true
	}
	return len(text) >= 3 && text[1] == ':' && (text[2] == '\\' || text[2] == '/') &&
		(text[0]|0x20 >= 'a' && text[0]|0x20 <= 'z')
}

func plainSpace(r rune) rune {
	switch {
	case r == 0xA0, r >= 0x2000 && r <= 0x200A, r == 0x202F, r == 0x205F, r == 0x3000:
		return ' '
	}
	return r
}

// fileURLPath decodes a file URL of this machine.
func fileURLPath(text string) (string, bool) {
	const scheme = "file://"
	if len(text) < len(scheme) || !strings.EqualFold(text[:len(scheme)], scheme) {
		return "", false
	}
	rest := text[len(scheme):]
	if slash := strings.IndexByte(rest, '/'); slash > 0 && strings.EqualFold(rest[:slash], "localhost") {
		rest = rest[slash:]
	}
	path, err := url.PathUnescape(rest)
	if err != nil || !strings.HasPrefix(path, "/") || strings.ContainsRune(path, 0) {
		return "", false
	}
	if windowsAbsolute(path[1:]) && filepath.Separator == '\\' {
		path = path[1:]
	}
	return filepath.FromSlash(path), true
}

// expandHome never leads to another user's home: ~x is x below our own.
func expandHome(text, home string) string {
	rest, ok := strings.CutPrefix(text, "~")
	if !ok || home == "" {
		return text
	}
	rest = strings.TrimLeft(rest, `/\`)
	if rest == "" {
		return home
	}
	return withSeparator(home) + rest
}

// internalScheme returns the scheme of a URL that only the host of an agent
// can resolve, "" for anything else.
func internalScheme(text string) string {
	scheme, _, ok := strings.Cut(text, "://")
	if !ok {
		return ""
	}
	switch lower := strings.ToLower(scheme); lower {
	case "agent", "artifact", "skill", "rule", "local", "mcp":
		return lower
	}
	return ""
}

var urlStart = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]+://`)

func isURL(text string) bool { return urlStart.MatchString(text) }
