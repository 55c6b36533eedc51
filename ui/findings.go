package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a/lint"
	"parley/internal/units"
	"parley/ui/findings"
	"parley/ui/wire"
)

// openFindings shows what was found, by rule.
func (m *Model) openFindings() tea.Cmd {
	m.screen.over = overFindings
	m.touch()
	return nil
}

// findingsSheet lies over the panes while findings are read.
func (m *Model) findingsSheet() sheet {
	p := m.panes.findings
	s := sheet{
		sheetPane: p, over: overFindings, help: "findings", keys: p.FullHelp, leave: m.leaving(p.Typing()),
		key:   func(msg tea.KeyPressMsg) tea.Cmd { return m.foundWrong(p.Key(msg)) },
		mouse: func(msg tea.MouseMsg, x, y int) tea.Cmd { return m.foundWrong(p.Mouse(msg, x, y)) },
	}
	if p.Typing() {
		s.paste = p.Paste
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
		m.setFocus(onWire)
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
func (m *Model) ruling() []command {
	var out []command
	for _, c := range m.state.Log.Findings().Rules() {
		note := units.Plural(len(c.Records), "record")
		if c.Muted {
			note += ", muted"
		}
		out = append(out, command{
			group: "finding", name: strings.TrimSpace(c.Rule + " " + c.First.Message), note: note,
			do: func() tea.Cmd {
				m.panes.findings.Select(c.Rule)
				return m.openFindings()
			},
		})
	}
	return out
}
