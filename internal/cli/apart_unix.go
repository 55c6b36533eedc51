//go:build unix

package cli

import (
	"os/exec"
	"syscall"
)

// apart gives a command no terminal to read from or to write to.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
