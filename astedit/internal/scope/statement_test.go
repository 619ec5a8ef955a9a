package scope

import (
	"strings"
	"testing"
)

// The numbers are those of ast_edit.md section 17, as far as the scope is
// concerned.

func TestStatement6_PathNotFound(t *testing.T) {
	dir := tree(t, names("a.ts"))
	wantError(t, one(dir), onPath("nope"), "Path not found: nope")
	wantError(t, one(dir), onPath("./nope/"), "Path not found: nope")
	wantError(t, one(dir), onPath("nope/*.ts"), "Path not found: nope")
	wantError(t, one(dir), onPath(dir+"/nope"), "Path not found: nope")
	wantError(t, one(dir), onPaths("nope"), "Path not found: nope")
}

func TestStatement9_InvalidGlob(t *testing.T) {
	dir := tree(t, names("a.ts"))
	for _, glob := range []string{"[z-a]", "[ab", "a}b", "{a,b}}", "x{[}", "{[z-a],b}", strings.Repeat("{a,b}", 30)} {
		_, err := Resolve(one(dir), onGlob(glob))
		if err == nil || !strings.HasPrefix(err.Error(), "Invalid glob pattern: ") {
			t.Errorf("glob %q: error %v", glob, err)
		}
	}
	if _, err := Resolve(one(dir), onPathGlob("*/[z-a]", "*.ts")); err == nil || !strings.HasPrefix(err.Error(), "Invalid glob pattern: ") {
		t.Errorf("the path's own glob: error %v", err)
	}
}

func TestStatement10_PathAndPaths(t *testing.T) {
	dir := tree(t, names("a.ts"))
	p := onPaths("a.ts")
	path := "a.ts"
	p.Path = &path
	wantError(t, one(dir), p, "Specify either path or paths, not both")
	blank := "  "
	p.Path = &blank
	wantList(t, list(t, one(dir), p), "a.ts")
}

func TestStatement11_HiddenYesModulesAndGitNo(t *testing.T) {
	dir := tree(t, names("a.ts", ".hid.ts", ".dir/x.ts", "node_modules/p/i.ts", "s/node_modules/i.ts", ".git/x.ts", "s/.git/x.ts"))
	wantList(t, list(t, one(dir), Params{}), ".dir/x.ts", ".hid.ts", "a.ts")
}

func TestStatement12_GlobNamesNodeModules(t *testing.T) {
	dir := tree(t, names("a.ts", "node_modules/p/i.ts", "s/node_modules/q/j.ts"))
	wantList(t, list(t, one(dir), onGlob("node_modules/**/*.ts")), "node_modules/p/i.ts")
	wantList(t, list(t, one(dir), onGlob("**/node_modules/**")), "node_modules/p/i.ts", "s/node_modules/q/j.ts")
	wantList(t, list(t, one(dir), onPaths("node_modules", "a.ts")), "a.ts", "node_modules/p/i.ts")
	wantList(t, list(t, one(dir), onPaths("s", "node_modules", "a.ts")), "a.ts", "node_modules/p/i.ts")
}

func TestStatement13_RootInNodeModules(t *testing.T) {
	dir := tree(t, names("a.ts", "node_modules/p/i.ts", "node_modules/p/node_modules/q/j.ts"))
	wantList(t, list(t, one(dir), onPath("node_modules")), "p/i.ts")
	wantList(t, list(t, one(dir), onPath("node_modules/p")), "i.ts")
}

func TestStatement14_Gitignore(t *testing.T) {
	for _, git := range []string{"with", "without"} {
		t.Run(git, func(t *testing.T) {
			files := with(names("a.ts", "ign.ts", "s/ign.ts"), map[string]string{".gitignore": "ign.ts\n"})
			if git == "with" {
				files[".git/HEAD"] = "ref: refs/heads/main\n"
			}
			dir := tree(t, files)
			wantList(t, list(t, one(dir), Params{}), "a.ts")
			wantList(t, list(t, one(dir), onPath("s")))
			wantList(t, list(t, one(dir), onPath("ign.ts")), "ign.ts")
		})
	}
}

func TestStatement15_GlobDepth(t *testing.T) {
	dir := tree(t, names("a.ts", "s/p.ts"))
	wantList(t, list(t, one(dir), onGlob("*.ts")), "a.ts")
	wantList(t, list(t, one(dir), onGlob("**/*.ts")), "a.ts", "s/p.ts")
	wantList(t, list(t, one(dir), onPath("*.ts")), "a.ts")
	wantList(t, list(t, one(dir), onGlob("  ")), "a.ts", "s/p.ts")
}

func TestStatement16_UnclosedBrace(t *testing.T) {
	dir := tree(t, names("a.ts", "b.js", "c.d.ts"))
	wantList(t, list(t, one(dir), onGlob("*.{ts,tsx")), "a.ts", "c.d.ts")
	wantList(t, list(t, one(dir), onGlob("{a,{b,c.d}.ts")), "c.d.ts")
	wantList(t, list(t, one(dir), onPathGlob("{a", "b")))
}

func TestStatement17_GlobPathJoinsGlob(t *testing.T) {
	dir := tree(t, names("packages/pkg-123/src/root.ts", "packages/pkg-123/src/nested/child.ts",
		"packages/pkg-123/src/no.js", "packages/pkg-123/out.ts", "packages/other/src/x.ts", "src/y.ts"))
	for _, glob := range []string{"**/*.ts", "/**/*.ts", "//**/*.ts"} {
		s := mustResolve(t, one(dir), onPathGlob("packages/pkg-*/src", glob))
		wantList(t, displays(t, s), "pkg-123/src/nested/child.ts", "pkg-123/src/root.ts")
		if s.Display != "packages" || s.SearchPath != dir+"/packages" {
			t.Errorf("scope %q, search path %q", s.Display, s.SearchPath)
		}
	}
	wantList(t, list(t, one(dir), onPathGlob(`packages\pkg-*\src`, `**\*.ts`)), "pkg-123/src/nested/child.ts", "pkg-123/src/root.ts")
}

func TestStatement18_Lists(t *testing.T) {
	dir := tree(t, names("apps/a.ts", "packages/p.ts", "phases/f.ts", "other/o.ts"))
	for _, path := range []string{"apps/,packages/,phases/", "apps/ packages/ phases/", "apps/, packages/,, phases/, apps/"} {
		s := mustResolve(t, one(dir), onPath(path))
		wantList(t, displays(t, s), "apps/a.ts", "packages/p.ts", "phases/f.ts")
		if s.Display != "apps/, packages/, phases/" {
			t.Errorf("%q: scope path %q", path, s.Display)
		}
	}
	wantList(t, list(t, one(dir), onPath("apps/*.ts, {other,phases}/*.ts")), "apps/a.ts", "other/o.ts", "phases/f.ts")
	wantList(t, list(t, one(dir), onPath("apps packages")), "apps/a.ts", "packages/p.ts")
	wantError(t, one(dir), onPath("apps, gone"), "Path not found: apps, gone")
	wantError(t, one(dir), onPath("apps gone"), "Path not found: apps gone")
	wantError(t, one(dir), onPath("apps, mcp://x"), "Path not found: apps, mcp:/x")
}

func TestStatement19_SpacesInName(t *testing.T) {
	dir := tree(t, names("folder with spaces/a.ts", "folder/b.ts", "with/c.ts", "spaces/d.ts", "x,y/e.ts", "x/f.ts", "y/g.ts"))
	s := mustResolve(t, one(dir), onPath("folder with spaces"))
	wantList(t, displays(t, s), "a.ts")
	if s.Display != "folder with spaces" {
		t.Errorf("scope path %q", s.Display)
	}
	wantList(t, list(t, one(dir), onPath("x,y")), "e.ts")
	wantList(t, list(t, one(dir), onPath("folder with spaces, x")), "folder with spaces/a.ts", "x/f.ts")
	wantList(t, list(t, one(dir), onPath(`"folder with spaces" x`)), "folder with spaces/a.ts", "x/f.ts")
	wantList(t, list(t, one(dir), onPath("folder\u00a0with\u2003spaces")), "a.ts")
}

func TestStatement20_QuotesAndSlash(t *testing.T) {
	dir := tree(t, names("src/a.ts", "b.ts", "'src'/q.ts"))
	wantList(t, list(t, one(dir), onPath(`"src"`)), "a.ts")
	wantList(t, list(t, one(dir), onPath(` " src " `)), "a.ts")
	wantList(t, list(t, one(dir), onPath(`'src'`)), "q.ts")
	for _, path := range []string{"/", "//", ".", "", "  ", `""`, "./", dir} {
		s := mustResolve(t, one(dir), onPath(path))
		wantList(t, displays(t, s), "'src'/q.ts", "b.ts", "src/a.ts")
		if s.Display != "." || s.SearchPath != dir {
			t.Errorf("%q: scope %q, search path %q", path, s.Display, s.SearchPath)
		}
	}
}

func TestStatement21_MissingEntries(t *testing.T) {
	dir := tree(t, names("a.ts", "s/b.ts"))
	s := mustResolve(t, one(dir), onPaths("a.ts", "missing.ts"))
	wantList(t, displays(t, s), "a.ts")
	if len(s.Missing) != 1 || s.Missing[0] != "missing.ts" || s.Display != "a.ts" {
		t.Errorf("missing %q, display %q", s.Missing, s.Display)
	}
	wantError(t, one(dir), onPaths("m1", "m2"), "Path not found: m1, m2")
	wantError(t, one(dir), onPaths("a.ts", " "), "Search scope entries must be non-empty paths or globs")
	wantError(t, one(dir), onPaths("a.ts", `""`), "Search scope entries must be non-empty paths or globs")
	wantError(t, one(dir), Params{Paths: []string{}}, "Search scope entries must be non-empty paths or globs")
	wantList(t, list(t, one(dir), onPaths("gone/*.ts", "s/*.ts")), "b.ts")
}

func TestStatement22_EachFileOnce(t *testing.T) {
	dir := tree(t, names("src/a.ts", "src/b.ts", "c.ts"))
	wantList(t, list(t, one(dir), onPaths("src", "src/a.ts")), "a.ts", "b.ts")
	wantList(t, list(t, one(dir), onPaths("src/a.ts", ".")), "c.ts", "src/a.ts", "src/b.ts")
	wantList(t, list(t, one(dir), onPaths("src/*.ts", "src/a*", "src/a.ts", "src/a.ts")), "a.ts", "b.ts")
	wantList(t, list(t, one(dir), onPaths("src/a.ts", "src/a.ts")), "a.ts")
}

func TestStatement23_LiteralBrackets(t *testing.T) {
	dir := tree(t, names("app/[id]/p.ts", "app/i/p.ts", "b.ts", "{x}/y.ts"))
	s := mustResolve(t, one(dir), onPath("app/[id]/p.ts"))
	wantList(t, displays(t, s), "p.ts")
	if !s.SingleFile || s.SearchPath != dir+"/app/[id]/p.ts" {
		t.Errorf("single %v, search path %q", s.SingleFile, s.SearchPath)
	}
	wantList(t, list(t, one(dir), onPath("app/[id]")), "p.ts")
	wantList(t, list(t, one(dir), onPath("app/[i]/p.ts")), "i/p.ts")
	// The literal directory stays literal when it is one of several.
	wantList(t, list(t, one(dir), onPaths("app/[id]", "b.ts", "{x}")), "app/[id]/p.ts", "b.ts", "{x}/y.ts")
}

func TestStatement24_SymbolicLinks(t *testing.T) {
	dir := tree(t, with(names("real/a.ts", "s/b.ts"), map[string]string{
		"link.ts": "-> real/a.ts", "linked": "-> real", "loop": "-> .", "dead.ts": "-> gone.ts",
	}))
	wantList(t, list(t, one(dir), Params{}), "real/a.ts", "s/b.ts")
	s := mustResolve(t, one(dir), onPath("link.ts"))
	wantList(t, displays(t, s), "a.ts")
	if s.Display != "link.ts" || s.SearchPath != dir+"/real/a.ts" {
		t.Errorf("display %q, search path %q", s.Display, s.SearchPath)
	}
	wantList(t, list(t, one(dir), onPath("linked")), "a.ts")
	wantList(t, list(t, one(dir), onPaths("link.ts", "linked", "real")), "a.ts")
	wantError(t, one(dir), onPath("loop/nope"), "Path not found: loop/nope")
}

func TestStatement25_Order(t *testing.T) {
	dir := tree(t, names("b.ts", "a/z.ts", "a.ts", "B.ts"))
	wantList(t, list(t, one(dir), Params{}), "B.ts", "a.ts", "a/z.ts", "b.ts")
}

func TestStatement26_FileScopeIgnoresGlob(t *testing.T) {
	dir := tree(t, with(names("a.ts", "node_modules/m.ts", ".git/g.ts"), map[string]string{".gitignore": "*.ts\n"}))
	wantList(t, list(t, one(dir), onPathGlob("a.ts", "*.js")), "a.ts")
	wantList(t, list(t, one(dir), onPath("node_modules/m.ts")), "m.ts")
	wantList(t, list(t, one(dir), onPath(".git/g.ts")), "g.ts")
	wantList(t, list(t, one(dir), onPath(".git")))
}
