//go:build unix

package cli

import (
	"os"
	"os/exec"
	"syscall"
)

// apart detaches a command from the terminal.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// endAll ends a detached process, with those that it started.
func endAll(p *os.Process) error { return syscall.Kill(-p.Pid, syscall.SIGKILL) }
