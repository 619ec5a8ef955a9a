package main

import (
	"context"
	"errors"
	"flag"
	"io"
	"net"
	"path/filepath"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/xcsh-lsp/xcsh-lsp/internal/localsocket"
	"github.com/xcsh-lsp/xcsh-lsp/internal/mcpserver"
	"github.com/xcsh-lsp/xcsh-lsp/lsp"
)

// defaultAgent is who proposes where --name names nobody.
const defaultAgent = "agent"

// mcp serves an agent over standard input and output, in the session of the editor
// that has the current folder open, else in one of its own.
func (p program) mcp(ctx context.Context, args []string) int {
	given := serveFlags{level: zapcore.InfoLevel}
	flags := flag.NewFlagSet("mcp", flag.ContinueOnError)
	name := flags.String("name", defaultAgent, "")
	given.register(flags)
	if _, err := parseFlags(flags, args, noArguments); err != nil {
		return p.wrongUsage("mcp", err)
	}
	here, err := currentFolder()
	if err != nil {
		return p.fail(err)
	}
	cfg, closeLog, err := p.serverConfig(given)
	if err != nil {
		return p.fail(err)
	}
	defer closeLog()
	alone := lsp.NewWorkspace(withoutSocket(cfg))
	defer alone.Close()
	server := mcpserver.New(*name, version, []string{here}, mcpserver.Places{
		Editor: func(ctx context.Context) (io.ReadWriteCloser, error) { return dialAround(ctx, cfg.StateRoot, here) },
		Alone:  func() io.ReadWriteCloser { return join(alone, cfg.Log) },
		Log:    cfg.Log,
	})
	err = server.Run(ctx, &mcp.IOTransport{Reader: p.stdin, Writer: p.stdout})
	if err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, io.EOF) {
		cfg.Log.Error("mcp", zap.Error(err))
		return exitFailed
	}
	return exitOK
}

// withoutSocket: nobody joins the session of an agent that is alone.
func withoutSocket(cfg lsp.Config) lsp.Config {
	cfg.ListenLocal = nil
	return cfg
}

// dialAround connects to the editor that has dir or a folder around it open.
func dialAround(ctx context.Context, root, dir string) (io.ReadWriteCloser, error) {
	for {
		conn, err := localsocket.Dial(ctx, root, dir)
		if !errors.Is(err, localsocket.ErrNone) {
			return conn, err
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return nil, err
		}
		dir = parent
	}
}

// join makes a connection to a session in this process, which the workspace's Close
// waits for.
func join(w *lsp.Workspace, log *zap.Logger) io.ReadWriteCloser {
	ours, theirs := net.Pipe()
	go func() {
		if _, err := w.ServeAgent(context.Background(), theirs); err != nil {
			log.Info("the session of our own", zap.Error(err))
		}
	}()
	return ours
}
