package lsp_test

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/internal/lsptest"
)

// Two changes of the settings whose answers cross: the later question's counts, in
// whichever order the answers come.
func TestSettings_LastQuestionCounts(t *testing.T) {
	var mu sync.Mutex
	var ids []string
	f := startThrough(t, lsptest.VSCodeLike(), map[string]string{"a.ts": "foo(1);\n"}, nil, func(body []byte) bool {
		var message struct {
			ID     json.RawMessage
			Method string
		}
		if json.Unmarshal(body, &message) != nil || message.Method != protocol.MethodWorkspaceConfiguration {
			return false
		}
		mu.Lock()
		defer mu.Unlock()
		ids = append(ids, string(message.ID))
		return true
	})
	asked := func(n int) string {
		eventually(t, "the server asks for its settings", func() bool {
			mu.Lock()
			defer mu.Unlock()
			return len(ids) == n
		})
		return ids[n-1]
	}
	answer := func(id, by string) {
		f.inject(frame(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":[{"resolve.by":%q}]}`, id, by)))
	}
	f.run("xcsh.ast_edit", edit("foo($A)", "bar($A)"))
	first := asked(1)
	f.SetSettings(nil)
	second := asked(2)
	answer(second, "agent")
	eventually(t, "the setting is in force", f.onlyAgents)
	answer(first, "human")
	for range 20 {
		if !f.onlyAgents() {
			t.Fatal("the answer to an older question won")
		}
	}
}
