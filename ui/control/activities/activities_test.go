package activities

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/internal/panetest"
	"parley/session/model"
	"parley/themes"
	"parley/ui/control"
	"parley/ui/control/controltest"
	"parley/ui/styles"
)

func TestMain(m *testing.M) { panetest.Main(m) }

// start returns a controller with an activity, and the command that does its work.
func start(ctx context.Context, work func(context.Context, func(done, total int)) (func() tea.Cmd, error)) (*Controller, *controltest.Host, tea.Cmd) {
	h := controltest.NewHost(model.NewState())
	c := New(ctx, h, styles.New(themes.Mono(), styles.Unicode()), time.Now)
	cmd := c.Start(control.Activity{Name: "export", About: "the session", Canceled: "It was canceled.", Work: work})
	for _, part := range cmd().(tea.BatchMsg) {
		if part != nil {
			return c, h, part
		}
	}
	return c, h, nil
}

func TestAnActivityEndsInAResultOrASentence(t *testing.T) {
	for want, err := range map[string]error{"done": nil, "It was canceled.": context.Canceled, "The export failed: no room.": errors.New("no room")} {
		var c *Controller
		var h *controltest.Host
		c, h, work := start(t.Context(), func(_ context.Context, report func(int, int)) (func() tea.Cmd, error) {
			report(1, 2)
			return func() tea.Cmd { return h.Say("done", false) }, err
		})
		if why := controltest.Commands(c.Actions())[0].Why; why != "" {
			t.Errorf("got the reason %q while it runs, want none", why)
		}
		work().(control.DoneMsg)()
		if got := h.LastNotice().Text; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		if why := controltest.Commands(c.Actions())[0].Why; why == "" {
			t.Error("the ended activity can be shown, want a reason why not")
		}
		c.Wait(time.Minute)
	}
}

func TestAnActivityEndsWithTheProgram(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c, _, work := start(ctx, func(ctx context.Context, _ func(int, int)) (func() tea.Cmd, error) {
		<-ctx.Done()
		return nil, os.ErrDeadlineExceeded
	})
	go work()
	c.Wait(time.Nanosecond) // does not wait for ever
	cancel()
	c.Wait(time.Minute)
	c.Cancel()
	if c.current != nil {
		t.Error("the activity still runs")
	}
}
