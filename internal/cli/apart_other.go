//go:build !unix

package cli

import (
	"os"
	"os/exec"
)

// apart does nothing: a command has no terminal by default.
func apart(*exec.Cmd) {}

// endAll ends a process.
func endAll(p *os.Process) error { return p.Kill() }
