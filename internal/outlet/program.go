package outlet

import (
	"context"
	"os/exec"
)

// Program returns a program with its arguments, which no shell reads. It ends with ctx.
func Program(ctx context.Context, words ...string) *exec.Cmd {
	return exec.CommandContext(ctx, words[0], words[1:]...)
}

// Apart is [Program] for one that has no terminal: it can neither read keys nor write on the screen. With
// ctx, it ends with all programs that it started.
func Apart(ctx context.Context, words ...string) *exec.Cmd {
	cmd := Program(ctx, words...)
	detach(cmd)
	cmd.Cancel = func() error { return endAll(cmd.Process) }
	return cmd
}
