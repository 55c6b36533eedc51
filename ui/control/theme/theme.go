// Package theme is the controller of the theme: it shows the list of themes, and saves the
// choice. It knows the theme that the user named or that the terminal's background chooses,
// and what the terminal has of its colours.
//
// What is on the screen follows from these and from the selected row of the list ([Controller.Refresh]),
// so that whatever closes the list brings the theme of before back.
package theme

import (
	"maps"
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
	"parley/themes"
	"parley/ui/action"
	"parley/ui/control"
	"parley/ui/styles"
	"parley/ui/themelist"
)

// SheetName is the name of the sheet of themes.
const SheetName control.SheetName = "themes"

// Options say which themes there are and where the choice is saved.
type Options struct {
	// Name is that of the theme; empty or auto lets the terminal's background choose.
	Name string
	// Loaded are themes that have been read, by their names: that of Name, and the user's.
	Loaded map[string]themes.Theme
	// Folder has the user's themes.
	Folder themes.Folder
	// Save saves the name of a theme for later runs and returns where. Nil if it cannot be saved.
	Save func(name string) (where string, err error)
	// Fixed is the place of a setting that names the theme of the next run, whatever is saved;
	// empty if there is none.
	Fixed string
	// Home is the user's home, for paths on the screen.
	Home string
}

// First returns the theme of the first frame: the background of the terminal is still unknown.
func (o *Options) First(depth themes.Depth) themes.Theme {
	name := o.Name
	if name == "" || name == themelist.Auto {
		name = "dark"
	}
	t, ok := o.Loaded[name]
	if !ok {
		t, ok = themes.ByName(name)
	}
	if !ok {
		t = themes.Dark()
	}
	return t.In(depth)
}

// A Controller chooses the theme.
type Controller struct {
	host  control.Host
	opts  Options
	draw  func(themes.Theme)
	pane  *themelist.Pane
	named string // auto for that of the background
	light bool   // the background of the terminal
	depth themes.Depth
	known map[string]themes.Theme // that were used
	own   []string                // names in the user's folder
	drawn themes.Theme
}

// New returns a controller of a screen that is drawn in [Options.First]. The function draw gives
// everything that is drawn another theme.
func New(host control.Host, st *styles.Styles, o Options, draw func(themes.Theme)) *Controller {
	c := &Controller{host: host, opts: o, draw: draw, pane: themelist.New(st), named: o.Name, known: map[string]themes.Theme{}, drawn: st.Theme, depth: st.Theme.Depth}
	maps.Copy(c.known, o.Loaded)
	if _, ok := c.known[o.Name]; !ok && !slices.Contains(themes.Names(), o.Name) {
		c.named = themelist.Auto
	}
	return c
}

// Adopt takes over what another controller knows, whose screen this one replaces.
func (c *Controller) Adopt(old *Controller) {
	c.named, c.light, c.depth, c.known, c.own, c.drawn = old.named, old.light, old.depth, old.known, old.own, old.drawn
}

// Auto reports whether the terminal's background chooses the theme.
func (c *Controller) Auto() bool { return c.named == themelist.Auto && c.depth != themes.NoColours }

// SetBackground sets whether the terminal's background is dark.
func (c *Controller) SetBackground(dark bool) {
	c.light = !dark
	c.Refresh()
}

// SetDepth sets how many colours the terminal has. NO_COLOR stays.
func (c *Controller) SetDepth(d themes.Depth) {
	if c.depth != themes.NoColours {
		c.depth = d
	}
	c.Refresh()
}

// Refresh draws the screen in the theme that belongs on it: the selected one while the list is
// open, otherwise the one that is kept.
func (c *Controller) Refresh() {
	name := c.named
	if c.host.Shows(SheetName) && c.pane.Selected() != "" {
		name = c.pane.Selected()
	}
	if t := c.theme(name).In(c.depth); t != c.drawn {
		c.drawn = t
		c.draw(t)
	}
}

// theme returns the theme of a name that has been read, or is built in.
func (c *Controller) theme(name string) themes.Theme {
	switch {
	case name == themelist.Auto && c.light:
		name = "light"
	case name == themelist.Auto:
		name = "dark"
	}
	if t, ok := c.known[name]; ok {
		return t
	}
	t, ok := themes.ByName(name)
	if !ok {
		t = themes.Dark()
	}
	c.known[name] = t
	return t
}

// Load finds out in the background which themes the user has.
func (c *Controller) Load() tea.Cmd {
	folder := c.opts.Folder
	if folder.Path == "" {
		return nil
	}
	return func() tea.Msg {
		own := folder.Own()
		return control.DoneMsg(func() tea.Cmd {
			c.own = own
			return nil
		})
	}
}

// names returns the names of all themes that are known to exist.
func (c *Controller) names() []string {
	out := themes.Names()
	for _, name := range c.own {
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// Open shows the list. The user's files are read in the background, because they may have changed.
func (c *Controller) Open() tea.Cmd {
	c.pane.Open(c.entries(nil), c.named, c.hint())
	c.host.Open(SheetName)
	folder := c.opts.Folder
	read := func() tea.Msg {
		files := map[string]themelist.Entry{}
		for _, name := range folder.Own() {
			t, mistakes, _ := folder.Load(name)
			files[name] = themelist.Entry{Name: name, About: t.About, Theme: t, Problem: problem(mistakes, t)}
		}
		return control.DoneMsg(func() tea.Cmd { return c.onRead(files) })
	}
	return tea.Batch(read, tea.RequestBackgroundColor)
}

// problem returns a sentence about a user's theme, empty if nothing is wrong.
func problem(mistakes []string, t themes.Theme) string {
	all := append(slices.Clone(mistakes), t.Shortfalls()...)
	if len(all) == 0 {
		return ""
	}
	s := all[0]
	if len(all) > 1 {
		s += "; and " + units.Plural(len(all)-1, "more mistake")
	}
	return s + "."
}

// onRead takes the user's themes.
func (c *Controller) onRead(files map[string]themelist.Entry) tea.Cmd {
	c.own = c.own[:0:0]
	for name, e := range files {
		c.own = append(c.own, name)
		c.known[name] = e.Theme
	}
	slices.Sort(c.own)
	c.pane.SetEntries(c.entries(files))
	c.host.Touch()
	return nil
}

// entries returns the rows of the list. What the user's files say is in files, if they were read.
func (c *Controller) entries(files map[string]themelist.Entry) []themelist.Entry {
	out := []themelist.Entry{{Name: themelist.Auto, About: "Dark or light, by the terminal's background", Theme: c.theme(themelist.Auto).In(c.depth)}}
	for _, name := range c.names() {
		e, ok := files[name]
		if !ok {
			t := c.theme(name)
			e = themelist.Entry{Name: name, About: t.About, Theme: t}
		}
		e.Theme = e.Theme.In(c.depth)
		out = append(out, e)
	}
	return out
}

// hint says what can be done beside choosing.
func (c *Controller) hint() string {
	switch {
	case c.depth == themes.NoColours:
		return "This terminal shows no colours, or NO_COLOR is set: all themes look alike."
	case c.depth == themes.Indexes16:
		return "This terminal has 16 colours, its own: themes differ only in their background."
	case c.opts.Folder.Path == "":
		return ""
	default:
		return "Your own: NAME.toml in " + units.Path(c.opts.Folder.Path, c.opts.Home) + "."
	}
}

// Sheet describes the list. The panes behind it keep their colours.
func (c *Controller) Sheet() control.Sheet {
	p := c.pane
	return control.NewSheet(p, c.onIntent, control.Sheet{Name: SheetName, Help: "themes", KeepsCtrlC: true, Width: p.Wants, Clear: true})
}

// onIntent carries out what the list asks for.
func (c *Controller) onIntent(in themelist.Intent) tea.Cmd {
	switch in := in.(type) {
	case themelist.Close:
		c.host.Close()
	case themelist.Keep:
		c.host.Close()
		return c.keep(in.Name)
	}
	c.host.Touch()
	return nil
}

// keep uses a theme from now on, and saves its name.
func (c *Controller) keep(name string) tea.Cmd {
	c.named = name
	c.Refresh()
	words := "theme " + name
	switch {
	case c.opts.Fixed != "":
		return c.host.Say(words+" for this run: "+units.Path(c.opts.Fixed, c.opts.Home)+" names another one for the next", false)
	case c.opts.Save == nil:
		return c.host.Say(words, false)
	}
	save, home := c.opts.Save, c.opts.Home
	return func() tea.Msg {
		where, err := save(name)
		return control.DoneMsg(func() tea.Cmd {
			if err != nil {
				return c.host.Say(words+" for this run: it cannot be saved, because "+err.Error(), true)
			}
			return c.host.Say(words+", saved in "+units.Path(where, home), false)
		})
	}
}

// Actions returns the actions that work everywhere.
func (c *Controller) Actions() []action.Action[tea.Cmd] {
	return []action.Action[tea.Cmd]{{
		Row: action.Row{
			Keys: []string{"alt+t"}, Does: "choose theme",
			Slash: "theme", Takes: "[NAME]", Name: "Choose a theme", Also: []string{"colors", "colours", "font", "appearance"},
		},
		Run: c.Open, With: c.Choose,
		Offers: func(arg string) []action.Offer { return control.Matching(arg, c.offers()) },
	}}
}

// Entries returns a finder command for each theme.
func (c *Controller) Entries() (out []control.Command) {
	for _, name := range append([]string{themelist.Auto}, c.names()...) {
		out = append(out, control.Command{Name: "Theme " + name, Run: func() tea.Cmd { return c.Choose(name) }})
	}
	return out
}

func (c *Controller) offers() []action.Offer {
	out := []action.Offer{{Text: themelist.Auto}}
	for _, name := range c.names() {
		out = append(out, action.Offer{Text: name})
	}
	return out
}

// Choose keeps the theme of a name; without one, it shows the list.
func (c *Controller) Choose(name string) tea.Cmd {
	switch {
	case name == "":
		return c.Open()
	case name == themelist.Auto:
		return tea.Batch(c.keep(name), tea.RequestBackgroundColor)
	}
	folder := c.opts.Folder
	if folder.Path == "" || slices.Contains(themes.Names(), name) && !slices.Contains(c.own, name) {
		_, ok := themes.ByName(name)
		return c.chosen(name, ok, "")
	}
	return func() tea.Msg {
		t, mistakes, ok := folder.Load(name)
		return control.DoneMsg(func() tea.Cmd {
			if ok {
				c.known[name] = t
			}
			return c.chosen(name, ok, problem(mistakes, t))
		})
	}
}

// Use draws everything in the theme of a name for this run. The problem is a sentence.
func (c *Controller) Use(name string) string {
	_, ok := themes.ByName(name)
	if _, known := c.known[name]; !ok && !known && c.opts.Folder.Path != "" {
		t, mistakes, found := c.opts.Folder.Load(name)
		if why := problem(mistakes, t); found && why != "" {
			return why
		}
		if ok = found; ok {
			c.known[name] = t
		}
	} else if known || name == themelist.Auto {
		ok = true
	}
	if !ok {
		return "There is no theme " + name + "."
	}
	c.named = name
	c.Refresh()
	return ""
}

// chosen keeps a theme if there is one, and says what is wrong with its file.
func (c *Controller) chosen(name string, ok bool, why string) tea.Cmd {
	switch {
	case !ok:
		return c.host.Say("There is no theme "+name+": type /theme and a space to list them.", true)
	case why != "":
		c.named = name
		c.Refresh()
		return c.host.Say(why, true)
	default:
		return c.keep(name)
	}
}
