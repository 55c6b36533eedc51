package signin

import (
	"cmp"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
	"parley/ui/keys"
)

// cancel is the action that texts of the pane name.
const cancel action.ID = "cancel-sign-in"

// actions returns the table of the pane. All other keys type.
func (p *Pane) actions() *action.Table[Intent] {
	moves := func(move func(by int), by int) func() Intent {
		return func() Intent { move(by); return nil }
	}
	return action.New(func(why string) Intent { return Refused{why} },
		action.Action[Intent]{Row: action.Row{Keys: []string{"enter"}, Does: "sign in", Foot: 1, Now: p.accepting}, Run: p.accept},
		action.Action[Intent]{Row: action.Row{Keys: []string{"ctrl+t"}, Does: "next way", Foot: 8, Now: p.turning}, Run: p.turn},
		action.Action[Intent]{Row: action.Row{Keys: []string{"tab"}, Does: "next field", Foot: 7, Now: p.choosing}, Run: moves(p.step, 1)},
		action.Action[Intent]{Row: action.Row{Keys: []string{"shift+tab"}, Does: "previous field", Now: p.choosing}, Run: moves(p.step, -1)},
		action.Action[Intent]{Row: action.Row{Keys: []string{"up"}, Does: "up", Now: p.choosing}, Run: moves(p.move, -1)},
		action.Action[Intent]{Row: action.Row{Keys: []string{"down"}, Does: "down", Now: p.choosing}, Run: moves(p.move, 1)},
		action.Action[Intent]{Row: action.Row{Keys: []string{"k"}, Does: "up", Fixed: true, Passing: true, Now: p.listing}, Run: moves(p.move, -1)},
		action.Action[Intent]{Row: action.Row{Keys: []string{"j"}, Does: "down", Fixed: true, Passing: true, Now: p.listing}, Run: moves(p.move, 1)},
		action.Action[Intent]{Row: action.Row{Keys: []string{"r"}, Does: "renew token", Foot: 5, Now: p.renewing}, Run: func() Intent { return Renew{p.List.At} }},
		action.Action[Intent]{
			Row: action.Row{Keys: []string{"d", "delete"}, Does: "sign out", Foot: 6, Now: func() action.State { return action.State{Off: p.identity() == nil} }},
			Run: func() Intent { return SignOut{p.List.At} },
		},
		action.Action[Intent]{Row: action.Row{Keys: []string{"alt+y"}, Does: "copy address or code", Foot: 3, Now: p.copying}, Run: p.copied},
		action.Action[Intent]{Row: action.Row{Keys: []string{"alt+o"}, Does: "open page again", Foot: 4, Now: p.browsing}, Run: p.browse},
		action.Action[Intent]{
			Row: action.Row{ID: cancel, Keys: []string{"esc", "ctrl+c"}, Does: "cancel sign-in", Foot: 2, Now: func() action.State { return action.State{Off: p.content.Progress == nil} }},
			Run: func() Intent { p.pasted.Reset(); return Cancel{} },
		},
		action.Action[Intent]{Row: action.Row{Keys: []string{"esc", "ctrl+c", "f5"}, Does: "close", Foot: 9, Now: p.leaving}, Run: p.leave},
	)
}

// KeySection completes the section of the pane in the settings of keys: its keys work in its fields too.
func (p *Pane) KeySection(s *keys.Section) { s.Fields = true }

// Key handles a key press.
func (p *Pane) Key(msg tea.KeyPressMsg) Intent {
	in, done := p.Press(msg)
	if f := p.field(); !done && f != nil {
		f.Key(msg)
	}
	return in
}

// Mouse handles a click: it moves the focus to a row.
func (p *Pane) Mouse(msg tea.MouseMsg, _, y int) Intent {
	if p.content.Progress != nil {
		return nil
	}
	at := p.parts()
	switch {
	case y >= at.waysTop && y < at.waysTop+at.ways:
		if _, wheel := msg.(tea.MouseWheelMsg); wheel || isClick(msg) {
			c := p.ways
			c.Mouse(msg, y-at.waysTop, len(p.content.Ways), at.ways)
			p.at = onWays
			p.choose(c.At)
		}
	case !isClick(msg):
	case y >= at.inputsTop && y < at.inputsTop+at.inputs:
		p.at, p.input = onInputs, at.firstInput+y-at.inputsTop
	case y >= at.listTop && y < at.listTop+at.list:
		p.at = onIdentities
		p.List.Mouse(msg, y-at.listTop, len(p.content.Identities), at.list)
	}
	p.focus()
	return nil
}

func isClick(msg tea.MouseMsg) bool {
	click, ok := msg.(tea.MouseClickMsg)
	return ok && click.Button == tea.MouseLeft
}

// accepting says how taking the chosen way stands, or how using the pasted address does while a
// sign-in is under way.
func (p *Pane) accepting() action.State {
	switch {
	case p.content.Progress != nil:
		return action.State{Off: p.field() == nil || p.address() == "", Does: "use pasted address"}
	case p.identity() != nil:
		return action.State{Off: true}
	}
	why := p.noWay()
	return action.State{Off: why != "", Why: why}
}

func (p *Pane) accept() Intent {
	if p.content.Progress == nil {
		return p.submit()
	}
	address := p.address()
	p.pasted.Reset()
	return Paste{address}
}

// address returns the pasted address of the last page, empty if there is none.
func (p *Pane) address() string { return strings.TrimSpace(p.pasted.Value()) }

// choosing says how the keys stand that choose a way and what it needs.
func (p *Pane) choosing() action.State { return action.State{Off: p.content.Progress != nil} }

// listing says how the letters stand that move while letters are no text.
func (p *Pane) listing() action.State {
	return action.State{Off: p.content.Progress != nil || p.field() != nil}
}

// turning says how choosing the next way stands.
func (p *Pane) turning() action.State {
	return action.State{Off: p.content.Progress != nil || len(p.content.Ways) < 2}
}

// turn chooses the next way.
func (p *Pane) turn() Intent {
	p.choose((p.ways.At + 1) % len(p.content.Ways))
	p.focus()
	return nil
}

// renewing says how renewing the token of the selected identity stands.
func (p *Pane) renewing() action.State {
	switch i := p.identity(); {
	case i == nil:
		return action.State{Off: true}
	case !i.Renews:
		return action.State{Off: true, Why: "This cannot be renewed: sign in again."}
	}
	return action.State{}
}

// copying says how copying what the sign-in waits for stands.
func (p *Pane) copying() action.State {
	pr := p.content.Progress
	return action.State{Off: pr == nil || pr.Code == "" && pr.URL == ""}
}

func (p *Pane) copied() Intent {
	if pr := p.content.Progress; pr.Code != "" {
		return Copy{pr.Code, "the code"}
	}
	return Copy{p.content.Progress.URL, "the address of the page"}
}

// browsing says how opening the page of the sign-in stands.
func (p *Pane) browsing() action.State {
	pr := p.content.Progress
	return action.State{Off: pr == nil || pr.Complete == "" && pr.URL == ""}
}

func (p *Pane) browse() Intent {
	return Browse{cmp.Or(p.content.Progress.Complete, p.content.Progress.URL)}
}

// leaving says what closing means: a sign-in goes on, and esc cancels it.
func (p *Pane) leaving() action.State {
	if p.content.Progress != nil {
		return action.State{Does: "hide, go on waiting", Shown: "f5"}
	}
	return action.State{}
}

func (p *Pane) leave() Intent {
	if p.content.Progress == nil {
		p.Forget()
	}
	return Close{}
}
