package scope

import (
	"testing"
)

func TestOutsideTheWorkspace_InEveryDisguise(t *testing.T) {
	dir := tree(t, map[string]string{
		"ws/a.ts": "", "ws/in/b.ts": "", "ws-2/x.ts": "", "out/x.ts": "", "out/d/y.ts": "",
		"ws/dir": "-> ../out", "ws/file.ts": "-> ../out/x.ts", "ws/in/chain": "-> ../dir", "ws/dead": "-> ../out/none",
		"ws/self": "-> self", "ws/back": "-> ../ws/in",
	})
	ws := one(dir + "/ws")
	ws.Home = dir + "/out"
	ws.OpenFiles = []string{dir + "/out/open.ts", dir + "/ws/dir/open2.ts", dir + "/ws/dead", dir + "/ws/dead/z.ts"}
	for _, path := range []string{
		"..", "../out", "../out/x.ts", "../ws-2", "in/../../out", dir, dir + "/out/x.ts", dir + "/ws/../out/x.ts", "/etc/passwd",
		"dir", "dir/", "dir/d", "dir/x.ts", "dir/*.ts", "dir/none.ts", "file.ts", "in/chain/x.ts", "in/chain/**",
		"~", "~/x.ts", "~x.ts", "@~/x.ts", "@" + dir + "/out", "file://" + dir + "/out/x.ts", "FILE://localhost" + dir + "/out", "file://" + dir + "/ws/%2e%2e/out",
		"../none", "/none", "/*.ts", "../*.ts", "../out/open.ts", "dir/open2.ts", dir + "/*/x.ts",
	} {
		wantError(t, ws, onPath(path), "Path is outside the workspace: "+path)
		wantError(t, ws, onPaths("a.ts", path), "Path is outside the workspace: "+path)
		wantError(t, ws, onPaths(path, "none.ts"), "Path is outside the workspace: "+path)
	}
	wantError(t, ws, onPath("a.ts, ../out"), "Path is outside the workspace: ../out")
	wantError(t, ws, onPath("a.ts dir/x.ts"), "Path is outside the workspace: dir/x.ts")
	wantError(t, ws, onPath(`"../out"`), "Path is outside the workspace: ../out")
	for _, path := range []string{"back", "../ws/in", dir + "/ws/in", "file://" + dir + "/ws/in", "in/.", "in/chain/../../in"} {
		wantList(t, list(t, ws, onPath(path)), "b.ts")
	}
	// Nothing outside comes in through the walk or through an open document.
	wantList(t, list(t, ws, Params{}), "a.ts", "in/b.ts")
	wantList(t, list(t, ws, onGlob("dir/*.ts")))
}

func TestOutsideTheWorkspace_RootFolder(t *testing.T) {
	dir := tree(t, names("a.ts"))
	ws := Workspace{Folders: []Folder{{"root", "/"}}}
	wantList(t, list(t, ws, onPath(dir)), "a.ts")
	wantList(t, list(t, ws, onPath(dir[1:]+"/a.ts")), "a.ts")
	s := mustResolve(t, ws, onPath(dir))
	if s.Display != dir[1:] || s.SearchPath != dir {
		t.Errorf("display %q, search path %q", s.Display, s.SearchPath)
	}
}

func TestURLs(t *testing.T) {
	dir := tree(t, names("a.ts"))
	wantError(t, one(dir), onPath("https://example.com/a.ts"), "Search path must be a local path, not a URL: https://example.com/a.ts")
	wantError(t, one(dir), onPath("file://server/a.ts"), "Search path must be a local path, not a URL: file://server/a.ts")
	wantError(t, one(dir), onPath("file:///a%zz"), "Search path must be a local path, not a URL: file:///a%zz")
	const internal = `" uses internal scheme "skill://" and must be resolved through the proper protocol handler, not as a filesystem path.`
	wantError(t, one(dir), onPath("skill://a"), `Path "skill://a`+internal)
	wantError(t, one(dir), onPaths("a.ts", "@skill://a"), `Path "@skill://a`+internal)
}

func TestExpand(t *testing.T) {
	for in, want := range map[string]string{
		"@my-file.ts": "@my-file.ts", "@/abs": "/abs", "@~": "/home/me", "@~/x": "/home/me/x", "@~x": "@~x", `@C:\x`: `C:\x`, "@mcp://x": "mcp://x",
		"~": "/home/me", "~/x/y": "/home/me/x/y", `~\x`: "/home/me/x", "~x": "/home/me/x", "a~": "a~",
		"a\u00a0b\u2000c\u200ad\u202fe\u205ff\u3000g": "a b c d e f g", "file:///a%20b": "/a b", "File:///a": "/a", "file:///a%zz": "file:///a%zz", "file://": "file://",
	} {
		if got := expand(in, "/home/me"); got != want {
			t.Errorf("expand(%q) = %q, want %q", in, got, want)
		}
	}
	if got := expand("~/x", ""); got != "~/x" {
		t.Errorf("without a home: %q", got)
	}
}
