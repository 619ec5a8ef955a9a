package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/pprof"
	"strconv"
	"text/tabwriter"
	"time"
)

// A phase of a run is told by the functions on a sample's stack. C code counts for
// the Go function that called it.
type phase struct{ name, functions string }

// phases in order: a sample belongs to the first that fits.
func phases() []phase {
	return []phase{
		{"listing", `internal/scope\.`},
		{"reading", `readInto|diskfile\.|ReadFile`},
		{"parsing", `internal/syntax\.\(\*Parser\)`},
		{"scanning", `MayMatch|unreadableText|holeFinder|internal/blocks\.`},
		{"matching", `FindAround|\(\*scanner\)\.(find|edit)`},
		{"printing", `\(\*Result\)\.Text`},
		{"memory", `gcBgMarkWorker|bgsweep|bgscavenge|mallocgc`},
		{"the rest", `.`},
	}
}

// profileVariable asks the child for a profile of its run, in the file that it names.
const profileVariable = "XCSH_BENCH_PROFILE"

// profiled runs f under the profiler where the parent asked for it.
func profiled(f func() error) error {
	path := os.Getenv(profileVariable)
	if path == "" {
		return f()
	}
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	defer out.Close()
	if err := pprof.StartCPUProfile(out); err != nil {
		return err
	}
	defer pprof.StopCPUProfile()
	return f()
}

// printBreakdown prints where the time of each case goes, in milliseconds of CPU.
func printBreakdown(out *tabwriter.Writer, self string, all []benchCase) error {
	fmt.Fprint(out, "corpus\tclass\t")
	for _, p := range phases() {
		fmt.Fprintf(out, "%s\t", p.name)
	}
	fmt.Fprintln(out)
	for _, c := range all {
		times, err := c.breakdown(self)
		if err != nil {
			return fmt.Errorf("%s, %s: %w", c.corpus, c.Class, err)
		}
		fmt.Fprintf(out, "%s\t%s\t", c.corpus, c.Class)
		for _, t := range times {
			fmt.Fprintf(out, "%d\t", t.Milliseconds())
		}
		fmt.Fprintln(out)
		if err := out.Flush(); err != nil {
			return err
		}
	}
	return nil
}

func (c benchCase) breakdown(self string) ([]time.Duration, error) {
	dir, err := os.MkdirTemp("", "xcsh-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	profile := filepath.Join(dir, "cpu.pprof")
	c.Workers = 1
	request, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self, "-once", string(request))
	cmd.Env = append(os.Environ(), profileVariable+"="+profile)
	if err := cmd.Run(); err != nil {
		return nil, err
	}
	var times []time.Duration
	earlier := ""
	for _, p := range phases() {
		t, err := sampled(profile, p.functions, earlier)
		if err != nil {
			return nil, err
		}
		times = append(times, t)
		if earlier != "" {
			earlier += "|"
		}
		earlier += p.functions
	}
	return times, nil
}

// sampled is the time of the samples whose stacks have a function that focus fits
// and none that ignore fits.
func sampled(profile, focus, ignore string) (time.Duration, error) {
	args := []string{"tool", "pprof", "-top", "-unit=ms", "-focus=" + focus}
	if ignore != "" {
		args = append(args, "-ignore="+ignore)
	}
	// Without a sample that fits pprof says so and prints no sum.
	printed, err := exec.Command("go", append(args, profile)...).Output()
	if err != nil {
		return 0, fmt.Errorf("go tool pprof: %w", err)
	}
	sum := regexp.MustCompile(`accounting for ([0-9.]+)ms`).FindSubmatch(printed)
	if sum == nil {
		return 0, nil
	}
	ms, err := strconv.ParseFloat(string(sum[1]), 64)
	return time.Duration(ms * float64(time.Millisecond)), err
}
