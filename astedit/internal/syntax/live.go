package syntax

/*
#include "flatten.h"
*/
import "C"

import (
	"bytes"
	"context"
	"time"
	"unicode/utf8"
	"unsafe"
)

// Live follows one text through its edits: the runtime's own tree is kept, so that
// only what an edit touches is parsed again. A text with a syntax error is parsed
// whole. The trees are those of [Parser.Parse].
//
// It is not safe for concurrent use. Its tree is in the C library's memory, not in
// an arena, since parts of it live on in the trees of later texts. Close frees it.
type Live struct {
	parser *Parser
	tree   unsafe.Pointer // of source; nil for none
	source []byte
	lent   *Tree       // of source, in parser.out
	before C.xcsh_tree // the nodes of the text before, while the next is parsed
}

// NewLive returns a Live for texts of lang.
func NewLive(lang *Language) (*Live, error) {
	p, err := NewParser(lang)
	if err != nil {
		return nil, err
	}
	p.WithoutArena()
	return &Live{parser: p}, nil
}

// Close frees the tree, and the nodes that were lent last. The Live can be used no
// more.
func (l *Live) Close() {
	l.forget()
	C.xcsh_tree_free(&l.before)
	l.parser.Close()
}

func (l *Live) forget() {
	C.xcsh_forget(&l.tree)
	l.source, l.lent = nil, nil
}

// Parse is [Parser.Parse] of the next state of the text. Source must not change any
// more, and the tree is valid until the next call. After an error the next text is
// parsed whole.
func (l *Live) Parse(ctx context.Context, source []byte, timeout time.Duration) (*Tree, error) {
	p := l.parser
	if err := p.accepts(ctx, source); err != nil {
		return nil, err
	}
	if l.tree != nil && bytes.Equal(l.source, source) {
		return l.lent, nil
	}
	var edit C.xcsh_edit
	if l.tree != nil {
		edit = editBetween(l.source, source)
	}
	stop := p.watch(ctx)
	job := p.job(source, timeout)
	l.before, p.out = p.out, l.before
	status := C.xcsh_follow(&job, p.kinds(), bytesPointer(source), C.uint32_t(len(source)), &edit, &l.tree, &l.before, &p.out)
	stop()
	tree, err := p.lend(ctx, source, job.walk, status)
	if err != nil {
		l.forget()
		return nil, err
	}
	l.source, l.lent = source, tree
	return tree, nil
}

// editBetween returns the one edit that makes after of before: what is between their
// common beginning and end. It begins and ends between characters.
func editBetween(before, after []byte) C.xcsh_edit {
	start := commonPrefix(before, after)
	for start > 0 && start < len(before) && !utf8.RuneStart(before[start]) {
		start--
	}
	for start > 0 && start < len(after) && !utf8.RuneStart(after[start]) {
		start--
	}
	same := commonSuffix(before[start:], after[start:])
	for same > 0 && !utf8.RuneStart(before[len(before)-same]) {
		same--
	}
	oldEnd, newEnd := len(before)-same, len(after)-same
	e := C.xcsh_edit{start: C.uint32_t(start), old_end: C.uint32_t(oldEnd), new_end: C.uint32_t(newEnd)}
	e.start_row, e.start_column = pointAt(before, start)
	e.old_end_row, e.old_end_column = pointAt(before, oldEnd)
	e.new_end_row, e.new_end_column = pointAt(after, newEnd)
	return e
}

// compared is how many bytes are compared at once where texts are mostly equal.
const compared = 4096

func commonPrefix(a, b []byte) int {
	n, i := min(len(a), len(b)), 0
	for i+compared <= n && bytes.Equal(a[i:i+compared], b[i:i+compared]) {
		i += compared
	}
	for i < n && a[i] == b[i] {
		i++
	}
	return i
}

func commonSuffix(a, b []byte) int {
	n, i := min(len(a), len(b)), 0
	for i+compared <= n && bytes.Equal(a[len(a)-i-compared:len(a)-i], b[len(b)-i-compared:len(b)-i]) {
		i += compared
	}
	for i < n && a[len(a)-1-i] == b[len(b)-1-i] {
		i++
	}
	return i
}

// pointAt returns the row, from 0, and the column in bytes at an offset.
func pointAt(source []byte, at int) (row, column C.uint32_t) {
	before := source[:at]
	return C.uint32_t(bytes.Count(before, []byte("\n"))), C.uint32_t(at - 1 - bytes.LastIndexByte(before, '\n'))
}

// Size returns the number of nodes of the text that was parsed last.
func (l *Live) Size() int {
	if l.lent == nil {
		return 0
	}
	return len(l.lent.Nodes)
}
