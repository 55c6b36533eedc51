//go:build unix

package main

import (
	"os/exec"
	"syscall"
	"time"
)

// stopWhole makes the end of the command's context an end of all that the command started.
func stopWhole(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 10 * time.Second
}
