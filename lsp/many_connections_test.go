package lsp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"regexp"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
	"github.com/xcsh-lsp/xcsh-lsp/lsp"
)

const (
	manyConnections = 64
	manySteps       = 48 // of each
	manyStepsShort  = 12 // with -short, as the race detector is run
	manyDepth       = 12 // of the stack, at which nobody proposes any more
)

// manyModel is what must hold whatever the order: what was proposed is decided
// once or still pending, and is decided by a call that was told so.
type manyModel struct {
	t *testing.T

	mu       sync.Mutex
	proposed map[string]bool   // ids that a proposer was told
	calls    map[string]string // what became of a resolve, by its reason: the id, "" where it failed, lost where nobody heard
	awaited  map[string]string // the reason that somebody who waited was told, by id

	deciding sync.Mutex // held by those who do not want to race

	applied, discarded, refused, lostCalls, leaves, waits atomic.Int64
}

const lost = "lost"

func (m *manyModel) propose(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.proposed[id] {
		m.t.Errorf("%s proposed twice", id)
	}
	m.proposed[id] = true
}

func (m *manyModel) call(reason, became string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls[reason] = became
}

func (m *manyModel) await(id, reason string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if told, again := m.awaited[id]; again && told != reason {
		m.t.Errorf("%s: told of %q and of %q", id, told, reason)
	}
	m.awaited[id] = reason
}

// manyClient is a client without an editor's manners, which can go in the middle
// of anything.
type manyClient struct {
	m         *manyModel
	workspace *lsp.Workspace
	name      string
	agent     bool
	rng       *rand.Rand
	calls     int

	conn   jsonrpc2.Conn
	stream net.Conn
	served chan struct{}
	dir    string
}

func (c *manyClient) connect() {
	ours, theirs := net.Pipe()
	c.stream, c.served = ours, make(chan struct{})
	served := c.served
	go func() {
		defer close(served)
		if _, err := c.workspace.Serve(context.Background(), theirs); err != nil {
			c.m.t.Logf("%s: %v", c.name, err)
		}
	}()
	c.conn = jsonrpc2.NewConn(jsonrpc2.NewHeaderStream(ours))
	c.conn.Go(context.Background(), jsonrpc2.MethodNotFoundHandler)
	xcsh := object{"pendingChanged": c.rng.IntN(4) == 0}
	if c.agent {
		xcsh["agent"] = object{"name": c.name}
	}
	err := c.send("initialize", object{
		"processId": nil, "clientInfo": object{"name": c.name}, "workspaceFolders": []object{{"uri": lsptest.URI(c.dir), "name": "w"}},
		"capabilities": object{"experimental": object{"xcsh": xcsh}},
	}, nil)
	if err != nil {
		c.m.t.Errorf("initialize: %v", err)
	}
	_ = c.conn.Notify(context.Background(), "initialized", json.RawMessage("{}"))
}

func (c *manyClient) leave() {
	_ = c.stream.Close()
	<-c.served
	_ = c.conn.Close()
	c.m.leaves.Add(1)
}

func (c *manyClient) send(method string, params, result any) error {
	raw, err := json.Marshal(params)
	if err != nil {
		return err
	}
	ctx, cancel := callContext()
	defer cancel()
	var answer json.RawMessage
	if _, err := c.conn.Call(ctx, method, json.RawMessage(raw), &answer); err != nil {
		return err
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(answer, result)
}

func (c *manyClient) command(name string, arg, result any, token ...string) error {
	params := object{"command": name, "arguments": []any{arg}}
	if len(token) > 0 {
		params["workDoneToken"] = token[0]
	}
	return c.send("workspace/executeCommand", params, result)
}

// refusal reports whether err is an answer of the server; any other is a
// connection that went.
func refusal(err error) bool {
	var answer *jsonrpc2.Error
	return errors.As(err, &answer)
}

func (c *manyClient) step() {
	switch pick := c.rng.IntN(20); {
	case pick < 7:
		c.propose()
	case pick < 14:
		if c.rng.IntN(4) > 0 { // else it races, and loses most of the time
			c.m.deciding.Lock()
			defer c.m.deciding.Unlock()
		}
		c.resolve(c.rng.IntN(8) == 0, false)
	case pick < 16:
		c.await()
	case pick < 18:
		c.look()
	case pick < 19 && !c.agent:
		c.openAndEdit()
	default:
		c.resolve(false, true)
		c.connect()
	}
}

func (c *manyClient) top() (listed, int) {
	var list struct{ Actions []listed }
	if err := c.command("xcsh.pending.list", object{}, &list); err != nil {
		c.m.t.Errorf("list: %v", err)
	}
	if len(list.Actions) == 0 {
		return listed{}, 0
	}
	return list.Actions[0], len(list.Actions)
}

func (c *manyClient) propose() {
	if _, depth := c.top(); depth >= manyDepth {
		return
	}
	from, to := "foo", "bar"
	if c.rng.IntN(2) == 0 {
		from, to = to, from
	}
	var result toolResult
	if err := c.command("xcsh.ast_edit", edit(from+"($A)", to+"($A)"), &result); err != nil {
		c.m.t.Errorf("propose: %v", err)
		return
	}
	if pending, ok := result.Details["pending"].(map[string]any); ok {
		c.m.propose(pending["id"].(string))
	}
}

// resolve resolves the top as it has been listed; cancelled says that the call is
// cancelled meanwhile, leaving that the connection ends meanwhile.
func (c *manyClient) resolve(cancelled, leaving bool) {
	top, depth := c.top()
	if depth == 0 && !leaving {
		return
	}
	action := "apply"
	if c.rng.IntN(3) == 0 {
		action = "discard"
	}
	c.calls++
	reason := fmt.Sprintf("%s-%d", c.name, c.calls)
	arg := object{"action": action, "id": top.ID, "revision": top.Revision, "reason": reason}
	var beside sync.WaitGroup
	delay := time.Duration(c.rng.IntN(3000)) * time.Microsecond
	switch {
	case leaving:
		beside.Go(func() { time.Sleep(delay); c.leave() })
	case cancelled:
		beside.Go(func() { time.Sleep(delay); _ = c.command("xcsh.cancel", object{"token": reason}, nil) })
	}
	err := c.command("xcsh.resolve", arg, nil, reason)
	switch {
	case err == nil:
		c.m.call(reason, top.ID)
		if action == "apply" {
			c.m.applied.Add(1)
		} else {
			c.m.discarded.Add(1)
		}
	case refusal(err):
		c.m.call(reason, "")
		c.m.refused.Add(1)
	case leaving:
		c.m.call(reason, lost)
		c.m.lostCalls.Add(1)
	default:
		c.m.t.Errorf("resolve: %v", err)
	}
	beside.Wait()
}

func (c *manyClient) await() {
	top, depth := c.top()
	if depth == 0 {
		return
	}
	var got told
	if err := c.command("xcsh.pending.await", object{"id": top.ID, "timeoutMs": c.rng.IntN(30)}, &got); err != nil {
		c.m.t.Errorf("await: %v", err)
	} else if got.Decided {
		c.m.waits.Add(1)
		c.m.await(top.ID, got.Reason)
	}
}

// look asks for what is shown; that it may be gone, or edited, is no error.
func (c *manyClient) look() {
	if err := c.command("xcsh.pending.preview", object{}, nil); err != nil && !refusal(err) {
		c.m.t.Errorf("preview: %v", err)
	}
}

// openAndEdit is a human's editor that has a file open for a while, and cannot be
// asked to edit it.
func (c *manyClient) openAndEdit() {
	uri := lsptest.URI(c.dir + "/guest.ts")
	notify := func(method string, params any) {
		raw, _ := json.Marshal(params)
		_ = c.conn.Notify(context.Background(), method, json.RawMessage(raw))
	}
	notify("textDocument/didOpen", object{"textDocument": object{"uri": uri, "languageId": "typescript", "version": 1, "text": "foo(7);\n"}})
	c.look()
	notify("textDocument/didClose", object{"textDocument": object{"uri": uri}})
}

// Many connections of one workspace propose, resolve, wait, cancel and go away, in
// the middle of calls too: no action is decided twice, none is lost, everybody is
// told what has happened, and no file is half old and half new.
func TestWorkspace_ManyConnections(t *testing.T) {
	files := map[string]string{"a.ts": "foo(1);\nfoo(2);\n", "b.ts": "foo(3);\nfoo(4);\n", "guest.ts": "foo(5);\n"}
	manners := lsptest.Plain()
	manners.PendingChanged = true
	f := start(t, manners, files)
	uri := f.OpenFile(f.path("a.ts"))
	f.arrived()

	m := &manyModel{t: t, proposed: map[string]bool{}, calls: map[string]string{}, awaited: map[string]string{}}
	steps := manySteps
	if testing.Short() {
		steps = manyStepsShort
	}
	var clients sync.WaitGroup
	for n := range manyConnections - 1 { // the editor is one
		c := &manyClient{m: m, workspace: f.workspace, name: fmt.Sprintf("client%d", n), agent: n%16 != 0, rng: rand.New(rand.NewPCG(uint64(n), 8)), dir: f.dir}
		clients.Go(func() {
			c.connect()
			defer c.leave()
			for range steps {
				c.step()
			}
		})
	}
	clients.Wait()
	m.check(f)
	whole := regexp.MustCompile(`^(?:(?:foo\(\d\);\n)+|(?:bar\(\d\);\n)+)$`)
	for name, text := range map[string]string{"a.ts": f.Text(uri), "b.ts": f.disk("b.ts"), "guest.ts": f.disk("guest.ts")} {
		if !whole.MatchString(text) {
			t.Errorf("%s: %q", name, text)
		}
	}
	if f.disk("a.ts") != files["a.ts"] {
		t.Error("a file that is open was written")
	}
	f.onlyFiles("a.ts", "b.ts", "guest.ts")
}

func (m *manyModel) check(f *fixture) {
	t := m.t
	stays := map[string]bool{}
	for _, id := range f.pendingIDs() {
		stays[id] = true
	}
	var log struct{ Decisions []decision }
	f.runInto("xcsh.decisions.list", object{"limit": manyConnections * manySteps}, &log)
	decided := map[string]string{} // reason by id
	for _, d := range log.Decisions {
		if decided[d.PendingID] != "" || stays[d.PendingID] {
			t.Errorf("%s decided twice, or decided and pending", d.PendingID)
		}
		decided[d.PendingID] = d.Reason
		if became := m.calls[d.Reason]; became != d.PendingID && became != lost {
			t.Errorf("%s decided by a call that was told %q", d.PendingID, became)
		}
	}
	for reason, id := range m.calls {
		if id != "" && id != lost && decided[id] != reason {
			t.Errorf("the call %s was told that %s is decided; the log says by %q", reason, id, decided[id])
		}
	}
	for id, reason := range m.awaited {
		if decided[id] != reason {
			t.Errorf("%s: one who waited was told of %q, the log says %q", id, reason, decided[id])
		}
	}
	for id := range m.proposed {
		if decided[id] == "" && !stays[id] {
			t.Errorf("%s is lost", id)
		}
	}
	t.Logf("%d proposed; %d applied, %d discarded, %d refused, %d without an answer, %d left; %d waited, %d times a connection ended",
		len(m.proposed), m.applied.Load(), m.discarded.Load(), m.refused.Load(), m.lostCalls.Load(), len(stays), m.waits.Load(), m.leaves.Load())
	if m.applied.Load() == 0 || m.discarded.Load() == 0 || m.refused.Load() == 0 || m.lostCalls.Load() == 0 || m.waits.Load() == 0 {
		t.Error("the test does not test everything")
	}
}
