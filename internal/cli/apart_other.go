//go:build !unix

package cli

import "os/exec"

// apart does nothing: a command has no terminal unless it is given one.
func apart(*exec.Cmd) {}
