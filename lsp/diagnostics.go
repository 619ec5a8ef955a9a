package lsp

import (
	"context"
	"fmt"
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"go.uber.org/zap"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/internal/session"
	"github.com/xcsh-lsp/xcsh-lsp/internal/text"
)

const (
	// maxDiagnosticRanges bounds what an editor has to draw; beyond it the list
	// of problems is no help to anyone.
	maxDiagnosticRanges = 2000
	// maxRelatedFiles bounds the other files named at one diagnostic: each of
	// many files naming all others would grow with their square.
	maxRelatedFiles = 20
	// maxDiagnosticText is where a side of a message is cut, in UTF-16 units.
	maxDiagnosticText = 120

	diagnosticSource = "xcsh"
	textCapped       = "xcsh shows %d of the %d ranges of \"%s\" as diagnostics; the preview has all of them."
)

// fileDiagnostics are the diagnostics of one file.
type fileDiagnostics struct {
	uri     string
	version *int32 // of the open document that they were made for
	list    []protocol.Diagnostic
}

// publishDiagnostics sends the diagnostics of the files in which they changed.
func (f *surfaces) publishDiagnostics(ctx context.Context) {
	now := f.collect()
	f.addLoadErrors(now)
	for shown := range f.shown {
		if _, still := now[shown]; !still {
			f.publish(ctx, fileDiagnostics{uri: shown, list: []protocol.Diagnostic{}})
			delete(f.shown, shown)
		}
	}
	for key, file := range now {
		raw, err := protocol.Marshal(protocol.PublishDiagnosticsParams{Diagnostics: file.list})
		if err != nil {
			f.server.log.Error("encode diagnostics", zap.String("uri", file.uri), zap.Error(err))
			continue
		}
		if f.shown[key] != string(raw) {
			f.publish(ctx, file)
			f.shown[key] = string(raw)
		}
	}
}

func (f *surfaces) publish(ctx context.Context, file fileDiagnostics) {
	params := &protocol.PublishDiagnosticsParams{URI: uri.URI(file.uri), Diagnostics: file.list}
	if file.version != nil {
		params.Version = protocol.NewOptional(*file.version)
	}
	if err := f.server.editor.PublishDiagnostics(ctx, params); err != nil && ctx.Err() == nil {
		f.server.log.Warn("publish diagnostics", zap.String("uri", file.uri), zap.Error(err))
	}
}

// collect makes the diagnostics of all pending actions, open documents first
// where there are too many. A file whose document has moved on keeps what is
// shown until its preview has followed.
func (f *surfaces) collect() map[string]fileDiagnostics {
	out := map[string]fileDiagnostics{}
	settings := f.server.currentSettings()
	if settings.PreviewDiagnostics == diagnosticsOff {
		return out
	}
	severity := protocol.DiagnosticSeverityInformation
	if settings.PreviewDiagnostics == diagnosticsHint {
		severity = protocol.DiagnosticSeverityHint
	}
	f.forgetRanges()
	room := maxDiagnosticRanges
	_, stack := f.server.session.Pending()
	for _, p := range stack {
		before := room
		for _, file := range f.openFirst(p.Files) {
			if room == 0 {
				break
			}
			if slices.Contains(p.Outdated, file) || f.server.showsAnother(file.Path, file.Old) { // its ranges are those of another text
				continue
			}
			list := f.diagnosticsOf(p, file, severity, room)
			room -= len(list)
			f.add(out, file, list)
		}
		f.tellCap(p, before-room)
	}
	return out
}

func (f *surfaces) add(out map[string]fileDiagnostics, file *astedit.FileEdit, list []protocol.Diagnostic) {
	target := f.server.uri(file.Path)
	all := fileDiagnostics{uri: target, list: append(out[target].list, list...)}
	if doc := f.server.docs.at(file.Path); sameText(doc, file.Old) {
		all.version = &doc.version
	}
	out[target] = all
}

func (f *surfaces) openFirst(files []*astedit.FileEdit) []*astedit.FileEdit {
	sorted := slices.Clone(files)
	slices.SortStableFunc(sorted, func(a, b *astedit.FileEdit) int {
		openA, openB := f.server.docs.at(a.Path) != nil, f.server.docs.at(b.Path) != nil
		switch {
		case openA && !openB:
			return -1
		case openB && !openA:
			return 1
		}
		return 0
	})
	return sorted
}

// tellCap says once an action and revision that not all ranges are shown.
func (f *surfaces) tellCap(p session.Preview, shown int) {
	key := fmt.Sprintf("%s@%d", p.ID, p.Revision)
	if total := p.Replacements(); shown < total && len(p.Outdated) == 0 && !f.capped[key] {
		f.capped[key] = true
		f.server.showMessage(protocol.MessageTypeInfo, fmt.Sprintf(textCapped, shown, total, p.Label))
	}
}

func (f *surfaces) diagnosticsOf(p session.Preview, file *astedit.FileEdit, severity protocol.DiagnosticSeverity, room int) []protocol.Diagnostic {
	ranges, err := f.rangesOf(file)
	if err != nil {
		f.server.log.Error("place diagnostics", zap.String("path", file.Path), zap.Error(err))
		return nil
	}
	related := f.relatedTo(p, file)
	var list []protocol.Diagnostic
	for i, c := range file.Changes[:min(len(file.Changes), room)] {
		list = append(list, protocol.Diagnostic{
			Range: ranges[i], Severity: severity, Code: protocol.String(p.ID),
			Source:             protocol.NewOptional(diagnosticSource),
			Message:            protocol.String(diagnosticText(c.Before) + " → " + diagnosticText(c.After)),
			RelatedInformation: related,
		})
	}
	return list
}

// rangesOf returns the ranges of a file's changes; each file's are worked out once
// for all the diagnostics that name it.
func (f *surfaces) rangesOf(file *astedit.FileEdit) ([]protocol.Range, error) {
	if ranges, ok := f.ranges[file]; ok {
		return ranges, nil
	}
	ranges, err := f.server.changeRanges(file)
	if err == nil {
		f.ranges[file] = ranges
	}
	return ranges, err
}

func (f *surfaces) forgetRanges() { clear(f.ranges) }

func diagnosticText(s string) string {
	return text.TruncateUTF16(text.FirstLine(s), maxDiagnosticText)
}

// relatedTo points to the first change in each of the other files.
func (f *surfaces) relatedTo(p session.Preview, file *astedit.FileEdit) []protocol.DiagnosticRelatedInformation {
	var related []protocol.DiagnosticRelatedInformation
	for i, other := range p.Files {
		if other == file {
			continue
		}
		ranges, err := f.rangesOf(other)
		if err != nil {
			continue
		}
		message := other.Display + ": " + astedit.Count(len(other.Changes), "replacement")
		more := len(p.Files) - i - 1
		last := len(related) == maxRelatedFiles-1 && more > 0
		if last {
			message += ", and " + astedit.Count(more, "more file")
		}
		related = append(related, protocol.DiagnosticRelatedInformation{
			Location: protocol.Location{URI: uri.URI(f.server.uri(other.Path)), Range: ranges[0]},
			Message:  message,
		})
		if last {
			break
		}
	}
	return related
}
