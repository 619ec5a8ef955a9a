package resolve_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// loop is an agent's loop with a model that calls the tools of its script, a turn
// each; a turn without any is an answer in text.
type loop struct {
	*session
	queue  *resolve.ToolChoiceQueue
	gate   resolve.Gate
	static resolve.ToolChoice

	choices   []resolve.ToolChoice // of each request; the zero value is the static one
	reminders []string             // ids of what was reminded of
	executed  []string
	refused   []string // the texts of what was not executed
}

func newLoop(t *testing.T) *loop {
	s := newSession(t)
	return &loop{session: s, queue: resolve.NewToolChoiceQueue(s.store)}
}

func text() []string { return nil }

// run runs the loop until the model answers in text, or its script ends.
func (l *loop) run(turns ...[]string) error {
	defer l.gate.End()
	for _, turn := range turns {
		done, err := l.turn(turn)
		if done || err != nil {
			return err
		}
	}
	return nil
}

func (l *loop) turn(names []string) (done bool, err error) {
	directive := l.queue.NextDirective(func(string) bool { return true }, time.Time{})
	request := l.gate.Before(directive)
	for range request.Append {
		l.reminders = append(l.reminders, directive.Soft.ID)
	}
	l.choices = append(l.choices, request.Choice)
	response := resolve.Response{Static: l.static}
	for _, name := range names {
		response.ToolCalls = append(response.ToolCalls, resolve.ToolCall{Name: name})
	}
	verdict := l.gate.After(response)
	switch {
	case verdict.Err != nil:
		return true, verdict.Err
	case !verdict.Execute:
		if len(verdict.Results) != len(names) {
			l.t.Errorf("%d results for %d calls", len(verdict.Results), len(names))
		}
		for _, result := range verdict.Results {
			if !result.IsError {
				l.t.Errorf("no error: %+v", result)
			}
			l.refused = append(l.refused, result.Text())
		}
		return false, nil
	}
	for _, name := range names {
		l.executed = append(l.executed, name)
		if name == resolve.ToolName {
			_, _ = l.resolve(resolve.Apply, "r")
		}
	}
	return len(names) == 0, nil
}

func (l *loop) stageOne() string {
	return resolve.QueueResolveHandler(l.queue, resolve.Action{Label: "L", SourceToolName: "s", Apply: l.apply(resolve.Result{})})
}

var (
	static = resolve.ToolChoice{}
	forced = resolve.Named("resolve")
)

func (l *loop) wantChoices(want ...resolve.ToolChoice) {
	l.t.Helper()
	if !slices.Equal(l.choices, want) {
		l.t.Errorf("tool choices %v, want %v", l.choices, want)
	}
}

func (l *loop) wantExecuted(want ...string) {
	l.t.Helper()
	if !slices.Equal(l.executed, want) {
		l.t.Errorf("executed %q, want %q", l.executed, want)
	}
}

func (l *loop) wantReminders(want ...string) {
	l.t.Helper()
	if !slices.Equal(l.reminders, want) {
		l.t.Errorf("reminded of %q, want %q", l.reminders, want)
	}
}

func (l *loop) wantRefused(n int) {
	l.t.Helper()
	const want = "Not executed: call the `resolve` tool to resolve the pending action before using other tools."
	if len(l.refused) != n || slices.ContainsFunc(l.refused, func(text string) bool { return !strings.Contains(text, want) }) {
		l.t.Errorf("refused %q, want %d times %q", l.refused, n, want)
	}
}

func TestStatement64_CompliantModelIsNeverForced(t *testing.T) {
	l := newLoop(t)
	id := l.stageOne()
	if err := l.run([]string{"resolve"}, text()); err != nil {
		t.Fatal(err)
	}
	l.wantChoices(static, static)
	l.wantReminders(id)
	l.wantExecuted("resolve")
	l.wantPending()
}

func TestStatement65_AnotherToolIsRefusedOnce(t *testing.T) {
	l := newLoop(t)
	id := l.stageOne()
	if err := l.run([]string{"read"}, []string{"resolve"}, []string{"read"}, text()); err != nil {
		t.Fatal(err)
	}
	l.wantRefused(1)
	l.wantChoices(static, forced, static, static)
	l.wantReminders(id)
	l.wantExecuted("resolve", "read")
}

// A force lives for one request: where the forced turn decides nothing, the next
// one is free again.
func TestStatement65_ForceLivesForOneRequest(t *testing.T) {
	l := newLoop(t)
	id := resolve.QueueResolveHandler(l.queue, resolve.Action{Label: "L", SourceToolName: "s", Apply: l.apply(resolve.Result{}, errors.New("no"))})
	if err := l.run([]string{"read"}, []string{"resolve"}, []string{"resolve"}, text()); err != nil {
		t.Fatal(err)
	}
	l.wantChoices(static, forced, static, static)
	l.wantReminders(id)
	l.wantPending()
}

func TestStatement66_TextIsNotEnough(t *testing.T) {
	l := newLoop(t)
	l.stageOne()
	if err := l.run(text(), []string{"resolve"}, text()); err != nil {
		t.Fatal(err)
	}
	l.wantChoices(static, forced, static)
	l.wantRefused(0) // there was no call to refuse
	l.wantExecuted("resolve")
}

func TestStatement67_MixedBatchDoesNotRun(t *testing.T) {
	l := newLoop(t)
	id := l.stageOne()
	if _, err := l.turn([]string{"resolve", "read"}); err != nil {
		t.Fatal(err)
	}
	l.wantRefused(2)
	l.wantExecuted()
	l.wantPending(id)
	if _, err := l.turn([]string{"resolve", "resolve"}); err != nil { // more than one is none too many
		t.Fatal(err)
	}
	l.wantChoices(static, forced)
	l.wantExecuted("resolve", "resolve")
}

func TestStatement68_OneReminderForEachHead(t *testing.T) {
	l := newLoop(t)
	first := l.stageOne()
	for range 2 {
		if _, err := l.turn([]string{"read"}); err != nil {
			t.Fatal(err)
		}
	}
	l.wantReminders(first)
	second := l.stageOne()
	if _, err := l.turn([]string{"resolve"}); err != nil {
		t.Fatal(err)
	}
	l.wantReminders(first, second)
	l.wantChoices(static, forced, static) // the new head clears the force
	if _, err := l.turn([]string{"resolve"}); err != nil {
		t.Fatal(err)
	}
	l.wantReminders(first, second, first) // a head again
}

func TestStatement69_StaticChoiceThatForbidsCompliance(t *testing.T) {
	for name, static := range map[string]resolve.ToolChoice{
		"none": noTool, "another tool": read, "another function": {Type: resolve.ChoiceFunction, Name: "read"},
	} {
		l := newLoop(t)
		l.static = static
		l.stageOne()
		if done, err := l.turn(text()); !done || err != nil {
			t.Errorf("%s: done %v, %v", name, done, err)
		}
		l.wantRefused(0)
		l.wantChoices(resolve.ToolChoice{})
	}
	for _, static := range []resolve.ToolChoice{autoTool, {Type: resolve.ChoiceRequired}, {Type: resolve.ChoiceAny}, forced, {Type: resolve.ChoiceFunction, Name: "resolve"}} {
		l := newLoop(t)
		l.static = static
		l.stageOne()
		if done, err := l.turn(text()); done || err != nil {
			t.Errorf("%v lets a text pass: %v", static, err)
		}
	}
}

func TestStatement70_FourthRefusalEndsTheRun(t *testing.T) {
	l := newLoop(t)
	id := l.stageOne()
	err := l.run([]string{"read"}, text(), []string{"read"}, []string{"read"}, []string{"resolve"})
	wantToolError(t, err, "Soft tool requirement 'resolve' was not satisfied after 3 forced turns; aborting to avoid an unbounded force loop.")
	l.wantChoices(static, forced, forced, forced)
	l.wantExecuted()
	l.wantPending(id)
	// A later run with the same head starts anew.
	l.choices = nil
	if err := l.run([]string{"resolve"}, text()); err != nil {
		t.Fatal(err)
	}
	l.wantReminders(id, id)
	l.wantChoices(static, static)
}

func TestTurnThatDidNotEndIsNotJudged(t *testing.T) {
	for _, stop := range []resolve.StopReason{resolve.StopError, resolve.StopAborted} {
		var gate resolve.Gate
		gate.Before(resolve.TurnDirective{Soft: resolve.SoftRequirement(resolve.PendingHead{ID: "x"}, time.Time{})})
		if verdict := gate.After(resolve.Response{Stop: stop}); !verdict.Execute || verdict.Err != nil {
			t.Errorf("%q: %+v", stop, verdict)
		}
	}
}

func TestHardChoiceResetsTheGate(t *testing.T) {
	l := newLoop(t)
	id := l.stageOne()
	if _, err := l.turn(text()); err != nil {
		t.Fatal(err)
	}
	l.queue.PushOnce(write, label("a"))
	if _, err := l.turn([]string{"write"}); err != nil {
		t.Fatal(err)
	}
	l.wantExecuted("write")
	if _, err := l.turn([]string{"resolve"}); err != nil {
		t.Fatal(err)
	}
	l.wantChoices(static, write, static)
	l.wantReminders(id, id)
}

func TestHumanDecidesMeanwhile(t *testing.T) {
	l := newLoop(t)
	l.stageOne()
	if _, err := l.turn([]string{"read"}); err != nil {
		t.Fatal(err)
	}
	l.must(resolve.Discard, "a human's")
	if err := l.run([]string{"read"}, text()); err != nil {
		t.Fatal(err)
	}
	l.wantChoices(static, static, static)
	l.wantExecuted("read")
}

func TestSatisfiesDecides(t *testing.T) {
	requirement := resolve.SoftRequirement(resolve.PendingHead{ID: "x"}, time.Time{})
	requirement.Satisfies = func(call resolve.ToolCall) bool { return strings.HasPrefix(call.Name, "my_") }
	var gate resolve.Gate
	for name, want := range map[string]bool{"my_resolve": true, "resolve": false} {
		gate.Before(resolve.TurnDirective{Soft: requirement})
		if got := gate.After(resolve.Response{ToolCalls: []resolve.ToolCall{{Name: name}}}); got.Execute != want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// A run that ended before its request was sent keeps what it knows: the reminder
// is in the conversation.
func TestRunThatWasStoppedBeforeItsRequest(t *testing.T) {
	soft := resolve.TurnDirective{Soft: resolve.SoftRequirement(resolve.PendingHead{ID: "x"}, time.Time{})}
	var gate resolve.Gate
	if got := gate.Before(soft); len(got.Append) != 1 {
		t.Fatalf("%d reminders", len(got.Append))
	}
	if got := gate.Before(soft); len(got.Append) != 0 {
		t.Error("reminded twice")
	}
	gate.End()
	if got := gate.Before(soft); len(got.Append) != 1 {
		t.Error("a new run is not reminded")
	}
}
