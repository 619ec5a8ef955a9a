package session

import (
	"errors"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// The guards let a call pass that saw revision 1, and then the preview is made
// anew before the apply marks the action: what it finds is what the new preview
// shows, and still not what the caller saw.
func TestCompareGoesByTheRevisionThatWasSeen(t *testing.T) {
	result := func(old string) *ruleEdit {
		return &ruleEdit{result: &astedit.Result{Files: []*astedit.FileEdit{{Path: "/a.ts", Display: "a.ts", Old: []byte(old)}}}}
	}
	s := &Session{store: resolve.NewStore(), entries: map[string]*entry{}, changes: changes{at: map[string]uint64{}}}
	s.refresh = &refresher{wake: make(chan struct{}, 1)}
	e := &entry{
		id: "x", revision: 1, edit: result("one"),
		differed: map[string]int{}, follows: map[string]bool{}, changed: map[string]uint64{},
	}
	if err := s.compare(e, result("one"), 1, s.beginApply(e)); err != nil {
		t.Fatal(err)
	}
	s.endApply(e)

	s.adopt(e, result("two"), s.beginRun())
	s.endRun()
	err := s.compare(e, result("two"), 1, s.beginApply(e))
	var tool *resolve.ToolError
	if !errors.As(err, &tool) || tool.Context["kind"] != KindStale || tool.Context["revision"] != 2 {
		t.Errorf("error %v, want stale", err)
	}
	if err := s.compare(e, result("two"), 2, s.changes.begin()); err != nil {
		t.Error(err)
	}
}
