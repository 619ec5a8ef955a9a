package syntax

/*
// What wrap.c stands in for.
#cgo linux LDFLAGS: -Wl,--wrap=ts_subtree_retain -Wl,--wrap=ts_subtree_release -Wl,--wrap=ts_subtree_balance
#include "flatten.h"
#include <stdlib.h>
*/
import "C"

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync/atomic"
	"time"
	"unsafe"
)

// Errors of [Parser.Parse] that a caller tells apart.
var (
	// ErrTimeout: the file ran out of its time.
	ErrTimeout = errors.New("timed out")
	// ErrTooLarge: offsets of the file do not fit into 32 bits.
	ErrTooLarge = errors.New("file is too large to parse")
	// ErrTooNested: the grammar's scanner might end the program on such a text; see
	// Language.TooNested.
	ErrTooNested = errors.New("nested too deeply for its grammar")
)

// Parser parses files of one language. It is not safe for concurrent use;
// separate parsers run side by side. Close frees it.
type Parser struct {
	lang   *Language
	cancel *C.size_t     // C memory: the runtime polls it while parsing; nil once closed
	arena  *C.xcsh_arena // nil without one
	out    C.xcsh_tree
	ranges []C.xcsh_range
}

// CheckRuntime returns an error unless the real tree-sitter runtime is linked.
func CheckRuntime() error {
	if !bool(C.xcsh_runtime_linked()) {
		return errors.New("the tree-sitter runtime is not linked into this program; build it with cgo and github.com/smacker/go-tree-sitter")
	}
	return nil
}

// NewParser returns a parser for lang.
func NewParser(lang *Language) (*Parser, error) {
	if !bool(C.xcsh_loads(lang.grammar)) {
		return nil, fmt.Errorf("grammar of %s does not load: its version is not the linked tree-sitter's", lang.Name)
	}
	p := &Parser{lang: lang, cancel: (*C.size_t)(C.calloc(1, C.size_t(unsafe.Sizeof(C.size_t(0))))), arena: C.xcsh_arena_new()}
	if p.cancel == nil || p.arena == nil {
		p.Close()
		return nil, errors.New("out of memory for a parser")
	}
	return p, nil
}

// WithoutArena makes the parser use the C library's memory, block by block. The
// trees are the same.
func (p *Parser) WithoutArena() {
	C.xcsh_arena_delete(p.arena)
	p.arena = nil
}

func (p *Parser) arenaHeld() int { return int(C.xcsh_arena_held(p.arena)) }

// Close frees the parser and the tree it lent last.
func (p *Parser) Close() {
	C.xcsh_arena_delete(p.arena)
	C.xcsh_tree_free(&p.out)
	C.free(unsafe.Pointer(p.cancel))
	p.arena, p.cancel = nil, nil
}

// Parse parses source, which must not change while the tree is in use. It fails
// with ErrTimeout when it takes longer than timeout (0 = no limit) and with
// ctx's error when ctx ends first. Source must not hold a NUL byte: some
// grammars loop for ever on it, out of reach of any cancellation.
func (p *Parser) Parse(ctx context.Context, source []byte, timeout time.Duration) (*Tree, error) {
	return p.ParseAround(ctx, source, nil, timeout)
}

// ParseAround is [Parser.Parse] of source without holes, which are in order and
// apart. Offsets are those in source.
func (p *Parser) ParseAround(ctx context.Context, source []byte, holes []Hole, timeout time.Duration) (*Tree, error) {
	if err := p.accepts(ctx, source); err != nil {
		return nil, err
	}
	p.ranges = rangesAround(p.ranges[:0], source, holes)
	stop := p.watch(ctx)
	job := p.job(source, timeout)
	status := C.xcsh_parse(&job, p.kinds(), bytesPointer(source), C.uint32_t(len(source)),
		unsafe.SliceData(p.ranges), C.uint32_t(len(p.ranges)), &p.out)
	stop()
	return p.lend(ctx, source, job.walk, status)
}

// accepts fails for a text that is not to be parsed.
func (p *Parser) accepts(ctx context.Context, source []byte) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case len(source) >= math.MaxUint32:
		return ErrTooLarge
	case p.lang.TooNested != nil && p.lang.TooNested(source):
		return ErrTooNested
	}
	return nil
}

func (p *Parser) job(source []byte, timeout time.Duration) C.xcsh_job {
	return C.xcsh_job{
		language: p.lang.forParsing(len(source)), cancel_flag: p.cancel,
		timeout_micros: C.uint64_t(timeout.Microseconds()), arena: p.arena,
		walk: p.lang.walk(),
	}
}

func (p *Parser) kinds() *C.uint8_t { return (*C.uint8_t)(unsafe.Pointer(&p.lang.kinds[0])) }

// lend returns the tree of source that a parse which ended with status has left.
func (p *Parser) lend(ctx context.Context, source []byte, walk C.xcsh_walk, status C.xcsh_status) (*Tree, error) {
	runtime.KeepAlive(source)
	runtime.KeepAlive(p.lang)
	switch status {
	case C.XCSH_STOPPED:
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return nil, ErrTimeout
	case C.XCSH_NO_MEMORY:
		return nil, errors.New("out of memory for the syntax tree")
	}
	if walk == C.XCSH_BOTH {
		p.lang.compared(bool(p.out.same))
	}
	nodes := unsafe.Slice((*Node)(unsafe.Pointer(p.out.nodes)), int(p.out.count))
	return &Tree{Source: source, Nodes: nodes, HasError: bool(p.out.has_error)}, nil
}

// rangesAround appends the parts of source outside of holes; none means all.
func rangesAround(ranges []C.xcsh_range, source []byte, holes []Hole) []C.xcsh_range {
	if len(holes) == 0 {
		return ranges
	}
	var at, row, lineStart int
	advance := func(to int) {
		row += bytes.Count(source[at:to], []byte("\n"))
		if i := bytes.LastIndexByte(source[at:to], '\n'); i >= 0 {
			lineStart = at + i + 1
		}
		at = to
	}
	part := func(end int) {
		r := C.xcsh_range{start: C.uint32_t(at), start_row: C.uint32_t(row), start_column: C.uint32_t(at - lineStart)}
		advance(end)
		r.end, r.end_row, r.end_column = C.uint32_t(at), C.uint32_t(row), C.uint32_t(at-lineStart)
		ranges = append(ranges, r)
	}
	for _, h := range holes {
		part(int(h.Start))
		advance(int(h.End))
	}
	part(len(source))
	return ranges
}

// watch raises the cancellation flag when ctx ends. The returned function ends
// the watch; after it the flag is down and stays down.
func (p *Parser) watch(ctx context.Context) (stop func()) {
	if ctx.Done() == nil {
		return func() {}
	}
	flag := (*uintptr)(unsafe.Pointer(p.cancel))
	raised := make(chan struct{})
	unregister := context.AfterFunc(ctx, func() {
		atomic.StoreUintptr(flag, 1)
		close(raised)
	})
	return func() {
		if !unregister() {
			<-raised
		}
		atomic.StoreUintptr(flag, 0)
	}
}

func bytesPointer(b []byte) *C.char {
	if len(b) == 0 {
		return nil
	}
	return (*C.char)(unsafe.Pointer(&b[0]))
}
