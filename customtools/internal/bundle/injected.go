package bundle

import "github.com/evanw/esbuild/pkg/api"

const injectedNamespace = "xcsh-injected"

// injectedModules maps the names of the host's packages (customtools.md 19.3)
// to what stands for them in the process: a property of an object that the
// worker sets up before it evaluates a bundle.
func injectedModules() []injectedModule {
	return []injectedModule{
		{`^@(f5-sales-demo|f5xc-salesdemos)/xcsh$`, "pi"},
		{`^@(oh-my-pi|mariozechner|earendil-works)/pi-coding-agent$`, "pi"},
		{`^@(f5-sales-demo|f5xc-salesdemos|oh-my-pi|mariozechner|earendil-works)/pi-(ai|tui|utils|agent-core)$`, "pi"},
		{`^(@sinclair/)?typebox$`, "typebox"},
	}
}

type injectedModule struct{ pattern, property string }

// injected resolves the host's packages to our own code, whether or not a copy
// is installed. They are CommonJS for esbuild, so that a name that we do not
// have is undefined and no error.
func injected() api.Plugin {
	return api.Plugin{Name: "injected", Setup: func(build api.PluginBuild) {
		for _, m := range injectedModules() {
			build.OnResolve(api.OnResolveOptions{Filter: m.pattern}, func(api.OnResolveArgs) (api.OnResolveResult, error) {
				return api.OnResolveResult{Path: m.property, Namespace: injectedNamespace}, nil
			})
		}
		build.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: injectedNamespace}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
			code := `module.exports = globalThis[Symbol.for("xcsh-lsp.injected")].` + args.Path
			return api.OnLoadResult{Contents: &code, Loader: api.LoaderJS}, nil
		})
		// A compiled addon cannot be bundled. Required by its absolute path it
		// loads from where it is.
		build.OnResolve(api.OnResolveOptions{Filter: `\.node$`}, func(args api.OnResolveArgs) (api.OnResolveResult, error) {
			return api.OnResolveResult{Path: absolute(args.ResolveDir, args.Path), External: true}, nil
		})
	}}
}
