package lsp

import (
	"cmp"
	"time"
)

// Deadlines are how long the server waits for its client. A field that is zero
// means the default of protocol.md.
type Deadlines struct {
	// Answer is for the answer to a request that is no question to a human: a
	// client that never answers costs one failed command. By default 10 s.
	Answer time.Duration
	// Verify is how long after its answer an editor may take to send the changes
	// that it says it made: some delay them, or format on save first. By default
	// 5 s.
	Verify time.Duration
	// Late is how long an edit that was given up is still taken back, should the
	// editor get to it after all. By default 2 min.
	Late time.Duration
}

func (d Deadlines) withDefaults() Deadlines {
	return Deadlines{
		Answer: cmp.Or(d.Answer, 10*time.Second),
		Verify: cmp.Or(d.Verify, 5*time.Second),
		Late:   cmp.Or(d.Late, 2*time.Minute),
	}
}
