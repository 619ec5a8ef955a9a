package customtools

// Level says whose a source is.
type Level string

// The levels. They are for show and for the order of sources; whether a source
// needs trust is decided by where it really lies ([Discovery.Project]).
const (
	LevelUser    Level = "user"
	LevelProject Level = "project"
)

// Source is where a tool was found.
type Source struct {
	Provider     string `json:"provider"`
	ProviderName string `json:"providerName"`
	Level        Level  `json:"level"`
}

// The sources beside the providers (customtools.md 3.1).
func pluginSource() *Source {
	return &Source{Provider: "plugin", ProviderName: "Plugin", Level: LevelUser}
}

func configSource() *Source {
	return &Source{Provider: "config", ProviderName: "Config", Level: LevelProject}
}

// ToolPath is a module to load. Source is nil where nobody discovered it.
type ToolPath struct {
	Path   string  `json:"path"`
	Source *Source `json:"source,omitempty"`
	// Cwd is the workspace folder that the path was found for, and what the
	// module sees as its working directory.
	Cwd string `json:"-"`
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
// be read on the way.
type LoadError struct {
	Path   string    `json:"path"` // as it was given
	Error  string    `json:"error"`
	Source *Source   `json:"source,omitempty"`
	Kind   ErrorKind `json:"-"`
}

// The texts of load errors (customtools.md 1 and 5.2).
const (
	untrustedText   = "Not loaded: the workspace is not trusted"
	declarativeText = "Declarative tool files (.md, .json) cannot be loaded as executable modules"
)
