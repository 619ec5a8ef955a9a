package bundle

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// In a bundle, __dirname and import.meta would be those of the bundle. Each
// file gets its own as constants instead, and their names stand for them.
const (
	urlName  = "xcsh_url"
	dirName  = "xcsh_dir"
	fileName = "xcsh_file"
)

func fileNames() map[string]string {
	return map[string]string{
		"__dirname":            dirName,
		"__filename":           fileName,
		"import.meta.url":      urlName,
		"import.meta.dirname":  dirName,
		"import.meta.filename": fileName,
		"import.meta.dir":      dirName, // Bun's names
		"import.meta.path":     fileName,
		"import.meta.main":     "false",
	}
}

// ownNames declares the constants at the beginning of the first line of each
// file that may use one, so that the numbers of its lines stay.
func ownNames() api.Plugin {
	uses := regexp.MustCompile(`import\s*\.\s*meta|__dirname|__filename`)
	return api.Plugin{Name: "own-names", Setup: func(build api.PluginBuild) {
		build.OnLoad(api.OnLoadOptions{Filter: `\.[cm]?[jt]sx?$`}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
			source, err := os.ReadFile(args.Path)
			if err != nil || !uses.Match(source) {
				return api.OnLoadResult{}, nil // esbuild reads it, and says what it finds
			}
			code := declareNames(args.Path, string(source))
			return api.OnLoadResult{Contents: &code, Loader: loader(args.Path), ResolveDir: filepath.Dir(args.Path)}, nil
		})
	}}
}

func declareNames(path, source string) string {
	// A comment from here on, so that its line is still the first.
	if strings.HasPrefix(source, "#!") {
		source = "//" + source
	}
	source = strings.TrimPrefix(source, "\uFEFF")
	return fmt.Sprintf("const %s = %s, %s = %s, %s = %s; %s",
		urlName, quote(FileURL(path)), dirName, quote(filepath.Dir(path)), fileName, quote(path), source)
}

func loader(path string) api.Loader {
	switch filepath.Ext(path) {
	case ".ts", ".mts", ".cts":
		return api.LoaderTS
	case ".tsx":
		return api.LoaderTSX
	case ".jsx":
		return api.LoaderJSX
	}
	return api.LoaderJS
}

// FileURL returns the file URL of an absolute path.
func FileURL(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") { // a drive letter
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

func absolute(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// quote writes s as a JavaScript string.
func quote(s string) string {
	quoted, _ := json.Marshal(s) // a string can always be marshalled
	return string(quoted)
}

// sorted keeps the first name first.
func sorted(names []string) []string {
	slices.Sort(names[1:])
	return names
}
