// Package settings is the controller of the settings: it lists them as parley config does, and opens
// config.toml in the user's editor.
//
// The list is one of the finder, so that a setting is found by its name. Parley itself writes nothing
// into the file.
package settings

import (
	"bytes"

	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/control"
	"parley/ui/palette"
)

// A Setting is a setting as it is in effect, and where it comes from. Its value has no secret.
type Setting struct{ Name, Value, Source string }

// A Source says which settings there are.
type Source struct {
	// List has those of the command that runs, as they were at the start; none if nobody knows them.
	List []Setting
	// File is the path of config.toml, which need not exist; empty if there is no place for it.
	File string
	// Check reads the files of the settings again, and says in sentences what is wrong with them. It
	// is called outside of Update.
	Check func() []string
	// Home is the user's home directory, for shorter paths.
	Home string
}

// A Controller shows the settings.
type Controller struct {
	host   control.Host
	source Source
	editor Editor
}

// An Editor opens a file in the user's editor and sends the message that done returns. Done gets what
// the file had before and has after, nil if there is none; it is called outside of Update.
type Editor func(path string, done func(before, after []byte, err error) tea.Msg) tea.Cmd

// New returns a controller.
func New(host control.Host, source Source, editor Editor) *Controller {
	return &Controller{host: host, source: source, editor: editor}
}

// known says why the settings cannot be shown, empty if they can.
func (c *Controller) known() string {
	if len(c.source.List) == 0 {
		return "this program does not know its settings"
	}
	return ""
}

// Actions returns the action that shows the settings.
func (c *Controller) Actions() []action.Action[tea.Cmd] {
	return []action.Action[tea.Cmd]{{
		Row: action.Row{
			Slash: "settings", Name: "Settings: what is set, and where", Now: action.Unless(c.known),
			Also: []string{"config", "configuration", "preferences", "options", "config.toml", "tls", "cert", "proxy", "insecure", "font"},
		},
		Run: c.Open,
	}}
}

// Entries returns a finder command for each setting.
func (c *Controller) Entries() []control.Command {
	if c.known() != "" {
		return nil
	}
	var out []control.Command
	for _, s := range c.source.List {
		out = append(out, control.Command{
			Group: "setting", Name: title(s), Note: s.Source, Hidden: true, Run: func() tea.Cmd { return c.open(s.Name) },
		})
	}
	return out
}

// title returns the name of a setting with its value.
func title(s Setting) string {
	if s.Value == "" {
		return s.Name + ": none"
	}
	return s.Name + ": " + s.Value
}

// Open lists the settings.
func (c *Controller) Open() tea.Cmd { return c.open("") }

// open lists the settings that a text finds, all if it is empty. Each of them leads to config.toml.
func (c *Controller) open(text string) tea.Cmd {
	name, why := units.Path(c.source.File, c.source.Home), ""
	if c.source.File == "" {
		name, why = "config.toml", "no home directory is known, so there is no place for config.toml"
	}
	l := palette.List{Title: "settings", Hint: "a setting; each leads to config.toml", Text: text, Entries: []palette.Entry{{
		Group: "edit", Name: "Edit " + name, Note: "in your editor; Parley reads it at its start", Why: why, Value: control.Action(c.edit),
	}}}
	for _, s := range c.source.List {
		l.Entries = append(l.Entries, palette.Entry{Group: "setting", Name: title(s), Note: s.Source, Why: why, Value: control.Action(c.edit)})
	}
	c.host.Find(l)
	c.host.Touch()
	return nil
}

// edit opens config.toml in the user's editor, and says afterwards what is wrong with it.
func (c *Controller) edit() tea.Cmd {
	return c.editor(c.source.File, func(before, after []byte, err error) tea.Msg {
		var wrong []string
		if err == nil && after != nil {
			wrong = c.source.Check()
		}
		return control.DoneMsg(func() tea.Cmd {
			c.host.Touch()
			name := canvas.SanitizeLine(units.Path(c.source.File, c.source.Home))
			switch {
			case err != nil:
				return c.host.Say("The editor failed. Check $EDITOR.", true)
			case len(wrong) > 1:
				return c.host.Say(wrong[0]+" parley config says "+units.Count(len(wrong)-1)+" more.", true)
			case len(wrong) > 0:
				return c.host.Say(wrong[0], true)
			case after == nil:
				return c.host.Say(name+" was not saved: there is none.", false)
			case bytes.Equal(before, after):
				return nil
			}
			return c.host.Say(name+" is saved; Parley reads it at its next start.", false)
		})
	})
}
