//go:build !unix

package outlet

import (
	"os"
	"os/exec"
)

// detach does nothing: a command has no terminal by default.
func detach(*exec.Cmd) {}

// endAll ends a process.
func endAll(p *os.Process) error { return p.Kill() }
