// Package findings is the controller of the findings: it shows them by rule and selects the
// records that they are about.
package findings

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/a2a/lint"
	"parley/internal/units"
	"parley/session/log"
	"parley/ui/action"
	"parley/ui/control"
	"parley/ui/findings"
	"parley/ui/keys"
	"parley/ui/styles"
	"parley/ui/wire"
)

// SheetName is the name of the sheet of findings.
const SheetName control.SheetName = "findings"

// Wire shows the record of a finding.
type Wire interface {
	SelectFinding(record a2a.RecordID, rule string)
}

// Records are the commands about the records of findings.
type Records interface {
	// Filter filters the wire.
	Filter(text string) tea.Cmd
	// CopyMenu offers what can be copied of a record's exchange.
	CopyMenu(of *log.Item) tea.Cmd
}

// showFindings is the action that opens the sheet.
const showFindings action.ID = "show-findings"

// A Controller shows findings.
type Controller struct {
	host    control.Host
	wire    Wire
	records Records
	pane    *findings.Pane
}

// New returns a controller.
func New(host control.Host, st *styles.Styles, wire Wire, records Records) *Controller {
	c := &Controller{host: host, wire: wire, records: records, pane: findings.New(st, aboutRule, host.AgentName, host.AgentTag)}
	c.pane.SetLog(host.State().Log)
	return c
}

// aboutRule describes a rule from the table of rules.
func aboutRule(id string) findings.About {
	r, ok := lint.Lookup(id)
	if !ok {
		return findings.About{}
	}
	return findings.About{Checks: r.Checks, Section: r.Section, Fix: r.Fix}
}

// Open shows the findings by rule.
func (c *Controller) Open() tea.Cmd {
	c.host.Open(SheetName)
	return nil
}

// Sheet describes the sheet of findings.
func (c *Controller) Sheet() control.Sheet {
	p := c.pane
	return control.NewSheet(p, c.onIntent, control.Sheet{Name: SheetName, Help: "findings", Wide: true, Typing: p.Typing, Paste: p.Paste})
}

// onIntent carries out what the sheet asks for.
func (c *Controller) onIntent(in findings.Intent) tea.Cmd {
	switch in := in.(type) {
	case findings.Show:
		c.host.Close()
		c.wire.SelectFinding(in.Record, in.Rule)
		c.host.Focus(control.OnWire)
		words := in.Rule + " " + units.Count(in.Nth) + " of " + units.Count(in.Of)
		if in.Of > 1 {
			words += "; " + keys.Name(c.host.Key(showFindings)) + " and " + keys.Name(c.pane.Of(findings.ShowRecord)) + " show the next"
		}
		return c.host.Say(words, false)
	case findings.Copy:
		return c.host.Copy(in.Text, in.What)
	case findings.List:
		c.host.Close()
		return c.records.Filter(wire.Term("finding", in.Rule))
	case findings.CopyAs:
		return c.records.CopyMenu(c.host.State().Log.At(in.Record))
	case findings.Close:
		c.host.Close()
	}
	return nil
}

// Actions returns the actions that work outside text fields. The footer names the one that shows the
// findings while there are errors or warnings.
func (c *Controller) Actions() []action.Action[tea.Cmd] {
	return []action.Action[tea.Cmd]{{
		Row: action.Row{
			ID: showFindings, Keys: []string{"F"}, Does: "show findings", Foot: 63, Rank: 9, Short: "findings", Wide: "findings", Now: func() action.State {
				found := c.host.State().Log.Findings()
				return action.State{Idle: found.Count(a2a.Error)+found.Count(a2a.Warning) == 0}
			},
			Slash: "findings", Name: "Show findings", Also: []string{"errors", "warnings", "problems", "rules", "mute", "lint"},
		},
		Run: c.Open,
	}}
}

// Rules returns a command for each rule that has findings.
func (c *Controller) Rules() []control.Command {
	var out []control.Command
	for _, r := range c.host.State().Log.Findings().Rules() {
		note := units.Plural(len(r.Records), "record")
		if r.Muted {
			note += ", muted"
		}
		out = append(out, control.Command{
			Group: "finding", Name: strings.TrimSpace(r.Rule + " " + r.First.Message), Note: note,
			Run: func() tea.Cmd {
				c.pane.Select(r.Rule)
				return c.Open()
			},
		})
	}
	return out
}
