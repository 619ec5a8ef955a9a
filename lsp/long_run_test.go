package lsp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
	"github.com/xcsh-lsp/xcsh-lsp/lsp"
)

// longWorkspace is a workspace whose dry run of longEdit takes over a second on one
// processor.
func longWorkspace(t *testing.T) (dir string) { return bigWorkspace(t, 2500, 80) }

func bigWorkspace(t *testing.T, files, lines int) (dir string) {
	t.Helper()
	f := &fixture{t: t, dir: t.TempDir()}
	f.write("open.ts", "small(1);\n")
	body := strings.Repeat("if (a && b) { call(c, d(e), [f, g, { h: i }]); }\n", lines)
	for i := range files {
		f.write(fmt.Sprintf("big/f%04d.ts", i), body)
	}
	return f.dir
}

// startLong starts in a longWorkspace, with a document in which another edit is
// pending.
func startLong(t *testing.T, dir string, manners lsptest.Manners) (f *fixture, uri string) {
	t.Helper()
	f = connect(t, manners, nil, short)
	f.dir = dir
	f.Initialize(nil, dir)
	uri = f.OpenFile(f.path("open.ts"))
	small := edit("small($A)", "tiny($A)")
	small["path"] = "open.ts"
	f.run("xcsh.ast_edit", small)
	f.WaitReceived(protocol.MethodProgress, 2) // its begin and end
	return f, uri
}

func longEdit() map[string]any {
	arg := edit("call(i, $$$B)", "x") // its words are in every file, and it matches in none
	arg["path"] = "big"
	return arg
}

func stillRunning(t *testing.T, done <-chan answer) {
	t.Helper()
	select {
	case got := <-done:
		t.Fatalf("the long dry run is over too soon: %s %v", got.raw, got.failed)
	default:
	}
}

func TestLongRun_BlocksNothing(t *testing.T) {
	f, uri := startLong(t, longWorkspace(t), lsptest.VSCodeLike())
	ctx, cancel := context.WithCancel(context.Background())
	done := f.begin(ctx, "xcsh.ast_edit", longEdit())
	f.WaitReceived(protocol.MethodProgress, 3) // begin and end of the small one, begin of the long one
	where := f.Range(uri, "small(1)")
	if f.Hover(uri, where) == "" {
		t.Error("no hover")
	}
	if len(f.CodeActions(uri, where)) != 2 {
		t.Error("no actions")
	}
	f.Change(uri, f.Edit(uri, "small(1)", "small(22)"))
	f.WaitDiagnostics(uri, func(d []protocol.Diagnostic) bool {
		return len(d) == 1 && d[0].Message == protocol.String("small(22) → tiny(22)")
	})
	second := edit("small($A)", "mini($A)")
	second["path"] = "open.ts"
	f.run("xcsh.ast_edit", second)
	f.run("xcsh.resolve", map[string]any{"action": "discard", "reason": "r"})
	stillRunning(t, done) // so nothing waited for it
	cancel()
	wantError(t, (<-done).failed, protocol.CodeRequestCancelled, "cancelled")
}

// The three ways to cancel, each with a token of the client's and with ours.
func TestLongRun_Cancelled(t *testing.T) {
	dir := longWorkspace(t)
	withToken := func(token string) func(*fixture, context.Context) <-chan answer {
		return func(f *fixture, ctx context.Context) <-chan answer {
			return f.beginWithToken(ctx, "xcsh.ast_edit", longEdit(), json.RawMessage(token))
		}
	}
	without := func(f *fixture, ctx context.Context) <-chan answer { return f.begin(ctx, "xcsh.ast_edit", longEdit()) }
	byRequest := func(_ *fixture, cancel func(), _ string) { cancel() }
	byProgress := func(f *fixture, _ func(), token string) {
		f.Notify("window/workDoneProgress/cancel", json.RawMessage(`{"token":`+token+`}`))
	}
	byCommand := func(f *fixture, _ func(), token string) {
		if got := f.run("xcsh.cancel", json.RawMessage(`{"token":`+token+`}`)).text(); got != "Cancelled." {
			f.t.Errorf("xcsh.cancel: %q", got)
		}
	}
	for _, c := range []struct {
		name   string
		begin  func(*fixture, context.Context) <-chan answer
		cancel func(*fixture, func(), string)
		token  string // in the cancellation; "" is that of the progress
	}{
		{"$/cancelRequest", without, byRequest, ""},
		{"$/cancelRequest with a token", withToken(`"t"`), byRequest, `"t"`},
		{"workDoneProgress, our token", without, byProgress, ""},
		{"workDoneProgress, a word", withToken(`"t"`), byProgress, `"t"`},
		{"workDoneProgress, a number", withToken(`7`), byProgress, `7`},
		{"workDoneProgress, an odd word", withToken(`"<a>\u00e9&"`), byProgress, `"\u003ca>é&"`},
		{"xcsh.cancel, our token", without, byCommand, ""},
		{"xcsh.cancel, a word", withToken(`"t"`), byCommand, `"t"`},
		{"xcsh.cancel, a number", withToken(`7`), byCommand, `7`},
		{"xcsh.cancel, an odd word", withToken(`"<a>"`), byCommand, `"\u003ca\u003e"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, _ := startLong(t, dir, lsptest.VSCodeLike())
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			done := c.begin(f, ctx)
			token := ""
			f.Wait("a report", func() bool {
				reports := f.Progress()
				if len(reports) == 0 {
					return false
				}
				last := reports[len(reports)-1]
				token = last.Token
				return last.Value.Kind == "report"
			})
			if c.token != "" {
				token = c.token
			}
			stillRunning(t, done)
			c.cancel(f, cancel, token)
			got := <-done
			wantError(t, got.failed, protocol.CodeRequestCancelled, "cancelled")
			if ids := f.pendingIDs(); len(ids) != 1 {
				t.Errorf("pending %v, want the small one only", ids)
			}
			if got := f.run("xcsh.cancel", json.RawMessage(`{"token":`+token+`}`)).text(); got != "No running command has this token." {
				t.Errorf("xcsh.cancel afterwards: %q", got)
			}
			reports := f.Progress()
			if last := reports[len(reports)-1].Value; last.Kind != "end" || last.Message == "" {
				t.Errorf("the progress ended with %+v", last)
			}
		})
	}
}

func TestLongRun_ProgressAtMostTenASecond(t *testing.T) {
	dir := bigWorkspace(t, 5000, 1) // the engine could report 78 times in a moment
	for name, token := range map[string]any{"the client's": "mine", "ours": nil} {
		t.Run(name, func(t *testing.T) {
			f, _ := startLong(t, dir, lsptest.VSCodeLike())
			before := len(f.Progress())
			begin := time.Now()
			var failed *jsonrpc2.Error
			if token != nil {
				_, failed = f.CommandWithToken(context.Background(), "xcsh.ast_edit", longEdit(), token)
			} else {
				_, failed = f.Command(context.Background(), "xcsh.ast_edit", longEdit())
			}
			if failed != nil {
				t.Fatal(failed)
			}
			took := time.Since(begin)
			f.Wait("the end", func() bool { all := f.Progress(); return all[len(all)-1].Value.Kind == "end" })
			var kinds []string
			for _, p := range f.Progress()[before:] {
				kinds = append(kinds, p.Value.Kind)
				if token != nil && p.Token != `"mine"` || token == nil && !strings.HasPrefix(p.Token, `"xcsh-`) {
					t.Errorf("token %s", p.Token)
				}
			}
			if n := len(kinds); n < 3 || kinds[0] != "begin" || kinds[n-1] != "end" || strings.Count(strings.Join(kinds, " "), "report") != n-2 {
				t.Fatalf("progress %q", kinds)
			}
			if reports, most := len(kinds)-2, int(took/(100*time.Millisecond))+1; reports > most {
				t.Errorf("%d reports in %v", reports, took)
			}
			created := f.Requests(protocol.MethodWindowWorkDoneProgressCreate)
			if want := map[bool]int{true: 1, false: 2}[token != nil]; len(created) != want { // the small one's is the first
				t.Errorf("%d tokens created, want %d", len(created), want)
			}
		})
	}
}

// A token that is null is none, and a client without progress hears of none.
func TestLongRun_NoToken(t *testing.T) {
	f := start(t, lsptest.Plain(), map[string]string{"a.ts": "foo(1);\n"})
	if _, failed := f.CommandWithToken(context.Background(), "xcsh.ast_edit", edit("foo($A)", "bar($A)"), nil); failed != nil {
		t.Fatal(failed)
	}
	if got := f.Progress(); len(got) != 0 {
		t.Errorf("progress %+v", got)
	}
}

// startMute starts a server for a client that never answers requests of one method. What
// waits for its answer waits longer than any test.
func startMute(t *testing.T, method string) *fixture {
	t.Helper()
	return startThrough(t, lsptest.VSCodeLike(), map[string]string{"a.ts": "foo(1);\n"}, func(cfg *lsp.Config) {
		cfg.Deadlines = lsp.Deadlines{Answer: time.Hour, Verify: time.Hour}
	}, func(body []byte) bool {
		var message struct {
			ID     json.RawMessage
			Method string
		}
		return json.Unmarshal(body, &message) == nil && message.Method == method && message.ID != nil
	})
}
