package host

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	"github.com/xcsh-lsp/xcsh-lsp/customtools"
	"github.com/xcsh-lsp/xcsh-lsp/customtools/internal/jsruntime"
)

// The figures that engineering.md 2 gives of its prototype.

func eachRuntimeBench(b *testing.B, bench func(b *testing.B, rt jsruntime.Runtime)) {
	for _, kind := range kinds() {
		b.Run(string(kind), func(b *testing.B) { bench(b, installed(b, kind)) })
	}
}

const echo = "-- t.ts --\nexport default (pi) => ({ name: 't', description: 'd', parameters: pi.typebox.Type.Object({}), execute: (id, params) => ({ content: [], details: params }) });\n"

// BenchmarkColdStart is from nothing to the list of one tool.
func BenchmarkColdStart(b *testing.B) {
	eachRuntimeBench(b, func(b *testing.B, rt jsruntime.Runtime) {
		for b.Loop() {
			s := openOn(b, rt, echo)
			s.load("t.ts")
			b.StopTimer()
			_ = s.rt.Close()
			b.StartTimer()
		}
	})
}

// BenchmarkRoundTrip is one call that returns its parameters.
func BenchmarkRoundTrip(b *testing.B) {
	eachRuntimeBench(b, func(b *testing.B, rt jsruntime.Runtime) {
		s := openOn(b, rt, echo)
		tool := s.tool("t.ts")
		for b.Loop() {
			s.mustCall(tool, `{"a":1}`)
		}
	})
}

// BenchmarkConcurrent is 1,000 calls at once.
func BenchmarkConcurrent(b *testing.B) {
	eachRuntimeBench(b, func(b *testing.B, rt jsruntime.Runtime) {
		s := openOn(b, rt, echo)
		tool := s.tool("t.ts")
		for b.Loop() {
			var wg sync.WaitGroup
			for i := range 1000 {
				wg.Go(func() {
					params := json.RawMessage(fmt.Sprintf(`{"i":%d}`, i))
					got, err := tool.Execute(b.Context(), customtools.RuntimeCall{Params: params, Host: s.host})
					if want := fmt.Sprintf(`{"content":[],"details":{"i":%d}}`, i); err != nil || string(got) != want {
						b.Errorf("got %s, %v, want %s", got, err, want)
					}
				})
			}
			wg.Wait()
		}
	})
}

// BenchmarkReload is a second generation of a module that is loaded.
func BenchmarkReload(b *testing.B) {
	eachRuntimeBench(b, func(b *testing.B, rt jsruntime.Runtime) {
		s := openOn(b, rt, echo)
		m := s.load("t.ts")
		for b.Loop() {
			fresh := s.load("t.ts")
			m.Retire()
			m = fresh
		}
	})
}

// BenchmarkMemory reports what the process and one more module cost.
func BenchmarkMemory(b *testing.B) {
	const modules = 20
	eachRuntimeBench(b, func(b *testing.B, rt jsruntime.Runtime) {
		for b.Loop() {
			s := openOn(b, rt, echo)
			s.load("t.ts")
			first := s.rt.running().memoryMB()
			for range modules {
				s.load("t.ts")
			}
			b.ReportMetric(float64(first), "MiB/first")
			b.ReportMetric(float64(s.rt.running().memoryMB()-first)/modules, "MiB/module")
			_ = s.rt.Close()
		}
	})
}
