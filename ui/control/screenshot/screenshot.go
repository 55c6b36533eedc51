// Package screenshot is the controller that saves the screen as a file: as a PNG, or as the text
// that the terminal got.
package screenshot

import (
	"path/filepath"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/internal/filename"
	"parley/internal/units"
	"parley/themes"
	"parley/ui/action"
	"parley/ui/control"
	"parley/ui/shot"
)

// A Screen is what is on the screen.
type Screen struct {
	View  tea.View
	W, H  int
	Theme themes.Theme
}

// Frame returns the cells of the screen.
func (s Screen) Frame() shot.Frame {
	var cursor *shot.Point
	if c := s.View.Cursor; c != nil {
		cursor = &shot.Point{X: c.X, Y: c.Y}
	}
	return shot.Read(s.View.Content, s.W, s.H, shot.GroundOf(s.Theme), cursor)
}

// Options are what the controller needs.
type Options struct {
	Dir    string // of new files; empty is the working directory
	Home   string // the user's, for paths on the screen
	Now    func() time.Time
	Screen func() Screen
}

// A Controller saves screenshots.
type Controller struct {
	host control.Host
	opts Options
}

// New returns a controller.
func New(host control.Host, o Options) *Controller { return &Controller{host: host, opts: o} }

// Actions returns the action that saves one.
func (c *Controller) Actions() []action.Action[tea.Cmd] {
	return []action.Action[tea.Cmd]{{
		Row: action.Row{Slash: "screenshot", Takes: "[FILE]", Name: "Save a screenshot (.png, .ansi)", Also: []string{"share", "picture", "image"}},
		Run: func() tea.Cmd { return c.Save("") }, With: c.Save,
	}}
}

// Save writes the screen to a new file, whose name has the time if none is given. What lies over
// the panes has been closed by then, so the screen is taken after the next frame.
func (c *Controller) Save(path string) tea.Cmd {
	ending := strings.ToLower(filepath.Ext(path))
	switch {
	case path == "":
		path, ending = "parley-"+c.opts.Now().Format("2006-01-02-150405")+".png", ".png"
	case ending == "":
		path, ending = path+".png", ".png"
	case ending != ".png" && ending != ".ansi":
		return c.host.Say("A screenshot is a .png or an .ansi file, not "+filepath.Ext(path)+".", true)
	}
	if c.opts.Home != "" && strings.HasPrefix(path, "~/") {
		path = filepath.Join(c.opts.Home, path[2:])
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.opts.Dir, path)
	}
	return func() tea.Msg {
		return control.DoneMsg(func() tea.Cmd {
			screen := c.opts.Screen()
			return func() tea.Msg { return c.write(screen.Frame(), path, ending) }
		})
	}
}

// write writes a frame to a new file and reports that.
func (c *Controller) write(f shot.Frame, path, ending string) tea.Msg {
	data, err := f.ANSI(), error(nil)
	if ending == ".png" {
		data, err = f.PNG()
	}
	if err == nil {
		var written string
		if written, err = filename.WriteNew(filepath.Dir(path), filepath.Base(path), data); err == nil {
			path = written
		}
	}
	return control.DoneMsg(func() tea.Cmd {
		if err != nil {
			return c.host.Say("Could not save the screenshot to "+units.Path(path, c.opts.Home)+": "+units.FileError(err)+".", true)
		}
		if abs, err := filepath.Abs(path); err == nil {
			path = abs
		}
		return c.host.Say("saved "+units.Bytes(int64(len(data)))+" to "+units.Path(path, c.opts.Home), false)
	})
}
