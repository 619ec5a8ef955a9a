package astedit

import (
	"context"
	"sync"
)

// scanAhead is how many files may be scanned, per worker, before the one whose
// turn it is: enough to keep workers busy beside one slow file, and a bound on
// what is held in memory.
const scanAhead = 64

// turns hands out files to workers and takes their outcomes in the order of the
// files. Whoever brings the outcome that is next takes it, and those after it that
// wait: most files take less time than waking up a goroutine that does.
type turns struct {
	files []candidate
	ahead int
	take  func(file candidate, o outcome) bool // false ends the run; one call at a time

	mu     sync.Mutex
	moved  sync.Cond // signalled when taken or ended changes
	next   int       // the first file that no worker has
	taken  int       // the first file whose outcome has not been taken
	wait   map[int]outcome
	ended  bool
	failed error // the first outcome's in order that has one
}

func newTurns(files []candidate, workers int, take func(candidate, outcome) bool) *turns {
	t := &turns{files: files, ahead: scanAhead * workers, take: take, wait: map[int]outcome{}}
	t.moved.L = &t.mu
	return t
}

// scanAll scans the files on several workers and takes their outcomes in order.
// All workers have ended when it returns.
func (c *collector) scanAll(ctx context.Context, w *Workspace, rules *ruleSet, files []candidate, workers int) error {
	running, stop := context.WithCancel(ctx)
	defer stop()
	t := newTurns(files, workers, c.takeAndTell)
	defer context.AfterFunc(running, t.end)()

	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			s := newScanner(w, rules)
			defer s.close()
			// running is looked at for each file: end comes on a goroutine of its own.
			for i, ok := t.file(); ok && running.Err() == nil; i, ok = t.file() {
				if !t.bring(i, s.scan(running, files[i])) {
					stop() // the others' files have no use
				}
			}
		})
	}
	all.Wait()
	switch {
	case t.failed != nil && ctx.Err() == nil:
		return t.failed
	case c.failed != nil:
		return c.failed
	}
	return ctx.Err()
}

// end makes the workers end after the files that they have.
func (t *turns) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended = true
	t.moved.Broadcast()
}

// file returns the next file's index; false where there is nothing to do any more.
func (t *turns) file() (int, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for !t.ended && t.next < len(t.files) && t.next >= t.taken+t.ahead {
		t.moved.Wait()
	}
	if t.ended || t.next >= len(t.files) {
		return 0, false
	}
	t.next++
	return t.next - 1, true
}

// bring hands in the outcome of file i; false where it ends the run.
func (t *turns) bring(i int, o outcome) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended {
		return false
	}
	if i != t.taken {
		t.wait[i] = o
		return true
	}
	for ok := true; ok; o, ok = t.wait[t.taken] {
		delete(t.wait, t.taken)
		if o.err != nil {
			t.failed = o.err
		}
		if o.err != nil || !t.take(t.files[t.taken], o) {
			t.ended = true
			break
		}
		t.taken++
	}
	t.moved.Broadcast()
	return !t.ended
}
