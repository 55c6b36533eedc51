package start

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
	"parley/session/catalog"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/chat"
	"parley/ui/control"
	"parley/ui/keys"
	"parley/ui/palette"
	"parley/ui/start"
)

// build gives the pane its sections: first what the user did, if anything is known of that.
func (c *Controller) build() {
	c.pane.SetWords("Welcome to Parley", "talk to A2A agents, and see every byte on the wire",
		"Nothing here contains this. An address looks like localhost:9999 or https://agent.example; "+keys.Name(c.host.Key(action.FindAnything))+" finds commands.")
	goOn, try, yours, found, recordings := c.goOnSection(), c.trySection(), c.yoursSection(), start.Section{Title: "Running here", Rows: c.foundRows()}, c.recordingSection()
	if len(goOn.Rows) == 0 && c.recordings.Count == 0 {
		c.pane.SetSections([]start.Section{try, yours, found, recordings})
		return
	}
	recordings.Right, try.Right = true, true
	c.pane.SetSections([]start.Section{goOn, recordings, yours, found, try})
}

// row returns a row for something to do.
func row(id, name, note string, do func() tea.Cmd) start.Row {
	return start.Row{ID: id, Name: name, Note: note, Value: control.Action(do)}
}

// trySection offers what needs no agent of the user.
func (c *Controller) trySection() start.Section {
	s := start.Section{Title: "Try"}
	if c.do.HasDemo() {
		s.Rows = append(s.Rows, row("demo", "Open the demo", "four agents inside Parley, offline", c.do.OpenDemo))
	}
	if c.do.PlayTour != nil {
		s.Rows = append(s.Rows, row("tour", "Play the tour", "a booking, a cut stream, its findings", c.do.PlayTour))
	}
	return s
}

// yoursSection offers the ways to an agent of the user.
func (c *Controller) yoursSection() start.Section {
	s := start.Section{Title: "Your agents", Rows: []start.Row{row("address", "Open an address", "localhost:9999, grpc://…, card.json", c.ask)}}
	if len(c.o.Ports) > 0 {
		s.Rows = append(s.Rows, row("look", "Look on this machine", c.looks(), c.look))
	}
	if c.do.Examine != nil {
		s.Rows = append(s.Rows, row("examine", "Find out why one fails", "doctor: the way to it, step by step", c.do.Examine))
	}
	if c.do.Tap != nil {
		s.Rows = append(s.Rows, row("tap", "Watch another client", "tap: an address in front of your agent", c.do.Tap))
	}
	return s
}

// looks says what the search on ports does or did.
func (c *Controller) looks() string {
	where, open := units.Plural(len(c.o.Ports), "usual port"), keys.Name(c.pane.Of("open"))
	if c.o.Given {
		where = units.Plural(len(c.o.Ports), "port")
	}
	switch {
	case c.scan.running:
		return "asking " + where
	case c.scan.done && len(c.scan.found) == 0:
		return "no agent on " + where + ": " + open + " asks again"
	case c.scan.done:
		return open + " here asks " + where + " again"
	}
	return open + " here asks " + where
}

// ask asks for the address of an agent to open.
func (c *Controller) ask() tea.Cmd {
	take := func(text string) (string, bool) {
		if c.do.IsAddress(strings.TrimSpace(text)) {
			return "opens this agent", true
		}
		return "an address looks like localhost:9999 or https://agent.example", false
	}
	c.host.Find(palette.List{Title: "open an address", Hint: "localhost:9999, grpc://…, or the file of a card", Else: take, Value: c.do.OpenAddress})
	return nil
}

// goOnSection lists sessions with something to go on with, and saved and recent agents, each once.
// Agents that answer on a port of this machine are marked.
func (c *Controller) goOnSection() start.Section {
	s := start.Section{Title: "Go on"}
	for i := range c.recordings.GoOn {
		s.Rows = append(s.Rows, c.sessionRow(&c.recordings.GoOn[i]))
	}
	for _, saved := range []bool{false, true} {
		for i, a := range c.agents {
			if a.Saved != saved || c.twice(i) {
				continue
			}
			r := start.Row{ID: fmt.Sprintf("agent %s %s", a.Name, a.Note), Name: a.Name, Note: strings.TrimSpace(a.Dialect + "  " + a.Note), Sign: start.Known, Time: a.Used}
			r.Value = control.Action(func() tea.Cmd { return c.do.OpenAgent(i) })
			for _, f := range c.scan.found {
				if samePlace(a.Note, f.URL) {
					r.Sign = start.Running
				}
			}
			s.Rows = append(s.Rows, r)
		}
	}
	return s
}

// twice reports whether agent i is another writing of one before it.
func (c *Controller) twice(i int) bool {
	for _, a := range c.agents[:i] {
		if a.Name == c.agents[i].Name && samePlace(a.Note, c.agents[i].Note) {
			return true
		}
	}
	return false
}

// sessionRow is the row of a session to go on with.
func (c *Controller) sessionRow(s *catalog.Session) start.Row {
	r := start.Row{ID: "go on " + s.Path, Name: agentsOf(s), Note: "interrupted", Sign: start.Interrupted, Time: s.Began(), Value: control.Action(func() tea.Cmd { return c.do.GoOn(s.Path) })}
	if open := s.Summary.Open; len(open) > 0 {
		r.Name, r.Sign, r.Note = open[0].Agent, start.Working, "was still working"
		if open[0].Waits {
			r.Sign, r.Note = start.Waiting, "waits for an answer"
		}
	}
	r.Note += " · resume"
	if prompt := s.Title(); prompt != "" {
		r.Note += " · " + prompt
	}
	return r
}

// foundRows lists the agents that answer on ports of this machine and are not known already.
func (c *Controller) foundRows() (out []start.Row) {
	for _, f := range c.scan.found {
		if slices.ContainsFunc(c.agents, func(a chat.Offer) bool { return samePlace(a.Note, f.URL) }) {
			continue
		}
		note := strings.TrimPrefix(f.URL, "http://")
		if f.Dialect != "" {
			note = f.Dialect + " " + f.Binding + "  " + note
		}
		out = append(out, start.Row{ID: f.URL, Name: f.Name, Note: note, Fill: f.URL, Sign: start.Running, Value: control.Action(func() tea.Cmd { return c.do.OpenAddress(f.URL) })})
	}
	return out
}

// recordingSection lists the newest recordings.
func (c *Controller) recordingSection() start.Section {
	s := start.Section{Title: "Recordings"}
	if c.recordings.Count == 0 {
		s.Hint = "none yet; each run is kept, for you alone"
		if !c.do.Records {
			s.Hint = "none yet; this run is not kept"
		}
		return s
	}
	for i := range c.recordings.Newest {
		r := &c.recordings.Newest[i]
		shown := start.Row{ID: r.Path, Name: title(r), Note: agentsOf(r), Time: r.Began(), Value: control.Action(func() tea.Cmd { return c.do.Show(r.Path) })}
		if r.Summary != nil {
			shown.Records, shown.Outcome = r.Summary.Records, r.Summary.Outcome
		}
		s.Rows = append(s.Rows, shown)
	}
	s.Rows = append(s.Rows, row("sessions", "Browse "+units.Plural(c.recordings.Count, "recorded session"), "", c.do.Browse))
	return s
}

// title returns what names a session, its time if nothing does.
func title(s *catalog.Session) string {
	if t := s.Title(); t != "" {
		return t
	}
	return s.Began().Local().Format("2 Jan, 15:04")
}

// agentsOf names the agents of a session.
func agentsOf(s *catalog.Session) string {
	if s.Summary == nil {
		return ""
	}
	return canvas.SanitizeLine(strings.Join(s.Summary.Agents, ", "))
}

// samePlace reports whether two addresses are the same place on this machine.
func samePlace(a, b string) bool {
	place := func(address string) string {
		address = strings.TrimSuffix(address, "/")
		for _, path := range []string{"/.well-known/agent-card.json", "/.well-known/agent.json"} {
			address = strings.TrimSuffix(address, path)
		}
		return strings.Replace(strings.TrimPrefix(address, "http://"), "localhost:", "127.0.0.1:", 1)
	}
	return place(a) == place(b)
}
