package fileuri

import (
	"net/url"
	"strings"
)

// Of returns the URI of an absolute path of the system goos. [Path] gives the path
// back.
func Of(goos, path string) string {
	if goos != Windows {
		return "file://" + Escape(path)
	}
	slashed := strings.ReplaceAll(path, `\`, "/")
	if server, ok := strings.CutPrefix(slashed, "//"); ok {
		return "file://" + Escape(server)
	}
	return "file:///" + Escape(slashed)
}

// Escape returns a path with slashes as it stands in a URI.
func Escape(slashed string) string {
	parts := strings.Split(slashed, "/")
	for i, part := range parts {
		parts[i] = url.PathEscape(part)
	}
	return strings.Join(parts, "/")
}
