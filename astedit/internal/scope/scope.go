package scope

import (
	"errors"
	"strings"
)

// Folder is one workspace folder.
type Folder struct {
	Name string // what display paths begin with where there are several; empty = the base name of Path
	Path string // absolute and clean
}

// Workspace says where relative paths start and what may be edited.
type Workspace struct {
	Folders      []Folder // in the client's order; none = only open documents are searched
	Home         string   // what ~ stands for; empty = ~ is not expanded
	OpenFiles    []string // absolute paths of open documents; one that is not on disk yet is a candidate all the same
	GlobalIgnore string   // absolute path of git's global excludes file; empty = none

	// Unreadable is told of every directory and ignore file that could not be
	// read and was therefore passed over; nil = nobody asks.
	Unreadable func(path string, err error)
}

// Params are the scope parameters of one edit. A blank Path or Glob counts as
// absent; nil Paths is absent, an empty list is an error.
type Params struct {
	Path  *string
	Paths []string
	Glob  *string
}

// Candidate is one file in the scope.
type Candidate struct {
	Path    string // absolute, no symbolic link below its workspace folder: what is read and written
	Display string // what the user sees: slashes, relative to the scope root
}

// Scope is a resolved search scope. It is immutable, and each call of
// Candidates looks at the disk afresh.
type Scope struct {
	Display    string   // the scope path shown to the user; "." is the whole workspace
	SearchPath string   // absolute path of the scope root; empty where there is no single one
	SingleFile bool     // the root is a file: ignore files and globs do not apply
	Missing    []string // entries of Paths that do not exist and were skipped

	ws      Workspace
	folders []*folder
	open    *openFiles
	roots   []root
}

// Texts for the user, exact.
const (
	msgPathAndPaths = "Specify either path or paths, not both"
	msgEmptyEntry   = "Search scope entries must be non-empty paths or globs"
	msgNotFound     = "Path not found: "
	msgIrregular    = "Search path must be a file or directory: "
	msgOutside      = "Path is outside the workspace: "
	msgURL          = "Search path must be a local path, not a URL: "
	msgInvalidGlob  = "Invalid glob pattern: "
	msgInternal     = `Path "%s" uses internal scheme "%s://" and must be resolved through the proper protocol handler, not as a filesystem path.`
)

// Resolve finds what the parameters mean in the workspace. Every error text is
// meant for the user as it stands.
func Resolve(ws Workspace, p Params) (*Scope, error) {
	r := newResolver(ws)
	path := ""
	if p.Path != nil {
		path = unquote(*p.Path)
	}
	if path != "" && p.Paths != nil {
		return nil, errors.New(msgPathAndPaths)
	}
	var (
		found selection
		err   error
	)
	switch {
	case p.Paths != nil:
		found, err = r.selectEntries(p.Paths)
	case path != "":
		found, err = r.selectPath(path)
	default:
		found = selection{targets: []target{r.wholeWorkspace()}}
	}
	if err != nil {
		return nil, err
	}
	glob := ""
	if p.Glob != nil {
		glob = strings.TrimSpace(*p.Glob)
	}
	return r.build(found, glob)
}

// resolver holds what one call of Resolve looks things up in.
type resolver struct {
	ws      Workspace
	folders []*folder
	open    *openFiles
}

func newResolver(ws Workspace) *resolver {
	return &resolver{ws: ws, folders: readFolders(ws.Folders), open: newOpenFiles(ws.OpenFiles)}
}

// several reports whether display paths begin with a folder's name.
func (r *resolver) several() bool { return len(r.folders) > 1 }
