package cli

import (
	"errors"
	"strings"

	"parley/a2a"
	"parley/internal/crash"
	"parley/session/tap"
	"parley/ui"
)

// openTaps starts the taps of the command line, before the screen is drawn.
func (a *app) openTaps(set *tap.Set, w workbench) error {
	if err := a.startTaps(set, w.taps); err != nil {
		return err
	}
	return writeTapsReady(w.tapsReady, set.List())
}

// A sheetOfTaps gives the screen the taps of the session.
type sheetOfTaps struct {
	app *app
	set *tap.Set
}

var _ ui.Taps = (*sheetOfTaps)(nil)

// Taps returns the taps as the sheet shows them.
func (s *sheetOfTaps) Taps() []ui.Tap {
	var all []ui.Tap
	for _, t := range s.set.List() {
		all = append(all, shownTap(t))
	}
	return all
}

func shownTap(t tap.State) ui.Tap {
	return ui.Tap{Name: t.Name, URL: t.URL, Target: t.Target, Agent: t.Agent, Exchanges: t.Counts.Exchanges, Open: t.Counts.Open, Fault: tapFaultWords(t.Faults)}
}

// Begin starts a tap in front of an agent.
func (s *sheetOfTaps) Begin(target string) (ui.Tap, error) {
	t, err := s.set.Start(s.app.ctx, "", target, "")
	return shownTap(t), err
}

// Stop stops a tap. Its clients lose their connections, which may take a moment.
func (s *sheetOfTaps) Stop(agent a2a.AgentID) { go crash.Guarded(func() { s.set.Stop(agent) })() }

// SetFault sets the fault that a tap injects.
func (s *sheetOfTaps) SetFault(agent a2a.AgentID, text string) error {
	faults, err := parseTapFaults(text)
	if err != nil {
		return errors.New(strings.TrimSuffix(err.Error(), "."))
	}
	on := s.set.Faults(agent)
	if on == nil {
		return errors.New("the tap was stopped")
	}
	on.Off("")
	for _, f := range faults {
		on.On(f)
	}
	return nil
}
