package customtools

import "github.com/xcsh-lsp/xcsh-lsp/resolve"

// The levels of a source. They are for show and for the order of sources;
// whether a source needs trust is decided by where it really lies
// ([Discovery.Project]).
const (
	LevelUser    = "user"
	LevelProject = "project"
)

// The sources beside the providers (customtools.md 3.1).
func pluginSource() *resolve.ToolSource {
	return &resolve.ToolSource{Provider: "plugin", ProviderName: "Plugin", Level: LevelUser}
}

func configSource() *resolve.ToolSource {
	return &resolve.ToolSource{Provider: "config", ProviderName: "Config", Level: LevelProject}
}

// ToolPath is a module to load. Source is nil where nobody discovered it.
type ToolPath struct {
	Path   string
	Source *resolve.ToolSource
	// CodeSum is the [CodeSum] of what was trusted; "" where trust did not go by
	// the code.
	CodeSum string
	// Cwd is the workspace folder that the path was found for, and what the
	// module sees as its working directory.
	Cwd string
}

// ErrorKind sorts load errors for a client that shows them.
type ErrorKind string

// The kinds of load errors.
const (
	ErrorDeclarative ErrorKind = "declarative" // informational: a file that only describes
	ErrorUntrusted   ErrorKind = "untrusted"
	ErrorUnreadable  ErrorKind = "unreadable" // a file that discovery reads
	ErrorPath        ErrorKind = "path"
	ErrorLoad        ErrorKind = "load"
	ErrorShape       ErrorKind = "shape"
	ErrorConflict    ErrorKind = "conflict"
)

// LoadError is one module that could not be loaded, or one file that could not
// be read on the way. Its path is as it was given.
type LoadError struct {
	resolve.ToolLoadError
	Kind ErrorKind `json:"-"`
}

func newLoadError(p ToolPath, text string, kind ErrorKind) LoadError {
	return LoadError{resolve.ToolLoadError{Path: p.Path, Error: text, Source: p.Source}, kind}
}

// The texts of load errors (customtools.md 1 and 5.2).
const (
	untrustedText   = "Not loaded: the workspace is not trusted"
	declarativeText = "Declarative tool files (.md, .json) cannot be loaded as executable modules"
)
