package ui

import (
	"context"
	"errors"
	"os"

	tea "charm.land/bubbletea/v2"
)

// fps is the renderer's limit; bulk text is repainted less often (see frame).
const fps = 120

// Run shows the workbench on the terminal of in and out until the person quits
// or ctx ends. The terminal is restored whatever happens.
func Run(ctx context.Context, o Options, in, out *os.File, env []string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w := newOutput(out)
	defer w.Close()
	m := New(ctx, o)
	m.out = w
	p := tea.NewProgram(m,
		tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(w),
		tea.WithFPS(fps), tea.WithEnvironment(env),
	)
	_, err := p.Run()
	if errors.Is(err, tea.ErrProgramKilled) && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}
