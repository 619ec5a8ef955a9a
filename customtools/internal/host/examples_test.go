package host

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/customtools"
	"github.com/xcsh-lsp/xcsh-lsp/customtools/internal/jsruntime"
	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// The tools in customtools/testdata/tools show the whole API; here they run.

// example opens a session in an empty folder and loads one of the tools.
func example(t *testing.T, rt jsruntime.Runtime, name string) (*tools, []customtools.Element) {
	t.Helper()
	s := openOn(t, rt, "")
	path, err := filepath.Abs(filepath.Join("../../testdata/tools", name))
	if err != nil {
		t.Fatal(err)
	}
	m, err := s.rt.Load(t.Context(), customtools.ModuleSpec{Path: path, Cwd: s.dir, Host: s.host, CanStage: true})
	if err != nil {
		t.Fatal(err)
	}
	return s, m.Elements()
}

func TestExamples(t *testing.T) {
	for _, test := range []struct{ file, params, want string }{
		{"hello.js", `{"name":"you"}`, `{"content":[{"type":"text","text":"Hello, you!"}],"details":{"name":"you"}}`},
		{"word-count/index.ts", `{"file":"words.txt"}`, `{"content":[{"type":"text","text":"5 words"}],"details":{"words":5}}`},
		{"word-count/index.ts", `{"file":"words.txt","skipCommon":true}`, `{"content":[{"type":"text","text":"2 words"}],"details":{"words":2}}`},
		{"ask.ts", `{"question":"Which?","choices":["a","b"]}`, `{"content":[{"type":"text","text":"b"}],"details":{"answer":"b"}}`},
		{"ask.ts", `{"question":"Name?"}`, `{"content":[{"type":"text","text":"The human gave no answer."}],"details":{"answer":null}}`},
	} {
		t.Run(test.file, func(t *testing.T) {
			eachRuntime(t, func(t *testing.T, rt jsruntime.Runtime) {
				s, elements := example(t, rt, test.file)
				s.write("-- words.txt --\nThe end of a story.\n")
				s.host.answers["select Which? a,b"] = "b"
				if got := s.mustCall(elements[0].Tool, test.params); got != test.want {
					t.Errorf("got  %s\nwant %s", got, test.want)
				}
			})
		})
	}
}

func TestExampleThatStages(t *testing.T) {
	s, elements := example(t, installed(t, jsruntime.Node), "rename_file.ts")
	s.write("-- a.txt --\ntext\n")
	stage := func() resolve.Action { return s.stage(elements[0].Tool, `{"from":"a.txt","to":"b.txt"}`) }
	if got, err := stage().Reject(t.Context(), "no", nil); err != nil || got.Text() != "a.txt keeps its name: no" {
		t.Errorf("got %+v, %v", got, err)
	}
	if got, err := stage().Apply(t.Context(), "yes", nil); err != nil || got.Text() != "Renamed a.txt to b.txt." {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := os.Stat(filepath.Join(s.dir, "b.txt")); err != nil {
		t.Error(err)
	}
	if _, err := s.call(t.Context(), elements[0].Tool, `{"from":"a.txt","to":"c.txt"}`); err == nil || err.Error() != "There is no file a.txt." {
		t.Errorf("got %v", err)
	}
}

func TestExampleThatRunsACommand(t *testing.T) {
	s, elements := example(t, installed(t, jsruntime.Node), "git_status.ts")
	var updates []string
	value, err := elements[0].Tool.Execute(t.Context(), customtools.RuntimeCall{
		Params: json.RawMessage("{}"), Host: s.host,
		Update: func(p json.RawMessage) { updates = append(updates, string(p)) },
	})
	if err != nil || !strings.Contains(string(value), "not a git repository") || !strings.Contains(string(value), `"isError":true`) {
		t.Errorf("outside a work tree: got %s, %v", value, err)
	}
	if len(updates) != 1 || !strings.Contains(updates[0], "Asking git…") {
		t.Errorf("updates: %v", updates)
	}
	result := json.RawMessage(`{"content":[],"details":{"files":["?? a","?? b"]},"isError":false}`)
	for expanded, want := range map[bool]string{false: "2 changed", true: "?? a\n?? b"} {
		got, err := elements[0].Tool.RenderResult(t.Context(), result, json.RawMessage("{}"), customtools.RenderOptions{Expanded: expanded})
		if err != nil || got != want {
			t.Errorf("got %q, %v, want %q", got, err, want)
		}
	}
}

func TestExampleThatRebuildsItsState(t *testing.T) {
	s, elements := example(t, installed(t, jsruntime.Node), "todo.ts")
	start := json.RawMessage(`{"reason":"start"}`)
	if err := elements[0].Tool.OnSession(t.Context(), start, customtools.ToolContext{}); err != nil {
		t.Fatal(err)
	}
	var result struct{ Details json.RawMessage }
	if err := json.Unmarshal([]byte(s.mustCall(elements[0].Tool, `{"text":"one"}`)), &result); err != nil {
		t.Fatal(err)
	}
	s.host.session.Entries = []customtools.SessionEntry{{Type: "message", ID: "1", Message: customtools.SessionMessage{Role: "toolResult", ToolName: "todo_add", Details: result.Details}}}

	// The worker is lost; the next call has a new one, which was told of the session.
	elements[0].Tool.(*tool).module.worker.endNow("it was killed")
	if got := s.mustCall(elements[1].Tool, `{"number":1}`); !strings.Contains(got, `1. [x] one`) {
		t.Errorf("got %s", got)
	}
}

func TestExampleThatOptsOut(t *testing.T) {
	_, elements := example(t, installed(t, jsruntime.Node), "opt_out.ts")
	if len(elements) != 1 || elements[0].Tool != nil {
		t.Errorf("got %+v", elements)
	}
}
