package ui

import (
	"parley/a2a"
	"parley/ui/control"
	"parley/ui/control/pair"
	"parley/ui/wire"
)

// A look is what the user had chosen on a screen.
type look struct {
	place   control.Place
	led     bool // the recording chose the place
	focus   control.Focus
	scope   wire.Scope
	filter  string
	record  a2a.RecordID // that is selected in the wire, 0 if it follows
	message a2a.RecordID // that is selected in the conversation, 0 if it shows its end
	muted   []string
	beside  pair.Choice
	folds   wire.Folds
}

// lookOf returns what the user has chosen on a screen.
func lookOf(m *Model) *look {
	l := &look{place: m.cur, led: m.cur == m.screen.led, focus: m.screen.at, scope: m.panes.wire.Scope(), filter: m.panes.wire.FilterText()}
	l.beside, l.folds = m.pair.Choice(), m.panes.wire.Folds()
	if !m.panes.wire.Following() {
		l.record = m.panes.wire.Selected()
	}
	if !m.panes.chat.Following() {
		l.message = m.panes.chat.Selected()
	}
	for _, rule := range m.state.Log.Findings().Rules() {
		if rule.Muted {
			l.muted = append(l.muted, rule.Rule)
		}
	}
	return l
}

// begin gives a model that has no records yet what does not depend on them.
func (l *look) begin(m, old *Model) {
	m.st, m.opts.ASCII = old.st, old.opts.ASCII
	m.theme.Adopt(old.theme)
	m.present.Adopt(old.present)
	m.pace, m.probe = old.pace, old.probe
	s := &old.screen
	m.screen.w, m.screen.h, m.screen.zoom, m.screen.split, m.screen.noMouse = s.w, s.h, s.zoom, s.split, s.noMouse
	m.restyle()
	if l.filter != "" {
		m.panes.wire.Filter(l.filter)
	}
	m.panes.wire.SetScope(l.scope)
	for _, rule := range l.muted {
		m.state.Log.Findings().Mute(rule, true)
	}
	m.setFocus(l.focus)
}

// end gives a model that has its records the rest.
func (l *look) end(m *Model) {
	conv := m.state.Conversation(l.place.Conversation)
	// An agent without conversation was shown if there was none: there may be one now.
	if a := m.state.Agent(l.place.Agent); a != nil && !l.led && (conv != nil || l.place.Conversation == 0 && len(a.Conversations) == 0) {
		m.goTo(l.place)
	}
	m.pair.Choose(l.beside)
	m.panes.wire.SetFolds(l.folds)
	if l.message != 0 && m.state.Log.At(l.message) != nil {
		if at, ok := m.state.Anchor(l.message); ok && conv != nil {
			m.panes.chat.Show(m.agent(), m.conversation())
			m.panes.chat.SelectRecord(at)
		}
	}
	if l.record != 0 && m.state.Log.At(l.record) != nil {
		m.panes.wire.Select(l.record)
	}
	m.setFocus(l.focus)
}
