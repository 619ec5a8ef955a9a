package customtools

import (
	"context"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// CallEnv is what the caller of a tool brings to the call.
type CallEnv struct {
	Host     Host     // nil: the loader's
	Observer Observer // nil: nobody watches
	Context  ToolContext
	// Exclusion is that of the caller; nil: the call is one of all that bring none.
	Exclusion *Exclusion
	// Left ends when nobody can take the result any more. A tool that cannot be
	// aborted is waited for until then; nil: until it ends.
	Left context.Context
}

// Observer watches a call: its start, before anything is checked; its partial
// results, in order; its end. Nothing comes after the end.
type Observer interface {
	ToolStarted(tool resolve.Definition, call resolve.ToolCall)
	ToolUpdated(call resolve.ToolCall, partial resolve.Result)
	ToolEnded(call resolve.ToolCall, result resolve.Result)
}

type callEnvKey struct{}

// WithCallEnv returns a context in which tools are called with env. A call
// without one has the loader's host and an empty tool context.
func WithCallEnv(ctx context.Context, env CallEnv) context.Context {
	return context.WithValue(ctx, callEnvKey{}, env)
}

func (t *LoadedTool) callEnv(ctx context.Context) CallEnv {
	env, _ := ctx.Value(callEnvKey{}).(CallEnv)
	if env.Host == nil {
		env.Host = t.host
	}
	if env.Observer == nil {
		env.Observer = nobody{}
	}
	if env.Exclusion == nil {
		env.Exclusion = t.exclusion
	}
	if env.Left == nil {
		env.Left = context.Background()
	}
	return env
}

type nobody struct{}

func (nobody) ToolStarted(resolve.Definition, resolve.ToolCall) {}
func (nobody) ToolUpdated(resolve.ToolCall, resolve.Result)     {}
func (nobody) ToolEnded(resolve.ToolCall, resolve.Result)       {}
