package main

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

type printed struct {
	Content []struct{ Type, Text string }
	Details struct {
		TotalReplacements   int
		FilesSearched       int
		Applied             bool
		Pending             any
		Changes             []change
		Action, Reason      string
		Label               string
		SourceToolName      string
		SourceResultDetails *struct {
			Applied           bool
			TotalReplacements int
		}
	}
	IsWarning bool
}

func TestReadable(t *testing.T) {
	for _, text := range []string{"", "a < b && c > d", `\`, `\\`, `\u003c`, `\\u0026`, `<\>\u003e`, "\"\n\u2028\x00"} {
		data, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		got := readable(data)
		var back string
		decode(t, string(got), &back)
		if back != text {
			t.Errorf("%q became %q, by %s", text, back, got)
		}
		for _, char := range []string{"<", ">", "&"} {
			if strings.Count(string(got), char) != strings.Count(text, char) {
				t.Errorf("%q is written %s", text, got)
			}
		}
	}
}

func TestJSON(t *testing.T) {
	s := newShell(t)
	const line = "/* é😀 */ foo('<&>'); foo(\r\n  2\r\n);\r\n"
	s.write("a.ts", line)
	want := []change{
		{Path: "a.ts", StartLine: 1, StartColumn: 10, EndLine: 1, EndColumn: 20, StartByte: 13, EndByte: 23, Before: "foo('<&>')", After: "bar('<&>')"},
		{Path: "a.ts", StartLine: 1, StartColumn: 22, EndLine: 3, EndColumn: 2, StartByte: 25, EndByte: 37, Before: "foo(\r\n  2\r\n)", After: "bar(2)"},
	}
	for _, c := range want {
		if line[c.StartByte:c.EndByte] != c.Before {
			t.Fatalf("the test is wrong: %q", line[c.StartByte:c.EndByte])
		}
	}

	t.Run("dry run", func(t *testing.T) {
		o := s.edit("--json")
		var got printed
		decode(t, o.stdout, &got)
		if !reflect.DeepEqual(got.Details.Changes, want) {
			t.Errorf("changes %+v\nwant %+v", got.Details.Changes, want)
		}
		if o.status != exitOK || o.stderr != "" || got.Details.TotalReplacements != 2 || got.Details.FilesSearched != 1 ||
			got.Details.Applied || got.Details.Pending != nil || len(got.Content) != 1 || got.Content[0].Type != "text" {
			t.Errorf("%+v", o)
		}
		if text := s.edit().stdout; got.Content[0].Text+"\n" != text {
			t.Errorf("text %q, without --json %q", got.Content[0].Text, text)
		}
		if !strings.Contains(o.stdout, "'<&>'") {
			t.Errorf("code is escaped as for HTML: %s", o.stdout)
		}
	})
	t.Run("nothing matches", func(t *testing.T) {
		o := s.run("ast-edit", "--json", "--pat", "nope($A)", "--out", "x")
		var got printed
		decode(t, o.stdout, &got)
		if o.status != exitOK || !got.IsWarning || got.Details.Changes == nil || len(got.Details.Changes) != 0 {
			t.Errorf("%+v", o)
		}
	})
	t.Run("applied, line ends kept", func(t *testing.T) {
		o := s.edit("--json", "--apply", "--reason", "r")
		var got printed
		decode(t, o.stdout, &got)
		d := got.Details
		if o.status != exitOK || o.stderr != "" || d.Action != "apply" || d.Reason != "r" || d.SourceToolName != "ast_edit" ||
			d.Label != "AST Edit: 2 replacements in 1 file" || d.SourceResultDetails == nil || !d.SourceResultDetails.Applied {
			t.Errorf("%+v", o)
		}
		if got.Content[0].Text != "Applied 2 replacements in 1 file." || !reflect.DeepEqual(d.Changes, want) {
			t.Errorf("%+v", o)
		}
		s.holds("a.ts", "/* é😀 */ bar('<&>'); bar(2);\r\n")
	})
}
