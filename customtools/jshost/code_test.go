package jshost_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/customtools/jshost"
)

func TestCode_HoldsWhatIsImported(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	code := func() []byte {
		t.Helper()
		b, err := jshost.Code(filepath.Join(dir, "tool.ts"))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	write("tool.ts", `import { helper } from "./helper"; import dep from "dep"; export default () => helper(dep)`)
	write("helper.ts", `export const helper = (x: unknown) => x`)
	write("node_modules/dep/index.js", `export default 1`)
	first := code()
	if !bytes.Equal(first, code()) {
		t.Error("the same files give other code")
	}
	write("helper.ts", `export const helper = (x: unknown) => [x]`)
	second := code()
	if bytes.Equal(first, second) {
		t.Error("another helper gives the same code")
	}
	write("node_modules/dep/index.js", `export default 2`)
	if bytes.Equal(second, code()) {
		t.Error("another package gives the same code")
	}
}
