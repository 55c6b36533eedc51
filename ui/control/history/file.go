package history

import (
	tea "charm.land/bubbletea/v2"

	store "parley/internal/history"
	"parley/internal/units"
	"parley/session/model"
	"parley/ui/composer"
	"parley/ui/control"
)

// Load returns the command that reads the messages of earlier runs, nil without a file.
func (c *Controller) Load() tea.Cmd {
	file := c.options.File
	if file == nil {
		return nil
	}
	return func() tea.Msg {
		entries, err := file.Load()
		return control.DoneMsg(func() tea.Cmd { return c.onLoaded(entries, err) })
	}
}

// onLoaded takes the messages of earlier runs.
func (c *Controller) onLoaded(entries []store.Entry, err error) tea.Cmd {
	c.earlier = map[string][]string{}
	for _, e := range entries {
		c.earlier[e.Agent] = append(c.earlier[e.Agent], e.Text)
	}
	c.host.Touch()
	if err != nil && c.options.Problem == nil {
		return c.host.Say("The messages of earlier runs cannot be read: "+units.FileError(err)+".", true)
	}
	return nil
}

// Keep saves a sent message for later runs, with a mask in place of credentials and tokens. It
// does not save a secret message, nor the answer to a task that asks for credentials.
func (c *Controller) Keep(d composer.Draft, to model.Target) tea.Cmd {
	state := c.host.State()
	a, file := state.Agent(to.Agent), c.options.File
	if file == nil || d.Confidential() || a == nil || a.Card == nil {
		return nil
	}
	if t := state.Task(to.Agent, to.TaskID); t.AsksSecret() {
		return nil
	}
	e := store.Entry{Time: c.options.Now(), Agent: storedName(a), Text: c.host.Engine().Mask(d.Text)}
	return func() tea.Msg {
		if err := file.Add(e); err != nil {
			return control.DoneMsg(func() tea.Cmd { return c.onSaveError(err) })
		}
		return nil
	}
}

// onSaveError says once that messages cannot be saved for later runs.
func (c *Controller) onSaveError(err error) tea.Cmd {
	if c.unkept || c.options.Problem != nil {
		return nil
	}
	c.unkept = true
	return c.host.Say("Messages cannot be saved for later runs: "+units.FileError(err)+".", true)
}
