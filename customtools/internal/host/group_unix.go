//go:build unix

package host

import (
	"os/exec"
	"syscall"
)

// lead makes the process the leader of a group, which its children join.
func lead(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
