package lsptest

import (
	"time"

	"go.lsp.dev/protocol"
)

// patience is how long the waiting helpers wait: a test that passes does not wait so
// long, and one on a busy machine must not fail for that.
const patience = 30 * time.Second

// Wait waits until the condition holds, which is looked at whenever something
// arrives or a document changes. After 30 s the test fails, with what was seen.
func (e *Editor) Wait(what string, condition func() bool) {
	e.t.Helper()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for {
		next := e.record.next()
		if condition() {
			return
		}
		select {
		case <-next:
		case <-timer.C:
			e.t.Fatalf("waited %v for %s; seen:%s", patience, what, e.record)
		}
	}
}

// WaitDiagnostics waits until what was published for uri satisfies accept, and
// returns it.
func (e *Editor) WaitDiagnostics(uri string, accept func([]protocol.Diagnostic) bool) []protocol.Diagnostic {
	e.t.Helper()
	var found []protocol.Diagnostic
	e.Wait("diagnostics of "+uri, func() bool {
		diagnostics, published := e.Diagnostics(uri)
		found = diagnostics
		return published > 0 && accept(diagnostics)
	})
	return found
}

// WaitReceived waits until the server has sent count messages with this method,
// and returns them.
func (e *Editor) WaitReceived(method string, count int) []Received {
	e.t.Helper()
	var found []Received
	e.Wait(method, func() bool {
		found = e.Received(method)
		return len(found) >= count
	})
	return found
}

// WaitText waits until the document's text is want.
func (e *Editor) WaitText(uri, want string) {
	e.t.Helper()
	e.Wait("the text of "+uri, func() bool {
		doc := e.docs.get(uri)
		return doc != nil && string(doc.content) == want
	})
}
