package lsp_test

import (
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
)

// waysTool asks in every way there is, and says what it was answered.
const waysTool = `export default (pi) => ({ name: "ways", label: "Ways", description: "", parameters: { type: "object", properties: {} },
  async execute() {
    const many = ["1", "2", "3", "4", "5"];
    const answers = [
      await pi.ui.select("Few?", ["one", "two"]), await pi.ui.select("Many?", many), await pi.ui.select("None?", []),
      await pi.ui.confirm("Sure?", "Really."), await pi.ui.input("Name", "yours"), await pi.ui.editor("Text", "before"),
    ];
    return { content: [{ type: "text", text: JSON.stringify(answers.map((a) => a ?? null)) }] };
  } })`

// A human is asked in the ways that the client has; where it has none, and where the
// human dismisses the question, the tool hears that nobody answered.
func TestCustomTools_EveryWayToAsk(t *testing.T) {
	last := func(p lsptest.QuickPick) []int { return []int{len(p.Items) - 1} }
	choose := func(title string) func(lsptest.MessageRequest) *string {
		return func(m lsptest.MessageRequest) *string {
			for _, action := range m.Actions {
				if action.Title == title {
					return &title
				}
			}
			return nil
		}
	}
	typed := func(in lsptest.Input) *string { text := in.Title + "!"; return &text }
	for _, c := range []struct {
		name         string
		input, picks bool // what the client declares
		pick         func(lsptest.QuickPick) []int
		message      func(lsptest.MessageRequest) *string
		typed        func(lsptest.Input) *string
		want         string
	}{
		{"all ways, answered", true, true, last, choose("Yes"), typed, `["two","5",null,true,"Name!","Text!"]`},
		{"all ways, refused", true, true, last, choose("No"), typed, `["two","5",null,false,"Name!","Text!"]`},
		{"all ways, dismissed", true, true, nil, nil, nil, `[null,null,null,false,null,null]`},
		{"a pick that is none of them", true, true, func(lsptest.QuickPick) []int { return []int{7} }, choose("No"), typed, `[null,null,null,false,"Name!","Text!"]`},
		{"messages alone", false, false, last, choose("one"), typed, `["one",null,null,false,null,null]`},
		{"messages alone, dismissed", false, false, last, nil, typed, `[null,null,null,false,null,null]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			manners := editorNamed("an editor")
			manners.Input, manners.QuickPick = c.input, c.picks
			f := connect(t, manners, map[string]string{".xcsh/tools/ways.ts": waysTool}, withTools(t))
			f.OnQuickPick(c.pick)
			f.OnMessageRequest(c.message)
			f.OnInput(c.typed)
			f.Initialize(object{"trusted": true}, f.dir)
			f.waitTools("ast_edit", "ways")
			if got := f.run("xcsh.tools.call", object{"name": "ways", "params": object{}}).text(); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
