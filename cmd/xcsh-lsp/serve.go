package main

import (
	"context"
	"errors"
	"flag"
	"io"
	"path/filepath"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/customtools"
	"github.com/xcsh-lsp/xcsh-lsp/customtools/jshost"
	"github.com/xcsh-lsp/xcsh-lsp/internal/localsocket"
	"github.com/xcsh-lsp/xcsh-lsp/lsp"
)

// serveFlags are the flags of `xcsh-lsp serve`, which `tools` has too.
type serveFlags struct {
	level   zapcore.Level
	logFile string // "" = the default

	toolPaths, pluginDirs []string
	trust                 bool

	names   []string // of --tools that built-in tools have; nil = the flag was not given
	unknown []string // its other names
	noTools bool
}

func parseServeFlags(args []string) (serveFlags, error) {
	out := serveFlags{level: zapcore.InfoLevel}
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	flags.Bool("stdio", true, "")
	out.register(flags)
	_, err := parseFlags(flags, args, noArguments)
	return out, err
}

func (out *serveFlags) register(flags *flag.FlagSet) {
	flags.StringVar(&out.logFile, "log-file", "", "")
	flags.BoolVar(&out.trust, "trust", false, "")
	flags.Func("tool", "", appendTo(&out.toolPaths))
	flags.Func("tools", "", out.chooseTools)
	flags.BoolVar(&out.noTools, "no-tools", false, "")
	flags.Func("plugin-dir", "", appendTo(&out.pluginDirs))
	flags.Func("log-level", "", func(value string) error {
		level, err := zapcore.ParseLevel(value)
		if err != nil || level > zapcore.ErrorLevel {
			return errors.New("must be debug, info, warn or error")
		}
		out.level = level
		return nil
	})
}

// chooseTools reads a value of --tools; where the flag is repeated, all values
// count.
func (out *serveFlags) chooseTools(value string) error {
	names, unknown := customtools.ParseToolNames(value, lsp.BuiltInTools())
	out.names = append(append([]string{}, out.names...), names...) // an empty list is not no list
	out.unknown = append(out.unknown, unknown...)
	return nil
}

// builtIns are the built-in tools to be offered; nil means all.
func (out serveFlags) builtIns() []string {
	if out.noTools {
		return []string{}
	}
	return out.names
}

// customTools has tools that are not built in run by the JavaScript of this
// machine.
func (f serveFlags) customTools() lsp.CustomTools {
	return lsp.CustomTools{
		Code: jshost.Code,
		NewRuntime: func(c lsp.RuntimeChoice) customtools.Runtime {
			return jshost.New(jshost.Options{Setting: c.Setting, EditorProgram: c.Editor, Allowed: c.Allowed, Log: c.Log})
		},
		Paths: f.toolPaths, PluginDirs: f.pluginDirs, Trust: f.trust,
	}
}

func (p program) serve(ctx context.Context, args []string) int {
	flags, err := parseServeFlags(args)
	if err != nil {
		return p.wrongUsage("serve", err)
	}
	cfg, closeLog, err := p.serverConfig(flags)
	if err != nil {
		return p.fail(err)
	}
	defer closeLog()
	shutdown, err := lsp.Serve(ctx, stdio{p.stdin, p.stdout}, cfg)
	if err != nil {
		cfg.Log.Error("serve", zap.Error(err))
	}
	if !shutdown || err != nil {
		return exitFailed
	}
	return exitOK
}

// serverConfig is what a server needs, with its log opened.
func (p program) serverConfig(flags serveFlags) (cfg lsp.Config, closeLog func(), err error) {
	root, err := p.state()
	if err != nil {
		return cfg, nil, err
	}
	engine, err := astedit.NewEngine()
	if err != nil {
		return cfg, nil, err
	}
	if flags.logFile == "" {
		flags.logFile = filepath.Join(root, "xcsh-lsp.log")
	}
	log, closeLog, err := p.openLog(flags.logFile, flags.level)
	if err != nil {
		return cfg, nil, err
	}
	for _, name := range flags.unknown {
		log.Warn(customtools.UnknownToolWarning, zap.String("tool", name), zap.Strings("valid", lsp.BuiltInTools()))
	}
	return lsp.Config{
		Engine: engine, Version: version, StateRoot: root, Home: home(), Getenv: p.getenv, Now: time.Now, Log: log,
		BuiltIns: flags.builtIns(), CustomTools: flags.customTools(),
		ListenLocal: func(first string) (lsp.LocalListener, error) { return localsocket.Listen(root, first) },
	}, closeLog, nil
}

// stdio joins the two standard streams to one connection.
type stdio struct {
	io.ReadCloser
	out io.WriteCloser
}

func (s stdio) Write(b []byte) (int, error) { return s.out.Write(b) }

func (s stdio) Close() error { return errors.Join(s.ReadCloser.Close(), s.out.Close()) }
