package host

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/xcsh-lsp/xcsh-lsp/customtools"
)

// origin says where a message comes from: a worker, and the call that its code
// belongs to, 0 for none.
type origin struct {
	Worker int64 `json:"worker"`
	Call   int64 `json:"call"`
}

// receive takes one line of the process. It runs on the reading goroutine, so
// that what a tool does arrives in its order; it must not wait for the process.
func (p *process) receive(line []byte) {
	if id, value, ok := fastAnswer(line); ok {
		p.answered(id, answer{value: value})
		return
	}
	var m message
	if err := json.Unmarshal(line, &m); err != nil {
		p.note(customtools.LogWarn, fmt.Sprintf("a message of the tool host cannot be read: %v", err))
		return
	}
	if m.Method == "" {
		p.response(m)
		return
	}
	var from origin
	if err := json.Unmarshal(m.Params, &from); err != nil {
		p.note(customtools.LogWarn, fmt.Sprintf("a message of the tool host cannot be read: %s: %v", m.Method, err))
		return
	}
	if m.Method == "ready" {
		p.started(m.Params)
		return
	}
	p.mu.Lock()
	w, c := p.workers[from.Worker], p.calls[from.Call]
	p.mu.Unlock()
	if w == nil {
		return // it ended; what it still wanted is of no use
	}
	if len(m.ID) > 0 {
		w.asked(m, c)
		return
	}
	w.notified(m, c)
}

func (p *process) response(m message) {
	id, err := strconv.ParseInt(string(m.ID), 10, 64)
	if err != nil {
		p.note(customtools.LogWarn, fmt.Sprintf("the tool host answered a call %s that was never made", m.ID))
		return
	}
	if m.Error != nil {
		p.answered(id, answer{err: m.Error})
		return
	}
	var result struct{ Value json.RawMessage }
	if err := json.Unmarshal(m.Result, &result); err != nil {
		p.answered(id, answer{err: fmt.Errorf("the answer cannot be read: %w", err)})
		return
	}
	p.answered(id, answer{value: result.Value}) // none where it is undefined
}

// answered hands the answer to the call that waits for it. One that nobody
// waits for any more is dropped: the call was given up.
func (p *process) answered(id int64, a answer) {
	p.mu.Lock()
	c := p.calls[id]
	p.mu.Unlock()
	if c == nil {
		return
	}
	c.settle(a)
}

func (p *process) started(params json.RawMessage) {
	var said struct{ Version, Bun, Deno string }
	if err := json.Unmarshal(params, &said); err != nil || said.Version == "" {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.version == "" {
		p.version, p.isNode = said.Version, said.Bun == "" && said.Deno == ""
		close(p.ready)
	}
}

func (p *process) note(level, text string) {
	p.log(customtools.LogEntry{Level: level, Message: text})
}
