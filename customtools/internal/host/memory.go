package host

import (
	"encoding/json"
	"fmt"
	"time"
)

// watchMemory looks at the process's memory while calls run. The heap limit of
// a worker does not count buffers, and Bun has none.
func (p *process) watchMemory() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.watching {
		return
	}
	p.watching = true
	go func() {
		ticker := time.NewTicker(memoryInterval)
		defer ticker.Stop()
		for p.busy() {
			select {
			case <-ticker.C:
			case <-p.done:
				return
			}
			p.limitMemory(p.memoryMB())
		}
	}()
}

// limitMemory ends workers where the process has grown too big, and then the
// process, where that does not help: it takes a runtime seconds to give back
// the memory of a thread that has ended.
func (p *process) limitMemory(mb int) {
	p.mu.Lock()
	if mb <= p.limits.ProcessMB {
		p.shrinkBy = time.Time{}
		p.mu.Unlock()
		return
	}
	shrinkBy := p.shrinkBy
	if shrinkBy.IsZero() {
		p.shrinkBy = time.Now().Add(shrinkTimeout)
	}
	p.mu.Unlock()
	why := fmt.Sprintf("out of memory: the tools use more than %d MiB", p.limits.ProcessMB)
	switch {
	case shrinkBy.IsZero():
		p.endGreedy(why)
	case time.Now().After(shrinkBy):
		p.end(why)
	}
}

// busy reports whether a call runs; the watch is over where none does.
func (p *process) busy() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.calls) == 0 {
		p.watching = false
	}
	return p.watching
}

// memoryMB returns the resident size in MiB, 0 where it is not known.
func (p *process) memoryMB() int {
	c := &call{id: p.next(), answer: make(chan answer, 1)}
	p.mu.Lock()
	p.calls[c.id] = c
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		delete(p.calls, c.id)
		p.mu.Unlock()
	}()
	if err := p.send("memory", c.id, struct{}{}); err != nil {
		return 0
	}
	var bytes float64
	select {
	case a := <-c.answer:
		_ = json.Unmarshal(a.value, &bytes)
	case <-p.done:
	}
	return int(bytes / (1 << 20))
}

// endGreedy ends the workers that run calls: those that are too busy to
// answer where there are some, else all. Memory cannot be told apart by thread.
func (p *process) endGreedy(why string) {
	p.mu.Lock()
	var busy []*worker
	for _, w := range p.workers {
		if w.runs() {
			busy = append(busy, w)
		}
	}
	p.mu.Unlock()
	var pings []func() bool
	for _, w := range busy {
		pings = append(pings, w.pinged())
	}
	time.Sleep(memoryInterval)
	var blocked []*worker
	for i, w := range busy {
		if !pings[i]() {
			blocked = append(blocked, w)
		}
	}
	if len(blocked) > 0 {
		busy = blocked
	}
	for _, w := range busy {
		w.endNow(why)
	}
}
