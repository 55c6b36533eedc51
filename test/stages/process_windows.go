package main

import (
	"os/exec"
	"time"
)

// stopWhole lets the command end a while after its context, although programs that it started hold its output.
func stopWhole(cmd *exec.Cmd) { cmd.WaitDelay = 10 * time.Second }
