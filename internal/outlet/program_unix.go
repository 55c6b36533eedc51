//go:build unix

package outlet

import (
	"os"
	"os/exec"
	"syscall"
)

// detach takes the terminal away from a command.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// endAll ends a detached process, with those that it started.
func endAll(p *os.Process) error { return syscall.Kill(-p.Pid, syscall.SIGKILL) }
