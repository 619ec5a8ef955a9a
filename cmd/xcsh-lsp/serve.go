package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/lsp"
)

func (p program) serve(ctx context.Context, args []string) int {
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	flags.SetOutput(p.stderr)
	flags.Bool("stdio", true, "speak over standard input and output (always; editors pass it)")
	level := zapcore.InfoLevel
	flags.Var(&level, "log-level", "debug, info, warn or error")
	logFile := flags.String("log-file", "", "log `FILE` (default: xcsh-lsp.log in the state folder)")
	if err := flags.Parse(args); err != nil {
		return exitUsage
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(p.stderr, "xcsh-lsp serve takes no argument %q\n", flags.Arg(0))
		return exitUsage
	}
	root, home, err := p.state()
	if err != nil {
		return p.fail(err)
	}
	if *logFile == "" {
		*logFile = filepath.Join(root, "xcsh-lsp.log")
	}
	log, closeLog, err := p.openLog(*logFile, level)
	if err != nil {
		return p.fail(err)
	}
	defer closeLog()
	engine, err := astedit.NewEngine()
	if err != nil {
		return p.fail(err)
	}
	shutdown, err := lsp.Serve(ctx, stdio{p.stdin, p.stdout}, lsp.Config{
		Engine: engine, Version: version, StateRoot: root, Home: home, Getenv: p.getenv, Now: time.Now, Log: log,
	})
	if err != nil {
		log.Error("serve", zap.Error(err))
	}
	if !shutdown || err != nil {
		return exitFailed
	}
	return exitOK
}

// stdio joins the two standard streams to one connection.
type stdio struct {
	io.ReadCloser
	out io.WriteCloser
}

func (s stdio) Write(b []byte) (int, error) { return s.out.Write(b) }

func (s stdio) Close() error { return errors.Join(s.ReadCloser.Close(), s.out.Close()) }

// maxLogSize is where a log file is put aside and begun anew, in bytes: enough
// for weeks of use, small enough to attach to a report.
const maxLogSize = 8 << 20

// openLog logs to standard error and to a file, never to standard output, which
// is the protocol's.
func (p program) openLog(path string, level zapcore.Level) (log *zap.Logger, closeLog func(), err error) {
	if info, err := os.Stat(path); err == nil && info.Size() > maxLogSize {
		if err := os.Rename(path, path+".old"); err != nil {
			return nil, nil, fmt.Errorf("put the full log file aside: %w", err)
		}
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, nil, fmt.Errorf("open the log file: %w; choose another with --log-file", err)
	}
	encoding := zap.NewProductionEncoderConfig()
	encoding.EncodeTime = zapcore.ISO8601TimeEncoder
	encoder := zapcore.NewConsoleEncoder(encoding)
	log = zap.New(zapcore.NewTee(
		zapcore.NewCore(encoder, zapcore.AddSync(file), level),
		zapcore.NewCore(encoder, zapcore.AddSync(p.stderr), level),
	))
	return log, func() { _ = errors.Join(log.Sync(), file.Close()) }, nil
}
