package fileuri

import (
	"path"
	"strings"
)

// windowsPath gives a drive's path its letter in upper case and a server's path its
// name in lower case: neither tells files apart.
func windowsPath(host, slashed string) (string, bool) {
	slashed = strings.ReplaceAll(slashed, `\`, "/") // a separator, also where it came escaped
	if host == "" && strings.HasPrefix(slashed, "//") {
		host, slashed, _ = strings.Cut(slashed[2:], "/") // file:////server/share
		host, slashed = strings.ToLower(host), "/"+slashed
	}
	if host != "" {
		return sharePath(host, slashed)
	}
	drive := strings.TrimPrefix(slashed, "/")
	if len(drive) < 2 || !isLetter(drive[0]) || drive[1] != ':' || len(drive) > 2 && drive[2] != '/' {
		return "", false
	}
	below := path.Clean("/" + drive[2:])
	if strings.Contains(below, ":") {
		return "", false
	}
	return strings.ToUpper(drive[:2]) + strings.ReplaceAll(below, "/", `\`), true
}

// sharePath never leads out of the share: its root has no parent.
func sharePath(host, slashed string) (string, bool) {
	if host == "" || host == "." || host == ".." || host == "?" || strings.ContainsAny(host, "/\\:\x00") {
		return "", false
	}
	share, below, _ := strings.Cut(strings.TrimPrefix(slashed, "/"), "/")
	if share == "" || share == "." || share == ".." {
		return "", false
	}
	below = path.Clean("/" + below)
	if strings.Contains(share+below, ":") {
		return "", false
	}
	return `\\` + host + `\` + share + strings.ReplaceAll(strings.TrimSuffix(below, "/"), "/", `\`), true
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
