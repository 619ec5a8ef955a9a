// Package jshost makes the runtime that evaluates custom tools: Node.js, Bun
// or Deno, whichever this machine has. It is the only way to it from outside
// package customtools.
package jshost

import (
	"runtime"

	"github.com/xcsh-lsp/xcsh-lsp/customtools"
	"github.com/xcsh-lsp/xcsh-lsp/customtools/internal/bundle"
	"github.com/xcsh-lsp/xcsh-lsp/customtools/internal/host"
	"github.com/xcsh-lsp/xcsh-lsp/customtools/internal/jsruntime"
)

// Options is what [New] takes.
type Options struct {
	// Setting is customTools.runtime: a path, a name on PATH, or "auto".
	Setting string
	// EditorProgram is the editor's own Electron program, where the editor hands
	// its path over: it can run as Node.js. Empty where there is none.
	EditorProgram string
	// Allowed reports whether a program may be run as the runtime: one inside an
	// untrusted workspace may not. nil allows every one.
	Allowed func(path string) bool
	// Log takes what belongs to no module. nil drops it. It must not block.
	Log func(customtools.LogEntry)
}

// New returns a runtime. Nothing is searched or started before the first
// module is loaded; where there is no JavaScript on this machine, that fails
// with a text that says what to install.
func New(o Options) customtools.Runtime {
	search := jsruntime.OnThisMachine(runtime.GOOS)
	search.Setting, search.Editor, search.Allowed = o.Setting, o.EditorProgram, o.Allowed
	return host.New(host.Options{Find: search.Find, Log: o.Log})
}

// Code returns all that would run for the module at an absolute path, its
// imports and their packages included. It runs none of it: this is what a human
// is asked to trust.
func Code(module string) ([]byte, error) {
	b, err := bundle.Build(module)
	return b.Code, err
}
