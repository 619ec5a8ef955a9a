package lsp

import (
	"path/filepath"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/customtools"
)

// toolErrorSource is the source of diagnostics about tools that do not load.
const toolErrorSource = "customtools"

// loadFailed notes what could not be loaded, and has every editor show it.
func (b *toolbox) loadFailed(errors []customtools.LoadError) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.errors = errors
	for f := range b.shownBy {
		f.changed()
	}
}

// showOn has the surfaces told of every load, until the returned function is
// called.
func (b *toolbox) showOn(f *surfaces) (stop func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.shownBy[f] = true
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.shownBy, f)
	}
}

func (b *toolbox) loadErrors() []customtools.LoadError {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.errors
}

// addLoadErrors adds a diagnostic at the start of each module that could not be
// loaded. The map is by URI.
func (f *surfaces) addLoadErrors(to map[string]fileDiagnostics) {
	for _, e := range f.server.workspace.toolbox.loadErrors() {
		if !filepath.IsAbs(e.Path) {
			continue // as somebody wrote it, and no file
		}
		uri := f.server.uri(realPath(e.Path))
		severity := loadErrorSeverity(e.Kind)
		file := to[uri]
		file.uri = uri
		file.list = append(file.list, protocol.Diagnostic{
			Severity: severity, Code: protocol.String(string(e.Kind)), Source: protocol.NewOptional(toolErrorSource), Message: protocol.String(e.Error),
		})
		to[uri] = file
	}
}

func loadErrorSeverity(kind customtools.ErrorKind) protocol.DiagnosticSeverity {
	switch kind {
	case customtools.ErrorDeclarative:
		return protocol.DiagnosticSeverityHint
	case customtools.ErrorUntrusted:
		return protocol.DiagnosticSeverityInformation
	}
	return protocol.DiagnosticSeverityError
}
