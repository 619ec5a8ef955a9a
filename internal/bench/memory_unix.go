//go:build unix

package main

import (
	"os"
	"syscall"
)

// peakMemory is in KiB on Linux and in bytes on macOS; only ratios are printed.
func peakMemory(state *os.ProcessState) int64 {
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		return int64(usage.Maxrss)
	}
	return 1
}
