package fileuri

import (
	"path"
	"strings"
)

// Windows is the name of the system whose paths have drives and servers, as
// runtime.GOOS has it. Every other name means slashes and one root.
const Windows = "windows"

// Path returns the clean absolute path that a URI names on the system goos. ok is
// false for what names no file there: another scheme, a file of another machine, no
// absolute path, a NUL byte; on Windows also a device, an alternate stream of a
// file and a path without its drive.
//
// A percent sign that begins no escape means itself, since editors have sent such.
func Path(goos, raw string) (clean string, ok bool) {
	host, slashed, ok := split(raw)
	if !ok || strings.ContainsRune(slashed, 0) {
		return "", false
	}
	if goos == Windows {
		return windowsPath(host, slashed)
	}
	if host != "" || !strings.HasPrefix(slashed, "/") {
		return "", false
	}
	return path.Clean(slashed), true
}

// split returns the decoded parts of a file URI; the host is "" for this machine.
func split(raw string) (host, slashed string, ok bool) {
	const scheme = "file:"
	if len(raw) < len(scheme) || !strings.EqualFold(raw[:len(scheme)], scheme) {
		return "", "", false
	}
	rest := raw[len(scheme):]
	if end := strings.IndexAny(rest, "?#"); end >= 0 {
		rest = rest[:end]
	}
	if authority, found := strings.CutPrefix(rest, "//"); found {
		host, rest = authority, ""
		if slash := strings.IndexByte(authority, '/'); slash >= 0 {
			host, rest = authority[:slash], authority[slash:]
		}
	}
	host = strings.ToLower(unescape(host))
	if host == "localhost" {
		host = ""
	}
	return host, unescape(rest), true
}

// unescape decodes the percent escapes of text and leaves what is none.
func unescape(text string) string {
	if !strings.Contains(text, "%") {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '%' && i+2 < len(text) {
			high, low := hexDigit(text[i+1]), hexDigit(text[i+2])
			if high >= 0 && low >= 0 {
				b.WriteByte(byte(high<<4 | low))
				i += 2
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// hexDigit returns the value of a hexadecimal digit, -1 for anything else.
func hexDigit(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}
