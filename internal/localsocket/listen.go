package localsocket

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/internal/statedir"
)

const (
	// folder holds the sockets of all workspaces, below the state folder. Its name is
	// short, because a socket's path may have some hundred bytes only.
	folder = "s"
	suffix = ".sock"

	// opening begins the name of a socket at which nobody listens yet. Clients look
	// for no such name: they would take it for a stale one and remove it.
	opening = "."

	// maxPath is the longest path of a socket that every Unix takes: macOS has 104
	// bytes for it with the NUL at its end, Linux 108.
	maxPath = 103

	// randomPart tells the servers of one workspace apart.
	randomPart = 6
)

// Listener takes the connections of one server of a workspace.
type Listener struct {
	*net.UnixListener
	path string
}

// Listen opens a socket for a server of the workspace whose first folder is
// workspace, a real path. Closing the listener removes it. root is the state folder.
func Listen(root, workspace string) (*Listener, error) {
	dir := filepath.Join(root, folder)
	if err := statedir.Ensure(dir); err != nil {
		return nil, err
	}
	name := workspaceName(root, workspace) + "-" + strings.ToLower(rand.Text()[:randomPart]) + suffix
	path, hidden := filepath.Join(dir, name), filepath.Join(dir, opening+name)
	if len(hidden) > maxPath {
		return nil, fmt.Errorf("the path of the socket %s is longer than %d bytes: set $XDG_STATE_HOME to a shorter folder", hidden, maxPath)
	}
	inner, err := net.ListenUnix("unix", &net.UnixAddr{Name: hidden, Net: "unix"})
	if err != nil {
		return nil, fmt.Errorf("open a socket for agents: %w", err)
	}
	err = os.Chmod(hidden, 0o600)
	if err == nil {
		err = os.Rename(hidden, path)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the socket %s to the user alone: %w", hidden, err), inner.Close())
	}
	inner.SetUnlinkOnClose(false) // it has another name by now
	return &Listener{inner, path}, nil
}

// Close ends the listening and removes the socket.
func (l *Listener) Close() error {
	err := l.UnixListener.Close()
	if removed := os.Remove(l.path); removed != nil && !errors.Is(removed, fs.ErrNotExist) {
		err = errors.Join(err, removed)
	}
	return err
}

// Path is the socket's.
func (l *Listener) Path() string { return l.path }

// Active marks the server as the one of its workspace that was used last.
func (l *Listener) Active(now time.Time) error { return os.Chtimes(l.path, now, now) }

// Accept waits for the next connection of the same user. Others are closed at once:
// the folder keeps them out already, unless somebody opened it.
func (l *Listener) Accept() (net.Conn, error) {
	for {
		conn, err := l.UnixListener.Accept()
		if err != nil {
			return nil, err
		}
		if sameUser(conn) {
			return conn, nil
		}
		_ = conn.Close()
	}
}

func workspaceName(root, workspace string) string {
	return filepath.Base(statedir.Workspace(root, workspace))
}
