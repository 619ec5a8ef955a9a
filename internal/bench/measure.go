package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/xcsh-lsp/xcsh-lsp/astedit"
	"github.com/xcsh-lsp/xcsh-lsp/internal/diskfile"
)

const replacement = "x"

type measurement struct {
	cpu, wall time.Duration
	memory    int64 // peak resident, in the unit of the system
	output    string
}

// least keeps the least of both: what the machine's other work adds is no
// property of the program.
func (m measurement) least(other measurement) measurement {
	return measurement{min(m.cpu, other.cpu), min(m.wall, other.wall), min(m.memory, other.memory), other.output}
}

// compare runs both programs in turns.
func (c benchCase) compare(astGrep, self string, rounds int) (theirs, ours measurement, err error) {
	request, err := json.Marshal(c)
	if err != nil {
		return theirs, ours, err
	}
	args := []string{"run", "-j", strconv.Itoa(c.Workers), "-l", c.lang, "-p", c.Pattern, "-r", replacement, "--json=stream"}
	if c.Selector != "" {
		args = append(args, "--selector", c.Selector)
	}
	args = append(args, "--no-ignore", "hidden", c.Dir)
	for i := range max(rounds, 1) {
		a, err := measure(false, astGrep, args...)
		if err != nil {
			return theirs, ours, err
		}
		b, err := measure(true, self, "-once", string(request))
		if err != nil {
			return theirs, ours, err
		}
		if c.Warm {
			if b, err = b.secondRun(); err != nil {
				return theirs, ours, err
			}
		}
		if i == 0 {
			theirs, ours = a, b
		}
		theirs, ours = theirs.least(a), ours.least(b)
	}
	return theirs, ours, nil
}

func measure(keepOutput bool, program string, args ...string) (measurement, error) {
	cmd := exec.Command(program, args...)
	var out strings.Builder
	if keepOutput {
		cmd.Stdout = &out
	}
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 && !keepOutput {
		err = nil // ast-grep: no match
	}
	if err != nil {
		return measurement{}, fmt.Errorf("%s: %w", program, err)
	}
	state := cmd.ProcessState
	return measurement{state.UserTime() + state.SystemTime(), wall, peakMemory(state), out.String()}, nil
}

// runOnce is the child: a dry run with its preview, as the tool makes it.
func runOnce(request string) error {
	var c benchCase
	if err := json.Unmarshal([]byte(request), &c); err != nil {
		return err
	}
	engine, err := astedit.NewEngine()
	if err != nil {
		return err
	}
	if c.Warm {
		engine.KeepTrees(warmBudget)
	}
	w := astedit.Workspace{Folders: []astedit.Folder{{Path: c.Dir}}, Documents: disk{}}
	req := astedit.Request{Ops: []astedit.Op{{Pat: c.Pattern, Out: replacement}}, Sel: c.Selector, Glob: &c.Glob}
	run := func() (*astedit.Result, error) {
		return engine.Run(context.Background(), w, req, astedit.Options{Workers: c.Workers})
	}
	if c.Warm {
		if _, err := run(); err != nil {
			return err
		}
	}
	began, spent := time.Now(), cpuTime()
	if !c.Warm {
		return c.stream(engine, w, req)
	}
	result, err := run()
	if err != nil {
		return err
	}
	if _, err := os.Stderr.WriteString(result.Text()); err != nil { // Fprint would copy all of it
		return err
	}
	_, err = fmt.Println(result.TotalReplacements(), cpuTime()-spent, time.Since(began))
	return err
}

// stream is a dry run as `xcsh-lsp ast-edit --stream` makes it: like ast-grep's, which
// is asked for a stream too, it prints a file's changes when they are found.
func (c benchCase) stream(engine *astedit.Engine, w astedit.Workspace, req astedit.Request) error {
	out, replacements := bufio.NewWriter(os.Stderr), 0
	_, err := engine.Each(context.Background(), w, req, astedit.Options{Workers: c.Workers}, func(f *astedit.FileEdit) error {
		replacements += len(f.Changes)
		_, err := out.WriteString(f.Text())
		return err
	})
	if err == nil {
		err = out.Flush()
	}
	if err == nil {
		_, err = fmt.Println(replacements)
	}
	return err
}

// warmBudget is the default of the setting astEdit.cacheMB.
const warmBudget = 512 << 20

// secondRun takes the times of a child's second run from what it printed.
func (m measurement) secondRun() (measurement, error) {
	fields := strings.Fields(m.output)
	if len(fields) != 3 {
		return m, fmt.Errorf("the child printed %q", m.output)
	}
	m.output = fields[0]
	var err, err2 error
	m.cpu, err = time.ParseDuration(fields[1])
	m.wall, err2 = time.ParseDuration(fields[2])
	return m, errors.Join(err, err2)
}

// disk is a workspace without open documents.
type disk struct{}

func (disk) OpenText(string) ([]byte, bool)       { return nil, false }
func (disk) OpenPaths() []string                  { return nil }
func (disk) ReadFile(path string) ([]byte, error) { return os.ReadFile(path) }

func (disk) ReadInto(path string, buffer []byte) ([]byte, error) {
	return diskfile.ReadInto(path, buffer)
}
