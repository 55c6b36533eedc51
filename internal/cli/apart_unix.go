//go:build unix

package cli

import (
	"os"
	"os/exec"
	"syscall"
)

// apart gives a command no terminal to read from or to write to.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// endAll ends a process that was set apart, with those that it started.
func endAll(p *os.Process) error { return syscall.Kill(-p.Pid, syscall.SIGKILL) }
