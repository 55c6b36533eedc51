// Package cards is the controller of agent cards: it shows the card of an agent, and gets the
// extended card, which agents show to callers that they know.
package cards

import (
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/a2a/lint"
	"parley/internal/signature"
	"parley/session/log"
	"parley/session/model"
	"parley/ui/action"
	"parley/ui/card"
	"parley/ui/control"
	"parley/ui/styles"
)

// SheetName is the name of the sheet that shows a card.
const SheetName control.SheetName = "card"

// Actions are functions of other topics that the sheet offers.
type Actions struct {
	UseExample func(a2a.AgentID, a2a.Example) tea.Cmd
	Reopen     func(a2a.AgentID) tea.Cmd
	Extensions func() tea.Cmd
	// Trust takes the keys that the user trusts from now on; nil if nobody asks.
	Trust func(*signature.Keys)
	// Approval says on one line how the card of an agent differs from the approved one, empty if
	// none was approved.
	Approval func(a2a.AgentID) (words string, bad bool)
	// Differs names the first member in which a card differs from the approved one, empty if it
	// is not known. It may read a file.
	Differs func(ref string, index int, of *a2a.Card) string
}

// A Controller shows the card of the agent on the screen.
type Controller struct {
	host    control.Host
	actions Actions
	links   Links
	wire    Wire
	pane    *card.Pane

	trusted   *signature.Keys // of those who may sign cards
	verified  map[a2a.AgentID]*a2a.Card
	best      map[*a2a.Card]signature.Result // on the signatures of each card
	downloads map[a2a.TurnID]keySet

	judgedCard *a2a.Card // the last one that the rules judged, with their verdict
	verdict    *lint.Verdict
}

// Wire shows records.
type Wire interface{ Select(id a2a.RecordID) }

// Links describes the addresses that a card names.
type Links interface {
	// Host returns the host of a link as it is shown.
	Host(link string) string
}

// A keySet is a set of keys that is being downloaded.
type keySet struct {
	agent   a2a.AgentID
	address string
}

// New returns a controller. It verifies the signatures of cards
// with trusted keys, and with those that the user has downloaded.
func New(host control.Host, st *styles.Styles, actions Actions, links Links, wire Wire, trusted *signature.Keys) *Controller {
	return &Controller{
		host: host, actions: actions, links: links, wire: wire, pane: card.New(st),
		trusted: trusted, verified: map[a2a.AgentID]*a2a.Card{}, best: map[*a2a.Card]signature.Result{}, downloads: map[a2a.TurnID]keySet{},
	}
}

// Open shows an agent and its card.
func (c *Controller) Open(id a2a.AgentID) tea.Cmd {
	a := c.host.State().Agent(id)
	if a == nil {
		return c.host.Say(control.NoAgent(c.host), true)
	}
	if id != c.host.Place().Agent {
		c.host.GoTo(c.host.LastPlace(a))
	}
	c.pane.SetAgent(a)
	c.host.Open(SheetName)
	return nil
}

// OpenEvidence shows how Parley knows how the agent on the screen speaks.
func (c *Controller) OpenEvidence() tea.Cmd {
	cmd := c.Open(c.host.Place().Agent)
	c.pane.ShowEvidence()
	return cmd
}

// show goes to the record that proves something, in the wire pane.
func (c *Controller) show(in card.Show) tea.Cmd {
	switch {
	case in.Record == 0:
		return c.host.Say(in.Why, false)
	case c.host.State().Log.At(in.Record) == nil:
		return c.host.Say("This session does not have record "+log.IDText(in.Record)+".", false)
	}
	c.host.Close()
	c.wire.Select(in.Record)
	c.host.Focus(control.OnWire)
	return nil
}

// SetAgent gives the pane the agent on the screen, also while the sheet is closed: the help
// lists its keys, and another agent's card begins at its top. The command verifies the card.
func (c *Controller) SetAgent(a *model.Agent) tea.Cmd {
	c.pane.SetAgent(a)
	if a != nil {
		c.pane.SetVerdict(c.judge(a))
		c.pane.SetApproval(c.actions.Approval(a.ID))
	}
	return c.verify(a)
}

// judge returns the verdict of the rules on the card of an agent, nil without one.
func (c *Controller) judge(a *model.Agent) *lint.Verdict {
	if a.Card == nil {
		return nil
	}
	if c.judgedCard != a.Card {
		var findings []a2a.Finding
		if it := c.host.State().Log.At(a.CardRecord); a.CardRecord != 0 && it != nil {
			findings = it.Findings
		}
		v := lint.Judge(a.Card, findings)
		c.judgedCard, c.verdict = a.Card, &v
	}
	return c.verdict
}

// Sheet describes the sheet.
func (c *Controller) Sheet() control.Sheet {
	return control.NewSheet(c.pane, c.onIntent, control.Sheet{Name: SheetName, Help: "card", Page: true, Leave: control.KeyOf(c.host, action.ShowCard)})
}

// onIntent carries out what the sheet asks for.
func (c *Controller) onIntent(in card.Intent) tea.Cmd {
	switch in := in.(type) {
	case card.UseExample:
		return c.actions.UseExample(in.Agent, in.Example)
	case card.Show:
		return c.show(in)
	case card.Copy:
		return c.host.Copy(in.Text, "the card")
	case card.Retry:
		return c.actions.Reopen(in.Agent)
	case card.OtherCard:
		return c.otherCard(in.Agent)
	case card.DownloadKeys:
		return c.askKeys(in)
	case card.Extensions:
		return c.actions.Extensions()
	case card.Close:
		c.host.Close()
	}
	return nil
}

// Actions returns the actions that work everywhere.
func (c *Controller) Actions() []action.Action[tea.Cmd] {
	return []action.Action[tea.Cmd]{{
		Row: action.Row{
			ID: action.ShowCard, Keys: []string{"f2"}, Does: "show card", Now: action.Unless(control.NoneOpen(c.host)),
			Slash: "card", Name: "Show the agent's card", Also: []string{"skills", "signature", "version", "agent card"},
		},
		Run: func() tea.Cmd { return c.Open(c.host.Place().Agent) },
	}}
}

// OtherActions returns those that switch between the cards of the agent on the screen, and show the
// evidence.
func (c *Controller) OtherActions() []action.Action[tea.Cmd] {
	extended := func() bool { a := c.host.Agent(); return a != nil && a.Extended.Stands }
	unknown := func() bool { a := c.host.Agent(); return len(a.Profile.Evidence)+len(a.Attempts) == 0 }
	return []action.Action[tea.Cmd]{
		{
			Row: action.Row{
				Slash: "extended", Named: action.Either("Get the agent's extended card", "Show the agent's public card again", extended),
				Now: action.Unless(control.NoneOpen(c.host), c.host.Refusal),
			},
			Run: func() tea.Cmd { return c.otherCard(c.host.Place().Agent) },
		},
		{
			Row: action.Row{
				Slash: "evidence", Name: "Show evidence: how does Parley know how the agent speaks", Also: []string{"protocol", "version", "dialect", "binding", "transport"},
				Now: action.Unless(control.NoneOpen(c.host), action.If("Parley knows nothing about the agent yet", unknown)),
			},
			Run: c.OpenEvidence,
		},
	}
}
