package main

import (
	"errors"
	"flag"
	"fmt"
	"strings"
)

// anyArguments and noArguments say whether a command takes arguments beside its
// flags.
const (
	anyArguments = true
	noArguments  = false
)

// parseFlags reads a command line. Other than the flag package it takes flags
// after arguments too: one that is written behind a PATH, as most tools allow,
// must not become a PATH and so be lost. `--` ends the flags.
//
// The error is for the user; it is [flag.ErrHelp] where the help is asked for.
func parseFlags(flags *flag.FlagSet, args []string, takesArguments bool) (arguments []string, err error) {
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		if arg == "--" {
			arguments = append(arguments, args...)
			break
		}
		if len(arg) < 2 || arg[0] != '-' {
			arguments = append(arguments, arg)
			continue
		}
		if args, err = setFlag(flags, arg, args); err != nil {
			return nil, err
		}
	}
	if len(arguments) > 0 && !takesArguments {
		return nil, fmt.Errorf("unexpected argument %q", arguments[0])
	}
	return arguments, nil
}

// setFlag sets the flag in arg, whose value may be the first of the args that
// follow, and returns those that are left.
func setFlag(flags *flag.FlagSet, arg string, args []string) (rest []string, err error) {
	spelled, value, hasValue := strings.Cut(arg, "=")
	name := strings.TrimPrefix(spelled[1:], "-")
	f := flags.Lookup(name)
	switch {
	case f == nil && (name == "help" || name == "h"):
		return nil, flag.ErrHelp
	case f == nil:
		return nil, fmt.Errorf("unknown flag %s", spelled)
	case hasValue:
	case isSwitch(f):
		value = "true"
	case len(args) == 0:
		return nil, fmt.Errorf("--%s needs a value", name)
	default:
		value, args = args[0], args[1:]
	}
	if err := flags.Set(name, value); err != nil {
		return nil, fmt.Errorf("--%s %q: %w", name, value, err)
	}
	return args, nil
}

// isSwitch: the flag package's own sign of a flag that needs no value.
func isSwitch(f *flag.Flag) bool {
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// appendTo makes a flag that may be repeated.
func appendTo(list *[]string) func(string) error {
	return func(value string) error {
		*list = append(*list, value)
		return nil
	}
}

// once makes a flag that may not: the one that counts would be a guess.
func once(into **string) func(string) error {
	return func(value string) error {
		if *into != nil {
			return errors.New("the flag is given twice")
		}
		*into = &value
		return nil
	}
}
