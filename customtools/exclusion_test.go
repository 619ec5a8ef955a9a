package customtools

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// gated are tools that end when they are told to, and what of them runs.
type gated struct {
	*Loader
	end map[string]chan struct{}

	mu      sync.Mutex
	running map[string]bool
}

func (g *gated) runs(name string, running bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.running[name] = running
}

// newGated has the tools "x", exclusive, and "a" and "b". It is for a synctest
// bubble.
func newGated() (*gated, map[string]*LoadedTool) {
	g := &gated{running: map[string]bool{}, end: map[string]chan struct{}{}}
	var direct []Tool
	for _, name := range []string{"x", "a", "b"} {
		g.end[name] = make(chan struct{})
		tool := named(name, "", func(context.Context, RuntimeCall) (resolve.Result, error) {
			g.runs(name, true)
			<-g.end[name]
			g.runs(name, false)
			return resolve.TextResult(name, nil), nil
		})
		if name == "x" {
			tool.Concurrency = "exclusive"
		}
		direct = append(direct, tool)
	}
	g.Loader = NewLoader(LoaderConfig{Host: &logHost{}, Direct: direct})
	tools := map[string]*LoadedTool{}
	for _, tool := range g.Load(context.Background(), nil).Tools {
		tools[tool.definition.Name] = tool
	}
	return g, tools
}

func (g *gated) want(t *testing.T, names ...string) {
	t.Helper()
	synctest.Wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	var got []string
	for _, name := range []string{"x", "a", "b"} {
		if g.running[name] {
			got = append(got, name)
		}
	}
	wantStrings(t, got, names...)
}

func TestAnExclusiveToolRunsAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, tools := newGated()
		start := func(ctx context.Context, name string) {
			go func() { _, _ = tools[name].Call(ctx, callOf(`{}`)) }() // what it returns is the other tests'
			synctest.Wait()
		}
		ctx := context.Background()
		start(ctx, "a")
		start(ctx, "b")
		g.want(t, "a", "b") // shared
		start(ctx, "x")
		g.want(t, "a", "b")
		g.end["a"] <- struct{}{}
		start(ctx, "a") // after x, which came before it
		g.want(t, "b")
		g.end["b"] <- struct{}{}
		g.want(t, "x")

		// Another caller's batch is its own.
		start(WithCallEnv(ctx, CallEnv{Exclusion: NewExclusion()}), "b")
		g.want(t, "x", "b")
		g.end["x"] <- struct{}{}
		g.want(t, "a", "b")
		close(g.end["a"])
		close(g.end["b"])
	})
}

// Who waits for others can give up, and then holds up nobody; a tool that goes on
// although its caller gave up still counts.
func TestAnExclusiveToolThatIsCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, tools := newGated()
		call := func(name string) (cancel context.CancelFunc, failed chan error) {
			ctx, cancel := context.WithCancel(context.Background())
			failed = make(chan error, 1)
			go func() {
				_, err := tools[name].Call(ctx, callOf(`{}`))
				failed <- err
			}()
			synctest.Wait()
			return cancel, failed
		}
		_, first := call("a")
		cancel, waiting := call("x")
		cancel()
		if err := <-waiting; !errors.Is(err, context.Canceled) {
			t.Errorf("the one that waited: %v", err)
		}
		cancel, second := call("b")
		g.want(t, "a", "b")
		cancel()
		if err := <-second; !errors.Is(err, context.Canceled) {
			t.Errorf("the one that does not obey: %v", err)
		}
		g.end["a"] <- struct{}{}
		<-first
		_, third := call("x")
		g.want(t, "b") // it has not ended
		g.end["b"] <- struct{}{}
		g.want(t, "x")
		g.end["x"] <- struct{}{}
		<-third
	})
}

// A tool that cannot be aborted never hears of it; its result is waited for.
func TestANonAbortableToolIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release, aborted := make(chan struct{}), false
		tool := named("t", "", func(ctx context.Context, _ RuntimeCall) (resolve.Result, error) {
			<-release
			aborted = ctx.Err() != nil
			return resolve.TextResult("done", nil), nil
		})
		tool.NonAbortable = true
		loaded := direct(tool, &logHost{})
		call := func(ctx context.Context) (chan resolve.Result, chan error) {
			results, errs := make(chan resolve.Result, 1), make(chan error, 1)
			go func() {
				result, err := loaded.Call(ctx, callOf(`{}`))
				results <- result
				errs <- err
			}()
			synctest.Wait()
			return results, errs
		}
		ctx, cancel := context.WithCancel(context.Background())
		results, errs := call(ctx)
		cancel()
		synctest.Wait()
		if len(results) > 0 {
			t.Fatal("it was not waited for")
		}
		release <- struct{}{}
		if result, err := <-results, <-errs; err != nil || result.Text() != "done" || aborted {
			t.Errorf("%+v, %v, aborted %v", result, err, aborted)
		}

		// Nobody is left to take the result.
		left, leave := context.WithCancel(context.Background())
		results, errs = call(WithCallEnv(context.Background(), CallEnv{Left: left}))
		leave()
		if <-results; !errors.Is(<-errs, context.Canceled) {
			t.Error("it was waited for although the caller has gone")
		}
		release <- struct{}{}

		// Before it has begun it can be given up like any other.
		results, errs = call(ctx)
		if <-results; !errors.Is(<-errs, context.Canceled) {
			t.Error("it was run although it had been cancelled before")
		}
	})
}
