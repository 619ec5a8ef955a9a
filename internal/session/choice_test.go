package session_test

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/resolve"
)

// only is an extra that chooses, as a client's JSON has it.
func only(t *testing.T, raw string) map[string]any {
	t.Helper()
	var extra map[string]any
	if err := json.Unmarshal([]byte(raw), &extra); err != nil {
		t.Fatal(err)
	}
	return extra
}

func choiceFixture(t *testing.T) (f *fixture, a, b string) {
	t.Helper()
	f = newFixture(t, map[string]string{"a.ts": "foo(1);\nfoo(\"😀\"); foo(3);\n", "b.ts": "\ufefffoo(4);\r\n"})
	return f, f.host.URI(f.dir + "/a.ts"), f.host.URI(f.dir + "/b.ts")
}

func TestOnlyThatPartIsWritten(t *testing.T) {
	for _, open := range []bool{false, true} {
		f, a, b := choiceFixture(t)
		if open {
			f.typed("a.ts", "foo(1);\nfoo(\"😀\"); foo(3);\n")
		}
		ref := f.stage(foo())
		c := call(resolve.Apply, ref)
		c.Params.Extra = only(t, `{"only":[{"uri":"`+a+`","hunks":[2,0]},{"uri":"`+a+`","hunks":[2]}],"other":1}`)
		result, err := f.Resolve(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		const want = "bar(1);\nfoo(\"😀\"); bar(3);\n"
		if open {
			f.wantOpen(map[string]string{"a.ts": want})
		} else {
			f.wantDisk(map[string]string{"a.ts": want})
		}
		f.wantDisk(map[string]string{"b.ts": "\ufefffoo(4);\r\n"})
		f.wantPending()
		declined := []resolve.Declined{{URI: a, Hunks: []int{1}}, {URI: b}}
		text := "Applied 2 replacements in 1 file.Declined: 2 replacements in 2 files."
		if got := result.Content[0].Text + result.Content[1].Text; got != text {
			t.Errorf("said %q", got)
		}
		decisions, err := f.Decisions.List(1, "", "")
		if err != nil || len(decisions) != 1 || !reflect.DeepEqual(decisions[0].Declined, declined) || len(decisions[0].Files) != 1 {
			t.Fatalf("the log says %+v, %v", decisions, err)
		}
		outcome, err := f.Await(context.Background(), ref.ID)
		if raw, _ := json.Marshal(outcome.Result); err != nil || !json.Valid(raw) || !containsAll(string(raw), `"declined":[{"uri":"`+a+`","hunks":[1]},{"uri":"`+b+`"}]`, `"totalReplacements":2`) {
			t.Errorf("the proposer is told %s, %v", raw, err)
		}
	}
}

func TestAPartIsReverted(t *testing.T) {
	f, a, _ := choiceFixture(t)
	c := call(resolve.Apply, f.stage(foo()))
	c.Params.Extra = only(t, `{"only":[{"uri":"`+a+`","hunks":[1]}]}`)
	if _, err := f.Resolve(context.Background(), c); err != nil {
		t.Fatal(err)
	}
	f.wantDisk(map[string]string{"a.ts": "foo(1);\nbar(\"😀\"); foo(3);\n"})
	ref := f.mustRevert()
	if _, err := f.Resolve(context.Background(), call(resolve.Apply, ref)); err != nil {
		t.Fatal(err)
	}
	f.wantDisk(map[string]string{"a.ts": "foo(1);\nfoo(\"😀\"); foo(3);\n"})
}

func TestAPartOfARevert(t *testing.T) {
	f, a, _ := choiceFixture(t)
	f.mustApply(f.stage(foo()))
	ref := f.mustRevert()
	c := call(resolve.Apply, ref)
	c.Params.Extra = only(t, `{"only":[{"uri":"`+a+`","hunks":[0]}]}`)
	result, err := f.Resolve(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	if result.Content[0].Text != "Reverted 1 replacement in 1 file." {
		t.Errorf("said %q", result.Content[0].Text)
	}
	f.wantDisk(map[string]string{"a.ts": "foo(1);\nbar(\"😀\"); bar(3);\n", "b.ts": "\ufeffbar(4);\r\n"})
}

// A choice that cannot be followed writes nothing, and the action stays.
func TestBadChoicesWriteNothing(t *testing.T) {
	f, a, _ := choiceFixture(t)
	ref := f.stage(foo())
	for extra, want := range map[string]string{
		`{"only":[]}`: "extra.only keeps no hunk: name those to apply, or discard the edit.",
		`{"only":[{"uri":"` + a + `","hunks":[]}]}`:   "extra.only keeps no hunk: name those to apply, or discard the edit.",
		`{"only":[{"uri":"file:///nowhere.ts"}]}`:     "extra.only names file:///nowhere.ts, which this edit does not change.",
		`{"only":[{"hunks":[0]}]}`:                    "extra.only names , which this edit does not change.",
		`{"only":[{"uri":"` + a + `","hunks":[3]}]}`:  "extra.only names hunk 3 of a.ts, which has hunks 0 to 2.",
		`{"only":[{"uri":"` + a + `","hunks":[-1]}]}`: "extra.only names hunk -1 of a.ts, which has hunks 0 to 2.",
	} {
		c := call(resolve.Apply, ref)
		c.Params.Extra = only(t, extra)
		_, err := f.Resolve(context.Background(), c)
		wantToolError(t, err, want)
	}
	for _, extra := range []string{`{"only":3}`, `{"only":[3]}`, `{"only":[{"uri":1}]}`, `{"only":[{"uri":"x","hunks":[0.5]}]}`, `{"only":"a.ts"}`} {
		c := call(resolve.Apply, ref)
		c.Params.Extra = only(t, extra)
		if _, err := f.Resolve(context.Background(), c); err == nil || !containsAll(err.Error(), "extra.only must be a list of { uri, hunks? }") {
			t.Errorf("%s: %v", extra, err)
		}
	}
	f.wantPending(*ref)
	f.wantDisk(map[string]string{"a.ts": "foo(1);\nfoo(\"😀\"); foo(3);\n", "b.ts": "\ufefffoo(4);\r\n"})
	c := call(resolve.Apply, ref)
	c.Params.Extra = only(t, `{"title":"nothing of ours"}`)
	if _, err := f.Resolve(context.Background(), c); err != nil {
		t.Fatal(err)
	}
	f.wantDisk(map[string]string{"a.ts": "bar(1);\nbar(\"😀\"); bar(3);\n", "b.ts": "\ufeffbar(4);\r\n"})
}

func containsAll(s string, parts ...string) bool {
	for _, part := range parts {
		if !strings.Contains(s, part) {
			return false
		}
	}
	return true
}
