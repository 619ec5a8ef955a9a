// Package types has the TypeScript declarations for custom tools, for editors and
// for tsc. Nothing of it runs: tools are compiled without being type-checked.
package types

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

//go:embed files
var files embed.FS

const (
	// folder is where the declarations go, below the folder that holds that of the
	// tools. They are not beside the tools: a tsconfig.json would count as one.
	folder = "types"
	// configFile tells TypeScript which files belong together. It is the user's.
	configFile = "tsconfig.json"
)

// Write puts the declarations into dir/types, and a tsconfig.json into dir unless
// there is one. dir is the folder that has the folder "tools", such as .xcsh; what
// is there may be anybody's work, so no link leads out of it. Write returns the
// paths of what it wrote; declarations of an older version are replaced.
func Write(dir string) (written []string, err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("make the folder for the types: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open the folder for the types: %w", err)
	}
	defer root.Close()
	if err := root.MkdirAll(folder, 0o777); err != nil {
		return nil, fmt.Errorf("make the folder for the types: %w", err)
	}
	entries, err := files.ReadDir("files")
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		name, flags := filepath.Join(folder, entry.Name()), os.O_TRUNC
		if !strings.HasSuffix(entry.Name(), ".d.ts") {
			name, flags = entry.Name(), os.O_EXCL
		}
		switch err := write(root, name, flags, entry.Name()); {
		case errors.Is(err, fs.ErrExist) && name == configFile: // it is the user's
		case err != nil:
			return written, fmt.Errorf("write %s: %w", filepath.Join(dir, name), err)
		default:
			written = append(written, filepath.Join(dir, name))
		}
	}
	return written, nil
}

func write(root *os.Root, name string, flags int, from string) error {
	text, err := files.ReadFile("files/" + from)
	if err != nil {
		return err
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|flags, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}
