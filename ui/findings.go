package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a/lint"
	"parley/internal/units"
	"parley/ui/control"
	"parley/ui/findings"
	"parley/ui/wire"
)

// openFindings shows what was found, by rule.
func (m *Model) openFindings() tea.Cmd {
	m.show(overFindings)
	return nil
}

const overFindings control.SheetName = "findings"

// findingsSheet lies over the panes while findings are read.
func (m *Model) findingsSheet() control.Sheet {
	p := m.panes.findings
	s := control.Sheet{
		Pane: p, Help: "findings", Keys: p.FullHelp, Leave: m.leaving(p.Typing()),
		Key:   func(msg tea.KeyPressMsg) tea.Cmd { return m.foundWrong(p.Key(msg)) },
		Mouse: func(msg tea.MouseMsg, x, y int) tea.Cmd { return m.foundWrong(p.Mouse(msg, x, y)) },
	}
	if p.Typing() {
		s.Paste = p.Paste
	}
	return s
}

// aboutRule is what the table of rules says of one.
func aboutRule(id string) findings.About {
	r, ok := lint.Lookup(id)
	if !ok {
		return findings.About{}
	}
	return findings.About{Checks: r.Checks, Section: r.Section, Fix: r.Fix}
}

// foundWrong carries out what the list of findings asks for.
func (m *Model) foundWrong(in findings.Intent) tea.Cmd {
	switch in := in.(type) {
	case findings.Show:
		m.closeOverlay()
		m.panes.wire.SelectFinding(in.Record, in.Rule)
		m.setFocus(control.OnWire)
		words := in.Rule + " " + units.Count(in.Nth) + " of " + units.Count(in.Of)
		if in.Of > 1 {
			words += "; F and enter show the next"
		}
		return m.say(words, false)
	case findings.Copy:
		return m.copy(in.Text)
	case findings.List:
		m.closeOverlay()
		return m.filterWire(wire.Term("finding", in.Rule))
	case findings.CopyAs:
		return m.copyMenu(m.state.Log.At(in.Record))
	case findings.Close:
		m.closeOverlay()
	}
	return nil
}

// ruling lists the rules that fired: the finder leads to each.
func (m *Model) ruling() []control.Command {
	var out []control.Command
	for _, c := range m.state.Log.Findings().Rules() {
		note := units.Plural(len(c.Records), "record")
		if c.Muted {
			note += ", muted"
		}
		out = append(out, control.Command{
			Group: "finding", Name: strings.TrimSpace(c.Rule + " " + c.First.Message), Note: note,
			Do: func() tea.Cmd {
				m.panes.findings.Select(c.Rule)
				return m.openFindings()
			},
		})
	}
	return out
}
