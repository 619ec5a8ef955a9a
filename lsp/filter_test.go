package lsp_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
	"github.com/xcsh-lsp/xcsh-lsp/lsp"
)

// startThrough is startWith for a client that never sees the server's messages for
// which drop is true.
func startThrough(t *testing.T, manners lsptest.Manners, files map[string]string, change func(*lsp.Config), drop func(body []byte) bool) *fixture {
	t.Helper()
	f := connectThrough(t, manners, files, change, func(server net.Conn) net.Conn {
		read, write := io.Pipe()
		go func() { write.CloseWithError(copyFrames(write, server, drop)) }()
		return filtered{server, read}
	})
	f.Initialize(nil, f.dir)
	return f
}

// filtered reads what is let through.
type filtered struct {
	net.Conn
	in io.Reader
}

func (f filtered) Read(b []byte) (int, error) { return f.in.Read(b) }

func copyFrames(to io.Writer, from io.Reader, drop func(body []byte) bool) error {
	in := bufio.NewReader(from)
	for {
		length := 0
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				return err
			}
			if line == "\r\n" {
				break
			}
			if value, ok := strings.CutPrefix(line, "Content-Length: "); ok {
				if _, err := fmt.Sscan(value, &length); err != nil {
					return err
				}
			}
		}
		body := make([]byte, length)
		if _, err := io.ReadFull(in, body); err != nil {
			return err
		}
		if drop(body) {
			continue
		}
		if _, err := io.WriteString(to, frame(string(body))); err != nil {
			return err
		}
	}
}
