package customtools

import (
	"context"
	"math"

	"golang.org/x/sync/semaphore"
)

// concurrencyExclusive is the concurrency of a tool that runs alone.
const concurrencyExclusive = "exclusive"

// Exclusion keeps the calls of exclusive tools apart from all others of one
// caller: its batch, in the words of customtools.md 15.4. Callers do not wait for
// each other: a question that one human leaves open must not hold up everybody.
// Calls begin in the order in which they come.
type Exclusion struct{ calls *semaphore.Weighted }

// NewExclusion returns one for a caller that calls nothing yet.
func NewExclusion() *Exclusion { return &Exclusion{semaphore.NewWeighted(math.MaxInt64)} }

// enter waits until a call of a tool with this concurrency may run, or ctx ends.
func (e *Exclusion) enter(ctx context.Context, concurrency string) (leave func(), err error) {
	weight := int64(1)
	if concurrency == concurrencyExclusive {
		weight = math.MaxInt64
	}
	if err := e.calls.Acquire(ctx, weight); err != nil {
		return nil, err
	}
	return func() { e.calls.Release(weight) }, nil
}
