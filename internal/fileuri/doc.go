// Package fileuri converts between file URIs, as editors write them, and paths of
// an operating system, which is a parameter: every system's rules can be tested on
// any. It looks at no disk and resolves no symbolic links, and it is not for the
// path strings that people and agents type (astedit/internal/scope reads those).
//
// The URI library that the protocol types use is not enough here: it folds the case
// of what looks like a drive letter on every system and makes a path of a host.
package fileuri
