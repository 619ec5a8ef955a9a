package resolve

import "fmt"

// maxEscalations is how often a run may force a tool: a model that does not call
// it even then would be forced for ever.
const maxEscalations = 3

// Texts of a turn that does not comply (resolve.md 11.3).
const (
	textNotExecuted = "Not executed: call the `%s` tool to resolve the pending action before using other tools."
	textUnsatisfied = "Soft tool requirement '%s' was not satisfied after 3 forced turns; aborting to avoid an unbounded force loop."
)

// Gate gets a model to meet a soft requirement: it reminds once, and forces the
// tool for one request after each turn that strays. An agent's loop drives it:
//
//	before each request   Before, with the turn's directive
//	after each response   After, before any tool call runs
//	at the end of the run End
//
// The zero value is ready for use. A Gate belongs to one loop and is not safe for
// concurrent use.
type Gate struct {
	required    *SoftToolRequirement // of the present turn
	id          string               // the requirement that was reminded of
	forced      ToolChoice           // for the next request only
	escalations int
}

// Request is what the next request to the model has beyond the conversation.
type Request struct {
	Append []ReminderMessage // for the conversation, before the request
	Choice ToolChoice        // the zero value is the static choice
}

// Before takes the directive of a turn.
func (g *Gate) Before(d TurnDirective) Request {
	g.required = d.Soft
	if d.Soft == nil {
		g.reset()
		return Request{Choice: d.Hard}
	}
	var reminder []ReminderMessage
	if d.Soft.ID != g.id {
		g.reset()
		g.id, reminder = d.Soft.ID, d.Soft.Reminder
	}
	return Request{Append: reminder, Choice: g.forced}
}

// Response is how the model answered a request whose own tool choice was Static.
type Response struct {
	ToolCalls []ToolCall
	Stop      StopReason
	Static    ToolChoice
}

// Verdict says how a loop goes on after a response. With Execute it goes on as it
// would without a gate. Otherwise no tool call of the turn is executed: with Err
// the run ends with it, else Results answer the calls, one each and in order, and
// the next request follows, even where the model called nothing.
type Verdict struct {
	Execute bool
	Results []Result
	Err     error
}

// After judges a response.
func (g *Gate) After(r Response) Verdict {
	g.forced = ToolChoice{}
	required := g.required
	switch {
	case required == nil, r.Stop == StopError, r.Stop == StopAborted:
		return Verdict{Execute: true}
	case !r.Static.permits(required.ToolName), required.satisfied(r.ToolCalls):
		return Verdict{Execute: true}
	case g.escalations >= maxEscalations:
		return Verdict{Err: &ToolError{Message: fmt.Sprintf(textUnsatisfied, required.ToolName)}}
	}
	g.forced = Named(required.ToolName)
	g.escalations++
	return Verdict{Results: notExecuted(required.ToolName, len(r.ToolCalls))}
}

func notExecuted(tool string, calls int) []Result {
	results := make([]Result, calls)
	for i := range results {
		results[i] = TextResult(fmt.Sprintf(textNotExecuted, tool), nil)
		results[i].IsError = true
	}
	return results
}

// End ends the run: a later one is reminded again of what is then still pending.
// A run that was stopped before its request was sent must not call it, since the
// model has not seen its reminder yet.
func (g *Gate) End() {
	g.required = nil
	g.reset()
}

func (g *Gate) reset() { g.id, g.forced, g.escalations = "", ToolChoice{}, 0 }
