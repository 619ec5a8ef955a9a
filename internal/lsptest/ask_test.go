package lsptest

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// ask lets the server ask something from within a command, and returns the answer.
func ask(e *Editor, s *scripted, method, params string) string {
	e.t.Helper()
	s.command = func(ctx context.Context, _ json.RawMessage) (any, error) {
		var answer json.RawMessage
		_, err := s.conn.Call(ctx, method, jsonrpc2.RawMessage(params), &answer)
		return jsonrpc2.RawMessage(answer), err
	}
	raw, err := e.Command(context.Background(), "go", nil)
	if err != nil {
		return fmt.Sprint(err.Code)
	}
	return canonical(raw)
}

func TestQuestions(t *testing.T) {
	m := VSCodeLike()
	m.Input, m.QuickPick = true, true
	e, s := start(t, m)
	e.Initialize(nil, "/w")
	check := func(method, params, want string) {
		t.Helper()
		if got := ask(e, s, method, params); got != want {
			t.Errorf("%s answered %s, want %s", method, got, want)
		}
	}
	input := `{"title":"T","prompt":"P"}`
	check("xcsh/input", input, "null")
	e.OnInput(func(q Input) *string { return Answer(q.Title + q.Prompt) })
	check("xcsh/input", input, `{"value":"TP"}`)
	e.OnInput(func(Input) *string { return nil })
	check("xcsh/input", input, "null")

	pick := `{"title":"T","items":[{"label":"a"},{"label":"b"}]}`
	check("xcsh/quickPick", pick, "null")
	e.OnQuickPick(func(q QuickPick) []int { return []int{len(q.Items) - 1} })
	check("xcsh/quickPick", pick, `{"items":[1]}`)

	message := `{"type":3,"message":"M","actions":[{"title":"Yes"},{"title":"No"}]}`
	check("window/showMessageRequest", message, "null")
	e.OnMessageRequest(func(q MessageRequest) *string { return Answer(q.Titles()[1]) })
	check("window/showMessageRequest", message, `{"title":"No"}`)

	items := `{"items":[{"section":"xcsh"},{"section":"other"}]}`
	check("workspace/configuration", items, `[null,null]`)
	e.SetSettings(map[string]any{"xcsh": object{"trusted": false}})
	check("workspace/configuration", items, `[{"trusted":false},null]`)

	check("window/workDoneProgress/create", `{"token":"t"}`, "null")
	check("workspace/workspaceFolders", `{}`, `[{"name":"file:///w","uri":"file:///w"}]`)
	check("test/unknown", `{}`, "-32601")
	if got := e.Requests(); len(got) != 12 || got[0].Method != "xcsh/input" || string(got[0].Params) != input {
		t.Errorf("on record: %v", got)
	}
}

// failing collects the failures of an editor that are the point of a test.
type failing struct {
	testing.TB
	failures chan string
}

func (f *failing) Helper()                           {}
func (f *failing) Cleanup(func())                    {}
func (f *failing) Errorf(format string, args ...any) { f.failures <- fmt.Sprintf(format, args...) }

// A server that uses what was not declared fails the test.
func TestUndeclaredFails(t *testing.T) {
	for method, params := range map[string]string{
		"xcsh/input": `{}`, "workspace/configuration": `{"items":[]}`, "window/workDoneProgress/create": `{"token":1}`,
		"xcsh/pendingChanged": `{}`,
	} {
		client, serverSide := net.Pipe()
		f := &failing{TB: t, failures: make(chan string, 10)}
		e := New(f, client, Plain())
		s := &scripted{t: t, texts: map[string]string{}}
		s.conn = jsonrpc2.NewConn(jsonrpc2.NewHeaderStream(serverSide))
		s.conn.Go(context.Background(), s.handle)
		e.Initialize(nil)
		if err := s.conn.Notify(context.Background(), "window/logMessage", jsonrpc2.RawMessage(`{"type":4,"message":"m"}`)); err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(method, "xcsh/pending") {
			_ = s.conn.Notify(context.Background(), method, jsonrpc2.RawMessage(params))
		} else {
			ask(e, s, method, params)
		}
		if got := <-f.failures; !strings.Contains(got, method) {
			t.Errorf("%s failed the test with %q", method, got)
		}
		e.Close()
		<-s.conn.Done()
	}
}

func TestRecordOfNotifications(t *testing.T) {
	e, s := start(t, Plain())
	e.Initialize(nil)
	uri := "file:///c%3A/a%2b.ts"
	notify := func(method, params string) {
		t.Helper()
		if err := s.conn.Notify(context.Background(), method, jsonrpc2.RawMessage(params)); err != nil {
			t.Fatal(err)
		}
	}
	notify("window/showMessage", `{"type":1,"message":"bad"}`)
	notify("$/progress", `{"token":7,"value":{"kind":"begin","title":"T","cancellable":true}}`)
	notify("textDocument/publishDiagnostics", `{"uri":"`+uri+`","diagnostics":[{"range":{"start":{"line":1,"character":0},"end":{"line":1,"character":2}},"message":"one","source":"xcsh","code":"p1"}]}`)
	found := e.WaitDiagnostics(uri, func(d []protocol.Diagnostic) bool { return len(d) == 1 })
	if found[0].Range.Start.Line != 1 || found[0].Code != protocol.String("p1") {
		t.Errorf("got %+v", found)
	}
	notify("textDocument/publishDiagnostics", `{"uri":"`+uri+`","diagnostics":[]}`)
	e.WaitDiagnostics(uri, func(d []protocol.Diagnostic) bool { return len(d) == 0 })
	e.WaitReceived("textDocument/publishDiagnostics", 2)
	if m := e.Messages(); len(m) != 1 || m[0].Text != "bad" || m[0].Type != protocol.MessageTypeError {
		t.Errorf("messages %+v", m)
	}
	if p := e.Progress(); len(p) != 1 || p[0].Token != "7" || p[0].Value.Title != "T" || !p[0].Value.Cancellable {
		t.Errorf("progress %+v", p)
	}
}

const twoActions = `[{"title":"Apply","kind":"quickfix","isPreferred":true,"command":{"title":"Apply","command":"xcsh.resolve","arguments":[{"id":"p1","big":9007199254740993}]}},{"title":"Later","disabled":{"reason":"r"}}]`

func TestActions(t *testing.T) {
	e, s := start(t, VSCodeLike())
	e.Initialize(nil)
	s.actions = twoActions
	uri := e.Open("untitled:a", "some code")
	actions := e.CodeActions(uri, e.Range(uri, "code"), "quickfix")
	if len(actions) != 2 || actions[1].Disabled.Reason != "r" || actions[1].Command != nil {
		t.Fatalf("got %+v", actions)
	}
	var got json.RawMessage
	s.command = func(_ context.Context, params json.RawMessage) (any, error) { got = params; return nil, nil }
	if raw, err := e.Execute(context.Background(), e.Action(actions, "Apply")); err != nil || string(raw) != "null" {
		t.Errorf("got %s, %v", raw, err)
	}
	if !strings.Contains(string(got), `"arguments":[{"id":"p1","big":9007199254740993}]`) {
		t.Errorf("the arguments changed on their way: %s", got)
	}
	if _, err := e.CommandWithToken(context.Background(), "c", object{"a": 1}, "t1"); err != nil {
		t.Error(err)
	}
	if !strings.Contains(string(got), `"workDoneToken":"t1"`) {
		t.Errorf("sent %s", got)
	}
}

func TestForms(t *testing.T) {
	m := VSCodeLike()
	m.Forms = true
	e, s := start(t, m)
	e.Initialize(nil)
	s.actions = twoActions
	uri := e.Open("untitled:a", "x")
	var resolved []string
	s.resolve = func(params json.RawMessage) (any, error) {
		resolved = append(resolved, string(params))
		var p map[string]json.RawMessage
		if err := json.Unmarshal(params, &p); err != nil {
			return nil, err
		}
		delete(p, "formFields")
		if !strings.Contains(string(p["formAnswers"]), "good") {
			p["formFields"] = json.RawMessage(`[{"id":"reason","description":"d","type":{"kind":"string"},"required":true}]`)
		}
		raw, err := json.Marshal(p)
		return jsonrpc2.RawMessage(raw), err
	}
	ran := ""
	s.command = func(_ context.Context, params json.RawMessage) (any, error) { ran = string(params); return "ok", nil }
	action := e.Action(e.CodeActions(uri, e.Range(uri, "x")), "Apply")

	if raw, err := e.Execute(context.Background(), action); raw != nil || err != nil || ran != "" {
		t.Errorf("a dismissed form ran the command: %s, %v, %s", raw, err, ran)
	}
	raw, err := e.ExecuteWithForm(context.Background(), action, " ", "good")
	if err != nil || string(raw) != `"ok"` || !strings.Contains(ran, `"formAnswers":[{"id":"reason","value":"good"}]`) {
		t.Errorf("got %s, %v, ran %s", raw, err, ran)
	}
	if len(resolved) != 4 || !strings.Contains(ran, `9007199254740993`) {
		t.Errorf("resolved %q, ran %s", resolved, ran)
	}
}

// A cancelled call is answered by the server, and the caller gets that answer.
func TestCancel(t *testing.T) {
	e, s := start(t, Plain())
	e.Initialize(nil)
	begun := make(chan struct{})
	s.command = func(context.Context, json.RawMessage) (any, error) {
		close(begun)
		s.await("$/cancelRequest")
		return nil, jsonrpc2.NewError(protocol.CodeRequestCancelled, "cancelled")
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() { <-begun; cancel() }()
	if _, err := e.Command(ctx, "go", nil); err == nil || err.Code != protocol.CodeRequestCancelled {
		t.Errorf("got %v, want the server's answer", err)
	}
}
