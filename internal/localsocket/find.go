package localsocket

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// ErrNone says that no server of the workspace listens.
var ErrNone = errors.New("no server runs for this workspace")

// Dial connects to the server of the workspace that was used last. What is left of a
// server that has gone is removed. workspace is the real path of the workspace's
// first folder.
func Dial(ctx context.Context, root, workspace string) (net.Conn, error) {
	found, err := sockets(root, workspace)
	if err != nil {
		return nil, err
	}
	dialer := net.Dialer{}
	for _, s := range found {
		conn, err := dialer.DialContext(ctx, "unix", s.path)
		switch {
		case err == nil:
			return conn, nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, syscall.ECONNREFUSED):
			_ = os.Remove(s.path) // nobody listens, and nobody will again: each server has a name of its own
		}
	}
	return nil, ErrNone
}

type socket struct {
	path string
	used time.Time
}

// sockets lists those of a workspace, the one used last first.
func sockets(root, workspace string) ([]socket, error) {
	paths, err := filepath.Glob(filepath.Join(globQuote(filepath.Join(root, folder)), workspaceName(root, workspace)+"-*"+suffix))
	if err != nil {
		return nil, err
	}
	var found []socket
	for _, path := range paths {
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode().Type() != fs.ModeSocket {
			continue
		}
		if err != nil {
			return nil, err
		}
		found = append(found, socket{path, info.ModTime()})
	}
	slices.SortFunc(found, func(a, b socket) int { return b.used.Compare(a.used) })
	return found, nil
}

// globQuote keeps a folder's own characters from being a pattern's.
func globQuote(dir string) string {
	var quoted []byte
	for i := range len(dir) {
		switch dir[i] {
		case '*', '?', '[', '\\':
			if os.PathSeparator != '\\' {
				quoted = append(quoted, '\\')
			}
		}
		quoted = append(quoted, dir[i])
	}
	return string(quoted)
}
