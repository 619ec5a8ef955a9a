package scope

import (
	"context"
	"testing"
)

func TestFolders_AllAreTheDefaultScope(t *testing.T) {
	dir := tree(t, names("web/a.ts", "web/src/b.ts", "api/a.ts", "api/.git/x.ts", "other/o.ts"))
	ws := Workspace{Folders: []Folder{{"web", dir + "/web"}, {"api", dir + "/api"}}}
	for _, p := range []Params{{}, onPath("."), onPath("/"), onPaths(".")} {
		s := mustResolve(t, ws, p)
		wantList(t, displays(t, s), "api/a.ts", "web/a.ts", "web/src/b.ts")
		if s.Display != "." || s.SearchPath != "" {
			t.Errorf("display %q, search path %q", s.Display, s.SearchPath)
		}
	}
	// A glob is relative to each folder.
	wantList(t, list(t, ws, onGlob("*.ts")), "api/a.ts", "web/a.ts")
	wantList(t, list(t, ws, onPath("src/*.ts")), "web/b.ts")
}

func TestFolders_RelativePathsAreTriedInOrder(t *testing.T) {
	dir := tree(t, names("web/a.ts", "web/src/b.ts", "api/a.ts", "api/lib/c.ts", "api/web/d.ts"))
	ws := Workspace{Folders: []Folder{{"web", dir + "/web"}, {"api", dir + "/api"}}}
	cases := []struct {
		path, display string
		want          []string
	}{
		{"a.ts", "web/a.ts", []string{"web/a.ts"}},
		{"lib", "api/lib", []string{"api/c.ts"}},
		{"src", "web/src", []string{"web/b.ts"}},
		// A display path finds its way back, but what exists as it is wins.
		{"api/a.ts", "api/a.ts", []string{"api/a.ts"}},
		{"web", "api/web", []string{"api/d.ts"}},
		{"api", "api", []string{"api/a.ts", "api/lib/c.ts", "api/web/d.ts"}},
		{"web/src", "web/src", []string{"web/b.ts"}},
		{"api/*/*.ts", "api", []string{"api/lib/c.ts", "api/web/d.ts"}},
		{"../api/lib", "api/lib", []string{"api/c.ts"}},
		{dir + "/api/lib/c.ts", "api/lib/c.ts", []string{"api/c.ts"}},
		{"src, lib", "src, lib", []string{"api/lib/c.ts", "web/src/b.ts"}},
	}
	for _, c := range cases {
		t.Run(c.path, func(t *testing.T) {
			s := mustResolve(t, ws, onPath(c.path))
			wantList(t, displays(t, s), c.want...)
			if s.Display != c.display {
				t.Errorf("scope path %q, want %q", s.Display, c.display)
			}
		})
	}
	wantError(t, ws, onPath("nope"), "Path not found: nope")
	wantError(t, ws, onPath("../../x"), "Path is outside the workspace: ../../x")
}

func TestFolders_NestedOnesAreSearchedOnce(t *testing.T) {
	dir := tree(t, map[string]string{"out/a.ts": "", "out/in/b.ts": "", "alias": "-> out"})
	for name, folders := range map[string][]Folder{
		"outer first": {{"out", dir + "/out"}, {"in", dir + "/out/in"}},
		"inner first": {{"in", dir + "/out/in"}, {"out", dir + "/out"}},
		"repeated":    {{"out", dir + "/out"}, {"again", dir + "/out"}, {"link", dir + "/alias"}},
	} {
		t.Run(name, func(t *testing.T) {
			ws := Workspace{Folders: folders}
			wantList(t, list(t, ws, Params{}), "out/a.ts", "out/in/b.ts")
			wantList(t, list(t, ws, onPath("in/*.ts, a.ts, in")), "out/a.ts", "out/in/b.ts")
		})
	}
}

func TestFolders_NamesAreMadeUnique(t *testing.T) {
	got := uniqueNames([]Folder{{"a", "/1/a"}, {"a", "/2/a"}, {"a-2", "/3"}, {"a", "/4"}, {"", "/x/a"}, {"b/c", "/5"}})
	wantList(t, got, "a", "a-3", "a-2", "a-4", "a-5", "b-c")
}

func TestFolders_LinkedFolderKeepsItsSpelling(t *testing.T) {
	dir := tree(t, map[string]string{"real/s/a.ts": "", "alias": "-> real"})
	ws := one(dir + "/alias")
	ws.OpenFiles = []string{dir + "/alias/s/new.ts", dir + "/real/s/other.ts"}
	for _, p := range []Params{{}, onPath(dir + "/real"), onPath(dir + "/alias")} {
		found, err := mustResolve(t, ws, p).Candidates(context.Background(), typescript)
		if err != nil {
			t.Fatal(err)
		}
		var paths []string
		for _, c := range found {
			paths = append(paths, c.Path)
		}
		wantList(t, paths, dir+"/alias/s/a.ts", dir+"/alias/s/new.ts", dir+"/alias/s/other.ts")
	}
}

func TestFolders_OneThatIsGone(t *testing.T) {
	dir := tree(t, names("a/a.ts"))
	var told []string
	ws := Workspace{Folders: []Folder{{"a", dir + "/a"}, {"gone", dir + "/gone"}}}
	ws.Unreadable = func(path string, err error) { told = append(told, path) }
	wantList(t, list(t, ws, Params{}), "a/a.ts")
	wantList(t, told, dir+"/gone")
	_, err := mustResolve(t, one(dir+"/gone"), Params{}).Candidates(context.Background(), nil)
	if err == nil || err.Error() != "Path not found: ." {
		t.Errorf("error %v", err)
	}
}

func TestNoFolders_OnlyOpenDocuments(t *testing.T) {
	dir := tree(t, map[string]string{"a.ts": "", "s/b.ts": "", "s/closed.ts": "", ".gitignore": "ign.ts\n", "ign.ts": ""})
	ws := Workspace{OpenFiles: []string{dir + "/s/b.ts", dir + "/a.ts", dir + "/new.ts", dir + "/x.js", dir + "/ign.ts"}}
	wantList(t, list(t, ws, Params{}), dir+"/a.ts", dir+"/ign.ts", dir+"/new.ts", dir+"/s/b.ts")
	wantList(t, list(t, ws, onGlob("**/s/*.ts")), dir+"/s/b.ts")
	wantList(t, list(t, ws, onPath(dir)), dir+"/a.ts", dir+"/new.ts", dir+"/s/b.ts")
	wantList(t, list(t, ws, onPath(dir+"/s")), dir+"/s/b.ts")
	wantList(t, list(t, ws, onPath(dir+"/*.ts")), dir+"/a.ts", dir+"/new.ts")
	wantList(t, list(t, ws, onPaths(dir+"/s", dir+"/a.ts", dir)), dir+"/a.ts", dir+"/new.ts", dir+"/s/b.ts")
	s := mustResolve(t, ws, onPath(dir+"/new.ts"))
	wantList(t, displays(t, s), "new.ts")
	if s.Display != dir+"/new.ts" || !s.SingleFile {
		t.Errorf("display %q, single %v", s.Display, s.SingleFile)
	}
	wantError(t, ws, onPath("a.ts"), "Path not found: a.ts")
	wantError(t, ws, onPath(dir+"/s/closed.ts"), "Path is outside the workspace: "+dir+"/s/closed.ts")
	wantError(t, ws, onPath("/etc"), "Path is outside the workspace: /etc")
	wantList(t, list(t, Workspace{}, Params{}))
}
