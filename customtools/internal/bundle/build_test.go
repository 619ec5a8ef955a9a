package bundle

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// evaluate bundles the module named entry of a txtar archive and returns what
// it prints in Node.js, with the injected modules as tests expect them.
func evaluate(t *testing.T, archive, entry string) string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	dir := write(t, archive)
	b, err := Build(filepath.Join(dir, entry))
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	file := filepath.Join(out, "bundle.mjs")
	main := filepath.Join(out, "main.mjs")
	code := `globalThis[Symbol.for("xcsh-lsp.injected")] = { pi: { StringEnum: () => "enum" }, typebox: { Type: "type" } };
process.setSourceMapsEnabled(true);
await import("./bundle.mjs");`
	for path, content := range map[string][]byte{file: b.Code, main: []byte(code)} {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	printed, err := exec.Command(node, main).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, printed)
	}
	return strings.ReplaceAll(string(printed), dir, "DIR")
}

// write unpacks an archive into a folder whose real path it returns.
func write(t *testing.T, archive string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		path := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestModules(t *testing.T) {
	tests, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(tests) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, path := range tests {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			archive := txtar.Parse(data)
			last := archive.Files[len(archive.Files)-1]
			if last.Name != "want" {
				t.Fatal("the last file must be named want")
			}
			if got := evaluate(t, string(data), archive.Files[0].Name); got != string(last.Data) {
				t.Errorf("got:\n%s\nwant:\n%s", got, last.Data)
			}
		})
	}
}

func TestProblemsNameFileLineAndColumn(t *testing.T) {
	dir := write(t, "-- a.ts --\nexport default 1;\nimport { b } from './b';\nb(;\n-- b.ts --\nexport const b = () => {};\n")
	_, err := Build(filepath.Join(dir, "a.ts"))
	if want := filepath.Join(dir, "a.ts") + `:3:3: Unexpected ";"`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	_, err = Build(filepath.Join(dir, "missing.ts"))
	if err == nil || !strings.Contains(err.Error(), "missing.ts") {
		t.Errorf("got %v, want an error that names the file", err)
	}
	dir = write(t, "-- a.ts --\nimport x from 'no-such-package';\nx();\n")
	_, err = Build(filepath.Join(dir, "a.ts"))
	if err == nil || !strings.HasPrefix(err.Error(), filepath.Join(dir, "a.ts")+":1:15: Could not resolve \"no-such-package\"") {
		t.Errorf("got %v", err)
	}
}

func TestInputsAreTheToolsOwnFiles(t *testing.T) {
	dir := write(t, `
-- t.ts --
import { a } from "./lib/a";
import dep from "dep";
import { Type } from "@sinclair/typebox";
import data from "./data.json";
import { readFileSync } from "fs";
import { Unused } from "./types";
console.log(a, dep, Type, data, readFileSync);
-- lib/a.ts --
export const a = 1;
-- data.json --
{}
-- types.ts --
export interface Unused {}
-- node_modules/dep/index.js --
module.exports = 1;
`)
	b, err := Build(filepath.Join(dir, "t.ts"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{filepath.Join(dir, "t.ts"), filepath.Join(dir, "data.json"), filepath.Join(dir, "lib/a.ts")}
	if !slices.Equal(b.Inputs, want) {
		t.Errorf("got %v, want %v", b.Inputs, want)
	}
}
