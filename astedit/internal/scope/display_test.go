package scope

import (
	"slices"
	"testing"
)

func TestDisplayPaths(t *testing.T) {
	one := tree(t, names("a.ts", "src/b.ts"))
	two := tree(t, with(names("c.ts"), map[string]string{"out": "-> " + one}))
	first, second := Folder{Name: "one", Path: one}, Folder{Name: "two", Path: two}
	for name, tc := range map[string]struct {
		ws    Workspace
		paths []string
		want  []string
		err   string
	}{
		"nothing":             {Workspace{}, nil, []string{}, ""},
		"one folder":          {Workspace{Folders: []Folder{first}}, []string{one + "/a.ts", one + "/src/b.ts"}, []string{"a.ts", "src/b.ts"}, ""},
		"several":             {Workspace{Folders: []Folder{first, second}}, []string{two + "/c.ts", one + "/a.ts"}, []string{"two/c.ts", "one/a.ts"}, ""},
		"a file that is gone": {Workspace{Folders: []Folder{first}}, []string{one + "/gone.ts"}, []string{"gone.ts"}, ""},
		"another folder":      {Workspace{Folders: []Folder{first}}, []string{one + "/a.ts", two + "/c.ts"}, nil, "Path is outside the workspace: " + two + "/c.ts"},
		"out by a link":       {Workspace{Folders: []Folder{second}}, []string{two + "/out/a.ts"}, nil, "Path is outside the workspace: " + two + "/out/a.ts"},
		"no folder, open":     {Workspace{OpenFiles: []string{one + "/a.ts"}}, []string{one + "/a.ts"}, []string{one + "/a.ts"}, ""},
		"no folder, not open": {Workspace{OpenFiles: []string{one + "/a.ts"}}, []string{one + "/src/b.ts"}, nil, "Path is outside the workspace: " + one + "/src/b.ts"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := DisplayPaths(tc.ws, tc.paths)
			text := ""
			if err != nil {
				text = err.Error()
			}
			if text != tc.err || !slices.Equal(got, tc.want) {
				t.Errorf("got %q, %q, want %q, %q", got, text, tc.want, tc.err)
			}
		})
	}
}
