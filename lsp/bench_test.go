package lsp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.uber.org/zap"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/lsp"
)

// The file of the latency benchmarks: 10,000 lines, 500 of which a pending edit
// would change.
const (
	benchLines = 10_000
	benchEvery = benchLines / 500
)

func benchText() string {
	var b strings.Builder
	for i := range benchLines {
		if i%benchEvery == 0 {
			fmt.Fprintf(&b, "const v%d = legacyWrap(x%d, { key: \"😀\" });\n", i, i)
		} else {
			fmt.Fprintf(&b, "export function plain%d(a: number) { return a + %d; }\n", i, i)
		}
	}
	return b.String()
}

// classesText is as many lines and matches in code as people write it: in methods of
// several lines, which an edit elsewhere does not touch.
func classesText() string {
	var b strings.Builder
	for i := range benchLines / (2 * benchEvery) {
		fmt.Fprintf(&b, "export class C%d {\n", i)
		for method := range 2 {
			fmt.Fprintf(&b, "  const%d = legacyWrap(x%d, { key: \"😀\" });\n  method%d(a: number[]) {\n", method, i, method)
			for line := range 8 {
				fmt.Fprintf(&b, "    if (a[%d] > this.const%d.size) {\n      a.push(%d, \"text\");\n", line, method, line)
			}
			b.WriteString("    " + strings.Repeat("}", 8) + "\n  }\n")
		}
		b.WriteString("}\n")
	}
	return b.String()
}

// benchClient talks to a server in process, with the edit of the benchmark pending.
type benchClient struct {
	b    *testing.B
	conn jsonrpc2.Conn
	uri  string
}

func newBenchClient(b *testing.B) *benchClient { return newBenchClientOf(b, benchText()) }

func newBenchClientOf(b *testing.B, content string) *benchClient {
	b.Helper()
	engine, err := astedit.NewEngine()
	if err != nil {
		b.Fatal(err)
	}
	dir := b.TempDir()
	path := filepath.Join(dir, "big.ts")
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		b.Fatal(err)
	}
	ours, theirs := net.Pipe()
	served := make(chan error, 1)
	go func() {
		_, err := lsp.Serve(context.Background(), theirs, lsp.Config{
			Engine: engine, Version: "bench", StateRoot: b.TempDir(), Getenv: func(string) string { return "" },
			Now: time.Now, Log: zap.NewNop(),
		})
		served <- err
	}()
	c := &benchClient{b: b, conn: jsonrpc2.NewConn(jsonrpc2.NewStream(ours)), uri: "file://" + path}
	c.conn.Go(context.Background(), jsonrpc2.MethodNotFoundHandler)
	b.Cleanup(func() {
		c.notify("exit", nil)
		<-served
	})
	c.call("initialize", map[string]any{"processId": nil, "rootUri": "file://" + dir, "capabilities": map[string]any{}})
	c.notify("initialized", map[string]any{})
	c.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": c.uri, "languageId": "typescript", "version": 1, "text": content,
	}})
	result := c.call("workspace/executeCommand", map[string]any{"command": "xcsh.ast_edit", "arguments": []any{
		map[string]any{"ops": []any{map[string]string{"pat": "legacyWrap($A, $B)", "out": "modernWrap($B, $A)"}}},
	}})
	if !strings.Contains(string(result), `"totalReplacements":500`) {
		b.Fatalf("the edit of the benchmark is not pending: %.300s", result)
	}
	return c
}

func (c *benchClient) call(method string, params any) json.RawMessage {
	c.b.Helper()
	var result json.RawMessage
	if _, err := c.conn.Call(context.Background(), method, params, &result); err != nil {
		c.b.Fatalf("%s: %v", method, err)
	}
	return result
}

func (c *benchClient) notify(method string, params any) {
	c.b.Helper()
	if err := c.conn.Notify(context.Background(), method, params); err != nil {
		c.b.Fatalf("%s: %v", method, err)
	}
}

// reportMedian adds the median of the single times to a benchmark's figures.
func reportMedian(b *testing.B, times []time.Duration) {
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "ms-median")
}

func (c *benchClient) measure(once func(i int)) {
	var times []time.Duration
	for i := 0; c.b.Loop(); i++ {
		began := time.Now()
		once(i)
		times = append(times, time.Since(began))
	}
	reportMedian(c.b, times)
}

func position(line, character int) map[string]any {
	return map[string]any{"line": line, "character": character}
}

func BenchmarkCodeActions(b *testing.B) {
	c := newBenchClient(b)
	c.measure(func(i int) {
		line := i % 500 * benchEvery
		at := position(line, 20)
		result := c.call("textDocument/codeAction", map[string]any{
			"textDocument": map[string]any{"uri": c.uri}, "range": map[string]any{"start": at, "end": at},
			"context": map[string]any{"diagnostics": []any{}},
		})
		if !strings.Contains(string(result), "Apply") {
			b.Fatalf("no action on line %d: %s", line, result)
		}
	})
}

func BenchmarkHover(b *testing.B) {
	c := newBenchClient(b)
	c.measure(func(i int) {
		line := i % 500 * benchEvery
		result := c.call("textDocument/hover", map[string]any{
			"textDocument": map[string]any{"uri": c.uri}, "position": position(line, 20),
		})
		if !strings.Contains(string(result), "modernWrap") {
			b.Fatalf("no diff on line %d: %s", line, result)
		}
	})
}

// BenchmarkKeystroke times a didChange until the server is ready for what follows:
// a request for a command's list, answered in the order of the wire.
func BenchmarkKeystroke(b *testing.B) {
	c := newBenchClient(b)
	version := 1
	c.measure(func(i int) {
		version++
		at := position(i%benchLines, 0)
		c.notify("textDocument/didChange", map[string]any{
			"textDocument":   map[string]any{"uri": c.uri, "version": version},
			"contentChanges": []any{map[string]any{"range": map[string]any{"start": at, "end": at}, "text": " "}},
		})
		c.call("textDocument/codeAction", map[string]any{
			"textDocument": map[string]any{"uri": "file:///not-open"}, "range": map[string]any{"start": at, "end": at},
			"context": map[string]any{"diagnostics": []any{}},
		})
	})
}

// BenchmarkPreviewFollows times a didChange of the previewed document until the
// preview is answered as it is for its new text. In the file "statements" every line
// is a statement of its own.
func BenchmarkPreviewFollows(b *testing.B) {
	for name, content := range map[string]string{"statements": benchText(), "classes": classesText()} {
		b.Run(name, func(b *testing.B) {
			c, version := newBenchClientOf(b, content), 1
			lines := strings.Split(content, "\n")
			var matches []int
			for i, line := range lines {
				if strings.Contains(line, "legacyWrap") {
					matches = append(matches, i)
				}
			}
			c.measure(func(i int) {
				version++
				line := matches[i*7%len(matches)]
				at := position(line+1, 0)
				c.notify("textDocument/didChange", map[string]any{
					"textDocument":   map[string]any{"uri": c.uri, "version": version},
					"contentChanges": []any{map[string]any{"range": map[string]any{"start": at, "end": at}, "text": " "}},
				})
				for answered := false; !answered; { // an answer does not wait for ever
					result := c.call("textDocument/hover", map[string]any{
						"textDocument": map[string]any{"uri": c.uri}, "position": position(line, strings.Index(lines[line], "legacyWrap")),
					})
					answered = strings.Contains(string(result), "modernWrap")
				}
			})
		})
	}
}
