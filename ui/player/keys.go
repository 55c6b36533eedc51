package player

import (
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
)

// Keys work outside text fields, wherever the focus is.
type Keys struct {
	Play, Back, Forward, Slower, Faster, GoTo, Stop key.Binding
}

func defaultKeys() Keys {
	return Keys{
		Play:    keys.Bind("P", "play or pause"),
		Back:    keys.Bind(",", "previous record"),
		Forward: keys.Bind(".", "next record"),
		Slower:  keys.Bind("[", "play slower"),
		Faster:  keys.Bind("]", "play faster"),
		GoTo:    keys.Bind(":", "go to"),
		Stop:    keys.Bind("esc", "stop on the way"),
	}
}

// LineKeys work while the line has the focus.
type LineKeys struct {
	Toggle, Earlier, Later, MuchEarlier, MuchLater, Start, End       key.Binding
	NextFinding, LastFinding, NextMark, LastMark, NextTurn, LastTurn key.Binding
	Mark, Ask, Part                                                  key.Binding
}

func defaultLineKeys() LineKeys {
	digits := []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}
	return LineKeys{
		Toggle:      keys.Bind("space", "play or pause"),
		Earlier:     keys.Bind("h", "5 seconds back", "h", "left"),
		Later:       keys.Bind("l", "5 seconds forward", "l", "right"),
		MuchEarlier: keys.Bind("j", "1 minute back", "j", "down"),
		MuchLater:   keys.Bind("k", "1 minute forward", "k", "up"),
		Start:       keys.Bind("home", "first record"),
		End:         keys.Bind("G", "last record", "G", "end"),
		NextFinding: keys.Bind("n", "next finding"),
		LastFinding: keys.Bind("N", "previous finding"),
		NextMark:    keys.Bind("'", "next mark"),
		LastMark:    keys.Bind("\"", "previous mark"),
		NextTurn:    keys.Bind("}", "next turn"),
		LastTurn:    keys.Bind("{", "previous turn"),
		Mark:        keys.Bind("m", "mark record"),
		Ask:         keys.Bind("g", "go to time or record"),
		Part:        keys.Bind("0-9", "go to 0 % to 90 %", digits...),
	}
}

// An Intent is what a key asks for. A nil intent asks for nothing.
type Intent interface{ intent() }

// The intents.
type (
	// Play asks to play, or to pause.
	Play struct{}
	// Step asks to go some records further.
	Step struct{ N int }
	// Speed asks to play faster, or slower if Dir is negative.
	Speed struct{ Dir int }
	// Skip asks to go to another time.
	Skip struct{ By time.Duration }
	// GoTo asks to go to a place in words.
	GoTo struct{ Text string }
	// GoToPart asks to go to a part of the time line.
	GoToPart struct{ Part float64 }
	// Mark asks to mark the newest record on the screen, or to unmark it.
	Mark struct{}
	// Stop asks to end a seek where it is.
	Stop struct{}
	// Take asks for the keys.
	Take struct{}
	// Ask asks to open the input for a place.
	Ask struct{}
)

func (Play) intent()     {}
func (Step) intent()     {}
func (Speed) intent()    {}
func (Skip) intent()     {}
func (GoTo) intent()     {}
func (GoToPart) intent() {}
func (Mark) intent()     {}
func (Stop) intent()     {}
func (Take) intent()     {}
func (Ask) intent()      {}

// Key handles a key press. done is false if the key means nothing here; then it is for others.
func (p *Pane) Key(msg tea.KeyPressMsg) (in Intent, done bool) {
	if p.typing {
		return p.write(msg), true
	}
	k := &p.keys
	switch {
	case p.status.seeks() && key.Matches(msg, k.Stop):
		return Stop{}, true
	case key.Matches(msg, k.Play):
		return Play{}, true
	case key.Matches(msg, k.Back):
		return Step{-1}, true
	case key.Matches(msg, k.Forward):
		return Step{1}, true
	case key.Matches(msg, k.Slower):
		return Speed{-1}, true
	case key.Matches(msg, k.Faster):
		return Speed{1}, true
	case key.Matches(msg, k.GoTo):
		p.open()
		return nil, true
	case p.focused:
		return p.lineKey(msg)
	}
	return nil, false
}

// lineKey handles the keys of the line itself.
func (p *Pane) lineKey(msg tea.KeyPressMsg) (in Intent, done bool) {
	const short, long = 5 * time.Second, time.Minute
	k := &p.line
	if key.Matches(msg, k.Ask) {
		p.open()
		return nil, true
	}
	if key.Matches(msg, k.Part) {
		return GoToPart{float64(max(0, slices.Index(k.Part.Keys(), msg.String()))) / 10}, true
	}
	for _, it := range []struct {
		key key.Binding
		in  Intent
	}{
		{k.Toggle, Play{}}, {k.Earlier, Skip{-short}}, {k.Later, Skip{short}}, {k.MuchEarlier, Skip{-long}}, {k.MuchLater, Skip{long}},
		{k.Start, GoTo{"start"}}, {k.End, GoTo{"end"}}, {k.NextFinding, GoTo{"next finding"}}, {k.LastFinding, GoTo{"previous finding"}},
		{k.NextMark, GoTo{"next mark"}}, {k.LastMark, GoTo{"previous mark"}}, {k.NextTurn, GoTo{"next turn"}}, {k.LastTurn, GoTo{"previous turn"}},
		{k.Mark, Mark{}},
	} {
		if key.Matches(msg, it.key) {
			return it.in, true
		}
	}
	return nil, false
}

// open opens the input.
func (p *Pane) open() {
	p.typing = true
	p.in.Reset()
	p.in.Focus()
}

// closeInput closes the input.
func (p *Pane) closeInput() {
	p.typing = false
	p.in.Blur()
}

// write handles a key while the input is open.
func (p *Pane) write(msg tea.KeyPressMsg) Intent {
	switch {
	case msg.Code == tea.KeyEscape, msg.String() == "ctrl+c", msg.Code == tea.KeyTab:
		p.closeInput()
	case msg.Code == tea.KeyEnter:
		p.closeInput()
		if text := p.in.Value(); text != "" {
			return GoTo{text}
		}
	default:
		p.in.Key(msg)
	}
	return nil
}

// Click handles a click on a cell of the line.
func (p *Pane) Click(x int) Intent {
	switch at := x - p.bar.from; {
	case p.typing:
		return nil
	case at >= 0 && at < p.bar.w:
		return GoToPart{float64(at) / float64(max(p.bar.w-1, 1))}
	case x <= 2:
		return Play{}
	}
	return Take{}
}

// Keys returns the keys that work wherever the focus is, and LineKeys those of the line: for the
// names of actions.
func (p *Pane) Keys() Keys { return p.keys }

// LineKeys returns the keys of the line.
func (p *Pane) LineKeys() LineKeys { return p.line }

// Ask opens the input for a place.
func (p *Pane) Ask() { p.open() }

// KeyMap returns the keys that work wherever the focus is, LineKeyMap those of the line: for the
// user's settings to change.
func (p *Pane) KeyMap() any { return &p.keys }

// LineKeyMap returns the keys of the line.
func (p *Pane) LineKeyMap() any { return &p.line }

// ShortHelp returns the keys for the footer.
func (p *Pane) ShortHelp() []key.Binding {
	k, l := p.keys, p.line
	if p.typing {
		return []key.Binding{keys.Bind("enter", "go there"), keys.Bind("esc", "close")}
	}
	if p.status.Playing {
		l.Toggle.SetHelp(l.Toggle.Help().Key, "pause")
	} else {
		l.Toggle.SetHelp(l.Toggle.Help().Key, "play")
	}
	if p.status.seeks() {
		return []key.Binding{k.Stop, l.Toggle}
	}
	return []key.Binding{l.Toggle, k.Forward, l.Ask, l.Earlier, l.Later, k.Faster, l.NextFinding}
}

// FullHelp returns all keys: those that work wherever the focus is, and those of the line.
func (p *Pane) FullHelp() [][]key.Binding {
	k, l := &p.keys, &p.line
	return [][]key.Binding{
		{k.Play, k.Back, k.Forward, k.Slower, k.Faster, k.GoTo, k.Stop},
		{l.Toggle, l.Earlier, l.Later, l.MuchEarlier, l.MuchLater, l.Start, l.End, l.NextFinding, l.LastFinding, l.NextMark, l.LastMark, l.NextTurn, l.LastTurn, l.Mark, l.Ask, l.Part},
	}
}
