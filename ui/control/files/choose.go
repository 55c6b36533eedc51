package files

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a/hostname"
	"parley/internal/units"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/chat"
	"parley/ui/menu"
)

// maxResults is how many files of a conversation the finder lists at most: the newest.
const maxResults = 100

// results returns the files that the agent made in the conversation on the screen.
func (c *Controller) results() []chat.File { return c.panes.Chat.ResultFiles(maxResults) }

// OnFilesIntent saves, opens or previews the files under the cursor of the conversation.
func (c *Controller) OnFilesIntent(in chat.Files) tea.Cmd {
	return c.carryOutOne(plan{files: in.List, open: in.Open, preview: in.Look})
}

// carryOutOne carries out a plan with one of its files. If there are several the user chooses.
func (c *Controller) carryOutOne(p plan) tea.Cmd {
	if len(p.files) == 1 {
		return c.carryOut(p)
	}
	return c.choose(p.files, p)
}

// choose shows a menu of files for a plan that takes one.
func (c *Controller) choose(files []chat.File, p plan) tea.Cmd {
	const digits = 9
	items := make([]menu.Item, 0, len(files)+1)
	var here []chat.File
	for i, f := range files {
		one := p
		one.files = files[i : i+1]
		it := menu.Item{Key: " ", Name: canvas.SanitizeLine(f.Name), Note: f.About, Value: c.action(one)}
		if i < digits {
			it.Key = strconv.Itoa(i + 1)
		}
		switch {
		case f.Link == "":
			here = append(here, f)
		case hostname.OfLink(f.Link) == "" && !p.open:
			it.Why = c.onlyAddress()
		default:
			it.Note += ", at " + c.links.Host(f.Link)
		}
		items = append(items, it)
	}
	title := "open"
	switch {
	case p.preview:
		title = "preview"
	case !p.open:
		title = "save"
		if len(here) > 1 {
			items = append(items, menu.Item{Key: "a", Name: "all of them", Note: units.Plural(len(here), "file"), Value: c.action(plan{files: here})})
		}
	}
	c.host.Menu(title, units.Plural(len(files), "file"), items)
	return nil
}

// offers completes the argument of /save and /preview.
func (c *Controller) offers(arg string) []action.Offer {
	var out []action.Offer
	for _, f := range c.results() {
		if (f.Link == "" || hostname.OfLink(f.Link) != "") && strings.HasPrefix(strings.ToLower(f.Name), strings.ToLower(arg)) {
			out = append(out, action.Offer{Text: f.Name, Note: f.About})
		}
	}
	return out
}

// byName returns the function that carries out a plan with the newest file whose name is,
// begins with or contains a text.
func (c *Controller) byName(p plan) func(name string) tea.Cmd {
	return func(name string) tea.Cmd {
		files := c.results()
		name = strings.ToLower(strings.TrimSpace(name))
		if name == "" {
			return c.choose(files, p)
		}
		for _, fits := range []func(s, name string) bool{func(s, name string) bool { return s == name }, strings.HasPrefix, strings.Contains} {
			for _, f := range files {
				if fits(strings.ToLower(f.Name), name) {
					p.files = []chat.File{f}
					return c.carryOut(p)
				}
			}
		}
		return c.host.Say("The conversation contains no file of that name: type /save and a space to list its files.", true)
	}
}
