package syntax_test

import (
	"context"
	"testing"
)

func TestParseFragmentPutsCodeIntoPlace(t *testing.T) {
	p := newParser(t, language(t, "php"))
	for source, wantKind := range map[string]string{
		"f(1);":        "expression_statement",
		"class A { }":  "class_declaration",
		"<?php f(1);":  "php_tag",
		"<?= $a ?>":    "php_tag",
		"<p>text</p>":  "ERROR",
		"/* c */ f();": "comment",
	} {
		tree, err := p.ParseFragment(context.Background(), source, 0)
		if err != nil {
			t.Fatal(err)
		}
		if string(tree.Source) != source || int(tree.Nodes[0].End) != len(source) {
			t.Errorf("%q: source %q, root %+v", source, tree.Source, tree.Nodes[0])
		}
		if got := language(t, "php").Kind(tree.Nodes[1].Symbol); got != wantKind || tree.Nodes[1].Start != 0 {
			t.Errorf("%q: first is %s at %d, want %s", source, got, tree.Nodes[1].Start, wantKind)
		}
		checkShape(t, tree)
	}
	if tree, err := p.ParseFragment(context.Background(), "", 0); err != nil || len(tree.Nodes) != 1 || tree.Nodes[0].End != 0 {
		t.Errorf("nothing: %v %+v", err, tree.Nodes)
	}
}

// By this grammar an import goes on to the class that follows.
func TestFlattenShedsCommentsBehindAnImport(t *testing.T) {
	l := language(t, "kotlin")
	tree := parse(t, newParser(t, l), "import a.b\n\n/* c */\nclass D\n")
	var got []string
	for i := range uint32(len(tree.Nodes)) {
		if kind := l.Kind(tree.Nodes[i].Symbol); kind == "import_header" || kind == "multiline_comment" {
			got = append(got, string(tree.Text(i)))
		}
	}
	if len(got) != 2 || got[0] != "import a.b" || got[1] != "/* c */" {
		t.Errorf("%q", got)
	}
	checkShape(t, tree)
}
