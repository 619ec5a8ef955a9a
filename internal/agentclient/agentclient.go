// Package agentclient is a client of our own server on whose connection an agent
// decides. It edits nothing and has no documents: it calls commands.
package agentclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"go.lsp.dev/jsonrpc2"

	"github.com/xcsh-lsp/xcsh-lsp/internal/fileuri"
)

// cancelTime is how long the server has to take the word that a command is cancelled.
const cancelTime = 2 * time.Second

// Options are what a client says of itself.
type Options struct {
	Name    string // of the agent
	Version string
	// Folders are the workspace folders, absolute. They count where the agent is alone.
	Folders []string
	// PendingChanged, where set, is called after each change of the pending stack. It
	// must not block.
	PendingChanged func()
}

// Client is one connection. It is safe for concurrent use.
type Client struct {
	conn jsonrpc2.Conn
	opts Options

	tokens   atomic.Int64
	mu       sync.Mutex
	progress map[string]func(message string) // by token
}

// Connect initializes a connection over rwc, which the client closes.
func Connect(ctx context.Context, rwc io.ReadWriteCloser, opts Options) (*Client, error) {
	c := &Client{conn: jsonrpc2.NewConn(jsonrpc2.NewHeaderStream(rwc)), opts: opts, progress: map[string]func(string){}}
	// Not ctx: the connection outlives the call that made it.
	c.conn.Go(context.WithoutCancel(ctx), c.handle)
	if err := c.initialize(ctx); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

type object = map[string]any

func (c *Client) initialize(ctx context.Context) error {
	folders := []object{}
	for _, dir := range c.opts.Folders {
		folders = append(folders, object{"uri": fileuri.Of(runtime.GOOS, dir), "name": dir})
	}
	params := object{
		"processId": nil, "rootUri": nil, "workspaceFolders": folders,
		"clientInfo": object{"name": c.opts.Name, "version": c.opts.Version},
		"capabilities": object{
			"experimental": object{"xcsh": object{"agent": object{"name": c.opts.Name}, "pendingChanged": true}},
		},
	}
	if _, err := c.conn.Call(ctx, "initialize", params, nil); err != nil {
		return fmt.Errorf("initialize: %w", err)
	}
	return c.conn.Notify(ctx, "initialized", object{})
}

// Command runs a command of the server. result, which may be nil, takes the answer as
// JSON; say, where set, hears how far the command is. When ctx ends, the server is
// told. A failure of the command is a *jsonrpc2.Error.
func (c *Client) Command(ctx context.Context, name string, argument, result any, say func(message string)) error {
	token := "agent-" + strconv.FormatInt(c.tokens.Add(1), 10)
	if say != nil {
		c.mu.Lock()
		c.progress[token] = say
		c.mu.Unlock()
		defer func() {
			c.mu.Lock()
			delete(c.progress, token)
			c.mu.Unlock()
		}()
	}
	params := object{"command": name, "arguments": []any{argument}, "workDoneToken": token}
	_, err := c.conn.Call(ctx, "workspace/executeCommand", params, result)
	if ctx.Err() != nil {
		telling, stop := context.WithTimeout(context.WithoutCancel(ctx), cancelTime)
		defer stop()
		cancel := object{"command": "xcsh.cancel", "arguments": []any{object{"token": token}}}
		_, _ = c.conn.Call(telling, "workspace/executeCommand", cancel, nil) // the command may have ended
		return ctx.Err()
	}
	return err
}

// Done is closed when the connection has ended.
func (c *Client) Done() <-chan struct{} { return c.conn.Done() }

// Close ends the connection.
func (c *Client) Close() error { return c.conn.Close() }

// handle answers what a server asks of any client.
func (c *Client) handle(_ context.Context, req *jsonrpc2.Request) (any, error) {
	switch req.Method() {
	case "xcsh/pendingChanged":
		if c.opts.PendingChanged != nil {
			c.opts.PendingChanged()
		}
		return nil, nil
	case "$/progress":
		c.told(req.Params())
		return nil, nil
	case "client/registerCapability", "client/unregisterCapability", "window/workDoneProgress/create":
		return nil, nil
	}
	if req.IsCall() {
		return nil, jsonrpc2.ErrMethodNotFound
	}
	return nil, nil
}

func (c *Client) told(params []byte) {
	var p struct {
		Token string
		Value struct{ Message string }
	}
	if json.Unmarshal(params, &p) != nil || p.Value.Message == "" {
		return
	}
	c.mu.Lock()
	say := c.progress[p.Token]
	c.mu.Unlock()
	if say != nil {
		say(p.Value.Message)
	}
}
