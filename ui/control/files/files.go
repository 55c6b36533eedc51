// Package files is the controller of the files of a conversation: it saves, opens, previews and
// downloads them, and exports the conversation itself.
//
// Nothing is downloaded unasked, because a URL could reveal the reader to its owner or make
// this machine call its neighbours. The user sees the real host first, and is asked again
// before a redirect to another one.
package files

import (
	"iter"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/a2a/hostname"
	"parley/session/export"
	"parley/session/log"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/chat"
	"parley/ui/control"
	"parley/ui/menu"
	"parley/ui/preview"
	"parley/ui/styles"
)

// Options are what the controller needs besides the host.
type Options struct {
	Dir    string // where files are saved; empty is the working directory
	Home   string // the user's home directory, empty if unknown
	Limits a2a.Limits
	// Secrets are those of the session, which no export shows; nil for a recording.
	Secrets *a2a.Secrets
	// Formats are those of exports, and Name is the name of the recording, empty for none.
	Formats []export.Format
	Name    string
	// Start starts an activity.
	Start func(control.Activity) tea.Cmd
	// Open opens a file by its absolute path in another program; nil if the system has none.
	// Its error is a clause.
	Open func(path string) error
	Now  func() time.Time
	// Keys returns how many keys were pressed.
	Keys func() int
}

// Panes are those that files come from.
type Panes struct {
	Chat *chat.Pane
	Wire interface {
		Select(record a2a.RecordID)
		// FilterText returns the filter of the wire, empty without one.
		FilterText() string
		// Marks returns the records that the user marked.
		Marks() iter.Seq[a2a.RecordID]
	}
}

// Links describes the addresses of files that are not part of the conversation.
type Links interface {
	// Host returns the host of a link as it is shown.
	Host(link string) string
	// Items returns what can be done with a link, for a menu.
	Items(link string) []menu.Item
}

// A Controller saves, opens, previews and downloads files.
type Controller struct {
	host    control.Host
	opts    Options
	panes   Panes
	links   Links
	preview *preview.Pane
	// downloads are the pending downloads by their turns.
	downloads map[a2a.TurnID]download
}

// New returns a controller.
func New(host control.Host, st *styles.Styles, o Options, panes Panes, links Links) *Controller {
	return &Controller{host: host, opts: o, panes: panes, links: links, preview: preview.New(st, o.Now), downloads: map[a2a.TurnID]download{}}
}

// OnItem continues downloads with what arrived.
func (c *Controller) OnItem(it *log.Item) tea.Cmd {
	if it.Signal != nil {
		return c.onSignal(it.Signal)
	}
	return c.showArtifact(it)
}

// Actions returns the actions on the file under the cursor, which have keys in the conversation, and those
// on a file of the conversation that the user names.
func (c *Controller) Actions() []action.Action[tea.Cmd] {
	none := action.If("nothing under the cursor of the conversation can be saved", func() bool { return !c.panes.Chat.Savable() })
	empty := action.If("the conversation contains no file of the agent", func() bool { return len(c.panes.Chat.ResultFiles(1)) == 0 })
	here := func(id action.ID, name string, p plan) action.Action[tea.Cmd] {
		return action.Action[tea.Cmd]{Row: action.Row{ID: id, Name: name, Now: action.Unless(none)}, Run: func() tea.Cmd {
			p.files = c.panes.Chat.FilesAtCursor()
			return c.carryOutOne(p)
		}}
	}
	byName := func(slash, name string, p plan) action.Action[tea.Cmd] {
		return action.Action[tea.Cmd]{
			Row: action.Row{Slash: slash, Takes: "[FILE]", Name: name, Now: action.Unless(empty)},
			Run: func() tea.Cmd { return c.choose(c.results(), p) }, With: c.byName(p), Offers: c.offers,
		}
	}
	return []action.Action[tea.Cmd]{
		here(chat.SaveFile, "Save the file under the cursor", plan{}),
		here(chat.SaveAndOpen, "Save and open the file under the cursor", plan{open: true}),
		here(chat.PreviewFile, "Preview the file under the cursor", plan{preview: true}),
		byName("preview", "Preview a file of this conversation", plan{preview: true}),
		byName("save", "Save a file of this conversation", plan{}),
	}
}

// Entries returns a finder command for each file of the conversation: it saves the file.
func (c *Controller) Entries() (out []control.Command) {
	for _, f := range c.results() {
		e := control.Command{Name: "Save " + canvas.SanitizeLine(f.Name), Note: f.About, Run: func() tea.Cmd { return c.carryOut(plan{files: []chat.File{f}}) }}
		if f.Link != "" && hostname.OfLink(f.Link) == "" {
			e.Why = c.onlyAddress()
		}
		out = append(out, e)
	}
	return out
}
