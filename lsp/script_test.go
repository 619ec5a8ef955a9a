package lsp_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"golang.org/x/tools/txtar"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
)

var update = flag.Bool("update", false, "rewrite the expectations of the session scripts")

// TestSessions runs whole sessions from testdata/sessions. A case is one txtar
// file: its comment says what it shows; `script` has a step a line (see step);
// other sections are the files of the workspace, or, as buffer/NAME, what the
// editor shows of one; want/transcript is what the steps print, want/disk/NAME
// and want/buffer/NAME what files and buffers hold at the end where that differs.
func TestSessions(t *testing.T) {
	cases, err := filepath.Glob("testdata/sessions/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatalf("no session scripts: %v", err)
	}
	for _, path := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			t.Parallel()
			runScript(t, path)
		})
	}
}

// script is one session at work.
type script struct {
	*fixture
	archive    *txtar.Archive
	files      map[string]string
	buffers    map[string]string
	uris       map[string]string // of open documents, by name
	transcript strings.Builder
	manners    lsptest.Manners
}

func runScript(t *testing.T, path string) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := &script{archive: archive, files: map[string]string{}, buffers: map[string]string{}, uris: map[string]string{}}
	var steps []string
	for _, file := range archive.Files {
		content := strings.ReplaceAll(string(file.Data), "␍\n", "\r\n") // txtar itself keeps no CR
		switch {
		case file.Name == "script":
			steps = strings.Split(strings.TrimSpace(content), "\n")
		case strings.HasPrefix(file.Name, "want/"):
		case strings.HasPrefix(file.Name, "buffer/"):
			s.buffers[strings.TrimPrefix(file.Name, "buffer/")] = content
		default:
			s.files[file.Name] = content
		}
	}
	s.manners = mannersNamed(t, steps[0])
	s.fixture = start(t, s.manners, s.files)
	for _, step := range steps[1:] {
		if step = strings.TrimSpace(step); step != "" && step[0] != '#' {
			fmt.Fprintf(&s.transcript, "> %s\n", step)
			s.step(step)
		}
	}
	s.compare(path)
}

// mannersNamed reads the first step: `manners vscode|neovim|plain|utf-8|agent …`.
func mannersNamed(t *testing.T, step string) lsptest.Manners {
	words := strings.Fields(step)
	if len(words) < 2 || words[0] != "manners" {
		t.Fatalf("the first step must be manners, not %q", step)
	}
	var m lsptest.Manners
	for _, word := range words[1:] {
		switch word {
		case "vscode":
			m = lsptest.VSCodeLike()
		case "neovim":
			m = lsptest.NeovimLike()
		case "plain":
			m = lsptest.Plain()
		case "utf-8":
			m = m.UTF8()
		case "input":
			m.Input = true
		case "agent":
			m.Agent = "agent"
		default:
			t.Fatalf("unknown manners %q", word)
		}
	}
	return m
}

// step runs one step:
//
//	open NAME                 open a document, with its buffer or its file
//	type NAME OLD => NEW      replace the first OLD in a document
//	write NAME OLD => NEW     the same in a file on disk, behind the editor
//	propose JSON              xcsh.ast_edit
//	diagnostics NAME COUNT    wait for so many, print them. There are none before the
//	                          first: to wait for 0 is to have waited for others before
//	hover NAME CODE           hover over the first CODE
//	actions NAME CODE         the code actions there
//	lenses NAME               the code lenses of a document, and where they stand
//	click NAME TITLE          run the code lens whose title begins so
//	after NAME                a document's text after the top action
//	answer TEXT               what the human will type or choose from now on
//	dismiss                   the human will dismiss questions from now on
//	choose NAME CODE TITLE    run the code action there whose title begins so
//	resolve JSON              xcsh.resolve; $A stands for the URI of a.ts
//	tools                     the tools that are listed
//	call NAME JSON            xcsh.tools.call
//	next                      xcsh.toolChoice.next
//	report JSON               xcsh.toolChoice.report
//	settle                    wait until every preview has followed its files
//	pending                   the stack
//	decisions                 the log
//	declined N                what the Nth newest decision left out
//	revert N                  xcsh.decisions.revert of the Nth newest decision, from 0
//	restart                   end server and editor, and start both again
//	messages                  all that the human was shown
func (s *script) step(step string) {
	verb, rest, _ := strings.Cut(step, " ")
	switch verb {
	case "open":
		s.open(rest)
	case "type", "write":
		s.replace(verb, rest)
	case "propose":
		s.command("xcsh.ast_edit", rest)
	case "resolve":
		s.command("xcsh.resolve", strings.ReplaceAll(rest, "$A", s.uris["a.ts"]))
	case "tools", "call", "next", "report":
		s.agentStep(verb, rest)
	case "diagnostics":
		s.diagnostics(rest)
	case "hover":
		name, code, _ := strings.Cut(rest, " ")
		s.print(s.Hover(s.uris[name], s.Range(s.uris[name], code)))
	case "actions":
		for _, action := range s.actions(rest) {
			disabled := ""
			if action.Disabled != nil {
				disabled = " (" + action.Disabled.Reason + ")"
			}
			s.print(action.Kind + " " + action.Title + disabled)
		}
	case "lenses", "click", "after":
		s.surfaceStep(verb, rest)
	case "answer":
		s.OnInput(func(lsptest.Input) *string { return &rest })
		s.OnMessageRequest(func(lsptest.MessageRequest) *string { return &rest })
	case "dismiss":
		s.OnInput(nil)
		s.OnMessageRequest(nil)
	case "choose":
		s.chooseAction(rest)
	case "revert", "declined":
		n, err := strconv.Atoi(rest)
		if err != nil {
			s.t.Fatalf("%s %s: %v", verb, rest, err)
		}
		if verb == "declined" {
			s.print(string(s.fixture.decisions()[n].Declined))
			break
		}
		s.command("xcsh.decisions.revert", fmt.Sprintf(`{"id":%q}`, s.fixture.decisions()[n].ID))
	case "restart":
		s.fixture, s.uris = s.restarted(s.manners, nil), map[string]string{}
	case "settle":
		s.settle()
	case "pending":
		s.print(strings.Join(s.pendingIDs(), "\n"))
	case "messages":
		s.messages(0)
	case "decisions":
		for _, d := range s.fixture.decisions() {
			s.print(fmt.Sprintf("%s %q: %s (%s, %s)", d.Action, d.Label, d.Reason, d.ReasonFrom, d.DecidedBy["kind"]))
		}
	default:
		s.t.Fatalf("unknown step %q", step)
	}
}

// settle asks again and again: a preview that comes out the same makes no noise.
func (s *script) settle() {
	for deadline := time.Now().Add(callTimeout); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		var list struct{ Actions []struct{ Stale bool } }
		s.runInto("xcsh.pending.list", map[string]any{}, &list)
		if !slices.Contains(list.Actions, struct{ Stale bool }{true}) {
			return
		}
	}
	s.t.Fatalf("previews did not follow their files within %v", callTimeout)
}

func (s *script) print(text string) {
	if text != "" {
		s.transcript.WriteString(strings.ReplaceAll(text, s.dir, "$WORK") + "\n")
	}
}

func (s *script) open(name string) {
	content, ok := s.buffers[name]
	if !ok {
		content = s.files[name]
	}
	s.uris[name] = s.Open(s.path(name), content)
}

func (s *script) replace(verb, rest string) {
	name, change, _ := strings.Cut(rest, " ")
	before, after, ok := strings.Cut(change, " => ")
	if !ok {
		s.t.Fatalf("%s %s: no =>", verb, rest)
	}
	if verb == "write" {
		s.write(name, strings.Replace(s.disk(name), before, after, 1))
		return
	}
	s.Change(s.uris[name], s.Edit(s.uris[name], before, after))
}

func (s *script) command(name, arg string) {
	raw, failed := s.fixture.command(name, json.RawMessage(arg))
	s.outcome(raw, failed)
}

func (s *script) outcome(raw json.RawMessage, failed *jsonrpc2.Error) {
	if failed != nil {
		s.print(fmt.Sprintf("error %d: %s", failed.Code, failed.Message))
		return
	}
	var result toolResult
	if err := json.Unmarshal(raw, &result); err != nil {
		s.t.Fatal(err)
	}
	if result.Cancelled {
		s.print("cancelled")
	}
	s.print(result.text())
}

// agentStep is a step of an agent's loop.
func (s *script) agentStep(verb, rest string) {
	switch verb {
	case "tools":
		s.print(strings.Join(names(s.tools(object{})), " "))
	case "call":
		name, params, _ := strings.Cut(rest, " ")
		result := s.call(name, json.RawMessage(params))
		if result.IsError {
			s.print("failed:")
		}
		s.print(result.text())
	case "next":
		var directive *next
		s.runInto("xcsh.toolChoice.next", object{}, &directive)
		if directive == nil {
			s.print("nothing")
			return
		}
		forced := ""
		if directive.ForcedChoice != nil {
			forced = ", forced to " + directive.ForcedChoice.Name
		}
		s.print(fmt.Sprintf("%s for %s, %d reminders%s", directive.ToolName, directive.ID, len(directive.Reminder), forced))
	case "report":
		var v verdict
		s.runInto("xcsh.toolChoice.report", json.RawMessage(rest), &v)
		s.print(fmt.Sprintf("execute: %v", v.Execute))
		s.print(v.Fail)
		for _, refused := range v.Results {
			s.print(refused.text())
		}
	}
}

func (s *script) diagnostics(rest string) {
	var name string
	var count int
	if _, err := fmt.Sscan(rest, &name, &count); err != nil {
		s.t.Fatalf("diagnostics %s: %v", rest, err)
	}
	uri := lsptest.URI(s.path(name))
	var shown []protocol.Diagnostic // as they are counted: others may come right after
	s.Wait("diagnostics of "+name, func() bool { shown, _ = s.Diagnostics(uri); return len(shown) == count })
	for _, d := range shown {
		s.print(fmt.Sprintf("%s:%d:%d %v", name, d.Range.Start.Line, d.Range.Start.Character, d.Message))
	}
}

func (s *script) actions(place string) []lsptest.Action {
	name, code, _ := strings.Cut(place, " ")
	return s.CodeActions(s.uris[name], s.Range(s.uris[name], code))
}

// chooseAction runs an action.
func (s *script) chooseAction(rest string) {
	at := strings.LastIndex(rest, " ")
	actions, title := s.actions(rest[:at]), rest[at+1:]
	i := slices.IndexFunc(actions, func(a lsptest.Action) bool { return strings.HasPrefix(a.Title, title) })
	if i < 0 {
		s.t.Fatalf("no action %q among %d", title, len(actions))
	}
	s.runChosen(actions[i].Command)
}

// runChosen runs what the human chose, and prints its outcome and what they were shown.
func (s *script) runChosen(c *lsptest.Command) {
	shown := len(s.Messages())
	s.outcome(s.fixture.command(c.Command, c.Arguments[0]))
	s.messages(shown)
}

// messages prints what the human was shown, from the nth message on.
func (s *script) messages(n int) {
	kinds := map[protocol.MessageType]string{protocol.MessageTypeError: "error", protocol.MessageTypeInfo: "info", protocol.MessageTypeWarning: "warning"}
	for _, message := range s.Messages()[n:] {
		s.print("[" + kinds[message.Type] + "] " + message.Text)
	}
}

// compare holds what happened against the expectations, or rewrites them.
func (s *script) compare(path string) {
	want := &txtar.Archive{Comment: s.archive.Comment}
	for _, file := range s.archive.Files {
		if !strings.HasPrefix(file.Name, "want/") {
			want.Files = append(want.Files, file)
		}
	}
	add := func(name, content string) {
		want.Files = append(want.Files, txtar.File{Name: name, Data: []byte(strings.ReplaceAll(content, "\r\n", "␍\n"))})
	}
	add("want/transcript", s.transcript.String())
	for _, file := range s.archive.Files {
		if content, ok := s.files[file.Name]; ok && s.disk(file.Name) != content {
			add("want/disk/"+file.Name, s.disk(file.Name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.uris)) {
		add("want/buffer/"+name, s.Text(s.uris[name]))
	}
	got := txtar.Format(want)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			s.t.Fatal(err)
		}
		return
	}
	if before := txtar.Format(s.archive); string(before) != string(got) {
		s.t.Errorf("%s differs from its expectations; run with -update and look at the change. Got:\n%s", path, got)
	}
}
