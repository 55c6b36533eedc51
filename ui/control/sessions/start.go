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
			if newest != nil && newest.Interrupted() && goesOn(newest) {
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
	// maxNewest is how many recordings the start screen lists, and maxGoOn how many sessions to go
	// on with.
	maxNewest, maxGoOn = 4, 3
	// maxLooked is how many sessions are looked at for them, and batch how many are read before the
	// screen shows them.
	maxLooked, batch = 40, 4
	// maxNamed is the longest file that is read for that, and maxRead how much is read in all, in bytes.
	maxNamed, maxRead = 16 << 20, 64 << 20
)

// Recorded is what the start screen lists of the recorded sessions.
type Recorded struct {
	Count  int               // of all
	GoOn   []catalog.Session // that were interrupted, or have a task that is not over; those that wait for the user first
	Newest []catalog.Session // recordings with a message
}

// loadNewest reads the newest sessions, some at a time, until there are enough for the start screen,
// and gives them to it.
func (c *Controller) loadNewest(list []catalog.Session, count int) tea.Cmd {
	if c.o.Start == nil {
		return nil
	}
	list = slices.DeleteFunc(list, func(s catalog.Session) bool { return s.Path == c.o.Own || s.Size <= headerSize || s.ContinuedIn != "" })
	list = affordable(list[:min(len(list), maxLooked)])
	c.o.Start(choose(list, count))
	return c.readNext(list, count, 0)
}

// affordable returns the first sessions, as many as can be read without much work.
func affordable(list []catalog.Session) []catalog.Session {
	left := int64(maxRead)
	for i := range list {
		if s := &list[i]; s.Summary == nil && s.Size <= maxNamed {
			if left -= s.Size; left < 0 {
				return list[:i]
			}
		}
	}
	return list
}

// readNext reads the next sessions from a place in the list on.
func (c *Controller) readNext(list []catalog.Session, count, from int) tea.Cmd {
	if from >= len(list) || len(choose(list[:from], 0).Newest) >= maxNewest {
		return nil
	}
	to := min(from+batch, len(list))
	return func() tea.Msg {
		list := slices.Clone(list)
		short := slices.DeleteFunc(slices.Clone(list[from:to]), func(s catalog.Session) bool { return s.Size > maxNamed })
		c.o.Catalog.Read(context.Background(), short, func(s catalog.Session) {
			for i := range list {
				if list[i].Path == s.Path {
					list[i] = s
				}
			}
		})
		return control.DoneMsg(func() tea.Cmd {
			c.o.Start(choose(list, count))
			c.host.Touch()
			return c.readNext(list, count, to)
		})
	}
}

// choose returns what the start screen lists of sessions, the newest of which come first.
func choose(list []catalog.Session, count int) Recorded {
	r := Recorded{Count: count}
	for i := range list {
		switch s := &list[i]; {
		case goesOn(s) && len(r.GoOn) < maxGoOn:
			r.GoOn = append(r.GoOn, *s)
		case tells(s) && len(r.Newest) < maxNewest:
			r.Newest = append(r.Newest, *s)
		}
	}
	rank := func(s *catalog.Session) int {
		switch open := s.Summary.Open; {
		case len(open) == 0:
			return 2
		case open[0].Waits:
			return 0
		}
		return 1
	}
	slices.SortStableFunc(r.GoOn, func(a, b catalog.Session) int { return rank(&a) - rank(&b) })
	return r
}

// goesOn reports whether there is something to go on with in a session. The agents of the demo have
// ended.
func goesOn(s *catalog.Session) bool {
	return s.Summary != nil && !s.Held && !s.Summary.Embedded && (len(s.Summary.Open) > 0 || s.Interrupted())
}

// tells reports whether a recording is worth a row: it has a message, and is no run of the demo that
// the user neither named nor pinned. One that is too long to be read has a row.
func tells(s *catalog.Session) bool {
	if s.Summary == nil {
		return s.Size > maxNamed
	}
	a := &s.Annotations
	own := a.Title != "" || a.Note != "" || a.Pinned || len(a.Tags) > 0
	return s.Summary.Messages > 0 && (own || !s.Summary.Embedded)
}

// GoOn goes on with a session, or shows it where nothing can be sent.
func (c *Controller) GoOn(path string) tea.Cmd {
	if c.o.Resume != nil {
		return c.o.Resume(path)
	}
	return c.Show(path)
}

// ShowInterrupted goes on with the newest session, which was interrupted.
func (c *Controller) ShowInterrupted() tea.Cmd {
	if c.broken == nil {
		return nil
	}
	return c.GoOn(c.broken.Path)
}
