package agents

import (
	"errors"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/roster"
	"parley/internal/units"
)

// fileMsg is sent when the file of saved and recent agents was read or changed, or could not
// be.
type fileMsg struct {
	Content roster.Content
	Err     error
	Changed bool          // the file was changed, not only read
	Said    string        // the sentence that reports the change
	Name    string        // the new name of an agent
	Agents  []a2a.AgentID // the agents that get the name
}

// Load returns the command that reads the file, nil if there is none.
func (c *Controller) Load() tea.Cmd {
	file := c.options.Saved.File
	if file == nil {
		return nil
	}
	return func() tea.Msg {
		content, err := file.Load()
		return fileMsg{Content: content, Err: err}
	}
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
		return fileMsg{Content: content, Err: err, Changed: true, Said: said, Name: name, Agents: ids}
	}
}

// onFile takes over the content of the file.
func (c *Controller) onFile(msg fileMsg) tea.Cmd {
	if msg.Err != nil {
		return c.onFileError(msg)
	}
	c.content, c.stale = msg.Content, true
	c.actions.Reoffer()
	c.host.Touch()
	for _, id := range msg.Agents {
		c.host.Engine().SetAgentName(id, msg.Name)
	}
	if msg.Said == "" {
		return nil
	}
	return c.host.Say(msg.Said, false)
}

// onFileError reports why the file was not read or changed.
func (c *Controller) onFileError(msg fileMsg) tea.Cmd {
	path, why := units.Path(c.options.Saved.File.Path(), c.options.Home), units.FileError(msg.Err)
	switch {
	case !msg.Changed && c.options.Saved.Problem != nil:
		return nil
	case errors.Is(msg.Err, roster.ErrNameTaken), errors.Is(msg.Err, roster.ErrUnknown):
		return c.host.Say("Nothing was saved: "+msg.Err.Error()+".", true)
	case errors.Is(msg.Err, roster.ErrUnreadable):
		return c.host.Say("The list of saved agents is not used: "+msg.Err.Error()+". Parley renames it when you save an agent: "+path, true)
	case !msg.Changed:
		return c.host.Say("The saved agents in "+path+" cannot be read: "+why+".", true)
	case msg.Said == "": // a recent agent that is not remembered is no loss
		return nil
	default:
		return c.host.Say("Nothing could be saved in "+path+": "+why+".", true)
	}
}
