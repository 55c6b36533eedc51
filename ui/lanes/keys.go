package lanes

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
	"parley/ui/list"
)

// A KeyMap contains the pane's key bindings.
type KeyMap struct {
	list.Keys
	Earlier, Later, PanEarlier, PanLater key.Binding
	Next, Prev                           key.Binding
	In, Out, Whole, Follow               key.Binding
	Span, FilterSpan, ZoomSpan           key.Binding
	Mark, Copy, Show, Close              key.Binding
}

// DefaultKeyMap returns the default key bindings.
func DefaultKeyMap() KeyMap {
	k := KeyMap{
		Keys:       list.DefaultKeys(),
		Earlier:    keys.Bind("h", "earlier", "h", "left"),
		Later:      keys.Bind("l", "later", "l", "right"),
		PanEarlier: keys.Bind("H", "half a window earlier", "H", "shift+left"),
		PanLater:   keys.Bind("L", "half a window later", "L", "shift+right"),
		Next:       keys.Bind("n", "next record"),
		Prev:       keys.Bind("N", "previous record"),
		In:         keys.Bind("+", "zoom in", "+", "="),
		Out:        keys.Bind("-", "zoom out"),
		Whole:      keys.Bind("0", "show whole session"),
		Follow:     keys.Bind("f", "follow"),
		Span:       keys.Bind("v", "begin span"),
		FilterSpan: keys.Bind("w", "filter wire by span"),
		ZoomSpan:   keys.Bind("z", "zoom to span"),
		Mark:       keys.Bind("m", "mark record"),
		Copy:       keys.Bind("y", "copy span"),
		Show:       keys.Bind("enter", "show record"),
		Close:      keys.Bind("esc", "close", "esc", "q", "f6"),
	}
	k.Up.SetHelp(keys.Name(k.Up), "lane above")
	k.Down.SetHelp(keys.Name(k.Down), "lane below")
	k.First.SetHelp(keys.Name(k.First), "first lane")
	k.Last.SetHelp(keys.Name(k.Last), "last lane")
	return k
}

// activeKeys returns the key bindings for the current state: bindings without an effect are disabled,
// and help texts match what the keys do.
func (p *Pane) activeKeys() KeyMap {
	p.update()
	k, some := p.keys, len(p.rows) > 0
	k.Keys.SetEnabled(len(p.rows) > 2)
	for _, b := range []*key.Binding{
		&k.Earlier, &k.Later, &k.PanEarlier, &k.PanLater, &k.Next, &k.Prev, &k.In, &k.Out, &k.Whole, &k.Follow, &k.Span, &k.Mark, &k.Copy, &k.Show,
	} {
		b.SetEnabled(some)
	}
	k.FilterSpan.SetEnabled(some && p.span.on)
	k.ZoomSpan.SetEnabled(some && p.span.on)
	if p.window.follow {
		k.Follow.SetHelp(keys.Name(k.Follow), "pause")
	}
	if !p.span.on {
		k.Copy.SetHelp(keys.Name(k.Copy), "copy window")
	}
	if p.span.open {
		k.Span.SetHelp(keys.Name(k.Span), "end span")
		k.Show.SetHelp(keys.Name(k.Show), "filter wire by span")
		k.FilterSpan.SetEnabled(false)
		k.Close.SetHelp(keys.Name(k.Close), "drop span")
	}
	return k
}

// ShortHelp returns the key bindings for the footer.
func (p *Pane) ShortHelp() []key.Binding {
	k := p.activeKeys()
	return []key.Binding{k.Show, k.Span, k.In, k.Out, k.FilterSpan, k.Later, k.Next, k.Whole, k.Follow, k.Mark, k.Copy, k.ZoomSpan, k.Close}
}

// KeyMap returns the keys, for the user's settings to change.
func (p *Pane) KeyMap() any { return &p.keys }

// FullHelp returns all key bindings, in columns.
func (p *Pane) FullHelp() [][]key.Binding {
	k := p.keys
	return [][]key.Binding{
		append(k.Keys.All(), k.Earlier, k.Later, k.PanEarlier, k.PanLater, k.Next, k.Prev),
		{k.In, k.Out, k.Whole, k.Follow, k.Span, k.FilterSpan, k.ZoomSpan, k.Mark, k.Copy, k.Show, k.Close},
	}
}

// Key handles a key press.
func (p *Pane) Key(msg tea.KeyPressMsg) Intent {
	k := p.activeKeys()
	switch {
	case key.Matches(msg, k.Close):
		return p.close(msg)
	case key.Matches(msg, k.Show):
		return p.show()
	case key.Matches(msg, k.FilterSpan):
		return Filter{p.filter()}
	case key.Matches(msg, k.Mark):
		return Mark{p.current()}
	case key.Matches(msg, k.Copy):
		text, what := p.text()
		return Copy{text, what}
	case key.Matches(msg, k.Span):
		p.toggleSpan()
	default:
		p.moveKey(msg, &k)
	}
	return nil
}

// moveKey handles the keys that move the cursor and the window.
func (p *Pane) moveKey(msg tea.KeyPressMsg, k *KeyMap) {
	switch {
	case key.Matches(msg, k.Earlier):
		p.step(-1)
	case key.Matches(msg, k.Later):
		p.step(1)
	case key.Matches(msg, k.PanEarlier):
		p.pan(-1)
	case key.Matches(msg, k.PanLater):
		p.pan(1)
	case key.Matches(msg, k.Next):
		p.stepRecord(1)
	case key.Matches(msg, k.Prev):
		p.stepRecord(-1)
	case key.Matches(msg, k.In):
		p.zoom(false)
	case key.Matches(msg, k.Out):
		p.zoom(true)
	case key.Matches(msg, k.Whole):
		p.showWhole()
	case key.Matches(msg, k.Follow):
		p.toggleFollow()
	case key.Matches(msg, k.ZoomSpan):
		if from, to, ok := p.span.bounds(p); ok {
			p.span = span{on: true, from: from, to: to}
			p.zoomTo(from, to)
		}
	default:
		if by, ok := k.Distance(msg, p.parts().List); ok {
			p.move(by)
		}
	}
}

// show returns the intent that shows the record under the cursor; while a span is open, the one that
// filters the wire by it.
func (p *Pane) show() Intent {
	if p.span.open {
		p.toggleSpan()
		return Filter{p.filter()}
	}
	if id := p.current(); id != 0 {
		return Show{id}
	}
	return nil
}

// close drops an open span if the key is esc, else it closes the pane.
func (p *Pane) close(msg tea.KeyPressMsg) Intent {
	if !p.span.open || msg.Code != tea.KeyEscape {
		return Close{}
	}
	p.span = span{}
	return nil
}
