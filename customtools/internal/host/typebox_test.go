package host

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/customtools/internal/bundle"
	"github.com/xcsh-lsp/xcsh-lsp/customtools/internal/jsruntime"
)

// testdata/typebox.txt has pairs of lines: an expression of builders, and the
// JSON that @sinclair/typebox 0.34 makes of it.

// TestTypeboxBuilders compares our builders with what the file says.
func TestTypeboxBuilders(t *testing.T) {
	source, err := filepath.Abs("js/typebox/typebox.mjs")
	if err != nil {
		t.Fatal(err)
	}
	compareBuilders(t, "import { typebox } from "+quoted(bundle.FileURL(source))+"; const { Type } = typebox();")
}

// TestTypeboxPackage compares the package itself, so that the file stays what
// it says.
func TestTypeboxPackage(t *testing.T) {
	modules := os.Getenv("XCSH_NPM")
	if modules == "" {
		t.Skip("XCSH_NPM does not name a node_modules folder with @sinclair/typebox (make test sets it)")
	}
	source, err := filepath.Abs(filepath.Join(modules, "@sinclair/typebox/build/esm/index.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	compareBuilders(t, "import { Type } from "+quoted(bundle.FileURL(source))+";")
}

func compareBuilders(t *testing.T, imports string) {
	t.Helper()
	node := installed(t, jsruntime.Node)
	data, err := os.ReadFile("testdata/typebox.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	var expressions []string
	for i := 0; i+1 < len(lines); i += 2 {
		expressions = append(expressions, lines[i])
	}
	script := filepath.Join(t.TempDir(), "run.mjs")
	code := imports + `
for (const expression of ` + quoted(expressions) + `) {
  let json;
  try { json = JSON.stringify(new Function("Type", "return (" + expression + ")")(Type)); } catch { json = "throws"; }
  console.log(json);
}
`
	if err := os.WriteFile(script, []byte(code), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node.Path, script)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.Bytes())
	}
	got := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(got) != len(expressions) || len(got) < 150 {
		t.Fatalf("%d results for %d expressions", len(got), len(expressions))
	}
	for i, expression := range expressions {
		if want := strings.TrimSpace(lines[2*i+1]); got[i] != want {
			t.Errorf("%s\n got %s\nwant %s", expression, got[i], want)
		}
	}
}

// quoted writes a value as JavaScript.
func quoted(v any) string {
	text, _ := json.Marshal(v) // strings only
	return string(text)
}
