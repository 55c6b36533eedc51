package player

import (
	"time"
)

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

// open opens the input of a place.
func (p *Pane) open() Intent {
	p.typing = true
	p.in.Reset()
	p.in.Focus()
	return nil
}

// closeInput closes the input.
func (p *Pane) closeInput() Intent {
	p.typing = false
	p.in.Blur()
	return nil
}

// accept closes the input and asks to go to the place in it.
func (p *Pane) accept() Intent {
	p.closeInput()
	if text := p.in.Value(); text != "" {
		return GoTo{text}
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
