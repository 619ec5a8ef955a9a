package bundle

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"
)

// maxFileBytes is the largest file that goes into a bundle: more than any source
// has, and too little to use the memory up. A workspace's files are bundled
// before anybody trusts it, to know what the trust would be about.
const maxFileBytes = 64 << 20

// onlyRegular fails the build for an import that is a pipe, which would make it
// wait for ever, a device, or a huge file.
func onlyRegular() api.Plugin {
	return api.Plugin{Name: "only-regular", Setup: func(build api.PluginBuild) {
		build.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: "file"}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
			return api.OnLoadResult{}, checkRegular(args.Path) // then the next plugin, or esbuild, reads it
		})
	}}
}

// checkConfigs looks at the files that esbuild reads by itself, in the entry's
// folder and above it.
func checkConfigs(entry string) error {
	for dir := filepath.Dir(entry); ; dir = filepath.Dir(dir) {
		for _, name := range []string{"package.json", "tsconfig.json"} {
			if err := checkRegular(filepath.Join(dir, name)); err != nil {
				return err
			}
		}
		if dir == filepath.Dir(dir) {
			return nil
		}
	}
}

// checkRegular passes what is not there, and a folder: esbuild says so better.
func checkRegular(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil || info.IsDir():
		return nil
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is no regular file", path)
	case info.Size() > maxFileBytes:
		return fmt.Errorf("%s has more than %d bytes", path, maxFileBytes)
	}
	return nil
}
