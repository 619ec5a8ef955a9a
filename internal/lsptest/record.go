package lsptest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"go.lsp.dev/protocol"
)

// Received is one message of the server, in the order of the wire.
type Received struct {
	Method  string
	Params  json.RawMessage
	Request bool // it asked for an answer
}

// Message is one window/showMessage or window/logMessage.
type Message struct {
	Method string               `json:"-"`
	Type   protocol.MessageType `json:"type"`
	Text   string               `json:"message"`
}

// Progress is one $/progress. Token is its JSON.
type Progress struct {
	Token string
	Value struct {
		Kind        string  `json:"kind"` // begin, report or end
		Title       string  `json:"title"`
		Message     string  `json:"message"`
		Cancellable bool    `json:"cancellable"`
		Percentage  float64 `json:"percentage"`
	}
}

// record is what the editor has seen; it wakes those who wait for something.
type record struct {
	mu          sync.Mutex
	received    []Received
	diagnostics map[string][]protocol.Diagnostic // by the URI's bytes
	published   map[string]int                   // how often, by the URI's bytes
	changed     chan struct{}                    // closed and replaced at each change
}

func newRecord() *record {
	return &record{
		diagnostics: map[string][]protocol.Diagnostic{}, published: map[string]int{}, changed: make(chan struct{}),
	}
}

func (r *record) add(m Received) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.received = append(r.received, m)
	r.wake()
}

func (r *record) publish(uri string, diagnostics []protocol.Diagnostic) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.diagnostics[uri] = diagnostics
	r.published[uri]++
	r.wake()
}

// wake is called with mu held.
func (r *record) wake() {
	close(r.changed)
	r.changed = make(chan struct{})
}

// touch wakes those who wait, for a change outside the record.
func (r *record) touch() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.wake()
}

func (r *record) next() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.changed
}

func (r *record) of(methods ...string) []Received {
	r.mu.Lock()
	defer r.mu.Unlock()
	var found []Received
	for _, m := range r.received {
		if len(methods) == 0 || slices.Contains(methods, m.Method) {
			found = append(found, m)
		}
	}
	return found
}

// shownParams caps the params of one message in a report, in bytes.
const shownParams = 300

// String lists what was seen, for a test that fails.
func (r *record) String() string {
	var b strings.Builder
	for _, m := range r.of() {
		fmt.Fprintf(&b, "\n  %s %s", m.Method, m.Params[:min(len(m.Params), shownParams)])
	}
	if b.Len() == 0 {
		return "\n  nothing"
	}
	return b.String()
}

// Received returns the messages of the server with one of the methods, all of
// them where none is named.
func (e *Editor) Received(methods ...string) []Received { return e.record.of(methods...) }

// Requests returns the server's requests with one of the methods, or all.
func (e *Editor) Requests(methods ...string) []Received {
	return slices.DeleteFunc(e.record.of(methods...), func(m Received) bool { return !m.Request })
}

// Forget forgets the messages of the server so far: a test of many rounds measures
// the server's memory and not this record.
func (e *Editor) Forget() {
	e.record.mu.Lock()
	defer e.record.mu.Unlock()
	e.record.received = nil
}

// Messages returns what the server showed or logged through the window.
func (e *Editor) Messages() []Message {
	var messages []Message
	for _, m := range e.record.of(protocol.MethodWindowShowMessage, protocol.MethodWindowLogMessage) {
		message := Message{Method: m.Method}
		e.decode(m.Method, m.Params, &message)
		messages = append(messages, message)
	}
	return messages
}

// Progress returns the reports of progress.
func (e *Editor) Progress() []Progress {
	var all []Progress
	for _, m := range e.record.of(protocol.MethodProgress) {
		var p struct {
			Token json.RawMessage `json:"token"`
			Value json.RawMessage `json:"value"`
		}
		e.decode(m.Method, m.Params, &p)
		progress := Progress{Token: string(p.Token)}
		e.decode(m.Method, p.Value, &progress.Value)
		all = append(all, progress)
	}
	return all
}

// Diagnostics returns what was last published for uri, byte for byte the server's
// spelling. published counts how often it was; 0: never.
func (e *Editor) Diagnostics(uri string) (diagnostics []protocol.Diagnostic, published int) {
	e.record.mu.Lock()
	defer e.record.mu.Unlock()
	return e.record.diagnostics[uri], e.record.published[uri]
}

// decode fails the test where the server's JSON is not what it must be.
func (e *Editor) decode(method string, raw json.RawMessage, target any) {
	if err := json.Unmarshal(raw, target); err != nil {
		e.t.Errorf("%s with %s: %v", method, raw, err)
	}
}
