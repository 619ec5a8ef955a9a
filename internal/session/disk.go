package session

import (
	"os"
	"path/filepath"
	"runtime"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/internal/diskfile"
	"github.com/xcsh-lsp/xcsh-lsp/internal/fileuri"
)

// DiskHost is the host of a session without an editor: every text is the disk's.
type DiskHost struct {
	Folders      []astedit.Folder
	Home         string
	GlobalIgnore string
}

// Workspace implements Host.
func (h DiskHost) Workspace() astedit.Workspace {
	return astedit.Workspace{Folders: h.Folders, Home: h.Home, GlobalIgnore: h.GlobalIgnore, Documents: diskDocuments{}}
}

// URI implements Host.
func (DiskHost) URI(path string) string { return fileuri.Of(runtime.GOOS, path) }

// Path implements Host.
func (DiskHost) Path(raw string) string {
	if path, ok := fileuri.Path(runtime.GOOS, raw); ok {
		return path
	}
	return raw
}

// Editor implements Host.
func (DiskHost) Editor() Editor { return nil }

type diskDocuments struct{}

func (diskDocuments) OpenText(string) ([]byte, bool)       { return nil, false }
func (diskDocuments) OpenPaths() []string                  { return nil }
func (diskDocuments) ReadFile(path string) ([]byte, error) { return os.ReadFile(path) }

func (diskDocuments) ReadInto(path string, buffer []byte) ([]byte, error) {
	return diskfile.ReadInto(path, buffer)
}

// GlobalIgnore returns the file in which git looks for a user's excludes where no
// configuration names another, "" where there is none.
func GlobalIgnore(getenv func(string) string, home string) string {
	dir := getenv("XDG_CONFIG_HOME")
	if dir == "" {
		if home == "" {
			return ""
		}
		dir = filepath.Join(home, ".config")
	}
	path := filepath.Join(dir, "git", "ignore")
	if _, err := os.Stat(path); err != nil {
		return ""
	}
	return path
}
