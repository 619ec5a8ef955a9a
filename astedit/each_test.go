package astedit

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
)

// Each hands out what Run's result holds, in its order, and keeps nothing.
func TestEachHandsOutWhatRunHolds(t *testing.T) {
	engine, err := NewEngine()
	if err != nil {
		t.Fatal(err)
	}
	w := Workspace{Folders: []Folder{{Path: "internal/syntax/testdata"}}, Documents: diskOnly{}}
	if w.Folders[0].Path, err = filepath.Abs(w.Folders[0].Path); err != nil {
		t.Fatal(err)
	}
	req := Request{Ops: []Op{{Pat: "$F($$$A)", Out: "x"}}}
	want, err := engine.Run(context.Background(), w, req, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []*FileEdit
	result, err := engine.Each(context.Background(), w, req, Options{}, func(f *FileEdit) error {
		got = append(got, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(want.Files) < 3 || len(got) != len(want.Files) || len(result.Files) != 0 || len(result.Issues) != len(want.Issues) {
		t.Fatalf("%d files of %d, %d of them held, %d issues of %d", len(got), len(want.Files), len(result.Files), len(result.Issues), len(want.Issues))
	}
	for i, f := range got {
		if f.Path != want.Files[i].Path || !f.sameAs(want.Files[i]) {
			t.Errorf("file %d is %s, want %s", i, f.Path, want.Files[i].Path)
		}
	}
}

func TestEachStopsAtTheVisitorsError(t *testing.T) {
	engine, err := NewEngine()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.Abs("internal/syntax/testdata")
	if err != nil {
		t.Fatal(err)
	}
	full, visits := errors.New("the pipe is closed"), 0
	_, err = engine.Each(context.Background(), Workspace{Folders: []Folder{{Path: dir}}, Documents: diskOnly{}},
		Request{Ops: []Op{{Pat: "$F($$$A)", Out: "x"}}}, Options{}, func(*FileEdit) error {
			visits++
			return full
		})
	if !errors.Is(err, full) || visits != 1 {
		t.Errorf("%v after %d visits", err, visits)
	}
}
