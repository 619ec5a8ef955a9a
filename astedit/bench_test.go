package astedit_test

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
)

// BenchmarkRun is a dry run over some packages of Go's library, by class of
// pattern; MB/s counts all the text in scope.
func BenchmarkRun(b *testing.B) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		b.Fatal(err)
	}
	root := filepath.Join(strings.TrimSpace(string(out)), "src", "net")
	disk := newWorkspace(b)
	disk.dir = root
	var total int64
	for _, f := range run(b, newEngine(b), disk, request("$A", "$A"), astedit.Options{}).Files {
		total += int64(len(f.Old))
	}
	for _, class := range []struct{ name, pattern, selector string }{
		{"none", "func t() { thisNameIsNowhere($A) }", "call_expression"},
		{"rare literal", "func t() { http2ConfigureServer($$$A) }", "call_expression"},
		{"common literal", "if err != nil { return err }", ""},
		{"no usable token", "$X, $Y = $Y, $X", ""},
		{"everything", "func t() { $F($$$A) }", "call_expression"},
	} {
		b.Run(class.name, func(b *testing.B) {
			e, req := newEngine(b), request(class.pattern, "x")
			req.Sel = class.selector
			b.SetBytes(total)
			for b.Loop() {
				if _, err := e.Run(context.Background(), disk.snapshot(), req, astedit.Options{Workers: 1}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
