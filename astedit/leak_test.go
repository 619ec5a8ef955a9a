package astedit_test

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
)

// residentBytes is the memory that the kernel counts for this process, C's included.
func residentBytes(t *testing.T) int {
	t.Helper()
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip("no /proc/self/statm on this system")
	}
	pages, err := strconv.Atoi(strings.Fields(string(data))[1])
	if err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}

// Parsers, trees and node arrays are C memory: a run must give all of it back.
func TestScansDoNotLeak(t *testing.T) {
	const (
		files   = 100
		warmUp  = 10 // runs until caches and heap have their size
		allowed = 12 << 20
	)
	measured := 100 // runs, thus 10,000 scans
	if robustLong() {
		measured = 1000
	}
	w := newWorkspace(t)
	for i := range files {
		source := strings.Repeat("function f(a) { if (a) { foo(a, [1, 2, { b: a }]); } }\n", 5)
		if i%10 == 0 {
			source += "x = { foo(1) ] };\n"
		}
		w.write(fmt.Sprintf("f%d.%s", i, []string{"ts", "js", "tsx"}[i%3]), source)
	}
	e, req := newEngine(t), request("foo($$$A)", "bar($$$A)")
	scan := func(runs int) int {
		for range runs {
			if r := run(t, e, w, req, astedit.Options{}); len(r.Files) != files {
				t.Fatalf("%d files", len(r.Files))
			}
		}
		runtime.GC()
		return residentBytes(t)
	}
	before := scan(warmUp)
	after := scan(measured)
	t.Logf("%d scans: resident %d KiB before, %d KiB after", files*measured, before>>10, after>>10)
	if after-before > allowed {
		t.Errorf("resident memory grew from %d to %d bytes over %d scans", before, after, files*measured)
	}
}
