package card

import (
	"slices"

	"parley/internal/signature"
	"parley/ui/action"
	"parley/ui/list"
)

// Actions that texts of the pane name.
const (
	getAgain     action.ID = "get-card-again"
	compareCards action.ID = "compare-cards"
	downloadKeys action.ID = "download-keys-of-signatures"
)

// actions returns the table of the pane.
func (p *Pane) actions() *action.Table[Intent] {
	return action.New(nil, slices.Concat(
		list.Actions[Intent](list.TextKeys(), list.Foot{}, list.Motion{Rows: p.height, Height: func() int { return p.h - 1 }, Move: p.move}),
		p.onEntries(),
		p.onCard(),
		[]action.Action[Intent]{{
			Row: action.Row{Keys: []string{"esc", "q"}, Does: "close", Foot: 12},
			Run: func() Intent { return Close{} },
		}},
	)...)
}

// onEntries returns the actions about what can be chosen in the card.
func (p *Pane) onEntries() []action.Action[Intent] {
	examples := func() action.State {
		p.build()
		return action.State{Off: p.examples == 0}
	}
	step := func(by int) func() Intent {
		return func() Intent { p.stepExample(by); return nil }
	}
	return []action.Action[Intent]{
		{Row: action.Row{Keys: []string{"n", "tab"}, Does: "next example", Foot: 4, Now: examples}, Run: step(1)},
		{Row: action.Row{Keys: []string{"N", "shift+tab"}, Does: "previous example", Now: examples}, Run: step(-1)},
		{
			Row: action.Row{Keys: []string{"enter"}, Does: "use example, show record", Foot: 1, Now: p.using},
			Run: func() Intent { return p.enter(p.at) },
		},
		{
			Row: action.Row{Keys: []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}, Shown: "1-9", Does: "use numbered example", Foot: 3, Now: examples},
			Press: action.Digit(func(n int) Intent {
				if n > p.examples {
					return nil
				}
				return p.enter(n - 1)
			}),
		},
		{
			Row: action.Row{Keys: []string{"w"}, Does: "show evidence", Foot: 2, Now: func() action.State { return action.State{Off: !p.hasEvidence()} }},
			Run: func() Intent { p.ShowEvidence(); return nil },
		},
	}
}

// onCard returns the actions about the card as a whole.
func (p *Pane) onCard() []action.Action[Intent] {
	onAgent := func() action.State { return action.State{Off: p.agent == nil} }
	onCard := func() action.State { return action.State{Off: p.agent == nil || p.agent.Card == nil} }
	return []action.Action[Intent]{
		{
			Row: action.Row{Keys: []string{"v"}, Does: "show raw JSON", Foot: 5, Now: onCard},
			Run: func() Intent { p.raw, p.diff, p.top = !p.raw, false, 0; return nil },
		},
		{
			Row: action.Row{Keys: []string{"y"}, Does: "copy JSON", Foot: 8, Now: onCard},
			Run: func() Intent { return Copy{Text: string(p.agent.Card.Raw)} },
		},
		{
			Row: action.Row{ID: getAgain, Keys: []string{"r"}, Does: "get card again", Foot: 9, Now: onAgent},
			Run: func() Intent { return Retry{Agent: p.agent.ID} },
		},
		{
			Row: action.Row{Keys: []string{"e"}, Does: "get extended card", Foot: 10, Now: p.extending},
			Run: func() Intent { return OtherCard{Agent: p.agent.ID} },
		},
		{
			Row: action.Row{ID: compareCards, Keys: []string{"d"}, Does: "compare cards", Foot: 6, Now: p.comparing},
			Run: func() Intent { p.raw, p.diff, p.top = false, !p.diff, 0; return nil },
		},
		{
			Row: action.Row{ID: downloadKeys, Keys: []string{"t"}, Does: "download keys of signatures", Foot: 7, Now: p.downloading},
			Run: func() Intent { return DownloadKeys{Agent: p.agent.ID, Results: p.signatures()} },
		},
		{
			Row: action.Row{Keys: []string{"x"}, Does: "choose extensions", Foot: 11, Now: onAgent},
			Run: func() Intent { return Extensions{} },
		},
	}
}

// height returns the number of lines of the card.
func (p *Pane) height() int {
	p.build()
	return len(p.lines)
}

// move moves to the next entry, or scrolls by rows.
func (p *Pane) move(by int) {
	if by == 1 || by == -1 {
		p.step(by)
		return
	}
	p.scroll(by)
}

// using says what the chosen entry offers.
func (p *Pane) using() action.State {
	p.build()
	switch {
	case p.at < 0:
		return action.State{Off: true}
	case p.entries[p.at].example != nil:
		return action.State{Does: "use example"}
	case p.entries[p.at].record != 0:
		return action.State{Does: "show record"}
	}
	return action.State{Does: "say why"}
}

// extending says how the extended card stands.
func (p *Pane) extending() action.State {
	if p.agent != nil && p.agent.Extended.Stands {
		return action.State{Does: "show public card"}
	}
	return action.State{Off: p.agent == nil}
}

// comparing says how the comparison with the public card stands.
func (p *Pane) comparing() action.State {
	if p.differs() {
		return action.State{Does: "show card"}
	}
	return action.State{Off: !p.canCompare()}
}

// downloading says how getting the keys of signatures stands.
func (p *Pane) downloading() action.State {
	some := slices.ContainsFunc(p.signatures(), func(r signature.Result) bool { return r.Verdict == signature.Unverifiable && r.KeyURL != "" })
	return action.State{Off: !some}
}
