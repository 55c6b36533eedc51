package sessions

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/session/catalog"
	"parley/ui/control"
)

// maxStart is the longest file that is read at the start, in bytes.
const maxStart = 64 << 20

// headerSize is more than the first line of a file has, in bytes: a smaller file has no record.
const headerSize = 160

// Load counts the recorded sessions for the start screen, and reads the newest, which may have
// been interrupted.
func (c *Controller) Load() tea.Cmd {
	if c.o.Catalog == nil || c.o.Offer == nil {
		return nil
	}
	return func() tea.Msg {
		list, err := c.o.Catalog.List()
		var newest *catalog.Session
		others := 0
		for i := range list {
			if list[i].Path == c.o.Own {
				continue
			}
			others++
			if newest == nil && !list[i].Held && list[i].Size > headerSize {
				newest = &list[i]
			}
		}
		if newest != nil && newest.Summary == nil && newest.Size <= maxStart {
			c.o.Catalog.Read(context.Background(), []catalog.Session{*newest}, func(s catalog.Session) { newest = &s })
		}
		return control.DoneMsg(func() tea.Cmd {
			if err != nil || others == 0 {
				return nil // the sheet says why
			}
			words := ""
			if newest != nil && newest.Interrupted() {
				c.broken = newest
				words = newest.Began().Local().Format("2 Jan, 15:04")
				if title := newest.Title(); title != "" {
					words = title + ", " + words
				}
			}
			c.o.Offer(others, words)
			c.host.Touch()
			return c.loadNewest(list, others)
		})
	}
}

const (
	// maxNewest is how many recordings the start screen lists.
	maxNewest = 4
	// maxNamed is the longest file that is read for its name there, in bytes.
	maxNamed = 16 << 20
)

// loadNewest reads what names the newest sessions, and gives them to the start screen.
func (c *Controller) loadNewest(list []catalog.Session, count int) tea.Cmd {
	if c.o.Start == nil {
		return nil
	}
	var newest []catalog.Session
	for _, s := range list {
		if s.Path != c.o.Own && s.Size > headerSize && len(newest) < maxNewest && (c.broken == nil || s.Path != c.broken.Path) {
			newest = append(newest, s)
		}
	}
	c.o.Start(count, c.broken, newest)
	return func() tea.Msg {
		short := slices.DeleteFunc(slices.Clone(newest), func(s catalog.Session) bool { return s.Size > maxNamed })
		c.o.Catalog.Read(context.Background(), short, func(s catalog.Session) {
			for i := range newest {
				if newest[i].Path == s.Path {
					newest[i] = s
				}
			}
		})
		return control.DoneMsg(func() tea.Cmd {
			c.o.Start(count, c.broken, newest)
			c.host.Touch()
			return nil
		})
	}
}

// ShowInterrupted goes on with the newest session, which was interrupted, or shows it where nothing
// can be sent.
func (c *Controller) ShowInterrupted() tea.Cmd {
	switch {
	case c.broken == nil:
		return nil
	case c.o.Resume != nil:
		return c.o.Resume(c.broken.Path)
	}
	return c.Show(c.broken.Path)
}
