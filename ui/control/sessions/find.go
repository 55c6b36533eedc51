package sessions

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/session/catalog"
	"parley/ui/canvas"
	"parley/ui/control"
	"parley/ui/styles"
)

// maxFound is how many of the newest recordings are read for the finder, which lists all.
const maxFound = 200

// Find reads the recorded sessions in the background for [Controller.Entries], and calls found,
// inside Update, when there are other ones.
func (c *Controller) Find(found func()) tea.Cmd {
	if c.o.Catalog == nil {
		return nil
	}
	ctx, number := c.finding.begin()
	put := func(list []catalog.Session) {
		if number == c.finding.number {
			c.found = list
			found()
		}
	}
	return func() tea.Msg {
		list, err := c.o.Catalog.List()
		list = slices.DeleteFunc(list, func(s catalog.Session) bool { return s.Path == c.o.Own || s.Size <= headerSize })
		return control.DoneMsg(func() tea.Cmd {
			if err != nil { // the sheet says why
				return nil
			}
			put(slices.Clone(list))
			return func() tea.Msg {
				short := slices.DeleteFunc(slices.Clone(list[:min(len(list), maxFound)]), func(s catalog.Session) bool { return s.Size > maxNamed })
				c.o.Catalog.Read(ctx, short, func(s catalog.Session) {
					for i := range list {
						if list[i].Path == s.Path {
							list[i] = s
						}
					}
				})
				return control.DoneMsg(func() tea.Cmd { put(list); return nil })
			}
		})
	}
}

// Entries returns a finder command for each recorded session that was read: it shows the recording.
func (c *Controller) Entries(st *styles.Styles) []control.Command {
	var out []control.Command
	for i := range c.found {
		s := &c.found[i]
		about := []string{s.Began().Local().Format("2 Jan, 15:04")}
		also := []string{s.Name()}
		if s.Summary != nil {
			if len(s.Summary.Agents) > 0 {
				about = append(about, strings.Join(s.Summary.Agents, ", "))
			}
			also = append(also, s.Summary.Prompt)
		}
		name := s.Title()
		if name == "" {
			name = s.Name()
		}
		out = append(out, control.Command{
			Group: "recording", Name: canvas.SanitizeLine(name), Note: canvas.SanitizeLine(strings.Join(about, " "+st.G[styles.Separator]+" ")),
			Also: append(also, s.Annotations.Tags...), Hidden: true, Run: func() tea.Cmd { return c.Show(s.Path) },
		})
	}
	return out
}
