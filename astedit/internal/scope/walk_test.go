package scope

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"testing"
)

func TestOpenDocuments_NewOnesObeyTheRules(t *testing.T) {
	dir := tree(t, map[string]string{
		"a.ts": "", "s/b.ts": "", ".gitignore": "ign.ts\nbuild/\n", "s/.ignore": "deep.ts\n!ign.ts\n", "out/x.ts": "",
	})
	ws := one(dir)
	for _, name := range []string{
		"new.ts", "a.ts", "s/new.ts", "s/ign.ts", "newdir/sub/n.ts", ".hid/n.ts", // candidates
		"ign.ts", "build/n.ts", "build/sub/n.ts", "s/deep.ts", "s/x/deep.ts", "node_modules/n.ts", ".git/n.ts", "new.js", "../n.ts",
	} {
		ws.OpenFiles = append(ws.OpenFiles, dir+"/"+name)
	}
	wantList(t, list(t, ws, Params{}), ".hid/n.ts", "a.ts", "new.ts", "newdir/sub/n.ts", "out/x.ts", "s/b.ts", "s/ign.ts", "s/new.ts")
	wantList(t, list(t, ws, onGlob("*.ts")), "a.ts", "new.ts")
	wantList(t, list(t, ws, onGlob("node_modules/*")), "node_modules/n.ts")
	wantList(t, list(t, ws, onPath("s")), "b.ts", "ign.ts", "new.ts")
	wantList(t, list(t, ws, onPath("out")), "x.ts")
	wantList(t, list(t, ws, onPath("newdir")), "sub/n.ts")
	wantList(t, list(t, ws, onPath("build")), "n.ts", "sub/n.ts")
	wantList(t, list(t, ws, onPath("new.ts")), "new.ts")
	wantList(t, list(t, ws, onPath("ign.ts")), "ign.ts")
	wantList(t, list(t, ws, onPaths("new.ts", "out")), "new.ts", "out/x.ts")
}

// What an apply stages beside its files is not searched, however it is asked for.
func TestHiddenFilesOfAnApplyAreNoCandidates(t *testing.T) {
	const temp = ".xcsh-ABC.ts"
	dir := tree(t, names("a.ts", temp, "s/"+temp))
	ws := one(dir)
	ws.OpenFiles = []string{dir + "/new/" + temp}
	wantList(t, list(t, ws, Params{}), "a.ts")
	wantList(t, list(t, ws, onGlob("**/"+temp)))
	wantList(t, list(t, ws, onPath(temp)))
}

func TestIgnoreFiles_Precedence(t *testing.T) {
	cases := []struct {
		name  string
		files map[string]string
		path  string
		want  []string
	}{
		{"ignore wins over a deeper gitignore", map[string]string{".ignore": "a.ts\n", "s/.gitignore": "!a.ts\nb.ts\n", "s/a.ts": "", "s/b.ts": "", "s/c.ts": ""}, "", []string{"s/c.ts"}},
		{"ignore includes again", map[string]string{".gitignore": "*.ts\n", ".ignore": "!a.ts\n", "a.ts": "", "b.ts": ""}, "", []string{"a.ts"}},
		{"parents count up to the repository", map[string]string{".gitignore": "a.ts\n", ".ignore": "b.ts\n", "r/.git/HEAD": "", "r/.gitignore": "c.ts\n", "r/s/a.ts": "", "r/s/b.ts": "", "r/s/c.ts": "", "r/s/d.ts": ""}, "r/s", []string{"a.ts", "d.ts"}},
		{"parents count up to the file system root", map[string]string{".gitignore": "a.ts\n/r/b.ts\n", "r/s/a.ts": "", "r/b.ts": "", "r/s/c.ts": ""}, "r", []string{"s/c.ts"}},
		{"a repository inside is its own", map[string]string{".gitignore": "a.ts\n", "r/.git/info/exclude": "b.ts\n", "r/a.ts": "", "r/b.ts": "", "a.ts": "", "b.ts": ""}, "", []string{"b.ts", "r/a.ts"}},
		{"root ignored as a directory", map[string]string{".gitignore": "dist/\n", "dist/a.ts": "", "dist/s/b.ts": ""}, "dist", []string{"a.ts", "s/b.ts"}},
		{"root whose files are ignored", map[string]string{".gitignore": "dist/*\n", "dist/a.ts": "", "dist/s/b.ts": ""}, "dist", []string{}},
		{"below a root whose files are ignored", map[string]string{".gitignore": "dist/*\n", "dist/s/b.ts": ""}, "dist/s", []string{"b.ts"}},
		{"ignored directories hold no exceptions", map[string]string{".gitignore": "dist\n!dist/a.ts\n", "dist/.gitignore": "!*\n", "dist/a.ts": ""}, "", []string{}},
		{"a directory named like an ignore file", map[string]string{".gitignore/x": "", ".ignore/y": "", "a.ts": ""}, "", []string{"a.ts"}},
		{"a linked work tree", map[string]string{".gitignore": "a.ts\n", "main/.git/info/exclude": "b.ts\n", "main/.git/worktrees/w/commondir": "../..\n", "w/.git": "gitdir: ../main/.git/worktrees/w\n", "w/a.ts": "", "w/b.ts": ""}, "w", []string{"a.ts"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			dir := tree(t, c.files)
			wantList(t, list(t, one(dir), onPath(c.path)), c.want...)
		})
	}
}

func TestGlobalIgnore(t *testing.T) {
	dir := tree(t, map[string]string{"global": "g.ts\n/top.ts\n", "ws/g.ts": "", "ws/top.ts": "", "ws/s/top.ts": "", "ws/s/g.ts": "", "ws/r/.git/HEAD": "", "ws/r/top.ts": "", "ws/r/a.ts": ""})
	ws := one(dir + "/ws")
	ws.GlobalIgnore = dir + "/global"
	wantList(t, list(t, ws, Params{}), "r/a.ts", "s/top.ts")
	wantList(t, list(t, ws, onPath("s")), "top.ts")
	ws.GlobalIgnore = dir + "/none"
	ws.Unreadable = func(path string, err error) { t.Errorf("told of %s: %v", path, err) }
	wantList(t, list(t, ws, onPath("s")), "g.ts", "top.ts")
}

func TestUnreadableDirectoryIsReported(t *testing.T) {
	if os.Getuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("nothing is unreadable here")
	}
	dir := tree(t, names("a.ts", "locked/b.ts"))
	if err := os.Chmod(dir+"/locked", 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(dir+"/locked", 0o755) })
	var told []string
	ws := one(dir)
	ws.Unreadable = func(path string, err error) { told = append(told, path) }
	wantList(t, list(t, ws, Params{}), "a.ts")
	wantList(t, told, dir+"/locked")
	if _, err := mustResolve(t, ws, onPath("locked")).Candidates(context.Background(), nil); err == nil {
		t.Error("an unreadable root is no error")
	}
}

func TestCancellation(t *testing.T) {
	files := make(map[string]string)
	for i := range 50 {
		files[fmt.Sprintf("d%d/a.ts", i)] = ""
	}
	dir := tree(t, files)
	ctx, cancel := context.WithCancel(context.Background())
	asked := 0
	_, err := mustResolve(t, one(dir), Params{}).Candidates(ctx, func(string) bool {
		asked++
		cancel()
		return true
	})
	if !errors.Is(err, context.Canceled) || asked != 1 {
		t.Errorf("error %v after %d files", err, asked)
	}
}

func TestScopeServesSeveralCallsAtOnce(t *testing.T) {
	dir := tree(t, names("a.ts", "s/b.ts", "s/c.ts"))
	s := mustResolve(t, one(dir), Params{})
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if found, err := s.Candidates(context.Background(), typescript); err != nil || len(found) != 3 {
				t.Errorf("%v, %v", found, err)
			}
		})
	}
	group.Wait()
}
