package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func frame(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }

// readAll reads all frames of input with a limit of 100 bytes a body.
func readAll(r io.Reader) (bodies []string, malformed, tooLong int, err error) {
	f := newFrameReader(r)
	f.maxFrame = 100
	f.malformed = func([]byte) { malformed++ }
	f.tooLong = func(int64) { tooLong++ }
	for {
		body, err := f.next()
		if err != nil {
			return bodies, malformed, tooLong, err
		}
		bodies = append(bodies, string(body))
	}
}

func TestFrames(t *testing.T) {
	long := strings.Repeat("x", 3*maxHeaderLine)
	tests := []struct {
		name, input string
		want        []string
		malformed   int
		tooLong     int
		err         error
	}{
		{"none", "", nil, 0, 0, io.EOF},
		{"two", frame("{}") + frame("[1]"), []string{"{}", "[1]"}, 0, 0, io.EOF},
		{"other fields, any case, bare line feeds", "content-type: x; charset=utf-8\ncontent-LENGTH:2 \n\n{}", []string{"{}"}, 0, 0, io.EOF},
		{"the last length counts", "Content-Length: 9\r\nContent-Length: 2\r\n\r\n{}", []string{"{}"}, 0, 0, io.EOF},
		{"empty body", frame("") + frame("{}"), []string{"", "{}"}, 0, 0, io.EOF},
		{"length is no number", "Content-Length: two\r\n\r\n{}" + frame("{1}"), []string{"{1}"}, 1, 0, io.EOF},
		{"negative length", "Content-Length: -2\r\n\r\n{}" + frame("{1}"), []string{"{1}"}, 1, 0, io.EOF},
		{"length of 30 digits", "Content-Length: " + strings.Repeat("9", 30) + "\r\n\r\n{}" + frame("{1}"), []string{"{1}"}, 1, 0, io.EOF},
		{"no length", "Content-Type: x\r\n\r\n{}" + frame("{1}"), []string{"{1}"}, 1, 0, io.EOF},
		{"no colon", "hello\r\n\r\n" + frame("{1}"), []string{"{1}"}, 1, 0, io.EOF},
		{"no line break before the header", "garbage{" + frame("{1}"), []string{"{1}"}, 1, 0, io.EOF},
		{"length too small", "Content-Length: 3\r\n\r\n{12345}" + frame("{1}"), []string{"{12", "{1}"}, 1, 0, io.EOF},
		{"length too big eats into the next message", "Content-Length: 10\r\n\r\n{}" + frame("{1}") + frame("{2}"), []string{"{}Content-", "{2}"}, 1, 0, io.EOF},
		{"blank lines between", frame("{1}") + "\r\n\r\n" + frame("{2}"), []string{"{1}", "{2}"}, 1, 0, io.EOF},
		{"a header in a JSON string is none", "oops\n" + `{"s":"Content-Length: 5\r\n\r\n"}` + frame("{1}"), []string{"{1}"}, 1, 0, io.EOF},
		{"endless header line", long + "\r\n" + frame("{1}"), []string{"{1}"}, 1, 0, io.EOF},
		{"endless header line without end", long + frame("{1}"), []string{"{1}"}, 1, 0, io.EOF},
		{"over the limit", frame(strings.Repeat("x", 101)) + frame("{1}"), []string{"{1}"}, 0, 1, io.EOF},
		{"over the limit twice", frame(strings.Repeat("x\n", 99)) + frame(long) + frame("{1}"), []string{"{1}"}, 0, 2, io.EOF},
		{"over the limit, then the end", "Content-Length: 999999999999\r\n\r\n{}", nil, 0, 1, io.EOF},
		{"ends in a header", "Content-Length: 10\r\n", nil, 0, 0, io.ErrUnexpectedEOF},
		{"ends in a header line", "Content-Le", nil, 0, 0, io.ErrUnexpectedEOF},
		{"ends before the body", "Content-Length: 10\r\n\r\n", nil, 0, 0, io.ErrUnexpectedEOF},
		{"ends in the body", "Content-Length: 10\r\n\r\n{}", nil, 0, 0, io.ErrUnexpectedEOF},
		{"ends in garbage", frame("{}") + "\n", []string{"{}"}, 1, 0, io.EOF},
	}
	readers := map[string]func(io.Reader) io.Reader{
		"whole": func(r io.Reader) io.Reader { return r },
		"bytes": iotest.OneByteReader,
	}
	for _, tt := range tests {
		for how, wrap := range readers {
			t.Run(tt.name+"/"+how, func(t *testing.T) {
				bodies, malformed, tooLong, err := readAll(wrap(strings.NewReader(tt.input)))
				if !slices.Equal(bodies, tt.want) || err != tt.err {
					t.Errorf("got %q, %v, want %q, %v", bodies, err, tt.want, tt.err)
				}
				if malformed != tt.malformed || tooLong != tt.tooLong {
					t.Errorf("told of %d malformed and %d too long, want %d and %d", malformed, tooLong, tt.malformed, tt.tooLong)
				}
			})
		}
	}
}

func TestFrameTransportError(t *testing.T) {
	broken := errors.New("broken")
	for _, input := range []string{"", "Content-", "Content-Length: 4\r\n\r\n{", "garbage\n"} {
		r := io.MultiReader(strings.NewReader(input), iotest.ErrReader(broken))
		if _, _, _, err := readAll(r); !errors.Is(err, broken) {
			t.Errorf("after %q: %v, want the transport's error", input, err)
		}
	}
}

// A huge announced length costs nothing, and a huge body's memory is given back.
func TestFrameMemory(t *testing.T) {
	f := newFrameReader(strings.NewReader(fmt.Sprintf("Content-Length: %d\r\n\r\n{}", maxFrame)))
	if _, err := f.next(); err != io.ErrUnexpectedEOF || f.body.Cap() > maxKeptBody {
		t.Errorf("a short body of a long announcement: %v, with %d bytes held", err, f.body.Cap())
	}
	f = newFrameReader(strings.NewReader(frame(strings.Repeat("x", 4*maxKeptBody)) + frame("{}")))
	for range 2 {
		if _, err := f.next(); err != nil {
			t.Fatal(err)
		}
	}
	if f.body.Cap() > maxKeptBody {
		t.Errorf("%d bytes are held after a small message", f.body.Cap())
	}
}

// Whatever comes before it, a frame is found as long as nothing looks like one.
func FuzzFrameAfterGarbage(f *testing.F) {
	f.Add([]byte("hello"))
	f.Add([]byte("A: b\r\n\r\nContent-Length"))
	f.Add([]byte("\x00\n\n:\n"))
	f.Fuzz(func(t *testing.T, garbage []byte) {
		bodies, _, _, err := readAll(bytes.NewReader(append(garbage, frame(`{"last":1}`)...)))
		if bytes.Contains(bytes.ToLower(garbage), []byte("content-length")) {
			return // reading it must end, no more
		}
		if err != io.EOF || !slices.Equal(bodies, []string{`{"last":1}`}) {
			t.Fatalf("after %q: %q, %v", garbage, bodies, err)
		}
	})
}
