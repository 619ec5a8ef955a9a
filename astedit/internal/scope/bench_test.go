package scope

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// goSource is code that every machine with Go has.
func goSource(t testing.TB) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("no go command")
	}
	return filepath.Join(strings.TrimSpace(string(out)), "src")
}

func isGo(name string) bool { return strings.HasSuffix(name, ".go") }

func BenchmarkCandidates(b *testing.B) {
	dir := goSource(b)
	all, glob := Params{}, onGlob("net/**/*.{go,s}")
	for name, p := range map[string]Params{"all": all, "glob": glob} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				s, err := Resolve(one(dir), p)
				if err != nil {
					b.Fatal(err)
				}
				found, err := s.Candidates(context.Background(), isGo)
				if err != nil {
					b.Fatal(err)
				}
				n = len(found)
			}
			b.ReportMetric(float64(n), "files")
		})
	}
}
