package host

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/xcsh-lsp/xcsh-lsp/customtools/internal/bundle"
)

//go:embed js
var scripts embed.FS

// writeScripts lays the process's own JavaScript down in dir and returns the
// path of the file to start.
func writeScripts(dir string) (string, error) {
	err := fs.WalkDir(scripts, "js", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if entry.IsDir() {
			return os.Mkdir(path, 0o700)
		}
		data, err := scripts.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(path, data, 0o600)
	})
	if err != nil {
		return "", fmt.Errorf("write the tool host's files: %w", err)
	}
	return filepath.Join(dir, "js", "host.mjs"), nil
}

// joinWorker replaces the worker's files by one, which starts in less than half
// of the time. It works while the runtime starts.
func joinWorker(dir string) error {
	path := filepath.Join(dir, "js", "worker.mjs")
	code, err := bundle.Join(path)
	if err != nil {
		return fmt.Errorf("prepare the tool host's files: %w", err)
	}
	if err := os.WriteFile(path, code, 0o600); err != nil {
		return fmt.Errorf("write the tool host's files: %w", err)
	}
	return nil
}
