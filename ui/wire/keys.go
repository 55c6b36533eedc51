package wire

import "charm.land/bubbles/v2/key"

// A KeyMap binds the pane's keys.
type KeyMap struct {
	// These move the selection, or the cursor in the record below.
	Up, Down, PageUp, PageDown, Top, Bottom key.Binding
	// OtherUp and OtherDown move in the half that the keys above do not: they
	// scroll the record, or select another one while it is read.
	OtherUp, OtherDown key.Binding

	Reveal, Follow, Clock, Filter, Copy key.Binding

	Detail, Whole, Fold, FoldAll, UnfoldAll key.Binding
	Back                                    key.Binding
	Tabs                                    TabKeys
}

// TabKeys choose what is shown of a record.
type TabKeys struct{ Prev, Next, Pick key.Binding }

// DefaultKeyMap returns the keys as the manual names them.
func DefaultKeyMap() KeyMap {
	bind := func(help, desc string, keys ...string) key.Binding {
		return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, desc))
	}
	return KeyMap{
		Up:        bind("k", "up", "k", "up"),
		Down:      bind("j", "down", "j", "down"),
		PageUp:    bind("pgup", "page up", "pgup", "ctrl+b"),
		PageDown:  bind("pgdn", "page down", "pgdown", "ctrl+f"),
		Top:       bind("g", "first", "g", "home"),
		Bottom:    bind("G", "newest", "G", "end"),
		OtherUp:   bind("K", "record up", "K", "ctrl+u"),
		OtherDown: bind("J", "scroll record", "J", "ctrl+d"),
		Reveal:    bind("enter", "show in chat", "enter"),
		Follow:    bind("f", "follow", "f"),
		Clock:     bind("t", "time", "t"),
		Filter:    bind("/", "filter", "/"),
		Copy:      bind("y", "copy", "y"),
		Detail:    bind("d", "read record", "d"),
		Whole:     bind("D", "record alone", "D"),
		Fold:      bind("space", "fold", "space", "enter"),
		FoldAll:   bind("-", "fold all", "-"),
		UnfoldAll: bind("+", "unfold all", "+", "="),
		Back:      bind("esc", "back", "esc"),
		Tabs: TabKeys{
			Prev: bind("h", "tab left", "h", "left"),
			Next: bind("l", "next tab", "l", "right"),
			Pick: bind("1-4", "tab", "1", "2", "3", "4"),
		},
	}
}

// now returns the keys with those disabled that would do nothing, and with the
// words that fit.
func (p *Pane) now() KeyMap {
	k := p.keys
	some, seen := p.rows.sel != 0, p.detailHeight() > 0
	if p.reading {
		k.Detail.SetHelp("d", "back to rows")
		k.OtherDown.SetHelp("J", "next record")
		k.OtherUp.SetHelp("K", "record before")
		k.Bottom.SetHelp("G", "last")
	}
	if p.rows.follow {
		k.Follow.SetHelp("f", "pause")
	}
	tree := p.reading && p.detail.shows(p.rows.item()) == showTree
	if tree {
		p.detail.hold(p.rows.item())
	}
	k.Fold.SetEnabled(tree && p.detail.tree.CanToggle())
	k.FoldAll.SetEnabled(tree)
	k.UnfoldAll.SetEnabled(tree)
	for _, b := range []*key.Binding{&k.OtherUp, &k.OtherDown, &k.Tabs.Prev, &k.Tabs.Next, &k.Tabs.Pick} {
		b.SetEnabled(some && seen)
	}
	for _, b := range []*key.Binding{&k.Up, &k.Down, &k.PageUp, &k.PageDown, &k.Top, &k.Bottom, &k.Follow, &k.Clock, &k.Detail, &k.Copy} {
		b.SetEnabled(some)
	}
	k.Whole.SetEnabled(some && p.h >= splitFrom)
	k.Reveal.SetEnabled(some && !p.reading)
	k.Back.SetEnabled(p.reading || p.whole || p.filter.on())
	return k
}

// ShortHelp returns the keys for the line at the bottom.
func (p *Pane) ShortHelp() []key.Binding {
	if p.filter.open {
		return p.filter.help()
	}
	k := p.now()
	if p.reading {
		return []key.Binding{k.Detail, k.Fold, k.Tabs.Next, k.OtherDown, k.Copy, k.Whole}
	}
	return []key.Binding{k.Filter, k.Follow, k.Detail, k.Reveal, k.Tabs.Next, k.Clock, k.Copy}
}

// FullHelp returns all keys in columns.
func (p *Pane) FullHelp() [][]key.Binding {
	k := p.now()
	return [][]key.Binding{
		{k.Up, k.Down, k.PageUp, k.PageDown, k.Top, k.Bottom, k.Follow, k.Clock, k.Filter, k.Reveal, k.Copy},
		{k.Detail, k.Whole, k.OtherDown, k.OtherUp, k.Tabs.Prev, k.Tabs.Next, k.Tabs.Pick, k.Fold, k.FoldAll, k.UnfoldAll, k.Back},
	}
}
