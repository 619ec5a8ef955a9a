package syntax

/*
#include "flatten.h"
#include <stdlib.h>
*/
import "C"

import (
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
	parser unsafe.Pointer
	cancel *C.size_t // C memory: the runtime polls it while parsing
	out    C.xcsh_tree
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
	cancel := (*C.size_t)(C.calloc(1, C.size_t(unsafe.Sizeof(C.size_t(0)))))
	parser := C.xcsh_parser_new(lang.grammar, cancel)
	if parser == nil {
		C.free(unsafe.Pointer(cancel))
		return nil, fmt.Errorf("grammar of %s does not load: its version is not the linked tree-sitter's", lang.Name)
	}
	return &Parser{lang: lang, parser: parser, cancel: cancel}, nil
}

// Close frees the parser and the tree it lent last.
func (p *Parser) Close() {
	if p.parser == nil {
		return
	}
	C.xcsh_parser_delete(p.parser)
	C.xcsh_tree_free(&p.out)
	C.free(unsafe.Pointer(p.cancel))
	p.parser, p.cancel = nil, nil
}

// Parse parses source, which must not change while the tree is in use. It fails
// with ErrTimeout when it takes longer than timeout (0 = no limit) and with
// ctx's error when ctx ends first. Source must not hold a NUL byte: some
// grammars loop for ever on it, out of reach of any cancellation.
func (p *Parser) Parse(ctx context.Context, source []byte, timeout time.Duration) (*Tree, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(source) >= math.MaxUint32 {
		return nil, ErrTooLarge
	}
	if p.lang.TooNested != nil && p.lang.TooNested(source) {
		return nil, ErrTooNested
	}
	stop := p.watch(ctx)
	status := C.xcsh_parse(p.parser, bytesPointer(source), C.uint32_t(len(source)), C.uint64_t(timeout.Microseconds()),
		(*C.uint8_t)(unsafe.Pointer(&p.lang.kinds[0])), &p.out)
	stop()
	runtime.KeepAlive(source)
	switch status {
	case C.XCSH_STOPPED:
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return nil, ErrTimeout
	case C.XCSH_NO_MEMORY:
		return nil, errors.New("out of memory for the syntax tree")
	}
	nodes := unsafe.Slice((*Node)(unsafe.Pointer(p.out.nodes)), int(p.out.count))
	return &Tree{Source: source, Nodes: nodes, HasError: bool(p.out.has_error)}, nil
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
