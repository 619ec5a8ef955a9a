package subprocess

import (
	"os/exec"
	"strconv"
	"syscall"
)

func lead(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP, HideWindow: true}
}

// askToEnd does nothing: a program without a window cannot be asked here.
func askToEnd(*exec.Cmd) {}

func killTree(cmd *exec.Cmd) {
	_ = exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)).Run()
	_ = cmd.Process.Kill() // where taskkill is missing
}
