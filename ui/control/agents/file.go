package agents

import (
	"errors"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/roster"
	"parley/internal/units"
	"parley/ui/control"
)

// Load returns the command that reads the file of saved and recent agents, nil if there is none.
func (c *Controller) Load() tea.Cmd {
	file := c.options.Saved.File
	if file == nil {
		return nil
	}
	return func() tea.Msg {
		content, err := file.Load()
		return control.DoneMsg(func() tea.Cmd { return c.onLoaded(content, err) })
	}
}

// onLoaded takes over the content of the file, or reports why it was not read.
func (c *Controller) onLoaded(content roster.Content, err error) tea.Cmd {
	switch {
	case err == nil:
		c.setContent(content)
		return nil
	case c.options.Saved.Problem != nil:
		return nil
	case errors.Is(err, roster.ErrUnreadable):
		return c.host.Say("The list of saved agents is not used: "+err.Error()+". Parley renames it when you save an agent: "+c.path(), true)
	default:
		return c.host.Say("The saved agents in "+c.path()+" cannot be read: "+units.FileError(err)+".", true)
	}
}

// setContent takes over the content of the file.
func (c *Controller) setContent(content roster.Content) {
	c.content, c.stale = content, true
	c.actions.Reoffer()
	c.host.Touch()
}

// change returns the command that changes the file and reports it. The agents ids then have the
// name.
func (c *Controller) change(change func(*roster.Content) error, said, name string, ids ...a2a.AgentID) tea.Cmd {
	file := c.options.Saved.File
	if file == nil {
		return c.host.Say("There is no folder to save agents in: neither $XDG_STATE_HOME nor $HOME is set.", true)
	}
	return func() tea.Msg {
		content, err := file.Update(change)
		return control.DoneMsg(func() tea.Cmd {
			if err != nil {
				return c.onChangeError(err)
			}
			c.setContent(content)
			for _, id := range ids {
				c.host.Engine().SetAgentName(id, name)
			}
			return c.host.Say(said, false)
		})
	}
}

// onChangeError reports why the file was not changed.
func (c *Controller) onChangeError(err error) tea.Cmd {
	if errors.Is(err, roster.ErrNameTaken) || errors.Is(err, roster.ErrUnknown) {
		return c.host.Say("Nothing was saved: "+err.Error()+".", true)
	}
	return c.host.Say("Nothing could be saved in "+c.path()+": "+units.FileError(err)+".", true)
}

// path returns the path of the file as it is shown.
func (c *Controller) path() string {
	return units.Path(c.options.Saved.File.Path(), c.options.Home)
}
