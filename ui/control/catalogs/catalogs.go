// Package catalogs is the controller of AI catalogs: it reads one outside of Update, compares its
// entries with the saved agents, and opens and saves agents of it.
package catalogs

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/catalogs"
	"parley/session/log"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/catalog"
	"parley/ui/control"
	"parley/ui/looks"
	"parley/ui/menu"
	"parley/ui/styles"
)

// SheetName is the name of the sheet of a catalog.
const SheetName control.SheetName = "catalog"

// Options say what the controller works with.
type Options struct {
	// Saved returns the saved agents with what was seen of their cards. It reads files. Nil has
	// none.
	Saved func() []catalogs.Saved
	// Free reports whether the user is writing nothing, so that the sheet may open by itself.
	Free func() bool
	// Open opens an agent by its reference.
	Open func(ref string) tea.Cmd
	// Save asks for the name under which to save an agent.
	Save func(ref, name string) tea.Cmd
	// Dismiss closes an agent that turned out to be a catalog.
	Dismiss func(a2a.AgentID)
}

// A Controller shows a catalog.
type Controller struct {
	host   control.Host
	o      Options
	ctx    context.Context
	pane   *catalog.Pane
	shown  catalog.Content   // the one on the sheet
	behind []catalog.Content // the catalogs in which it was found, the first first

	number int // of the newest reading
	cancel context.CancelFunc
}

// New returns a controller whose reading ends with ctx.
func New(ctx context.Context, host control.Host, st *styles.Styles, o Options) *Controller {
	return &Controller{ctx: ctx, host: host, o: o, pane: catalog.New(st)}
}

// Sheet describes the sheet.
func (c *Controller) Sheet() control.Sheet {
	return control.NewSheet(c.pane, c.onIntent, control.Sheet{Name: SheetName, Help: "catalog", Wide: true, Typing: c.pane.Typing, Paste: c.pane.Paste})
}

// Actions returns the actions that the finder names.
func (c *Controller) Actions() []action.Action[tea.Cmd] {
	return []action.Action[tea.Cmd]{{
		Row: action.Row{Slash: "catalog", Takes: "[URL]", Name: "Browse a catalog of agents", Now: action.Unless(c.host.Refusal)},
		Run: c.Open, With: c.Browse,
	}}
}

// Open shows the catalog that was read last, otherwise that of the host of the agent on the
// screen.
func (c *Controller) Open() tea.Cmd {
	if why := c.host.Refusal(); why != "" {
		return c.host.Say(why, true)
	}
	if c.shown.Ref != "" && !c.shown.Loading {
		c.host.Open(SheetName)
		return c.compare()
	}
	if a := c.host.Agent(); a != nil {
		if origin := a2a.TypedOrigin(a.Ref); origin != "" {
			return c.Browse(origin)
		}
	}
	return c.host.Say("Write the address of a catalog: /catalog https://agents.example.", true)
}

// Browse shows the catalog at an address; without one, as [Controller.Open].
func (c *Controller) Browse(ref string) tea.Cmd {
	switch why := c.host.Refusal(); {
	case strings.TrimSpace(ref) == "":
		return c.Open()
	case why != "":
		return c.host.Say(why, true)
	case ref == "-" || !a2a.LooksLikeAddress(ref):
		return c.host.Say(canvas.SanitizeLine(ref)+" is not an address: write the URL of a catalog, its host, or a file.", true)
	}
	c.behind = nil
	return c.read(ref)
}

// read reads a catalog and shows it.
func (c *Controller) read(ref string) tea.Cmd {
	c.stop()
	ctx, cancel := context.WithCancel(c.ctx)
	c.cancel = cancel
	c.show(catalog.Content{Ref: ref, Loading: true})
	c.host.Open(SheetName)
	number, engine, saved := c.number, c.host.Engine(), c.o.Saved
	return func() tea.Msg {
		read := engine.ReadCatalog(ctx, ref)
		matches := compared(&read, saved)
		return control.DoneMsg(func() tea.Cmd {
			if number == c.number {
				c.show(catalog.Content{Ref: ref, Catalog: read, Matches: matches})
			}
			return nil
		})
	}
}

// stop ends the reading that is under way.
func (c *Controller) stop() {
	c.number++
	if c.cancel != nil {
		c.cancel()
		c.cancel = nil
	}
}

// show shows a catalog in the sheet.
func (c *Controller) show(content catalog.Content) {
	content.Within = len(c.behind)
	c.shown = content
	c.pane.SetContent(content)
	c.host.Touch()
}

// compared compares the entries of a catalog with the saved agents.
func compared(read *a2a.Catalog, saved func() []catalogs.Saved) []catalogs.Match {
	if saved == nil {
		return nil
	}
	return catalogs.Compare(read, saved())
}

// compare compares again: agents may have been saved or opened since.
func (c *Controller) compare() tea.Cmd {
	number, read, saved := c.number, c.shown.Catalog, c.o.Saved
	return func() tea.Msg {
		matches := compared(&read, saved)
		return control.DoneMsg(func() tea.Cmd {
			if number == c.number && !c.shown.Loading {
				c.shown.Matches = matches
				c.show(c.shown)
			}
			return nil
		})
	}
}

// OnSignal shows the catalog that was opened like an agent, if the user sees it and writes nothing.
func (c *Controller) OnSignal(s *log.Signal) tea.Cmd {
	if s == nil || s.Kind != log.SignalOpened || s.Class != a2a.ClassCatalog || c.host.Refusal() != "" {
		return nil
	}
	if shown := c.host.Agent(); shown == nil || shown.ID != s.Agent || c.host.Covered() || !c.o.Free() {
		return nil
	}
	c.o.Dismiss(s.Agent)
	return c.Browse(s.Ref)
}

// onIntent carries out what the sheet asks for.
func (c *Controller) onIntent(in catalog.Intent) tea.Cmd {
	switch in := in.(type) {
	case catalog.Open:
		c.host.Close()
		return c.o.Open(in.Ref)
	case catalog.Browse:
		return c.askBrowse(in)
	case catalog.Save:
		return c.o.Save(in.Ref, in.Name)
	case catalog.Copy:
		return c.host.Copy(in.Text, "the reference")
	case catalog.Reload:
		return c.read(c.shown.Ref)
	case catalog.Refused:
		return c.host.Say(canvas.SanitizeLine(in.Why), true)
	case catalog.Back:
		if n := len(c.behind); n > 0 {
			c.stop()
			last := c.behind[n-1]
			c.behind = c.behind[:n-1]
			c.show(last)
			return nil
		}
		c.close()
	case catalog.Close:
		c.close()
	}
	return nil
}

func (c *Controller) close() {
	if c.shown.Loading {
		c.stop()
		c.show(catalog.Content{})
	}
	c.host.Close()
}

// askBrowse asks before a catalog is read that another one names: from then on it is an address
// that the user gave.
func (c *Controller) askBrowse(in catalog.Browse) tea.Cmd {
	back := func() tea.Cmd { c.host.Open(SheetName); return nil }
	read := func() tea.Cmd {
		c.behind = append(c.behind, c.shown)
		return c.read(in.URL)
	}
	note := "it counts as an address that you gave: credentials for all agents go there too"
	c.host.Menu("read the catalog at "+canvas.SanitizeLine(looks.Reference(in.URL))+"?", note, []menu.Item{
		{Key: "n", Name: "leave it", Value: control.Action(back)}, // enter is the safe answer
		{Key: "y", Name: "read it", Value: control.Action(read)},
	})
	return nil
}
