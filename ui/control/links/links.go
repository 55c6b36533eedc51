// Package links is the controller of links in messages of agents: it shows where a link leads
// before it opens or copies it.
package links

import (
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
	"parley/session/log"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/control"
	"parley/ui/menu"
)

const (
	// maxHost is how many cells the host of a link takes in a menu, a list or a notice: it fits
	// beside other words in 80 columns.
	maxHost = 40
	// maxAddress is how many cells a link takes in a menu.
	maxAddress = 44
	// maxChoices is how many links a menu offers, one for each digit.
	maxChoices = 9
)

// Options are what the controller needs besides the host.
type Options struct {
	// Browse opens an http or https URL in the browser; nil if the system has none.
	Browse func(url string) error
	// Remote reports whether the terminal is at the other end of an ssh connection, where no
	// browser opens for the user.
	Remote   bool
	Ellipsis string // marks shortened links
}

// A Controller opens links.
type Controller struct {
	host control.Host
	opts Options
}

// New returns a controller.
func New(host control.Host, o Options) *Controller { return &Controller{host: host, opts: o} }

// Host returns the host of a link as it is shown; only its end if it is long.
func (c *Controller) Host(link string) string {
	return canvas.HostIn(link, maxHost, c.opts.Ellipsis)
}

// address returns a link as it is shown, shortened if it is long.
func (c *Controller) address(link string) string {
	return canvas.Ellipsize(canvas.SanitizeLine(link), maxAddress, c.opts.Ellipsis)
}

// Items returns what can be done with a link, for a menu that shows where it leads.
func (c *Controller) Items(link string) []menu.Item {
	open := menu.Item{Key: "o", Name: "open in the browser", Note: c.address(link), Value: control.Action(func() tea.Cmd { return c.open(link) })}
	switch {
	case c.opts.Browse == nil:
		open.Why = "there is no program to open links: copy it"
	case c.opts.Remote:
		open.Why = "the terminal is on another machine: copy it"
	}
	copies := control.Action(func() tea.Cmd { return c.host.Copy(link, "the link") })
	return []menu.Item{open, {Key: "y", Name: "copy link", Note: open.Note, Value: copies}}
}

// Ask shows where a link leads, and offers to open it.
func (c *Controller) Ask(link string) tea.Cmd {
	c.host.Menu("it leads to "+c.Host(link), "a link of an agent", c.Items(link))
	return nil
}

// Choose lets the user choose one of an agent's links, and then asks about it.
func (c *Controller) Choose(links []string) tea.Cmd {
	if len(links) == 1 {
		return c.Ask(links[0])
	}
	items := make([]menu.Item, 0, len(links))
	for i, link := range links {
		ask := control.Action(func() tea.Cmd { return c.Ask(link) })
		items = append(items, menu.Item{Key: strconv.Itoa(i + 1), Name: c.Host(link), Note: c.address(link), Value: ask})
	}
	c.host.Menu("choose a link", "links of an agent", items)
	return nil
}

// OpenWaiting asks about the link of a waiting task: one of the conversation on the screen,
// else of another one.
func (c *Controller) OpenWaiting() tea.Cmd {
	here, elsewhere := c.waiting()
	if len(here) == 0 {
		here = elsewhere
	}
	if len(here) == 0 {
		return c.host.Say("No task that waits for you has a link.", true)
	}
	return c.Choose(here[:min(len(here), maxChoices)])
}

// waiting returns the links of waiting tasks, newest first, of the conversation on the screen
// and of others.
func (c *Controller) waiting() (here, elsewhere []string) {
	for _, t := range slices.Backward(c.host.State().Waiting()) {
		if t.Conversation.ID == c.host.Place().Conversation {
			here = append(here, log.Links(t.Prompt)...)
		} else {
			elsewhere = append(elsewhere, log.Links(t.Prompt)...)
		}
	}
	return here, elsewhere
}

// open has the system open a link.
func (c *Controller) open(link string) tea.Cmd {
	c.host.Engine().HurryAuthPolls()
	failed := false
	return tea.Batch(c.host.SayUntil("opening "+c.Host(link)+" in the browser; the task continues here by itself", false, func() bool { return failed }), func() tea.Msg {
		if c.opts.Browse(link) == nil {
			return nil
		}
		return control.DoneMsg(func() tea.Cmd {
			failed = true
			return c.host.Say("The link could not be opened: no program for links was found. Copy it from the conversation.", true)
		})
	})
}

// Actions returns the actions that work everywhere.
func (c *Controller) Actions() []action.Action[tea.Cmd] {
	return []action.Action[tea.Cmd]{{
		Row: action.Row{ID: action.OpenLink, Keys: []string{"alt+o"}, Does: "open link", Slash: "link", Name: "Open the link of a waiting task", Now: action.Unless(action.If("no waiting task has a link", func() bool {
			here, elsewhere := c.waiting()
			return len(here)+len(elsewhere) == 0
		}))},
		Run: c.OpenWaiting,
	}}
}

// Entries returns a finder command for each link of the waiting tasks of the conversation.
func (c *Controller) Entries() []control.Command {
	conv := c.host.Conversation()
	if conv == nil {
		return nil
	}
	var out []control.Command
	for _, t := range conv.Tasks {
		if !t.Asks() {
			continue
		}
		for _, link := range log.Links(t.Prompt) {
			out = append(out, control.Command{
				Name: "Open the link of task " + units.ID(canvas.SanitizeLine(t.ID)) + " at " + c.Host(link), Note: t.State.String(),
				Run: func() tea.Cmd { return c.Ask(link) },
			})
		}
	}
	return out
}
