package agents

import (
	"os"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/roster"
	"parley/internal/units"
	"parley/session/card"
	"parley/session/log"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/control"
	"parley/ui/keys"
)

// OnSignal reports that an agent is back, or how its card differs from the last one seen. It
// remembers or saves an agent whose card has arrived.
func (c *Controller) OnSignal(s *log.Signal) tea.Cmd {
	if s == nil {
		return nil
	}
	switch s.Kind {
	case log.SignalBack:
		return c.onBack(s)
	case log.SignalOpened:
		return tea.Batch(c.sayChanges(s), c.onOpened(s))
	}
	return nil
}

// onBack reports that an agent can be reached again.
func (c *Controller) onBack(s *log.Signal) tea.Cmd {
	text := c.host.AgentName(s.Agent) + " is back"
	if len(s.Changes) > 0 {
		text += c.describe(s.Changes)
	}
	return c.host.Say(text, card.CountSecurity(s.Changes) > 0)
}

// sayChanges reports how a card differs from that of an earlier run.
func (c *Controller) sayChanges(s *log.Signal) tea.Cmd {
	if len(s.Changes) == 0 {
		return nil
	}
	text := "the card of " + c.host.AgentName(s.Agent) + " has changed since " + units.Date(s.Since) + c.describe(s.Changes)
	return c.host.Say(text, card.CountSecurity(s.Changes) > 0)
}

// describe returns the first change of a card, which concerns security if any does, and the
// number of other changes.
func (c *Controller) describe(changes []card.Change) string {
	text := ": " + canvas.SanitizeLine(changes[0].Sentence)
	if more := len(changes) - 1; more > 0 {
		text = strings.TrimSuffix(text, ".") + ", and " + units.Plural(more, "other change")
		if security := card.CountSecurity(changes) - 1; security > 0 {
			text += " (" + units.Count(security) + " about security)"
		}
		text += ": " + keys.Name(c.host.Key(action.ShowCard)) + " shows them"
	}
	return text
}

// onOpened remembers an agent whose card has arrived, and saves it if the user asked for that.
func (c *Controller) onOpened(s *log.Signal) tea.Cmd {
	a := c.host.State().Agent(s.Agent)
	remember, save := c.remember[s.Agent], c.save[s.Agent]
	if s.Profile == nil || a == nil || a.Card == nil || !remember && !save {
		return nil
	}
	delete(c.remember, s.Agent)
	delete(c.save, s.Agent)
	ref, file := a.Ref, c.options.Saved.File
	switch {
	case save && a.Given == "":
		return c.saveAgent(s.Agent, a.CardName())
	case !remember || a.Given != "" || c.options.Saved.NoRecents || file == nil || c.secret(ref) != "":
		return nil
	}
	now, name, dialect := c.options.Now(), a.CardName(), spoken(&a.Profile)
	if m, problem := a2a.ParseMesh(ref); problem == "" && a.Address() != ref {
		name = m.Namespace // the agent is only the first one there
	}
	return func() tea.Msg {
		content, err := file.Update(roster.AddRecent(roster.Recent{Ref: absoluteRef(ref), Name: canvas.SanitizeLine(name), Dialect: dialect, Time: now}))
		if err != nil { // a recent agent that is not remembered is no loss
			return nil
		}
		return control.DoneMsg(func() tea.Cmd {
			c.setContent(content)
			return nil
		})
	}
}

// spoken returns the version and the binding of a profile, as a search on ports says them.
func spoken(p *a2a.Profile) string {
	if p.Dialect == "" {
		return ""
	}
	return p.Dialect.Number() + " " + p.Binding.String()
}

// secret returns a clause that says why a reference must not be written to a file, empty if it
// may.
func (c *Controller) secret(ref string) string {
	switch {
	case ref == "-":
		return "its card came from standard input, which has ended"
	case a2a.MaskReference(ref, c.options.Saved.Public...) != ref:
		return "its address contains a secret, which Parley writes to no file (--public NAME declares a value public)"
	default:
		return ""
	}
}

// absoluteRef returns a reference that works from every directory: for a file its absolute path.
func absoluteRef(ref string) string {
	if catalog, entry := a2a.SplitReference(ref); entry != "" {
		return absoluteRef(catalog) + "@" + entry
	}
	if strings.Contains(ref, "://") {
		return ref
	}
	if info, err := os.Stat(ref); err == nil && info.Mode().IsRegular() {
		if whole, err := filepath.Abs(ref); err == nil {
			return whole
		}
	}
	return ref
}
