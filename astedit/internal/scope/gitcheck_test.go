package scope

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/internal/ignore"
)

// gitIn makes dir a repository and returns a function that runs git in it
// with nobody's configuration.
func gitIn(t *testing.T, dir string) func(stdin string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	run := func(stdin string, args ...string) string {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		cmd.Stdin = strings.NewReader(stdin)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
		out, err := cmd.Output()
		// check-ignore exits 1 where nothing is ignored.
		if exit, ok := err.(*exec.ExitError); err != nil && !(ok && exit.ExitCode() == 1 && args[0] == "check-ignore") {
			t.Fatalf("git %q: %v", args, err)
		}
		return string(out)
	}
	run("", "init", "-q")
	return run
}

// oddNames are files whose names meet the corners of the pattern syntax.
func oddNames() []string {
	return []string{
		"a", "b.ts", "foo", "foo.ts", "foo bar", "foo ", "#hash", "!bang", "é.ts", "a.b.c", ".hid", "[x]", "d/x", "*star", "\\back", "-", "a-c",
		"d/a", "d/foo", "d/foo.ts", "d/e/foo", "d/e/f/foo.ts", "d/e/f/g/b.ts", "foodir/a", "foodir/foo/x", "dist/a.ts", "dist/sub/b.ts",
		"A/UP.ts", "d2/x", "d9/x", "d-/x", "dé/x", "x/y/z/w.ts", "x2/foo/bar/baz", "tab\there", "v\vt", "f\ff", "c\x01", "del\x7f", "q?m", "{a,b}", "d/[x]", "build/keep/k.ts",
	}
}

func oddPatterns() []string {
	return []string{
		"foo", "foo/", "/foo", "foo/*", "foo/**", "**/foo", "**/foo/**", "d/**/foo", "d/**", "d/**/", "/**", "**", "**/", "*", "*/", "/*", "/*/",
		"*.ts", "/*.ts", "d/*.ts", "d/*", "d/*/foo", "**/*.ts", "*.*", "*.*.*", "a*", "*a*", "*o*o*", "f?o", "?", "??", "???.ts", "????.ts", "d/?",
		"[a-c]", "[!a]", "[^a]", "[]x]", "[[]x]", "\\[x\\]", "[\\]x]", "[x", "x[", "[z-a]", "[a-]", "[-a]", "[]-a]", "d[0-9]", "d[!0-9]", "d[[:digit:]]", "d[[:alpha:]]",
		"d[[:nope:]]", "d[[:digit:]", "[[:upper:]]", "[[:punct:]]", "d[[:punct:]]/x", "[[:space:]a]", "*[[:space:]]*", "[[:d]", "*[[:alnum:]]*", "*[[:blank:]]*", "*[[:cntrl:]]*", "*[![:graph:]]*", "*[[:lower:]]*", "*[![:print:]]*", "*[[:punct:]]*", "*[[:space:]]*", "*[[:xdigit:]]", "[a/b]", "d[/]a", "d[!x]a",
		"#hash", "\\#hash", "!bang", "\\!bang", "foo\\ ", "foo ", "foo  ", "foo bar", "foo\\ bar", "foo\\", "\\foo", "f\\oo", "\\*star", "\\\\back", "\\", "-",
		"/", "//", "//foo", "foo//", "d//foo", "d/e/", "/d/e", "d/e", "e", "e/", "e/f", "/e", "d\\/a", "d*/x", "d?/x", "*d", "x/**/w.ts", "x/*/w.ts", "x/*/*/w.ts",
		"x/**/z", "x/**/**/w.ts", "x/***/w.ts", "**/**", "**/z/**", "**/b*", "*/b.ts", "é.ts", "??.ts", "é*", "tab\there", "tab*", "\t", " ", "q\\?m", "{a,b}", "{*",
		"foo\n!foo", "*\n!*/\n!*.ts", "*.ts\n!foo.ts", "d/*\n!d/e", "d/\n!d/foo", "d\n!d/", "!foo\nfoo", "/*\n!/d\n/d/*\n!/d/e", "foo\n\n# comment\n!d/foo", "build/*\n!build/keep/",
		"foo\r\n*.ts\r", "\ufefffoo", "foo\r\n!foo\r\n", "dist/*", "dist/", "dist", "dist/**\n!dist/sub/", "!*\n*", "*\n!.hid\n!d", "foo/ ", "foo/\\ ", "foo\\  ",
	}
}

// TestIgnorePatterns_AgreeWithGitCheckIgnore compares every odd pattern with
// every odd path.
func TestIgnorePatterns_AgreeWithGitCheckIgnore(t *testing.T) {
	dir := tree(t, names(oddNames()...))
	git := gitIn(t, dir)
	pairs, excludedPairs := 0, 0
	for _, text := range oddPatterns() {
		if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		ignored := strings.Split(git(strings.Join(oddNames(), "\x00"), "check-ignore", "--no-index", "-z", "--stdin"), "\x00")
		list := ignore.Parse(text)
		for _, name := range oddNames() {
			pairs++
			if slices.Contains(ignored, name) {
				excludedPairs++
			}
			if got, want := ignoredWithParents(list, name), slices.Contains(ignored, name); got != want {
				t.Errorf("pattern %q, path %q: ignored %v, git says %v", text, name, got, want)
			}
		}
	}
	if excludedPairs < 200 || pairs-excludedPairs < 200 {
		t.Errorf("only %d pairs, %d of them excluded", pairs, excludedPairs)
	}
	t.Logf("%d pairs, %d of them excluded", pairs, excludedPairs)
}

// ignoredWithParents decides as a walk does: from the top, and no further than
// an excluded directory.
func ignoredWithParents(list ignore.Patterns, path string) bool {
	for i := 0; i <= len(path); i++ {
		if i < len(path) && path[i] != '/' {
			continue
		}
		sub := path[:i]
		if list.Match(sub, sub[strings.LastIndexByte(sub, '/')+1:], i < len(path)) == ignore.Excluded {
			return true
		}
	}
	return false
}

// TestIgnoreFiles_AgreeWithGitLsFiles compares whole listings where several
// files work together.
func TestIgnoreFiles_AgreeWithGitLsFiles(t *testing.T) {
	cases := map[string]map[string]string{
		"nested":            {".gitignore": "*.ts\n", "d/.gitignore": "!foo.ts\n", "d/e/.gitignore": "*\n!f/\n"},
		"deeper wins":       {".gitignore": "!foo.ts\n", "d/.gitignore": "foo.ts\n", "x/.gitignore": "/y\n"},
		"anchored below":    {"d/.gitignore": "/foo\n/e/f/*.ts\n", "x/.gitignore": "y/z/\n"},
		"exclude":           {".git/info/exclude": "foo\n*.ts\n", ".gitignore": "!foo.ts\n"},
		"global":            {"../global": "b.ts\n/d\n", ".gitignore": "!d/e\n"},
		"global over none":  {"../global": "foo\n", ".git/info/exclude": "!d/foo\n"},
		"ignored directory": {".gitignore": "d/\n!d/e/\n", "d/.gitignore": "!*\n"},
		"empty":             {".gitignore": "", "d/.gitignore": "\n\n# nothing\n"},
		"crlf and bom":      {".gitignore": "\ufeff*.ts\r\n!b.ts\r\n", "d/.gitignore": "\ufefffoo\r\n"},
	}
	for name, ignoreFiles := range cases {
		t.Run(name, func(t *testing.T) {
			parent := tree(t, nil)
			dir := filepath.Join(parent, "repo")
			writeTree(t, dir, names(oddNames()...))
			git := gitIn(t, dir)
			writeTree(t, dir, ignoreFiles)
			global := filepath.Join(parent, "global")
			want := strings.Split(strings.TrimSuffix(git("", "-c", "core.excludesFile="+global,
				"ls-files", "-z", "--others", "--exclude-standard"), "\x00"), "\x00")
			slices.Sort(want)
			ws := one(dir)
			ws.GlobalIgnore = global
			found, err := mustResolve(t, ws, Params{}).Candidates(context.Background(), nil)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, c := range found {
				got = append(got, c.Display)
			}
			wantList(t, got, want...)
		})
	}
}
