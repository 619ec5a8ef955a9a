package host

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/customtools"
	"github.com/xcsh-lsp/xcsh-lsp/customtools/internal/jsruntime"
)

// oldestNode is the first major version of Node.js that the host runs on.
const oldestNode = 18

// process is one run of a JavaScript runtime. It ends once; its workers end
// with it.
type process struct {
	limits Limits
	log    func(customtools.LogEntry)
	dir    string // private, removed at the end
	child  *child
	conn   net.Conn
	ready  chan struct{} // closed when the runtime has said its version
	going  chan struct{} // closed when the process takes no more work
	done   chan struct{} // closed when the process is gone, and its calls know

	writing sync.Mutex
	unsent  []byte // guarded by writing
	sending bool   // somebody writes what is unsent; guarded by writing

	mu       sync.Mutex
	version  string // of Node.js, or of what stands for it
	isNode   bool
	reason   string // why the process was ended, if it was by us
	seq      int64  // of calls and workers
	calls    map[int64]*call
	workers  map[int64]*worker
	watching bool
	shrinkBy time.Time // when the process must be small again, after it was too big
}

// startProcess starts a runtime and waits until it has said what it is.
func startProcess(ctx context.Context, rt jsruntime.Runtime, cwd string, limits Limits, log func(customtools.LogEntry)) (*process, error) {
	dir, err := os.MkdirTemp("", "xcsh-lsp-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for the tool host: %w", err)
	}
	p := &process{
		limits:  limits,
		log:     log,
		dir:     dir,
		ready:   make(chan struct{}),
		going:   make(chan struct{}),
		done:    make(chan struct{}),
		calls:   map[int64]*call{},
		workers: map[int64]*worker{},
	}
	output := &lineLog{log: log}
	p.child, p.conn, err = launch(ctx, rt, dir, cwd, output)
	if err != nil {
		_ = os.RemoveAll(dir)
		return nil, errors.Join(err, output.lastLine())
	}
	go p.serve()
	select {
	case <-p.ready:
	case <-p.done:
	case <-ctx.Done():
		p.end("its start was given up")
	}
	if err := p.usable(rt); err != nil {
		p.end("")
		<-p.done
		return nil, errors.Join(err, output.lastLine())
	}
	return p, nil
}

// usable reports whether the runtime has started, and is new enough.
func (p *process) usable(rt jsruntime.Runtime) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.version == "" {
		return fmt.Errorf("%s ended when it was started", rt.Path)
	}
	major, _, _ := strings.Cut(p.version, ".")
	if n, err := strconv.Atoi(major); p.isNode && (err != nil || n < oldestNode) {
		return fmt.Errorf("%s is Node.js %s: install %d or newer", rt.Path, p.version, oldestNode)
	}
	return nil
}

// serve reads until the connection ends, and then ends everything.
func (p *process) serve() {
	err := readLines(bufio.NewReaderSize(p.conn, 256<<10), p.receive)
	close(p.going)     // before its calls hear of it: the next one needs another process
	_ = p.conn.Close() // the process leaves when it sees that
	killGroup(p.child.cmd)
	<-p.child.exited
	killGroup(p.child.cmd) // what a tool started in between
	_ = os.RemoveAll(p.dir)

	p.mu.Lock()
	reason := p.reason
	workers := make([]*worker, 0, len(p.workers))
	for _, w := range p.workers {
		workers = append(workers, w)
	}
	p.mu.Unlock()
	if reason == "" {
		reason = fmt.Sprintf("the JavaScript process ended (%v, %v)", p.child.cmd.ProcessState, err)
	}
	for _, w := range workers {
		w.ended(reason)
	}
	close(p.done)
}

// end ends the process with all its workers, for a reason that is told. It
// does not wait.
func (p *process) end(reason string) {
	p.mu.Lock()
	if p.reason == "" {
		p.reason = reason
	}
	p.mu.Unlock()
	killGroup(p.child.cmd)
	_ = p.conn.Close()
}

func (p *process) isGoing() bool {
	select {
	case <-p.going:
		return true
	default:
		return false
	}
}

// send writes one message. A connection that is gone is seen by the reader.
func (p *process) send(method string, id int64, params any) error {
	out := struct {
		JSONRPC string `json:"jsonrpc"`
		ID      int64  `json:"id,omitzero"`
		Method  string `json:"method"`
		Params  any    `json:"params"`
	}{"2.0", id, method, params}
	return p.write(out)
}

func (p *process) write(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("make a message for the tool host: %w", err)
	}
	p.writing.Lock()
	defer p.writing.Unlock()
	p.unsent = append(append(p.unsent, line...), '\n')
	if p.sending {
		return nil
	}
	return p.flush()
}

// flush writes what is unsent, and what others add to it meanwhile: many calls
// at once take few writes. It is called with p.writing held.
func (p *process) flush() error {
	p.sending = true
	defer func() { p.sending = false }()
	var spare []byte
	for len(p.unsent) > 0 {
		out := p.unsent
		p.unsent = spare[:0]
		p.writing.Unlock()
		_, err := p.conn.Write(out)
		p.writing.Lock()
		if err != nil {
			_ = p.conn.Close() // the reader sees that, and ends everything
			return fmt.Errorf("%w: %w", errUnreachable, err)
		}
		if spare = out; cap(spare) > keptBuffer {
			spare = nil
		}
	}
	return nil
}

// errUnreachable says that the process is gone, or going.
var errUnreachable = errors.New("write to the tool host")

// next returns a number that nothing in this process has had.
func (p *process) next() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seq++
	return p.seq
}
