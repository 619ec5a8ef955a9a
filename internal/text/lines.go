package text

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

// BOM is the byte order mark in UTF-8.
const BOM = "\xEF\xBB\xBF"

// HasBOM reports whether content begins with [BOM].
func HasBOM(content []byte) bool { return bytes.HasPrefix(content, []byte(BOM)) }

// LineEnding returns the terminator that most lines of content have: "\n",
// "\r\n" or "\r". Where two are as frequent it is the one named first here;
// where there is none it is "\n".
func LineEnding(content []byte) string {
	crlf := bytes.Count(content, []byte("\r\n"))
	lf := bytes.Count(content, []byte{'\n'}) - crlf
	cr := bytes.Count(content, []byte{'\r'}) - crlf
	switch {
	case lf >= crlf && lf >= cr:
		return "\n"
	case crlf >= cr:
		return "\r\n"
	}
	return "\r"
}

// FirstLine returns s up to its first line terminator.
func FirstLine(s string) string {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		s = s[:i]
	}
	if i := strings.IndexByte(s, '\r'); i >= 0 {
		s = s[:i]
	}
	return s
}

// TruncateUTF16 returns the longest prefix of s that has at most limit UTF-16
// units and does not end inside a character.
func TruncateUTF16(s string, limit int) string {
	// No character has more units than bytes.
	if len(s) <= limit {
		return s
	}
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		limit--
		if isAstral(r) {
			limit--
		}
		if limit < 0 {
			return s[:i]
		}
		i += size
	}
	return s
}

// Hash returns the SHA-256 of content in hexadecimal.
func Hash(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}
