package attachments

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/internal/attach"
	"parley/internal/units"
	"parley/ui/composer"
	"parley/ui/control"
)

// A drop is a pasted text that consists of file names: a terminal pastes them when files are
// dropped on it. It stays text unless the user attaches the files.
type drop struct {
	text  string // the pasted text
	at    control.Place
	paths []string
	words string // describes the files
}

// OnPaste checks in the background whether a text pasted into the message names files.
func (c *Controller) OnPaste(text string) tea.Cmd {
	paths := attach.Paths(text, c.o.Home)
	if len(paths) == 0 || control.Refusal(c.host) != "" || c.o.Composer.Secret() {
		return nil
	}
	d := drop{text: strings.TrimSpace(text), at: c.host.Place(), paths: paths}
	return func() tea.Msg {
		var size int64
		for _, path := range paths {
			f, err := attach.Look(path)
			if err != nil {
				return nil
			}
			size += f.Size
			d.words = f.Name() + ", " + f.Type.Media + ", " + units.Bytes(f.Size)
		}
		if len(paths) > 1 {
			d.words = units.Plural(len(paths), "file") + ", " + units.Bytes(size)
		}
		return control.DoneMsg(func() tea.Cmd {
			c.drop = d
			c.host.Touch()
			return nil
		})
	}
}

// showDrop shows the offer while the names are in the text.
func (c *Controller) showDrop() {
	d := &c.drop
	if d.words == "" {
		return
	}
	if _, found := d.cut(c.o.Composer.Value()); !found || d.at != c.host.Place() {
		*d = drop{}
	}
	c.o.Composer.SetDrop(d.words)
}

// cut returns a text without the names of the files, and whether it had them.
func (d *drop) cut(text string) (rest string, found bool) {
	names := composer.Normalize(d.text)
	if strings.HasPrefix(text, "/"+names) { // with this slash a path is no command
		text = text[1:]
	}
	before, after, found := strings.Cut(text, names)
	if rest = before + after; strings.TrimSpace(rest) == "" {
		rest = ""
	}
	return rest, found
}

// takeDrop attaches the files whose names were pasted and removes the names. It reports false
// if there are none.
func (c *Controller) takeDrop() (tea.Cmd, bool) {
	c.showDrop()
	d := c.drop
	if d.words == "" {
		return nil, false
	}
	c.drop = drop{}
	rest, _ := d.cut(c.o.Composer.Value())
	c.o.Composer.SetValue(rest)
	c.o.Composer.SetDrop("")
	return c.AttachFiles(d.paths), true
}
