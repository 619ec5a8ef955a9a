package customtools

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// ErrNoFactory is what [Runtime.Load] wraps where a module was evaluated but
// its export is no function.
var ErrNoFactory = errors.New("the module exports no factory function")

// ErrCodeChanged is what [Runtime.Load] gives for a module that is not what was
// trusted any more.
var ErrCodeChanged = errors.New("it has changed since it was trusted, and nothing of it was run: reload the tools")

// Runtime evaluates tool modules, each apart from the program and from the
// others: what one does never costs more than itself. It is safe for
// concurrent use.
type Runtime interface {
	// Load evaluates a module and calls its factory. An error that wraps
	// [ErrNoFactory] says that there is none; the text of any other is the
	// message alone (of the Error thrown, or what the value thrown is as a
	// string, or why the runtime could not go on).
	//
	// Each call evaluates anew: a second Load of one path is a new generation
	// beside the first, which lives until it is retired.
	Load(ctx context.Context, spec ModuleSpec) (Module, error)

	// SetUI tells every module loaded, and those to come, whether a human can
	// be asked. Before the first call nobody can, and pi.ui does nothing.
	SetUI(hasUI bool)

	// Close ends everything, within a bounded time; calls that run fail.
	Close() error
}

// ModuleSpec says what to load, and what the module then has around it.
type ModuleSpec struct {
	Path string // absolute
	// CodeSum is the [CodeSum] of the only code that may be run; "" allows any.
	// A runtime compares it with what it is about to run, and fails with
	// [ErrCodeChanged].
	CodeSum string
	Cwd     string // what the factory sees as cwd, and where exec runs
	// Host serves what the module asks for outside a call: in its factory, in
	// onSession, in a timer.
	Host Host
	// CanStage is false where there is no store of pending actions:
	// pushPendingAction then throws.
	CanStage bool
}

// Module is one generation of a loaded module.
type Module interface {
	// Elements are what the factory returned, in order; a value that is no list
	// is one element.
	Elements() []Element

	// Retire ends the generation: no call follows. It goes on living until the
	// calls that run have ended and the actions that it staged are resolved.
	Retire()
}

// Element is one value that a factory returned.
type Element struct {
	Shape Shape
	// Definition is the element's as it was after the factory returned; Tool
	// calls it. Both are set where the shape is a tool's.
	Definition Definition
	Tool       RuntimeTool
}

// Shape is what a tool must have, as it was found.
type Shape struct {
	HasName        bool // a string that is not empty
	HasDescription bool // a string
	HasParameters  bool // a property of that name, whatever its value
	HasExecute     bool // a function
}

// valid reports whether an element with this shape is a tool.
func (s Shape) valid() bool {
	return s.HasName && s.HasDescription && s.HasParameters && s.HasExecute
}

// Definition describes a tool. The optional fields have their zero value
// where the tool does not set them, or not to a value of the right type; a
// missing label is empty, and Parameters is the JSON Schema as JSON.stringify
// writes it, nil where it writes nothing.
type Definition struct {
	resolve.Definition

	Strict               bool   `json:"strict,omitzero"`
	Concurrency          string `json:"concurrency,omitzero"` // "exclusive", else shared
	NonAbortable         bool   `json:"nonAbortable,omitzero"`
	LenientArgValidation bool   `json:"lenientArgValidation,omitzero"`

	// How the tool is rendered.
	HasRenderCall      bool `json:"hasRenderCall,omitzero"`
	HasRenderResult    bool `json:"hasRenderResult,omitzero"`
	MergeCallAndResult bool `json:"mergeCallAndResult,omitzero"`

	HasOnSession bool `json:"hasOnSession,omitzero"`
}

// DisplayLabel is the name that people are shown.
func (d Definition) DisplayLabel() string {
	if d.Label != "" {
		return d.Label
	}
	return d.Name
}

// RuntimeTool is a tool inside a runtime. Every method binds this to the
// tool's object. The text of an error is the message of what the tool threw,
// as for [Runtime.Load], or why the runtime lost the call.
type RuntimeTool interface {
	// Describe reads the tool's properties as they are now.
	Describe(ctx context.Context) (Definition, error)

	// Execute calls the tool, as execute(id, params, onUpdate, ctx, signal),
	// and returns what it returned as JSON; nil where that is undefined. The end
	// of ctx aborts signal. Execute then still returns, at the latest after
	// the grace that the runtime gives a tool to stop by itself.
	Execute(ctx context.Context, call RuntimeCall) (json.RawMessage, error)

	// OnSession passes on a session event: an object with a reason.
	OnSession(ctx context.Context, event json.RawMessage, toolContext ToolContext) error

	// RenderCall and RenderResult call the hook of that name and return the
	// component's lines at width 80, joined with newlines; "" for a falsy
	// component. RenderCall looks at the declared parameter count: a hook with at
	// most two gets (args, theme).
	RenderCall(ctx context.Context, args json.RawMessage, options RenderOptions) (string, error)
	RenderResult(ctx context.Context, result, args json.RawMessage, options RenderOptions) (string, error)
}

// RuntimeCall is one call of a tool.
type RuntimeCall struct {
	ToolCallID string
	Params     json.RawMessage // validated
	Context    ToolContext
	// Host serves what the tool asks for while the call runs; after it, the
	// module's own serves again.
	Host Host
	// Update takes partial results as JSON, in order and one at a time, none
	// after Execute has returned. It may be nil: the tool then has no onUpdate.
	// A runtime may leave out updates that a later one overtakes.
	Update func(partial json.RawMessage)
}

// ToolContext is what the ctx of a tool holds beside the session manager, the
// host's parts and the fixed answers of a host without a conversation.
type ToolContext struct {
	HasUI     bool            `json:"hasUI"`
	Model     json.RawMessage `json:"model,omitempty"` // nil is undefined
	ToolNames []string        `json:"toolNames"`
}

// RenderOptions is the options argument of a render hook.
type RenderOptions struct {
	Expanded  bool `json:"expanded"`
	IsPartial bool `json:"isPartial"`
}
