package host

import "time"

// Limits are how much time and memory tools get. The zero value of a field
// stands for the default.
type Limits struct {
	// Grace is how long a cancelled call has to end by itself, and again how
	// long its worker has to end when it is told to.
	Grace time.Duration
	// Load is how long a module has to be evaluated and to make its tools.
	Load time.Duration
	// Hook is how long a render hook may run.
	Hook time.Duration
	// BlockedApply is how long the worker of an apply that was given up may not
	// answer before it counts as hung. An apply that works on is never ended.
	BlockedApply time.Duration
	// HeapMB is the heap of one worker, in MiB, where the runtime keeps to it.
	HeapMB int
	// ProcessMB is the memory of the whole process, in MiB: it stops what no
	// heap limit does, as buffers, or anything in Bun.
	ProcessMB int
	// Answer is the longest result taken, in characters of JSON.
	Answer int
}

func (l Limits) withDefaults() Limits {
	return Limits{
		Grace:        or(l.Grace, 500*time.Millisecond),
		Load:         or(l.Load, 30*time.Second), // some probe the machine when they load
		Hook:         or(l.Hook, 2*time.Second),
		BlockedApply: or(l.BlockedApply, 30*time.Second),
		HeapMB:       or(l.HeapMB, 1024),
		ProcessMB:    or(l.ProcessMB, 3072),
		Answer:       or(l.Answer, 64<<20), // a 50 MB result passes
	}
}

func or[T int | time.Duration](value, otherwise T) T {
	if value > 0 {
		return value
	}
	return otherwise
}

const (
	// startTimeout is how long a runtime has to connect: a cold one on a busy
	// machine takes a second or two.
	startTimeout = 15 * time.Second
	// closeTimeout is how long the process has to go by itself.
	closeTimeout = 2 * time.Second
	// memoryInterval is how often the process's memory is looked at, while
	// calls run.
	memoryInterval = 250 * time.Millisecond
	// shrinkTimeout is how long the memory of workers that were ended may stay
	// with the process.
	shrinkTimeout = 10 * time.Second
	// keptBuffer is how much memory for messages is kept for the next ones, in
	// bytes: a thousand small ones, and not one of many megabytes.
	keptBuffer = 1 << 20
	// maxLine ends a process that sends no end of a line; an answer as long as
	// the limit has at most 3 bytes a character and fits.
	maxLine = 256 << 20
)
