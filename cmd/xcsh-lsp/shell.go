package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"

	"github.com/xcsh-lsp/xcsh-lsp/internal/session"
)

// shellWorkspace turns the PATHs of a command line into workspace folders and the
// paths to search in them. Below the current folder names stay relative to it;
// elsewhere each folder given, or the folder of a file given, is one of its own.
func shellWorkspace(args []string) (folders []astedit.Folder, paths []string, err error) {
	here, err := os.Getwd()
	if err != nil {
		return nil, nil, fmt.Errorf("find the current folder: %w", err)
	}
	if here, err = filepath.EvalSymlinks(here); err != nil {
		return nil, nil, err
	}
	if len(args) == 0 {
		return []astedit.Folder{{Path: here}}, nil, nil
	}
	outside := false
	for _, arg := range args {
		outside = outside || !isBelow(here, arg)
	}
	if !outside {
		return []astedit.Folder{{Path: here}}, args, nil
	}
	for _, arg := range args {
		real, err := realDir(arg)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", arg, err)
		}
		folders = append(folders, astedit.Folder{Path: real.dir})
		paths = append(paths, real.path)
	}
	return folders, paths, nil
}

// isBelow is true for names that do not exist too: the edit says what is missing.
func isBelow(dir, arg string) bool {
	absolute, err := filepath.Abs(arg)
	if err != nil {
		return false
	}
	if real, err := filepath.EvalSymlinks(absolute); err == nil {
		absolute = real
	}
	rel, err := filepath.Rel(dir, absolute)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

type location struct{ path, dir string }

func realDir(arg string) (location, error) {
	absolute, err := filepath.Abs(arg)
	if err != nil {
		return location{}, err
	}
	real, err := filepath.EvalSymlinks(absolute)
	if err != nil {
		return location{}, err
	}
	info, err := os.Stat(real)
	if err != nil {
		return location{}, err
	}
	if info.IsDir() {
		return location{real, real}, nil
	}
	return location{real, filepath.Dir(real)}, nil
}

// shellChange is one change as --json prints it. Lines and columns count from 1,
// columns in Unicode code points; bytes count from 0, the end is exclusive.
type shellChange struct {
	Path        string `json:"path"`
	StartLine   int    `json:"startLine"`
	StartColumn int    `json:"startColumn"`
	EndLine     int    `json:"endLine"`
	EndColumn   int    `json:"endColumn"`
	StartByte   int    `json:"startByte"`
	EndByte     int    `json:"endByte"`
	Before      string `json:"before"`
	After       string `json:"after"`
}

type shellDetails struct {
	session.ProposalDetails
	Changes []shellChange `json:"changes"`
}

type appliedDetails struct {
	resolve.Details
	Changes []shellChange `json:"changes"`
}

func changesOf(result *astedit.Result) []shellChange {
	changes := []shellChange{}
	for _, f := range result.Files {
		for _, c := range f.Changes {
			changes = append(changes, shellChange{
				Path: f.Display, StartLine: c.StartLine, StartColumn: c.StartColumn, EndLine: c.EndLine, EndColumn: c.EndColumn,
				StartByte: c.Span.Start, EndByte: c.Span.End, Before: c.Before, After: c.After,
			})
		}
	}
	return changes
}
