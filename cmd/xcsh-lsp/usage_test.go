package main

import (
	"strings"
	"testing"
)

func TestWrongUsage(t *testing.T) {
	pair := []string{"--pat", "foo($A)", "--out", "bar($A)"}
	with := func(args ...string) []string { return append(append([]string{"ast-edit"}, pair...), args...) }
	const (
		edit  = "xcsh-lsp ast-edit: "
		serve = "xcsh-lsp serve: "
	)
	s := newShell(t)
	s.write("a.ts", "foo(1);\n")
	for _, tt := range []struct {
		name string
		args []string
		want string
	}{
		{"no flags", []string{"ast-edit"}, edit + "--pat is missing: say what to look for"},
		{"no --pat", []string{"ast-edit", "--out", "x"}, edit + "--pat is missing: say what to look for"},
		{"no --out", []string{"ast-edit", "--pat", "x"}, edit + "--out is missing: say what takes the place of a match ('' deletes it)"},
		{"too few --out", with("--pat", "y"), edit + "each --pat needs its own --out: there are 2 --pat and 1 --out"},
		{"too many --out", with("--out", "y"), edit + "each --pat needs its own --out: there are 1 --pat and 2 --out"},
		{"--apply without --reason", with("--apply"), edit + "--apply needs --reason TEXT: why the changes are made"},
		{"--apply with an empty --reason", with("--apply", "--reason", ""), edit + "--reason is blank: say why the changes are made"},
		{"--apply with a blank --reason", with("--apply", "--reason", " \t\n"), edit + "--reason is blank: say why the changes are made"},
		{"--reason without --apply", with("--reason", "r"), edit + "--reason is only for --apply: without it nothing is written"},
		{"unknown flag", with("--dry-run"), edit + "unknown flag --dry-run"},
		{"unknown flag with a value", with("--foo=1"), edit + "unknown flag --foo"},
		{"unknown short flag", with("-p"), edit + "unknown flag -p"},
		{"unknown flag after a PATH", with("a.ts", "--nope"), edit + "unknown flag --nope"},
		{"no value", with("--limit"), edit + "--limit needs a value"},
		{"limit is no number", with("--limit", "many"), edit + `--limit "many": not a number`},
		{"switch is no switch", with("--json=maybe"), edit + `--json "maybe": parse error`},
		{"--stream with --json", with("--stream", "--json"), edit + "--stream goes without --json and --apply: it holds no changes"},
		{"--glob twice", with("--glob", "a", "--glob", "b"), edit + `--glob "b": the flag is given twice`},
		{"--reason twice", with("--apply", "--reason", "a", "--reason", "b"), edit + `--reason "b": the flag is given twice`},
		{"unknown command", []string{"edit"}, `xcsh-lsp: unknown command "edit"`},
		{"help for no command", []string{"help", "edit"}, `xcsh-lsp: unknown command "edit"`},
		{"empty command", []string{""}, `xcsh-lsp: unknown command ""`},
		{"version with an argument", []string{"version", "x"}, `xcsh-lsp version: unexpected argument "x"`},
		{"serve with an argument", []string{"serve", "x"}, serve + `unexpected argument "x"`},
		{"serve with an unknown flag", []string{"--port", "1"}, serve + "unknown flag --port"},
		{"serve with a log level of its own", []string{"--log-level", "loud"}, serve + `--log-level "loud": must be debug, info, warn or error`},
		{"serve with a log level that ends it", []string{"--log-level=fatal"}, serve + `--log-level "fatal": must be debug, info, warn or error`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			name, _, _ := strings.Cut(tt.want, ":")
			want := outcome{exitUsage, "", tt.want + "\nRun '" + name + " --help' for usage.\n"}
			if got := s.run(tt.args...); got != want {
				t.Errorf("got %+v\nwant %+v", got, want)
			}
		})
	}
	s.holds("a.ts", "foo(1);\n")
	s.noDecisions()
}

func TestHelp(t *testing.T) {
	s := newShell(t)
	for _, tt := range []struct {
		args string
		want string
	}{
		{"--help", programHelp},
		{"-h", programHelp},
		{"help", programHelp},
		{"help version", programHelp},
		{"version --help", programHelp},
		{"help serve", serveHelp},
		{"--help serve", serveHelp},
		{"serve --help", serveHelp},
		{"--stdio --help", serveHelp},
		{"help ast-edit", astEditHelp},
		{"ast-edit --help", astEditHelp},
		{"ast-edit -h", astEditHelp},
		{"ast-edit --pat x --help", astEditHelp},
	} {
		t.Run(tt.args, func(t *testing.T) { s.run(strings.Fields(tt.args)...).prints(t, tt.want) })
	}
}

// Every flag that the help names exists, and the other way round.
func TestHelpNamesEveryFlag(t *testing.T) {
	const width = 88 // fits a terminal of 90 columns
	s := newShell(t)
	for command, flags := range map[string][]string{
		"serve":    {"stdio", "log-level", "log-file"},
		"ast-edit": {"pat", "out", "sel", "lang", "glob", "limit", "json", "apply", "reason"},
	} {
		text, _ := helpOf(command)
		for _, name := range flags {
			if !strings.Contains(text, "\n  --"+name+" ") {
				t.Errorf("%s --help says nothing of --%s", command, name)
			}
		}
		for line := range strings.Lines(text) {
			if len([]rune(line)) > width+1 {
				t.Errorf("%s --help has a line longer than %d: %s", command, width, line)
			}
			if name, ok := strings.CutPrefix(line, "  --"); ok {
				name, _, _ = strings.Cut(strings.TrimSpace(name), " ")
				if o := s.run(command, "--"+name+"=x", "--no-such-flag"); strings.Contains(o.stderr, "unknown flag --"+name+"\n") {
					t.Errorf("%s has no flag --%s", command, name)
				}
			}
		}
	}
}

func TestVersion(t *testing.T) {
	s := newShell(t)
	for _, arg := range []string{"version", "--version"} {
		o := s.run(arg)
		if o.status != exitOK || o.stderr != "" || !strings.HasPrefix(o.stdout, "xcsh-lsp "+version+" (go") {
			t.Errorf("%s: %+v", arg, o)
		}
	}
}
