// Command bench compares dry runs of our engine with ast-grep's: the same
// pattern over the same corpus, each in a process of its own, in turns, at the
// same number of threads. It prints ratios of CPU time, wall time and peak
// memory (ast-grep's over ours: above 1, ours is better). It asserts nothing:
// a shared machine's times prove nothing by themselves.
//
//	go run ./internal/bench -ast-grep PATH [-typescript DIR] [-threads 1,2] [-rounds 3]
//	go run ./internal/bench -warm -ast-grep PATH
//	go run ./internal/bench -breakdown
//
// Without -typescript the npm package @oh-my-pi/pi-coding-agent is fetched once
// into the user's cache folder.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

func main() {
	astGrep := flag.String("ast-grep", os.Getenv("XCSH_AST_GREP"), "ast-grep's program")
	golang := flag.String("go", "", "Go corpus; GOROOT/src where empty")
	python := flag.String("python", "", "Python corpus; python3's library where empty")
	typescript := flag.String("typescript", "", "TypeScript corpus; an npm package where empty")
	threads := flag.String("threads", "1,2", "numbers of threads")
	rounds := flag.Int("rounds", 3, "runs of each; the least time counts")
	only := flag.String("only", "", "measure only cases whose corpus or class holds this")
	breakdown := flag.Bool("breakdown", false, "print where the time of each case goes, at one thread, and compare nothing")
	warm := flag.Bool("warm", false, "measure our second run in one process, with trees kept, as in a server")
	once := flag.String("once", "", "for its own use: run one case as JSON")
	flag.Parse()
	if err := run(*once, *astGrep, [3]string{*golang, *python, *typescript}, *threads, *rounds, *only, *breakdown, *warm); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(once, astGrep string, dirs [3]string, threads string, rounds int, only string, breakdown, warm bool) error {
	if once != "" {
		return profiled(func() error { return runOnce(once) })
	}
	if astGrep == "" && !breakdown {
		return fmt.Errorf("name ast-grep's program with -ast-grep or XCSH_AST_GREP (npm install @ast-grep/cli@0.51.1)")
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	corpora, err := findCorpora(dirs)
	if err != nil {
		return err
	}
	chosen := slices.DeleteFunc(cases(corpora), func(c benchCase) bool { return !strings.Contains(c.corpus+" "+c.Class, only) })
	if breakdown {
		return printBreakdown(tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight), self, chosen)
	}
	if astGrep, err = filepath.EvalSymlinks(astGrep); err != nil {
		return err
	}
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	defer out.Flush()
	fmt.Fprintln(out, "corpus\tclass\tthreads\tast-grep CPU\tours\tCPU ratio\twall ratio\tmemory ratio\tmatches\t")
	for _, n := range strings.Split(threads, ",") {
		workers, err := strconv.Atoi(strings.TrimSpace(n))
		if err != nil || workers < 1 {
			return fmt.Errorf("-threads: %q is no number of threads", n)
		}
		for _, c := range chosen {
			c.Workers, c.Warm = workers, warm
			theirs, ours, err := c.compare(astGrep, self, rounds)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", c.corpus, c.Class, err)
			}
			fmt.Fprintf(out, "%s\t%s\t%d\t%.2fs\t%.2fs\t%.1f\t%.1f\t%.1f\t%s\t\n", c.corpus, c.Class, workers, theirs.cpu.Seconds(), ours.cpu.Seconds(),
				theirs.cpu.Seconds()/ours.cpu.Seconds(), theirs.wall.Seconds()/ours.wall.Seconds(), float64(theirs.memory)/float64(ours.memory), strings.TrimSpace(ours.output))
			out.Flush()
		}
	}
	return nil
}
