package wire

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
)

const (
	// maxFrame caps the body of one message, in bytes: it must fit into memory
	// several times over (raw, decoded, as a document). Editors refuse to edit
	// files of a quarter of it, and no result of ours comes near.
	maxFrame = 256 << 20
	// maxKeptBody is the size in bytes up to which a body's buffer is reused: one
	// huge message must not hold its memory for the rest of the session.
	maxKeptBody = 1 << 20
	// maxHeaderLine caps a header line, in bytes: real ones have less than 100.
	maxHeaderLine = 8 << 10
	// lengthLine is the room in bytes that a `Content-Length` line needs, with
	// some for its blanks; so much of skipped input is kept to recognize one.
	lengthLine = 128
)

// lengthAtEnd finds a `Content-Length` line at the end of what was read, even
// where a body that was longer than declared leaves no line break before it. JSON
// cannot hold it: in its strings line breaks are escaped.
var lengthAtEnd = regexp.MustCompile(`(?i)content-length:[ \t]*([0-9]{1,18})[ \t]*\r?\n$`)

// frameReader reads the bodies of messages that are framed by the base protocol
// of LSP. It never gives up on malformed input: it skips forward to the next
// plausible `Content-Length` line.
type frameReader struct {
	in       *bufio.Reader
	maxFrame int64
	body     bytes.Buffer

	malformed func(line []byte)  // told once for each malformed stretch
	tooLong   func(length int64) // told of each message above maxFrame
}

func newFrameReader(r io.Reader) *frameReader {
	return &frameReader{in: bufio.NewReaderSize(r, maxHeaderLine), maxFrame: maxFrame}
}

// next returns the next body, which is valid until the next call. The error is
// io.EOF between two messages (or after input that was none),
// io.ErrUnexpectedEOF within one, or the transport's.
func (r *frameReader) next() ([]byte, error) {
	length, err := r.header(noLength)
	for err == nil && length > r.maxFrame {
		r.tooLong(length)
		if length, err = r.resync(nil); err == nil {
			length, err = r.header(length)
		}
	}
	if err != nil {
		return nil, err
	}
	if r.body.Cap() > maxKeptBody {
		r.body = bytes.Buffer{}
	}
	r.body.Reset()
	// The buffer grows with what arrives, not with what was announced.
	if _, err := io.CopyN(&r.body, r.in, length); err != nil {
		return nil, unexpected(err)
	}
	return r.body.Bytes(), nil
}

// noLength is the length before a `Content-Length` line.
const noLength int64 = -1

// header reads a header block to its end and returns the body's length. length is
// that of a `Content-Length` line already read, or noLength.
func (r *frameReader) header(length int64) (int64, error) {
	first := length == noLength
	for {
		line, err := r.in.ReadSlice('\n')
		switch {
		case err == io.EOF && len(line) == 0 && first:
			return 0, io.EOF
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return 0, unexpected(err)
		}
		first = false
		switch kind, n := classify(line); {
		case kind == fieldLength:
			length = n
		case kind == fieldBlank && length != noLength:
			return length, nil
		case kind != fieldOther:
			r.malformed(line)
			if length, err = r.resync(line); err != nil {
				return 0, err
			}
		}
	}
}

// resync skips to the end of the next plausible `Content-Length` line, which may
// be the end of line, and returns its length.
func (r *frameReader) resync(line []byte) (int64, error) {
	var seen []byte
	for {
		seen = append(seen, line...)
		if _, n, ok := trailingLength(seen); ok {
			return n, nil
		}
		seen = append(seen[:0], seen[max(0, len(seen)-lengthLine):]...)
		var err error
		if line, err = r.in.ReadSlice('\n'); err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return 0, err
		}
	}
}

type fieldKind int

const (
	fieldMalformed fieldKind = iota
	fieldBlank
	fieldLength
	fieldOther
)

// classify tells what a header line is; n is the value of a fieldLength.
func classify(line []byte) (kind fieldKind, n int64) {
	if s := string(line); s == "\n" || s == "\r\n" {
		return fieldBlank, 0
	}
	if before, n, ok := trailingLength(line); ok && before == 0 {
		return fieldLength, n
	} else if ok {
		return fieldMalformed, 0
	}
	name, _, ok := bytes.Cut(line, []byte{':'})
	if !ok || line[len(line)-1] != '\n' || !isFieldName(name) || strings.EqualFold(string(name), "content-length") {
		return fieldMalformed, 0
	}
	return fieldOther, 0
}

// trailingLength reads the `Content-Length` line that b ends with; before is the
// number of bytes in front of it.
func trailingLength(b []byte) (before int, n int64, ok bool) {
	if len(b) == 0 || b[len(b)-1] != '\n' {
		return 0, 0, false
	}
	skip := max(0, len(b)-lengthLine)
	found := lengthAtEnd.FindSubmatchIndex(b[skip:])
	if found == nil {
		return 0, 0, false
	}
	n, err := strconv.ParseInt(string(b[skip+found[2]:skip+found[3]]), 10, 64)
	return skip + found[0], n, err == nil
}

func isFieldName(name []byte) bool {
	for _, c := range name {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_') {
			return false
		}
	}
	return len(name) > 0
}

// unexpected is the error for an end of the stream within a message.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
