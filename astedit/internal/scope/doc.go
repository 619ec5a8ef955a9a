// Package scope turns the path, paths and glob parameters of an edit into the
// sorted list of files that it concerns.
//
// Resolve reads the parameters against a workspace and refuses what is missing
// or lies outside it; Scope.Candidates then lists the files below, under the
// rules of ignore files, node_modules and globs, open documents included. The
// package reads directories, ignore files and file types, never the text of a
// candidate; it knows neither languages (the caller's keep function does) nor
// documents beyond their paths.
//
// Two spellings of a path are kept apart throughout. The real path has every
// symbolic link resolved: it decides what is inside the workspace, which ignore
// files count and whether two names mean one file. The path handed out is the
// real one again, but below the folder as the client spells it, so that it
// meets the client's own names.
package scope
