package sending

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/list"
)

// actions returns the table of the pane.
func (p *Pane) actions() *action.Table[Intent] {
	step := func(by int) func() Intent { return func() Intent { p.List.Step(by, int(numSettings)); return nil } }
	turn := func(by int) func() Intent { return func() Intent { return p.turn(by) } }
	return action.New(func(why string) Intent { return Refused{why} },
		action.Action[Intent]{Row: action.Row{Keys: []string{"enter", "e"}, Does: "change value", Foot: 1}, Run: p.write},
		action.Action[Intent]{Row: action.Row{Keys: []string{"l", "right", "space"}, Does: "next value", Foot: 2, Now: p.onAnswer}, Run: turn(1)},
		action.Action[Intent]{Row: action.Row{Keys: []string{"h", "left"}, Does: "previous value", Now: p.onAnswer}, Run: turn(-1)},
		action.Action[Intent]{
			Row: action.Row{Keys: []string{"w"}, Does: "edit in full screen", Foot: 3, Now: p.onMetadata},
			Run: func() Intent { return Write{owners[p.at()]} },
		},
		action.Action[Intent]{
			Row: action.Row{Keys: []string{"d", "delete", "backspace"}, Does: "reset value", Foot: 5, Now: func() action.State { return action.State{Idle: !p.isSet(p.at())} }},
			Run: func() Intent { return p.set(p.reset(p.at())) },
		},
		action.Action[Intent]{
			Row: action.Row{Keys: []string{"R"}, Does: "reset all values", Foot: 6, Now: func() action.State { return action.State{Idle: !p.anySet()} }},
			Run: p.resetAll,
		},
		action.Action[Intent]{Row: action.Row{Keys: []string{"k", "up", "shift+tab"}, Does: "up"}, Run: step(-1)},
		action.Action[Intent]{Row: action.Row{Keys: []string{"j", "down", "tab"}, Does: "down", Foot: 4}, Run: step(1)},
		action.Action[Intent]{Row: action.Row{Keys: []string{"esc", "q"}, Does: "close", Foot: 7}, Run: func() Intent { return Close{} }},
	).While(p.Typing, p.typed(), func(msg tea.KeyPressMsg) Intent { p.input.Key(msg); return nil })
}

// typed returns the table while the user types a value.
func (p *Pane) typed() *action.Table[Intent] {
	return action.New[Intent](nil,
		action.Action[Intent]{Row: action.Row{Keys: []string{"enter"}, Does: "accept", Foot: 1}, Run: p.accept},
		action.Action[Intent]{Row: action.Row{Keys: []string{"tab"}, Does: "add the agent's modes", Foot: 2, Now: p.onModes}, Run: p.addMode},
		action.Action[Intent]{
			Row: action.Row{Keys: []string{"esc", "ctrl+c"}, Does: "cancel", Foot: 3},
			Run: func() Intent { p.typing = false; return nil },
		},
	)
}

func (p *Pane) onAnswer() action.State { return action.State{Off: p.at() != answer} }

func (p *Pane) onMetadata() action.State {
	if _, metadata := owners[p.at()]; !metadata {
		return action.State{Off: true, Why: "Only metadata can be edited in full screen."}
	}
	return action.State{}
}

func (p *Pane) onModes() action.State {
	return action.State{Off: p.at() != modes || p.nextMode() == ""}
}

// isSet reports whether a setting differs from its default.
func (p *Pane) isSet(f setting) bool {
	o := &p.about.Options
	switch f {
	case answer:
		return p.way() != 0
	case modes:
		return len(o.Config.AcceptedOutputModes) > 0
	case history:
		return o.Config.HistoryLength != nil
	case names:
		return len(p.about.Names) > 0
	}
	return len(*p.about.metadata(f)) > 0
}

func (p *Pane) anySet() bool {
	for f := range numSettings {
		if p.isSet(f) {
			return true
		}
	}
	return false
}

// resetAll sets all settings to their defaults.
func (p *Pane) resetAll() Intent {
	for f := range numSettings {
		p.about.Settings = p.reset(f)
	}
	return p.set(p.about.Settings)
}

// addMode adds an output mode of the agent to the input.
func (p *Pane) addMode() Intent {
	text := strings.TrimRight(p.input.Value(), ", ")
	if text != "" {
		text += ", "
	}
	p.input.SetValue(text + p.nextMode())
	return nil
}

// nextMode returns the next output mode of the agent that is not in the input yet.
func (p *Pane) nextMode() string {
	for _, g := range p.about.OutputModes {
		if g = canvas.SanitizeLine(clip(g)); g != "" && !strings.Contains(p.input.Value(), g) {
			return g
		}
	}
	return ""
}

// Mouse handles a click or a turn of the wheel at row y. A click selects a setting; a click on
// the selected setting edits it.
func (p *Pane) Mouse(msg tea.MouseMsg, _, y int) Intent {
	if p.typing {
		return nil
	}
	if p.List.Mouse(msg, y, int(numSettings), int(numSettings)) == list.HitSelected {
		return p.write()
	}
	return nil
}
