package match_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// oracleVariable names the environment variable with the path of the reference
// program, ast-grep.
const oracleVariable = "XCSH_AST_GREP"

// oracle runs the released ast-grep program, the reference for what a pattern
// matches and what a template gives (ast_edit.md, head).
type oracle struct{ program, dir string }

func newOracle(t testing.TB) *oracle {
	t.Helper()
	program := os.Getenv(oracleVariable)
	if program == "" {
		if testing.Short() {
			t.Skipf("%s is not set", oracleVariable)
		}
		t.Fatalf("%s is not set: run `npm install --prefix DIR @ast-grep/cli@0.51.1` and set it to DIR/node_modules/.bin/ast-grep, or test with -short", oracleVariable)
	}
	return &oracle{program, t.TempDir()}
}

// write puts source where the oracle finds it and returns the path.
func (o *oracle) write(t testing.TB, name, source string) string {
	t.Helper()
	path := filepath.Join(o.dir, name)
	if err := os.WriteFile(path, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// rewrite is one match with the text that replaces it.
type rewrite struct {
	Start, End  int
	Replacement string
}

func (r rewrite) String() string { return fmt.Sprintf("%d-%d %q", r.Start, r.End, r.Replacement) }

// rewrites lists all matches of pattern in the file. refused means that the
// program does not take the pattern.
func (o *oracle) rewrites(lang, pattern, out, selector, strictness, path string) (found []rewrite, refused bool, err error) {
	args := []string{"run", "-l", lang, "--pattern=" + pattern, "--rewrite=" + out, "--strictness=" + strictness, "--json=compact"}
	if selector != "" {
		args = append(args, "--selector="+selector)
	}
	stdout, stderr, err := o.run(append(args, path)...)
	if err != nil {
		if strings.Contains(stderr, "Cannot parse query") {
			return nil, true, nil
		}
		return nil, false, fmt.Errorf("%w: %s", err, stderr)
	}
	var matches []struct {
		Range       struct{ ByteOffset struct{ Start, End int } }
		Replacement string
	}
	if err := json.Unmarshal(stdout, &matches); err != nil {
		return nil, false, fmt.Errorf("%w in %q", err, stdout)
	}
	for _, m := range matches {
		found = append(found, rewrite{m.Range.ByteOffset.Start, m.Range.ByteOffset.End, m.Replacement})
	}
	return found, false, nil
}

// run starts the program; that nothing matched (exit status 1) is no error.
func (o *oracle) run(args ...string) (stdout []byte, stderr string, err error) {
	var out, errOut bytes.Buffer
	cmd := exec.Command(o.program, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = o.dir, &out, &errOut
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 && out.Len() > 0 {
		err = nil
	}
	return out.Bytes(), errOut.String(), err
}

// spot is one node of a syntax tree, by what both programs can tell of it.
type spot struct {
	Kind       string
	Start, End int
	Named      bool
}

var debugLine = regexp.MustCompile(`^ *(?:[a-z_]+: )?(\S+) \((\d+),(\d+)\)-\((\d+),(\d+)\)$`)

// spots returns the nodes of text as the oracle's grammar reads it: it prints the
// tree of a query, and any text can be one. It does not make metavariables
// parseable first: that is up to the caller.
func (o *oracle) spots(lang, text string) ([]spot, error) {
	all, err := o.printed(lang, text, "cst")
	if err != nil {
		return nil, err
	}
	named, err := o.printed(lang, text, "ast")
	if err != nil {
		return nil, err
	}
	left := map[spot]int{}
	for _, s := range named {
		left[s]++
	}
	for i, s := range all {
		if left[s] > 0 {
			left[s]--
			all[i].Named = true
		}
	}
	return all, nil
}

// printed returns the nodes that the program prints: all ("cst") or the named ones
// ("ast").
func (o *oracle) printed(lang, text, which string) ([]spot, error) {
	stdout, stderr, err := o.run("run", "-l", lang, "--pattern="+text, "--debug-query="+which, os.DevNull)
	printed := string(stdout) + stderr
	if !strings.Contains(printed, "Debug "+strings.ToUpper(which)+":") {
		return nil, fmt.Errorf("no tree printed: %w: %s", err, printed)
	}
	starts := []int{0}
	for i := range len(text) {
		if text[i] == '\n' {
			starts = append(starts, i+1)
		}
	}
	offset := func(line, column string) int {
		l, _ := strconv.Atoi(line)
		c, _ := strconv.Atoi(column)
		if l >= len(starts) {
			return len(text)
		}
		return starts[l] + c
	}
	var spots []spot
	for line := range strings.SplitSeq(printed, "\n") {
		if m := debugLine.FindStringSubmatch(line); m != nil {
			spots = append(spots, spot{Kind: m[1], Start: offset(m[2], m[3]), End: offset(m[4], m[5])})
		}
	}
	return spots, nil
}
