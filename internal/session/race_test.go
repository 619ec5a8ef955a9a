package session_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/internal/session"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

const (
	raceFiles   = 4 // the even ones are open in the editor
	raceWorkers = 6
	raceSteps   = 40
	raceNumbers = 5
	raceRounds  = 10 // at most
)

func raceName(i int) string { return fmt.Sprintf("f%d.ts", i) }

// raceModel is what must hold whatever the order: an action is decided once, and
// an applied one has turned every file that it changed from one whole text into
// the other.
type raceModel struct {
	mu      sync.Mutex
	staged  map[string]bool
	decided map[string]int
}

func (m *raceModel) note(ref *session.PendingRef) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.staged[ref.ID] = true
}

func (m *raceModel) decide(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.decided[id]++
}

func TestManyAtOnce(t *testing.T) {
	for name, others := range map[string]bool{"nobody else writes": false, "files change meanwhile": true} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, nil)
			for i := range raceFiles {
				f.write(raceName(i), "foo(0);\n")
				if i%2 == 0 {
					f.typed(raceName(i), "foo(0);\n")
				}
			}
			m := &raceModel{staged: map[string]bool{}, decided: map[string]int{}}
			// Where files change all the time, a round may leave nothing to be applied.
			for round := uint64(0); round == 0 || round < raceRounds && raceApplied(f) == 0; round++ {
				raceRound(f, m, round, others)
			}
			raceCheck(f, m, others)
		})
	}
}

func raceRound(f *fixture, m *raceModel, round uint64, others bool) {
	var wg sync.WaitGroup
	for worker := range raceWorkers {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(worker), 2+round))
			for range raceSteps {
				raceStep(f, m, rng, others)
			}
		})
	}
	wg.Wait()
}

// raceApplied counts the applies in the log.
func raceApplied(f *fixture) (count int) {
	list, err := f.Decisions.List(raceRounds*raceWorkers*raceSteps, "", "")
	if err != nil {
		f.t.Fatal(err)
	}
	for _, d := range list {
		if d.Action == resolve.Apply {
			count++
		}
	}
	return count
}

func raceStep(f *fixture, m *raceModel, rng *rand.Rand, others bool) {
	switch pick := rng.IntN(9); {
	case pick == 8:
		raceRevert(f, m, rng)
	case pick < 3:
		from, to := "foo", "bar"
		if rng.IntN(2) == 0 {
			from, to = to, from
		}
		result, _, err := f.Propose(context.Background(), session.Proposal{Request: rule(from+"($A)", to+"($A)"), ProposedBy: human, Conn: conn})
		if err != nil {
			f.t.Errorf("propose: %v", err)
			return
		}
		if ref := result.Details.(session.ProposalDetails).Pending; ref != nil {
			m.note(ref)
		}
	case pick < 7 || !others:
		raceResolve(f, m, rng)
	default:
		raceWrite(f, rng)
	}
}

// raceRevert stages the revert of one of the latest decisions.
func raceRevert(f *fixture, m *raceModel, rng *rand.Rand) {
	list, err := f.Decisions.List(3, "", "")
	if err != nil {
		f.t.Error(err)
	}
	if len(list) == 0 {
		return
	}
	_, ref, err := f.revert(list[rng.IntN(len(list))].ID)
	var tool *resolve.ToolError
	switch {
	case err == nil:
		m.note(&ref)
	case !errors.As(err, &tool):
		f.t.Errorf("revert: %T %v", err, err)
	}
}

func raceResolve(f *fixture, m *raceModel, rng *rand.Rand) {
	_, stack := f.Pending()
	if len(stack) == 0 {
		return
	}
	top := stack[0]
	action := resolve.Apply
	if rng.IntN(4) == 0 {
		action = resolve.Discard
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if rng.IntN(5) == 0 {
		go cancel()
	}
	_, err := f.Resolve(ctx, call(action, &session.PendingRef{ID: top.ID, Revision: top.Revision}))
	var tool *resolve.ToolError
	switch {
	case err == nil:
		m.decide(top.ID)
	case !errors.As(err, &tool) && !errors.Is(err, context.Canceled):
		f.t.Errorf("resolve: %T %v", err, err)
	}
}

// raceWrite gives a file a new whole text, as somebody else would.
func raceWrite(f *fixture, rng *rand.Rand) {
	i := rng.IntN(raceFiles)
	content := fmt.Sprintf("%s(%d);\n", []string{"foo", "bar"}[rng.IntN(2)], rng.IntN(raceNumbers))
	if i%2 == 0 {
		f.typed(raceName(i), content)
		return
	}
	temp := filepath.Join(f.t.TempDir(), "new")
	if err := errors.Join(os.WriteFile(temp, []byte(content), 0o644), os.Rename(temp, f.path(raceName(i)))); err != nil {
		f.t.Error(err)
	}
	f.FileChanged(f.path(raceName(i)))
}

func raceCheck(f *fixture, m *raceModel, others bool) {
	whole := regexp.MustCompile(`^(foo|bar)\(\d\);\n$`)
	names := map[string]int{}
	for i := range raceFiles {
		content, open := f.host.text(f.path(raceName(i)))
		if open != (i%2 == 0) {
			f.t.Errorf("%s: open %v", raceName(i), open)
		}
		if !open {
			content, _ = os.ReadFile(f.path(raceName(i)))
		}
		if !whole.Match(content) {
			f.t.Errorf("%s: %q", raceName(i), content)
		}
		names[string(content[:3])]++
	}
	if !others && len(names) != 1 {
		f.t.Errorf("files are half old, half new: %v", names)
	}
	f.wantNoTraces()

	for _, ref := range f.pending() {
		m.decide(ref.ID)
	}
	for id := range m.staged {
		if m.decided[id] != 1 {
			f.t.Errorf("%s: decided or pending %d times", id, m.decided[id])
		}
	}
	if len(m.decided) != len(m.staged) {
		f.t.Errorf("%d staged, %d decided or pending", len(m.staged), len(m.decided))
	}
	raceCheckLog(f, m)
}

func raceCheckLog(f *fixture, m *raceModel) {
	turned := map[string]string{} // hash to hash
	for n := range raceNumbers {
		one, other := hash(fmt.Sprintf("foo(%d);\n", n)), hash(fmt.Sprintf("bar(%d);\n", n))
		turned[one], turned[other] = other, one
	}
	list, err := f.Decisions.List(raceRounds*raceWorkers*raceSteps, "", "")
	if err != nil {
		f.t.Fatal(err)
	}
	if want := len(m.staged) - len(f.pending()); len(list) != want {
		f.t.Errorf("%d decisions logged, want %d", len(list), want)
	}
	applied, reverted := 0, 0
	for _, d := range list {
		if d.Action == resolve.Apply {
			applied++
		}
		if d.Action == resolve.Apply && d.Reverts != "" {
			reverted++
		}
		for _, file := range d.Files {
			if turned[file.Before] != file.After {
				f.t.Errorf("%s: a text that was not previewed was written to %s", d.PendingID, file.URI)
			}
		}
	}
	f.t.Logf("%d applied, %d of them reverts", applied, reverted)
	if applied == 0 {
		f.t.Error("nothing was applied: the test does not test")
	}
}
