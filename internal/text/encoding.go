package text

import "fmt"

// Encoding is the unit in which the column of a [Position] counts.
type Encoding uint8

const (
	// UTF8 counts bytes.
	UTF8 Encoding = iota
	// UTF16 counts UTF-16 code units: two for a character beyond the basic
	// multilingual plane, one for any other.
	UTF16
	// CodePoints counts Unicode code points; it is the protocol's utf-32.
	CodePoints
)

// ParseEncoding returns the encoding that the Language Server Protocol calls
// lspName: utf-8, utf-16 or utf-32.
func ParseEncoding(lspName string) (Encoding, error) {
	switch lspName {
	case "utf-8":
		return UTF8, nil
	case "utf-16":
		return UTF16, nil
	case "utf-32":
		return CodePoints, nil
	}
	return 0, fmt.Errorf("unknown position encoding %q: use utf-8, utf-16 or utf-32", lspName)
}

// String returns the protocol's name of the encoding.
func (e Encoding) String() string {
	switch e {
	case UTF8:
		return "utf-8"
	case UTF16:
		return "utf-16"
	case CodePoints:
		return "utf-32"
	}
	return fmt.Sprintf("Encoding(%d)", uint8(e))
}
