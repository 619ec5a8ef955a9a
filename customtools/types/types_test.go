package types_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/customtools/types"
	"github.com/xcsh-lsp/xcsh-lsp/internal/docexample"
)

// project is a .xcsh folder with our types, as the command leaves it, where tsc is
// at hand.
func project(t *testing.T) (dir string) {
	t.Helper()
	modules := os.Getenv("XCSH_NPM")
	if modules == "" {
		t.Skip("XCSH_NPM does not name a node_modules folder with typescript and @types/node (make test sets it)")
	}
	dir = t.TempDir()
	if _, err := types.Write(dir); err != nil {
		t.Fatal(err)
	}
	// Not the whole folder: what a tool imports must be there without installing it.
	for _, name := range []string{"@types", "undici-types"} {
		link(t, filepath.Join(modules, name), filepath.Join(dir, "node_modules", name))
	}
	return dir
}

func link(t *testing.T, target, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, path); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func copyTools(t *testing.T, from, dir string) {
	t.Helper()
	if err := os.CopyFS(filepath.Join(dir, "tools"), os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

// tsc returns what the compiler finds wrong in dir.
func tsc(t *testing.T, dir string, flags ...string) string {
	t.Helper()
	program := filepath.Join(os.Getenv("XCSH_NPM"), ".bin", "tsc")
	out, err := exec.Command(program, append([]string{"-p", dir, "--pretty", "false"}, flags...)...).CombinedOutput()
	if err != nil && len(out) == 0 {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(out), dir+"/", "")
}

func wantNothingWrong(t *testing.T, dir string, flags ...string) {
	t.Helper()
	if out := tsc(t, dir, flags...); out != "" {
		t.Error(out)
	}
}

// The declarations are whole: without skipLibCheck they are checked themselves.
func TestParametersAreTypedFromTheirSchema(t *testing.T) {
	dir := project(t)
	copyTools(t, "testdata", dir)
	wantNothingWrong(t, dir, "--skipLibCheck", "false")
}

// What our types say of a schema's values, the package's say too.
func TestTheTypeboxPackageSaysTheSame(t *testing.T) {
	dir := project(t)
	text, err := os.ReadFile("testdata/static.ts")
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "tools/static.ts", string(text))
	if err := os.RemoveAll(filepath.Join(dir, "types")); err != nil {
		t.Fatal(err)
	}
	if out := tsc(t, dir); !strings.Contains(out, "Cannot find module '@sinclair/typebox'") {
		t.Fatalf("our types are still there: %s", out)
	}
	link(t, filepath.Join(os.Getenv("XCSH_NPM"), "@sinclair"), filepath.Join(dir, "node_modules", "@sinclair"))
	wantNothingWrong(t, dir)
}

func TestTheExamplesAreTyped(t *testing.T) {
	dir := project(t)
	copyTools(t, "../testdata/tools", dir)
	wantNothingWrong(t, dir)
}

func TestTheDocumentedExamplesAreTyped(t *testing.T) {
	dir := project(t)
	examples, err := docexample.Files("../../docs/custom-tools.md")
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range examples {
		write(t, dir, strings.TrimPrefix(path, ".xcsh/"), text)
	}
	wantNothingWrong(t, dir)
	// The arguments are those of the schema, where the example names it.
	const typed = ".xcsh/tools/count_lines.ts"
	broken := strings.ReplaceAll(examples[typed], "params.path", "params.paht")
	if broken == examples[typed] {
		t.Fatalf("%s does not use params.path", typed)
	}
	write(t, dir, strings.TrimPrefix(typed, ".xcsh/"), broken)
	if out := tsc(t, dir); !strings.Contains(out, "Property 'paht' does not exist") {
		t.Errorf("%q", out)
	}
}

// What is declared to have a value has one where tools run.
func TestDeclaredValuesExist(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node on PATH")
	}
	out, err := exec.Command(node, "--input-type=module", "-e", `
		import { makePi } from "./../internal/host/js/pi.mjs";
		import { typebox } from "./../internal/host/js/typebox/typebox.mjs";
		const schemas = typebox();
		const pi = makePi({ Type: schemas.Type, logger: {} });
		console.log(Object.keys(schemas.Type).join(" ") + "\n" + Object.keys(schemas).join(" ") + "\n" + Object.keys(pi).join(" "));
	`).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	values := strings.Split(string(out), "\n")
	for i, declared := range []struct{ file, pattern string }{
		{"xcsh-typebox.d.ts", `(?m)^    (\w+)[<(]`},
		{"xcsh-typebox.d.ts", `(?m)^  export const (\w+)`},
		{"xcsh-tools.d.ts", `(?m)^  export (?:const|class|function) (\w+)|^  export \{ (\w+)`},
	} {
		text, err := os.ReadFile("files/" + declared.file)
		if err != nil {
			t.Fatal(err)
		}
		there := strings.Fields(values[i])
		names := regexp.MustCompile(declared.pattern).FindAllStringSubmatch(string(text), -1)
		if len(names) < 5 {
			t.Errorf("%s: only %d names", declared.file, len(names))
		}
		for _, m := range names {
			if name := strings.Join(m[1:], ""); !slices.Contains(there, name) {
				t.Errorf("%s declares %s, which is not there", declared.file, name)
			}
		}
	}
}

func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", ".xcsh")
	names := func(written []string) (relative []string) {
		for _, path := range written {
			rest, ok := strings.CutPrefix(path, dir+string(filepath.Separator))
			if !ok {
				t.Errorf("wrote %s", path)
			}
			relative = append(relative, filepath.ToSlash(rest))
		}
		return relative
	}
	declarations := []string{"types/xcsh-packages.d.ts", "types/xcsh-tools.d.ts", "types/xcsh-typebox.d.ts"}
	written, err := types.Write(dir)
	if got := names(written); err != nil || !slices.Equal(got, append([]string{"tsconfig.json"}, declarations...)) {
		t.Fatalf("wrote %q, %v", got, err)
	}
	// The configuration is the user's, the declarations are ours.
	write(t, dir, "tsconfig.json", "{}")
	write(t, dir, declarations[0], "old and longer than the new"+strings.Repeat(" ", 1<<16))
	written, err = types.Write(dir)
	if got := names(written); err != nil || !slices.Equal(got, declarations) {
		t.Fatalf("wrote %q, %v", got, err)
	}
	if text, _ := os.ReadFile(filepath.Join(dir, "tsconfig.json")); string(text) != "{}" {
		t.Errorf("tsconfig.json is %q", text)
	}
	if text, _ := os.ReadFile(filepath.Join(dir, declarations[0])); strings.Contains(string(text), "old") || len(text) == 0 {
		t.Errorf("the old declarations are still there: %d bytes", len(text))
	}
}

// A project that somebody else made cannot have a file elsewhere overwritten.
func TestWriteFollowsNoLinkOut(t *testing.T) {
	for _, name := range []string{"types", "types/xcsh-tools.d.ts"} {
		outside, dir := t.TempDir(), t.TempDir()
		target := outside
		if name != "types" {
			target = filepath.Join(outside, "precious")
			write(t, outside, "precious", "mine")
		}
		link(t, target, filepath.Join(dir, name))
		if written, err := types.Write(dir); err == nil || !strings.Contains(err.Error(), "escapes") {
			t.Errorf("%s: wrote %q, %v", name, written, err)
		}
		if name != "types" {
			if text, _ := os.ReadFile(target); string(text) != "mine" {
				t.Errorf("the file outside is %q", text)
			}
		}
		if entries, _ := os.ReadDir(outside); name == "types" && len(entries) > 0 {
			t.Errorf("there are files outside: %v", entries)
		}
	}
}
