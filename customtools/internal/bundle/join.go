package bundle

import (
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"
)

// Join puts a module of our own and all that it imports into one file: a
// runtime reads that much faster than twenty. Nothing is injected or declared.
func Join(entry string) ([]byte, error) {
	result := api.Build(api.BuildOptions{
		EntryPoints: []string{entry},
		Bundle:      true,
		Platform:    api.PlatformNode,
		Format:      api.FormatESModule,
		Target:      api.ES2022,
		LogLevel:    api.LogLevelSilent,
	})
	if len(result.Errors) > 0 {
		return nil, problems(filepath.Dir(entry), result.Errors)
	}
	return result.OutputFiles[0].Contents, nil
}
