package ui

import (
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"

	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/control"
	"parley/ui/control/inbox"
	"parley/ui/control/pair"
	"parley/ui/control/records"
	"parley/ui/footer"
	"parley/ui/styles"
)

// hints are the keys that the last row of the screen can name.
type hints struct{ left, pane, right []action.Hint }

// footer draws the keys that are most useful now, and those that lead to all others.
func (m *Model) footer(w int) string {
	h := &m.screen.hints
	h.fill(m)
	put := func(*canvas.Parts) string {
		m.help.ShortSeparator, m.help.Ellipsis = "  ", m.st.G[styles.Ellipsis]
		m.help.SetWidth(max(0, w-1))
		return canvas.Fit(" "+m.help.ShortHelpView(footer.Fit(h.left, h.pane, h.right, w)), w)
	}
	return m.screen.memo.footer.Row(0, put, canvas.Parts{h.words(), strconv.Itoa(w)})
}

// words identifies the keys and what is said about them.
func (h *hints) words() string {
	var b strings.Builder
	b.Grow(512) // most footers
	for _, all := range [...][]action.Hint{h.left, h.pane, h.right} {
		for i := range all {
			help := all[i].Keys.Help()
			for _, word := range [...]string{help.Key, help.Desc, all[i].Short, all[i].Wide, all[i].Least} {
				b.WriteString(word)
				b.WriteByte(0)
			}
			b.WriteRune(rune(all[i].Place + 1)) // the least is -1
			b.WriteRune(rune(all[i].Rank))
		}
	}
	return b.String()
}

// fill collects the keys that work now.
func (h *hints) fill(m *Model) {
	h.left, h.pane, h.right = h.left[:0], h.pane[:0], h.right[:0]
	switch s := m.sheet(); {
	case m.presses.prefix:
		h.inOrder(m.altKeys())
		return
	case s != nil && s.Whole: // nothing else is on the screen, and what works everywhere does so here
		h.left = s.Pane.Hints(h.left)
		h.rank()
		h.right = append(h.right, action.Hint{Keys: m.keys.Key(action.FindAnything), Short: "find", Wide: "find"},
			action.Hint{Keys: m.keys.Key(showHelp), Short: "help", Wide: "help"}, action.Hint{Keys: m.keys.Key(clearOrQuit), Short: "quit", Wide: "quit"})
		return
	case s != nil:
		h.left = s.Pane.Hints(h.left)
		h.ofSheet()
		if s.Page && !(s.AlwaysTypes() || s.Typing != nil && s.Typing()) && len(m.state.Waiting()) > 0 {
			h.ofWaiting(m)
		}
	case m.screen.over == overPalette:
		h.left = m.panes.palette.Hints(h.left)
		h.ofSheet()
	case m.present.On():
		h.ofPane(m)
		slices.SortStableFunc(h.left, func(a, b action.Hint) int { return a.Rank - b.Rank })
		var first []key.Binding
		for _, hint := range h.left[:min(len(h.left), 1)] {
			first = append(first, hint.Keys)
		}
		h.left = h.left[:0]
		h.inOrder(m.present.ShortHelp(first...))
		return
	default:
		h.ofPane(m)
		h.ofWorkbench(m)
		return
	}
	if m.screen.over != overHelp {
		h.right = append(h.right, action.Hint{Keys: m.keys.Key(showHelp), Short: "help", Wide: "help"})
	}
}

// add adds a key if it works now, in words of its own; empty words are those of the help.
func (h *hints) add(b key.Binding, place, rank int, short, wide string) {
	if b.Enabled() {
		h.left = append(h.left, action.Hint{Keys: b, Place: place, Rank: rank, Short: short, Wide: wide})
	}
}

// inOrder adds keys in an order that is also that of their ranks, behind those that are there.
func (h *hints) inOrder(all []key.Binding) {
	const behind = 100
	for i, b := range all {
		h.add(b, behind+i, behind+i, "", "")
	}
}

// rank makes the order of the places that of the ranks.
func (h *hints) rank() {
	slices.SortStableFunc(h.left, func(a, b action.Hint) int { return a.Place - b.Place })
	for i := range h.left {
		h.left[i].Place, h.left[i].Rank = i, i+1
	}
}

// ofSheet ranks the keys of a sheet. The last one closes it and stays longest.
func (h *hints) ofSheet() {
	h.rank()
	if n := len(h.left); n > 0 {
		h.left[n-1].Rank = 0
	}
}

// ofPane adds the keys of the pane with the focus.
func (h *hints) ofPane(m *Model) {
	switch m.screen.at {
	case control.OnComposer:
		h.left = m.panes.composer.Hints(h.left)
		h.ofText(m)
	case control.OnChat:
		h.left = m.panes.chat.Hints(h.left)
	case control.OnWire:
		m.panes.wire.SetStreaming(m.keys.record.Standing(records.InjectFaults).Enabled())
		h.left = m.panes.wire.Hints(h.left)
	case control.OnAgents:
		h.left = m.panes.agents.Hints(h.left)
	case control.OnPlayer:
		h.left = m.panes.player.Hints(h.left)
	}
}

// ofText adds the keys that matter while the text field has the focus, besides its own.
func (h *hints) ofText(m *Model) {
	if m.forms.Task() != nil {
		h.add(m.keys.Key(action.FillInForm), 1, 1, "", "")
	}
	if m.agent() == nil || !m.panes.composer.Empty() {
		return
	}
	if choices, what := m.panes.chat.Choices(); what != "" {
		h.add(choices, 7, 2, what, what)
	}
	if m.panes.composer.Listed() || m.panes.composer.Searching() {
		return
	}
	h.add(m.keys.Key(action.NewConversation), 14, 9, "new conversation", "new conversation")
	h.add(m.keys.Key(action.ShowCard), 15, 6, "card", "card")
	h.add(m.keys.Key(action.ShowLanes), 16, 10, "lanes", "lanes")
}

// maxAnswered is the longest name of an agent that is to be answered, in cells.
const maxAnswered = 24

// ofWaiting adds the key that goes to a task that waits for the user, before all others.
func (h *hints) ofWaiting(m *Model) {
	if m.readOnly() {
		return
	}
	what := "the task"
	if all := m.state.Waiting(); len(all) == 1 && all[0].Conversation != m.conversation() { // what is on the screen is another's
		what = canvas.Ellipsize(canvas.SanitizeLine(all[0].Conversation.Agent.Name()), maxAnswered, m.st.G[styles.Ellipsis])
	}
	h.add(m.keys.Key(inbox.GoToWaiting), 0, 1, "answer", "answer "+what)
}

// ofWorkbench adds the keys that cannot wait, those for the record and the turn under the cursor, and
// those that lead to all others.
func (h *hints) ofWorkbench(m *Model) {
	const first = 1 // the place of the most useful key of a pane
	typing := m.typing() || m.panes.player.Typing()
	if m.screen.at != control.OnPlayer {
		cancel := m.keys.everywhere.Standing(action.CancelTask)
		words := cancel.Help().Desc
		if words == m.keys.Key(action.CancelTask).Help().Desc {
			words = "cancel"
		}
		place, rank := 65, 3
		if cancel.Enabled() {
			if turn, _ := m.outbox.Underway(m.conversation()); turn {
				place, rank = first, 1 // an answer is on its way
			}
		}
		h.add(cancel, place, rank, words, "")
		h.add(m.keys.everywhere.Standing(pair.GoToOther), first, 2, "other", "")
		if m.inbox.Elsewhere() || m.screen.at != control.OnComposer && len(m.state.Waiting()) > 0 {
			h.ofWaiting(m)
		}
	}
	if (m.screen.at == control.OnWire || m.screen.at == control.OnChat) && !typing {
		n := len(h.left)
		for _, t := range m.keys.underCursor(m.screen.at) {
			h.left = t.Hints(h.left)
		}
		for i := range h.left[n:] {
			if urgent := &h.left[n+i]; urgent.Place == first {
				urgent.Place = first - 1 // before the keys of the pane
			}
		}
		h.left = m.keys.outside.Hints(h.left)
	}
	if !typing && m.readOnly() {
		place, rank := 90, 2
		if m.opts.Back != "" {
			place, rank = -1, 0
		}
		h.add(m.keys.outside.Standing(leave), place, rank, "", "")
	}
	if next := m.keys.everywhere.Standing(nextPane); next.Enabled() {
		tab := action.Hint{Keys: next, Short: "pane", Wide: "next pane"}
		if m.screen.at == control.OnComposer {
			tab.Short = "next pane"
		}
		h.pane = append(h.pane, tab)
	}
	h.right = append(h.right,
		action.Hint{Keys: m.keys.Key(action.FindAnything), Short: "find", Wide: "find"},
		action.Hint{Keys: m.keys.Key(showHelp), Short: "help", Wide: "help"})
}
