package lsp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"github.com/xcsh-lsp/xcsh-lsp/lsp"
)

// chattyTool says as much as it is told to.
const chattyTool = `
export default (pi) => ({
  name: "chatty", label: "Chatty", description: "", parameters: {},
  async execute(id, { times }) {
    console.log("to the console");
    for (let i = 0; i < (times ?? 1); i++) {
      pi.logger.error("e " + i, { n: i });
      pi.ui.notify("n " + i);
      pi.ui.setStatus("k", "s\t" + i);
    }
    pi.logger.warn("w");
    pi.logger.debug("d", { deep: { a: [1] } });
    return { content: [{ type: "text", text: "said" }] };
  },
});
`

// logOf reads the log of a user's tools: level, message and the rest of each line.
func logOf(t *testing.T, home, configDir string) (lines []string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(home, configDir, "logs", "xcsh.*.log"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			var entry map[string]any
			if err := json.Unmarshal([]byte(line), &entry); err != nil || entry["pid"] != float64(os.Getpid()) || entry["timestamp"] == nil {
				t.Errorf("%v in %q", err, line)
			}
			said := fmt.Sprint(entry["level"], " ", entry["message"])
			for _, key := range []string{"pid", "timestamp", "level", "message", "module"} {
				delete(entry, key)
			}
			lines = append(lines, said+" "+asJSON(t, entry))
		}
	}
	return lines
}

// Section 9 of customtools.md: what a tool logs goes into a file of the user's, and
// to the client's log.
func TestCustomTools_LogGoesIntoAFileAndToTheClient(t *testing.T) {
	for configDir, env := range map[string]string{".xcsh": "", ".cfg/deep": ".cfg/deep"} {
		t.Run(configDir, func(t *testing.T) {
			home := t.TempDir()
			tools := withHome(t, home)
			withTools(t) // skips without Node.js
			f := startWith(t, editorNamed("an editor"), map[string]string{".xcsh/tools/c.ts": chattyTool}, object{"trusted": true}, func(cfg *lsp.Config) {
				tools(cfg)
				cfg.Getenv = func(name string) string { return map[string]string{"PI_CONFIG_DIR": env}[name] }
			})
			f.run("xcsh.tools.call", object{"name": "chatty", "params": object{}})
			f.Wait("the client's log", func() bool {
				var got []string
				for _, m := range f.Messages() {
					if m.Method == protocol.MethodWindowLogMessage {
						got = append(got, fmt.Sprint(uint32(m.Type), " ", m.Text))
					}
				}
				return slices.Equal(got, []string{`4 to the console`, `1 e 0 {"n":0}`, `2 w`, `4 d {"deep":{"a":[1]}}`})
			})
			f.leave()
			f.workspace.Close()
			want := []string{`debug to the console {}`, `error e 0 {"n":0}`, `warn w {}`, `debug d {"deep":{"a":[1]}}`}
			if got := logOf(t, home, configDir); !slices.Equal(got, want) {
				t.Errorf("the file has %q, want %q", got, want)
			}
		})
	}
}

// A client that does not read holds up no tool and nobody else; it is told later what
// it missed.
func TestCustomTools_AClientThatDoesNotRead(t *testing.T) {
	agent := startWith(t, agentNamed("codex"), map[string]string{".xcsh/tools/c.ts": chattyTool}, object{"trusted": true}, withTools(t))
	agent.toolNames()
	human := joinWithoutReading(t, agent)
	const times = 5000 // more than are kept for it
	if got := agent.run("xcsh.tools.call", object{"name": "chatty", "params": object{"times": times}}).text(); got != "said" {
		t.Errorf("got %q", got)
	}
	shown, dropped := 0, 0
	for shown+dropped < times {
		m := human.next()
		count, _, told := strings.Cut(m.Params.Message, " messages of tools were not sent")
		switch {
		case told:
			n, err := strconv.Atoi(count)
			if err != nil {
				t.Fatalf("told %q", m.Params.Message)
			}
			dropped += n
		case m.Method == protocol.MethodWindowShowMessage:
			shown++
		}
	}
	if shown == 0 || dropped == 0 || shown+dropped != times {
		t.Errorf("%d shown, %d dropped", shown, dropped)
	}
}

// unread is a human's editor that reads only what it is told to.
type unread struct {
	t  *testing.T
	in *bufio.Reader
}

type sentMessage struct {
	ID     json.RawMessage
	Method string
	Params struct{ Message string }
}

func joinWithoutReading(t *testing.T, f *fixture) *unread {
	t.Helper()
	ours, theirs := net.Pipe()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = f.workspace.Serve(context.Background(), theirs) // it ends when we close
	}()
	t.Cleanup(func() {
		_ = ours.Close()
		<-ended
	})
	u := &unread{t, bufio.NewReader(ours)}
	write := func(body string) {
		if _, err := io.WriteString(ours, frame(body)); err != nil {
			t.Error(err)
		}
	}
	go write(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"capabilities":{},"clientInfo":{"name":"mute"},"rootUri":"file://` +
		filepath.ToSlash(f.dir) + `","initializationOptions":{"trusted":true}}}`)
	for string(u.next().ID) != "1" {
	}
	write(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	return u
}

func (u *unread) next() (m sentMessage) {
	u.t.Helper()
	header, err := textproto.NewReader(u.in).ReadMIMEHeader()
	if err != nil {
		u.t.Fatal(err)
	}
	length, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil {
		u.t.Fatal(err)
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(u.in, body); err != nil {
		u.t.Fatal(err)
	}
	if err := json.Unmarshal(body, &m); err != nil {
		u.t.Fatal(err)
	}
	return m
}
