// Package approvals is the controller of trust in cards: it asks about changes of security
// and addresses, and approves and forgets cards. It compares the cards of the open agents
// with those that the user has approved.
package approvals

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/signature"
	"parley/internal/trust"
	"parley/internal/units"
	"parley/session/card"
	"parley/session/log"
	"parley/session/model"
	"parley/ui/action"
	"parley/ui/approval"
	"parley/ui/canvas"
	"parley/ui/control"
	"parley/ui/menu"
	"parley/ui/styles"
)

// SheetName is the name of the sheet of approved cards.
const SheetName control.SheetName = "trust"

// Options say what the controller works with.
type Options struct {
	// File holds the approved cards; nil compares nothing, as in a recording and in the demo.
	File *trust.File
	// Free reports whether the user is writing nothing, so that a sheet may open by itself.
	Free func() bool
	// Signature returns the best result on the signatures of a card, false if it has none or
	// they were not verified yet.
	Signature func(*a2a.Card) (signature.Result, bool)
	// Keys returns a copy of the keys that the user trusts to sign cards.
	Keys func() *signature.Keys
	// Reopen gets the card of an agent again.
	Reopen func(a2a.AgentID) tea.Cmd
}

// A Controller compares cards with approved ones.
type Controller struct {
	host    control.Host
	o       Options
	pane    *approval.Pane
	entries []approval.Entry
	asked   map[a2a.AgentID]*a2a.Card // the held card that the sheet has shown unasked
}

// New returns a controller.
func New(host control.Host, st *styles.Styles, o Options) *Controller {
	return &Controller{host: host, o: o, pane: approval.New(st), asked: map[a2a.AgentID]*a2a.Card{}}
}

// Sheet describes the sheet.
func (c *Controller) Sheet() control.Sheet {
	return control.NewSheet(c.pane, c.onIntent, control.Sheet{Name: SheetName, Help: "trust", Wide: true})
}

// Open shows the agents with their approved cards.
func (c *Controller) Open() tea.Cmd {
	if c.o.File == nil {
		return c.host.Say(c.why(), true)
	}
	c.pane.ShowAll()
	c.host.Open(SheetName)
	if a := c.host.Agent(); a != nil {
		c.pane.Select(a.ID)
	}
	return c.compare(0)
}

// why says why there are no approved cards here.
func (c *Controller) why() string {
	if why := c.host.Refusal(); why != "" {
		return why
	}
	return "Cards are not compared here: these agents end with Parley."
}

// Actions returns the actions that the finder names.
func (c *Controller) Actions() []action.Action[tea.Cmd] {
	return []action.Action[tea.Cmd]{{
		Row: action.Row{Slash: "trust", Name: "Show approved cards, approve what has changed", Also: []string{"signature", "approve"}, Now: func() (s action.State) {
			if c.o.File == nil {
				s.Why = c.why()
			}
			return s
		}},
		Run: c.Open,
	}}
}

// A subject is an agent whose card is compared.
type subject struct {
	id        a2a.AgentID
	ref, name string
	index     int
	card      *a2a.Card
	signature string
}

// subjects returns the open agents with cards.
func (c *Controller) subjects() (out []subject) {
	for _, a := range c.host.State().Agents {
		of := publicCard(a)
		if a.Closed || of == nil {
			continue
		}
		out = append(out, subject{a.ID, a.Ref, a.Name(), a.Index, of, c.signed(of)})
	}
	return out
}

// publicCard returns the card that everybody gets, which is the one that was approved.
func publicCard(a *model.Agent) *a2a.Card {
	if a.Extended.Stands && a.Extended.Public != nil {
		return a.Extended.Public
	}
	return a.Card
}

// signed returns what is known about the signature of a card.
func (c *Controller) signed(of *a2a.Card) string {
	if len(of.Signatures) == 0 {
		return approval.Unsigned
	}
	switch best, known := c.o.Signature(of); {
	case known && best.Verdict == signature.Verified:
		return approval.Verified
	case known && best.Verdict == signature.Broken:
		return approval.Broken
	}
	return approval.Unknown
}

// compare compares all cards outside of Update. If the card of the agent opened has to be
// approved, the user is asked.
func (c *Controller) compare(opened a2a.AgentID) tea.Cmd {
	if c.o.File == nil {
		return nil
	}
	subjects, file, trusted, mask := c.subjects(), c.o.File, c.o.Keys(), c.host.Engine().Mask
	return func() tea.Msg {
		entries, problem := compared(file, subjects, trusted, mask)
		return control.DoneMsg(func() tea.Cmd {
			c.entries = entries
			c.pane.SetEntries(entries, problem)
			c.host.Touch()
			return c.ask(opened)
		})
	}
}

// compared returns the open agents and the approved cards of others, those that wait first. Mask
// masks the secrets of the session, which an approved card may hold.
func compared(file *trust.File, subjects []subject, trusted *signature.Keys, mask func(string) string) (entries []approval.Entry, problem string) {
	list, err := file.Baselines()
	if err != nil {
		problem = "Not every approved card could be read: " + file.Path() + ": " + err.Error() + "."
	}
	open := map[string]bool{}
	for _, s := range subjects {
		e := approval.Entry{Ref: trust.Reference(s.ref, s.card), Index: s.index, Name: s.name, Agent: s.id, Card: s.card, Signature: s.signature}
		open[e.Ref] = true
		if b, known, _ := file.Find(s.ref, s.index, s.card); known {
			e.Approved, e.How, e.Drift = b.Approved, b.How, card.Mask(b.Drift(s.card, trusted), mask)
		}
		entries = append(entries, e)
	}
	for i := range list {
		if !open[list[i].Ref] {
			entries = append(entries, approval.Entry{Ref: list[i].Ref, Index: list[i].Index, Name: list[i].Name, Approved: list[i].Approved, How: list[i].How})
		}
	}
	rank := func(e *approval.Entry) int {
		switch {
		case e.Held():
			return 0
		case e.Agent != 0:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(entries, func(a, b approval.Entry) int { return rank(&a) - rank(&b) })
	return entries, problem
}

// entry returns the entry of an agent, nil if there is none.
func (c *Controller) entry(agent a2a.AgentID) *approval.Entry {
	for i := range c.entries {
		if c.entries[i].Agent == agent && agent != 0 {
			return &c.entries[i]
		}
	}
	return nil
}

// OnSignal compares the cards when one has come.
func (c *Controller) OnSignal(s *log.Signal) tea.Cmd {
	if s == nil || s.Kind != log.SignalOpened || s.Profile == nil || c.host.Refusal() != "" {
		return nil
	}
	return c.compare(s.Agent)
}

// ask shows the sheet for an agent that is held, if the user sees it and writes nothing, and
// otherwise says so.
func (c *Controller) ask(agent a2a.AgentID) tea.Cmd {
	e := c.entry(agent)
	if e == nil || !e.Held() || c.asked[agent] == e.Card {
		return nil
	}
	c.asked[agent] = e.Card
	n := card.Asking(e.Drift)
	if shown := c.host.Agent(); shown != nil && shown.ID == agent && !c.host.Covered() && c.o.Free() {
		c.pane.Select(agent)
		c.host.Open(SheetName)
		return nil
	}
	return c.host.Say("The card of "+canvas.SanitizeLine(e.Name)+" has "+units.Plural(n, "change")+" of security or addresses: /trust shows and approves them.", true)
}

// Held reports whether an agent is not used because its card has to be approved.
func (c *Controller) Held(agent a2a.AgentID) bool {
	e := c.entry(agent)
	return e != nil && e.Held()
}

// Words says on one line what is known about the card of an agent, empty if nothing is; bad
// marks what needs the user.
func (c *Controller) Words(agent a2a.AgentID) (words string, bad bool) {
	e := c.entry(agent)
	if e == nil || e.Approved.IsZero() {
		return "", false
	}
	date := units.Date(e.Approved)
	since := e.How.Since(date)
	switch n := card.Asking(e.Drift); {
	case n > 0:
		return units.Plural(n, "change") + " of security or addresses " + since + ": /trust shows and approves them", true
	case len(e.Drift) > 0:
		return units.Plural(len(e.Drift), "change") + " " + since + ", none of security or addresses: /trust shows them", false
	}
	return e.How.As(date), false
}

// FirstDifference returns the first member in which the card of an agent differs from the
// approved one, empty if it is not known. It reads the file: it does not belong into Update.
func (c *Controller) FirstDifference(ref string, index int, of *a2a.Card) string {
	if c.o.File == nil {
		return ""
	}
	b, known, _ := c.o.File.Find(ref, index, of)
	if !known {
		return ""
	}
	return b.FirstDifference(of)
}

// onIntent carries out what the sheet asks for.
func (c *Controller) onIntent(in approval.Intent) tea.Cmd {
	switch in := in.(type) {
	case approval.Close:
		c.host.Close()
	case approval.Refused:
		return c.host.Say(in.Why, true)
	case approval.Copy:
		return c.host.Copy(in.Text, "the differences")
	case approval.Approve:
		return c.confirm("approve the card of "+canvas.SanitizeLine(in.Entry.Name)+" as it is now?", note(&in.Entry), "approve it", func() tea.Cmd { return c.approve(in.Entry) })
	case approval.Forget:
		return c.confirm("forget the approved card of "+canvas.SanitizeLine(in.Entry.Name)+"?", "the next card is a first one: it is approved without a question", "forget it", func() tea.Cmd { return c.forget(in.Entry) })
	}
	return nil
}

// note says in a few words what an approval permits.
func note(e *approval.Entry) string {
	for i := range e.Drift {
		if d := &e.Drift[i]; d.Severity == card.Address && d.New != "" {
			return "messages may go to " + canvas.SanitizeLine(strings.Trim(d.New, `"`))
		}
	}
	return units.Plural(len(e.Drift), "difference")
}

// confirm asks before something is done.
func (c *Controller) confirm(title, note, yes string, do func() tea.Cmd) tea.Cmd {
	back := func() tea.Cmd { c.host.Open(SheetName); return nil }
	c.host.Menu(title, note, []menu.Item{
		{Key: "n", Name: "leave it as it is", Value: control.Action(back)}, // enter is the safe answer
		{Key: "y", Name: yes, Value: control.Action(do)},
	})
	return nil
}

// approve makes a card the baseline of its agent, and uses the agent if it was held.
func (c *Controller) approve(e approval.Entry) tea.Cmd {
	file, held := c.o.File, e.Held()
	c.host.Open(SheetName)
	return func() tea.Msg {
		err := file.Approve(e.Ref, e.Index, e.Card)
		return control.DoneMsg(func() tea.Cmd {
			if err != nil {
				return c.host.Say("The card was not approved: "+canvas.SanitizeLine(err.Error())+".", true)
			}
			c.host.Close()
			again := c.compare(0)
			if held {
				return tea.Batch(again, c.o.Reopen(e.Agent))
			}
			return tea.Batch(again, c.host.Say("the card of "+canvas.SanitizeLine(e.Name)+" is approved as it is now", false))
		})
	}
}

// forget removes the baseline of an agent.
func (c *Controller) forget(e approval.Entry) tea.Cmd {
	file := c.o.File
	c.host.Open(SheetName)
	return func() tea.Msg {
		err := file.Forget(e.Ref, e.Index)
		return control.DoneMsg(func() tea.Cmd {
			if err != nil {
				return c.host.Say("The card was not forgotten: "+canvas.SanitizeLine(err.Error())+".", true)
			}
			return tea.Batch(c.compare(0), c.host.Say("the approved card of "+canvas.SanitizeLine(e.Name)+" is forgotten", false))
		})
	}
}
