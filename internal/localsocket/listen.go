package localsocket

import (
	"crypto/rand"
	"errors"
	"fmt"
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

	// maxPath is the longest path of a socket that every Unix takes: macOS has 104
	// bytes for it with the NUL at its end, Linux 108.
	maxPath = 103

	// randomPart tells the servers of one workspace apart.
	randomPart = 6
)

// Listener takes the connections of one server of a workspace.
type Listener struct {
	net.Listener
	path string
}

// Listen opens a socket for a server of the workspace whose first folder is
// workspace, a real path. Closing the listener removes it. root is the state folder.
func Listen(root, workspace string) (*Listener, error) {
	dir := filepath.Join(root, folder)
	if err := statedir.Ensure(dir); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, workspaceName(root, workspace)+"-"+strings.ToLower(rand.Text()[:randomPart])+suffix)
	if len(path) > maxPath {
		return nil, fmt.Errorf("the path of the socket %s is longer than %d bytes: set $XDG_STATE_HOME to a shorter folder", path, maxPath)
	}
	inner, err := net.Listen("unix", path)
	if err != nil {
		return nil, fmt.Errorf("open a socket for agents: %w", err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("close the socket %s to others: %w", path, err), inner.Close())
	}
	return &Listener{inner, path}, nil
}

// Path is the socket's.
func (l *Listener) Path() string { return l.path }

// Active marks the server as the one of its workspace that was used last.
func (l *Listener) Active(now time.Time) error { return os.Chtimes(l.path, now, now) }

// Accept waits for the next connection of the same user. Others are closed at once:
// the folder keeps them out already, unless somebody opened it.
func (l *Listener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
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
