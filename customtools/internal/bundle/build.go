package bundle

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// Bundle is a module in one piece.
type Bundle struct {
	Code []byte // its source map is in its last line
	// Inputs are the files that went in, the module first: a change of one
	// changes the bundle. Those of packages are left out.
	Inputs []string
}

// Build bundles the module at the absolute path entry. The text of an error
// has a line for each problem, as "file:line:column: what".
func Build(entry string) (Bundle, error) {
	if err := checkConfigs(entry); err != nil {
		return Bundle{}, err
	}
	result := api.Build(api.BuildOptions{
		EntryPoints:   []string{entry},
		AbsWorkingDir: filepath.Dir(entry),
		Bundle:        true,
		Outfile:       filepath.Join(filepath.Dir(entry), "bundle.mjs"), // named, not written
		Platform:      api.PlatformNode,
		// Not CommonJS, which cannot hold a top-level await.
		Format:         api.FormatESModule,
		Engines:        []api.Engine{{Name: api.EngineNode, Version: "18"}},
		Target:         api.ES2022,
		Sourcemap:      api.SourceMapInline,
		SourcesContent: api.SourcesContentExclude,
		SourceRoot:     FileURL(filepath.Dir(entry)) + "/",
		Charset:        api.CharsetUTF8,
		LegalComments:  api.LegalCommentsNone,
		LogLevel:       api.LogLevelSilent,
		Metafile:       true,
		Define:         fileNames(),
		// What CommonJS code requires at run time, it requires from its own place.
		Banner:  map[string]string{"js": requireFrom(entry)},
		Plugins: []api.Plugin{onlyRegular(), injected(), ownNames()},
	})
	if len(result.Errors) > 0 {
		return Bundle{}, problems(filepath.Dir(entry), result.Errors)
	}
	inputs, err := inputsOf(entry, result.Metafile)
	if err != nil {
		return Bundle{}, err
	}
	return Bundle{Code: result.OutputFiles[0].Contents, Inputs: inputs}, nil
}

func requireFrom(entry string) string {
	return `import { createRequire as xcsh_createRequire } from "node:module"; const require = xcsh_createRequire(` + quote(entry) + `);`
}

func problems(dir string, messages []api.Message) error {
	var lines []string
	for _, m := range messages {
		line := m.Text
		if at := m.Location; at != nil {
			file := at.File
			if !filepath.IsAbs(file) {
				file = filepath.Join(dir, filepath.FromSlash(file))
			}
			// Columns are bytes from 0; people count from 1.
			line = fmt.Sprintf("%s:%d:%d: %s", file, at.Line, at.Column+1, m.Text)
		}
		lines = append(lines, line)
	}
	return errors.New(strings.Join(lines, "\n"))
}

// inputsOf reads the files that went in from the metafile, whose paths are
// relative to the entry's folder.
func inputsOf(entry, metafile string) ([]string, error) {
	var meta struct {
		Inputs map[string]json.RawMessage `json:"inputs"`
	}
	if err := json.Unmarshal([]byte(metafile), &meta); err != nil {
		return nil, fmt.Errorf("read the list of files in the bundle of %s: %w", entry, err)
	}
	inputs := []string{entry}
	for name := range meta.Inputs {
		path := filepath.Join(filepath.Dir(entry), filepath.FromSlash(name))
		if strings.HasPrefix(name, injectedNamespace+":") || strings.Contains(name, "node_modules/") || path == entry {
			continue
		}
		inputs = append(inputs, path)
	}
	return sorted(inputs), nil
}
