package sessions

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/internal/crash"
	"parley/session/catalog"
)

// A found is a session in which a text occurs.
type found struct {
	path string
	hits []catalog.Hit
}

// find searches the records of all sessions; an empty text ends the search.
func (c *Controller) find(text string) tea.Cmd {
	ctx, number := c.search.begin()
	c.pane.SetSearch(text)
	if text == "" {
		return nil
	}
	list := slices.Clone(c.sessions)
	results := make(chan found, 2*len(list)) // by its name and by its records
	go func() {
		defer crash.Guard()
		defer close(results)
		put := func(s *catalog.Session, hits []catalog.Hit) { results <- found{s.Path, hits} }
		for i := range list {
			if list[i].Mentions(text) {
				put(&list[i], nil)
			}
		}
		catalog.Search(ctx, list, text, put)
	}()
	return stream(results, func() bool { return number == c.search.number }, func(f found) {
		c.pane.Found(f.path, f.hits)
		c.host.Touch()
	}, func() tea.Cmd {
		c.pane.EndSearch()
		c.host.Touch()
		return nil
	})
}
