package session

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"go.uber.org/zap"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/internal/atomicfile"
	"github.com/xcsh-lsp/xcsh-lsp/internal/contentstore"
	"github.com/xcsh-lsp/xcsh-lsp/internal/journal"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// Who may apply (setting resolve.by).
const (
	ByHuman  = "human"
	ByAgent  = "agent"
	ByEither = "either"
)

// Policy is what settings decide; it may change while a session runs.
type Policy struct {
	// ResolveBy is one of the By constants.
	ResolveBy string
	// MaxFiles caps the files that one edit may change.
	MaxFiles int
	// UnopenedThroughClient hands files that are not open to the editor too.
	UnopenedThroughClient bool
}

// Config is what a session needs. All fields but Journal and Contents are required.
type Config struct {
	Engine    *astedit.Engine
	Host      Host
	Files     atomicfile.FS
	Journal   *journal.Journal // nil where nothing is ever applied
	Decisions *resolve.DecisionLog
	// Contents keeps what reverts need, as long as decisions are logged; nil keeps
	// nothing.
	Contents *contentstore.Store
	Policy   func() Policy
	Now      func() time.Time
	Log      *zap.Logger
}

// ConnID names a connection of the session.
type ConnID int

// Session is one workspace session. It is safe for concurrent use; Close ends it.
type Session struct {
	Config
	// Standing is the slot for a handler of the calls that find nothing pending.
	Standing resolve.Standing
	store    *resolve.Store
	tool     *resolve.Tool

	// mu guards what follows and the fields of entries. It is taken before the
	// store's own lock, and not held during a run, a write or a call of the host.
	mu        sync.Mutex
	entries   map[string]*entry // by pending id: one for every action in store
	listeners map[int]func()
	lastAdded int             // key of the newest listener
	gone      map[ConnID]bool // connections that have ended
	changes   changes
	decided   verdicts // the latest decisions

	refresh *refresher
}

// New starts a session.
func New(cfg Config) *Session {
	s := &Session{Config: cfg, store: resolve.NewStore(), entries: map[string]*entry{}, listeners: map[int]func(){}, gone: map[ConnID]bool{}, decided: verdicts{byID: map[string]*verdict{}}, changes: changes{at: map[string]uint64{}}}
	s.tool = resolve.NewTool(s.store, resolve.OnDecided(s.recordDecision), resolve.WithStanding(&s.Standing))
	s.refresh = startRefresher(s)
	return s
}

// Close ends the session's work. What is pending is forgotten; nothing is applied.
func (s *Session) Close() {
	s.refresh.stop()
	s.Engine.KeepLive(func(string) bool { return false })
}

// Subscribe has f called after every change of what is pending or previewed. It
// is called without locks held, possibly from several goroutines, and must not
// block. After unsubscribe it may still be called by a change that has begun.
func (s *Session) Subscribe(f func()) (unsubscribe func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastAdded++
	key := s.lastAdded
	s.listeners[key] = f
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.listeners, key)
	}
}

func (s *Session) notify() {
	s.mu.Lock()
	listeners := slices.Collect(maps.Values(s.listeners))
	s.mu.Unlock()
	for _, f := range listeners {
		f()
	}
}

// Resolve text for a human or a model about what cannot be done now.
const (
	textNotTop       = "Pending action %s is not the most recent one. Resolve \"%s\" first."
	textOtherClient  = "The most recent pending action \"%s\" was proposed by another client. Pass its id to resolve it."
	textOnlyHuman    = "Only a human may apply here (setting resolve.by)."
	textOnlyAgent    = "Only an agent may apply here (setting resolve.by)."
	textMeanwhile    = "\"%s\" was proposed meanwhile. Resolve it first."
	textOnlyProposer = "Only a human or its proposer may discard it here (setting resolve.by)."
)

// TextGone says that an action with this id is not on the stack.
const TextGone = "Pending action %s is no longer pending."

// Kinds of failures, the `kind` in an error's data.
const (
	KindStale     = "stale"
	KindNotTop    = "notTop"
	KindForbidden = "forbidden"
)

// failure is a tool error that says its kind to the caller.
func failure(kind, format string, args ...any) error {
	return &resolve.ToolError{Message: fmt.Sprintf(format, args...), Context: map[string]any{"kind": kind}}
}

// Call is one call of resolve, with who calls and what they have seen.
type Call struct {
	Params resolve.Params
	// ID is the action meant; "" means the head.
	ID string
	// Revision is the revision of the preview that the caller saw; 0 where none
	// was seen.
	Revision int
	// Standing says that the standing handler is meant: where something is pending,
	// the call fails.
	Standing   bool
	Actor      resolve.Actor
	Conn       ConnID
	ReasonFrom resolve.ReasonFrom
	// Progress, where set, is called after each file that an apply searches again.
	Progress func(filesSearched, replacements int)
}

// Check reports whether call could be carried out now, without doing anything:
// it spares a human the question for a reason that would be of no use. The
// answer's first value is the label of the action meant ([resolve.NoLabel] where it
// has none), or the name of the standing handler where nothing is pending, and ""
// only where there is neither.
func (s *Session) Check(call Call) (label string, err error) {
	by := s.Policy().ResolveBy
	s.mu.Lock()
	defer s.mu.Unlock()
	head, ok := s.store.Peek()
	if !ok {
		name, _ := s.Standing.Peek()
		return name, s.guard(call, nil, by)
	}
	return cmp.Or(head.Label, resolve.NoLabel), s.guard(call, &head, by)
}

// Resolve applies or discards the head of the stack. The guards of Check are
// looked at again when the call has its turn.
//
// A call that was cancelled before anything was written fails with a
// [*resolve.AbortError], which is the cause of ctx's end ([errors.Is]). Where the
// decision stands but could not be logged, the result is marked as a warning and
// says so ([Resolved.Warnings]).
func (s *Session) Resolve(ctx context.Context, call Call) (Resolved, error) {
	defer s.notify()
	turn := &turn{Call: call}
	result, err := s.tool.Dispatch(withTurn(ctx, turn), call.Params, func(head *resolve.Action) error {
		by := s.Policy().ResolveBy
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.guard(call, head, by)
	})
	return resolved(result, turn.warnings), err
}

// guard says why call may not go on, if so; by is the policy's ResolveBy. s.mu is
// held.
func (s *Session) guard(call Call, head *resolve.Action, by string) error {
	if head == nil {
		if call.ID != "" {
			return failure(KindNotTop, TextGone, call.ID)
		}
		return nil
	}
	if call.Standing {
		return failure(KindNotTop, textMeanwhile, head.Label)
	}
	e := s.entries[head.ID]
	if err := s.guardIdentity(call, head, e); err != nil {
		return err
	}
	if err := guardActor(call, e, by, s.gone[e.owner]); err != nil {
		return err
	}
	if call.Params.Action == resolve.Apply && e.lost != "" {
		return &resolve.ToolError{Message: e.lost}
	}
	if call.Params.Action == resolve.Apply && e.edit != nil && call.Revision != e.revision {
		return e.staleError(call.Revision)
	}
	return nil
}

func (s *Session) guardIdentity(call Call, head *resolve.Action, e *entry) error {
	switch {
	case call.ID == "" && e.owner != call.Conn:
		return failure(KindNotTop, textOtherClient, head.Label)
	case call.ID == "" || call.ID == head.ID:
		return nil
	case s.entries[call.ID] != nil:
		return failure(KindNotTop, textNotTop, call.ID, head.Label)
	}
	return failure(KindNotTop, TextGone, call.ID)
}

// guardActor holds actors to the policy. It is about who may apply: a human may
// always discard, and anybody what they proposed; gone says that the connection on
// which e was proposed has ended.
func guardActor(call Call, e *entry, by string, gone bool) error {
	kind := call.Actor.Kind
	if call.Params.Action == resolve.Discard {
		// One who comes back on a new connection may take back what the old one left.
		mine := (e.owner == call.Conn || gone) && e.proposedBy == call.Actor
		if by == ByHuman && kind != resolve.Human && !mine {
			return failure(KindForbidden, textOnlyProposer)
		}
		return nil
	}
	switch {
	case by == ByHuman && kind != resolve.Human:
		return failure(KindForbidden, textOnlyHuman)
	case by == ByAgent && kind != resolve.Agent:
		return failure(KindForbidden, textOnlyAgent)
	}
	return nil
}

// turn is a call of resolve while it runs.
type turn struct {
	Call
	warnings []string          // for a human, of what was decided all the same
	decision *resolve.Decision // of an apply that wrote: as its record in the journal has it
	logged   func()            // ends that record, once the decision is logged; nil for none
}

func (t *turn) warn(err error) { t.warnings = append(t.warnings, fmt.Sprintf(textWarning, err)) }

type turnKey struct{}

// withTurn lets the callbacks of an action know the call that resolves it.
func withTurn(ctx context.Context, t *turn) context.Context {
	return context.WithValue(ctx, turnKey{}, t)
}

// turnOf returns the call that ctx belongs to: the session resolves nothing
// without one.
func turnOf(ctx context.Context) *turn { return ctx.Value(turnKey{}).(*turn) }

// progressOf returns where the call that ctx belongs to reports how far it is; nil for
// nowhere, and for what belongs to no call.
func progressOf(ctx context.Context) func(filesSearched, replacements int) {
	if t, ok := ctx.Value(turnKey{}).(*turn); ok {
		return t.Progress
	}
	return nil
}
