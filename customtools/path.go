package customtools

import (
	"errors"
	"net/url"
	"path/filepath"
	"strings"
)

// internalSchemes name things that are no files.
func internalSchemes() []string {
	return []string{"agent://", "artifact://", "skill://", "rule://", "local://", "mcp://"}
}

// ResolvePath turns a path that a person wrote into an absolute one
// (customtools.md 4). cwd and home are absolute. An absolute path comes back
// as it was given, a relative one normalised. The only error is a path with an
// internal scheme; its text is for the user.
func ResolvePath(p, cwd, home string) (string, error) {
	p = stripAt(p)
	p = strings.Map(asciiSpace, p)
	p = fromFileURL(p)
	p = expandTilde(p, home)
	for _, scheme := range internalSchemes() {
		if strings.HasPrefix(p, scheme) {
			return "", errors.New(internalSchemeText(p, scheme))
		}
	}
	if filepath.IsAbs(p) {
		return p, nil
	}
	return filepath.Join(cwd, p), nil
}

func internalSchemeText(path, scheme string) string {
	return `Path "` + path + `" uses internal scheme "` + scheme +
		`" and must be resolved through the proper protocol handler, not as a filesystem path.`
}

// stripAt removes the @ by which chat hosts mark a path, where what follows
// can be nothing else.
func stripAt(p string) string {
	rest, ok := strings.CutPrefix(p, "@")
	if !ok {
		return p
	}
	if strings.HasPrefix(rest, "/") || rest == "~" || strings.HasPrefix(rest, "~/") || isWindowsAbsolute(rest) {
		return rest
	}
	for _, scheme := range internalSchemes() {
		if strings.HasPrefix(rest, scheme) {
			return rest
		}
	}
	return p
}

// asciiSpace maps the spaces that look like one but are not to the one.
func asciiSpace(r rune) rune {
	switch {
	case r == '\u00a0', r >= '\u2000' && r <= '\u200a', r == '\u202f', r == '\u205f', r == '\u3000':
		return ' '
	}
	return r
}

// fromFileURL decodes a file URL of this machine; anything else is left alone.
func fromFileURL(p string) string {
	const scheme = "file://"
	if len(p) < len(scheme) || !strings.EqualFold(p[:len(scheme)], scheme) {
		return p
	}
	u, err := url.Parse(p)
	if err != nil || u.Host != "" && u.Host != "localhost" || strings.Contains(strings.ToLower(u.EscapedPath()), "%2f") {
		return p
	}
	path := u.Path
	if isWindowsAbsolute(strings.TrimPrefix(path, "/")) {
		path = strings.TrimPrefix(path, "/")
	}
	return filepath.FromSlash(path)
}

// expandTilde expands ~ to the user's own home; ~x is a name in it, never
// another user's home.
func expandTilde(p, home string) string {
	rest, ok := strings.CutPrefix(p, "~")
	if !ok {
		return p
	}
	return filepath.Join(home, strings.TrimLeft(rest, `/\`))
}

// isWindowsAbsolute reports a drive, a colon and a separator, on any system.
func isWindowsAbsolute(p string) bool {
	return len(p) >= 3 && p[1] == ':' && (p[2] == '/' || p[2] == '\\') &&
		(p[0] >= 'a' && p[0] <= 'z' || p[0] >= 'A' && p[0] <= 'Z')
}
