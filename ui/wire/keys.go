package wire

import (
	"charm.land/bubbles/v2/key"

	"parley/ui/keys"
	"parley/ui/list"
)

// A KeyMap binds the pane's keys. Package record binds the keys that act on the record itself.
type KeyMap struct {
	Move list.Keys
	// OtherUp and OtherDown move in the other half of the pane: they scroll the record, or
	// select another one while the record has the keys.
	OtherUp, OtherDown key.Binding

	Reveal, Follow, Clock, Filter key.Binding
	Scope, Clear                  key.Binding
	Fold, FoldAll, UnfoldAll      key.Binding // exchanges
	Marks                         MarkKeys
	Search                        SearchKeys
	Stream                        StreamKeys

	Detail, Whole, Back key.Binding
}

// MarkKeys set marks and move between them.
type MarkKeys struct{ Toggle, Next, Prev, Comment key.Binding }

// SearchKeys open the search and move between matches.
type SearchKeys struct{ Open, Next, Prev key.Binding }

// DefaultKeyMap returns the default keys.
func DefaultKeyMap() KeyMap {
	return KeyMap{
		Move: list.Keys{
			Up:       keys.Bind("k", "up", "k", "up"),
			Down:     keys.Bind("j", "down", "j", "down"),
			PageUp:   keys.Bind("pgup", "page up", "pgup", "ctrl+b"),
			PageDown: keys.Bind("pgdn", "page down", "pgdown"),
			First:    keys.Bind("g", "first", "g", "home"),
			Last:     keys.Bind("G", "newest", "G", "end"),
		},
		OtherUp:   keys.Bind("K", "scroll record up", "K", "ctrl+u"),
		OtherDown: keys.Bind("J", "scroll record down", "J", "ctrl+d"),
		Reveal:    keys.Bind("enter", "show in chat"),
		Follow:    keys.Bind("f", "pause"),
		Clock:     keys.Bind("t", "switch gap or clock"),
		Filter:    keys.Bind("/", "filter records"),
		Scope:     keys.Bind("a", "change scope"),
		Clear:     keys.Bind("L", "clear rows"),
		Fold:      keys.Bind("space", "fold exchange"),
		FoldAll:   keys.Bind("-", "fold all"),
		UnfoldAll: keys.Bind("+", "unfold all", "+", "="),
		Marks: MarkKeys{
			Toggle:  keys.Bind("m", "mark record"),
			Next:    keys.Bind("'", "next mark"),
			Prev:    keys.Bind("\"", "previous mark"),
			Comment: keys.Bind(";", "comment on record"),
		},
		Stream: defaultStreamKeys(),
		Search: SearchKeys{
			Open: keys.Bind("ctrl+f", "search records"),
			Next: keys.Bind("n", "next match"),
			Prev: keys.Bind("N", "previous match"),
		},
		Detail: keys.Bind("d", "read record"),
		Whole:  keys.Bind("D", "show only record"),
		Back:   keys.Bind("esc", "go back"),
	}
}

// activeKeys returns the keys with those disabled that have no effect now, and with help texts for
// the current state.
func (p *Pane) activeKeys() KeyMap {
	k := p.keys
	some, seen, rows := p.rows.sel != 0, p.detailHeight() > 0, p.rows.sel != 0 && !p.reading
	if p.reading {
		k.Detail.SetHelp(k.Detail.Help().Key, "back to rows")
		k.OtherDown.SetHelp(k.OtherDown.Help().Key, "next record")
		k.OtherUp.SetHelp(k.OtherUp.Help().Key, "previous record")
		k.Move.Last.SetHelp(k.Move.Last.Help().Key, "last")
		k.Search.Open.SetKeys("/", "ctrl+f") // within one record there is no filter
		k.Search.Open.SetHelp(keys.Name(k.Filter), "search records")
		k.Filter.SetEnabled(false)
	}
	if !p.rows.follow {
		k.Follow.SetHelp(k.Follow.Help().Key, "follow")
	}
	if p.allCleared() {
		k.Clear.SetHelp(keys.Name(k.Clear), "show cleared rows")
	}
	if _, folded := p.rows.foldedAt(p.rows.sel); folded {
		k.Fold.SetHelp(k.Fold.Help().Key, "unfold exchange")
	}
	if len(p.rows.foldedChecks(p.rows.sel)) > 0 {
		k.Fold.SetHelp(keys.Name(k.Fold), "show checks")
	}
	if p.rows.marks.has(p.rows.sel) {
		k.Marks.Toggle.SetHelp(k.Marks.Toggle.Help().Key, "unmark record")
	}
	for _, b := range []*key.Binding{&k.OtherUp, &k.OtherDown} {
		b.SetEnabled(some && seen)
	}
	for _, b := range []*key.Binding{
		&k.Follow, &k.Clock, &k.Detail, &k.Marks.Toggle, &k.Marks.Next, &k.Marks.Prev, &k.Marks.Comment,
		&k.Search.Open, &k.Search.Next, &k.Search.Prev,
	} {
		b.SetEnabled(some)
	}
	k.Move.SetEnabled(some)
	k.Scope.SetEnabled(p.fixedScope() == "")
	if p.reading && p.detail.Keys(true).Mute.Enabled() {
		k.Marks.Toggle.SetEnabled(false) // the same key mutes the rule
	}
	for _, b := range []*key.Binding{&k.Reveal, &k.FoldAll, &k.UnfoldAll} {
		b.SetEnabled(rows)
	}
	p.streamHelp(&k)
	k.Fold.SetEnabled(rows && p.rows.foldable(p.rows.sel))
	k.Whole.SetEnabled(some && p.h >= splitFrom)
	k.Back.SetEnabled(p.reading || p.whole || p.stream.on || p.filter.on() || p.search.on())
	return k
}

// ShortHelp returns the keys for the footer.
func (p *Pane) ShortHelp() []key.Binding {
	if p.filter.open {
		return p.filter.shortHelp()
	}
	if p.search.typing {
		return []key.Binding{p.search.accept, p.search.leave}
	}
	k, r := p.activeKeys(), p.recordKeys()
	if p.stream.on && p.reading {
		return []key.Binding{k.Stream.Toggle, k.Reveal, k.Stream.After, k.Detail, k.OtherDown, k.Stream.Copy, k.Whole}
	}
	if p.reading {
		return []key.Binding{k.Detail, r.Fold, r.Jump, r.Format, r.Reveal, r.Mute, r.Tabs.Next, k.OtherDown, r.Copy, k.Whole}
	}
	if p.search.on() {
		return []key.Binding{k.Search.Next, k.Search.Prev, k.Search.Open, k.Back, k.Detail, k.Reveal, k.Marks.Toggle, r.Copy}
	}
	return []key.Binding{k.Filter, k.Scope, k.Follow, k.Detail, k.Reveal, k.Fold, k.Stream.Toggle, k.Stream.After, r.Tabs.Next, k.Clock, r.Copy}
}

// SaveKey returns the key that saves the body of a record.
func (p *Pane) SaveKey() key.Binding { return p.detail.Keys(true).Save }

// KeyMap returns the keys, for the user's settings to change.
func (p *Pane) KeyMap() any { return []any{&p.keys, &p.filter.keys, p.detail.KeyMap()} }

// FullHelp returns all keys in columns; while the filter or the search line is open, only the
// keys of that line.
func (p *Pane) FullHelp() [][]key.Binding {
	written := p.filter.help()
	if p.filter.open {
		return [][]key.Binding{written.all()}
	}
	if p.search.typing {
		return [][]key.Binding{{p.search.accept, p.search.leave}}
	}
	k, r := p.activeKeys(), p.recordKeys()
	return [][]key.Binding{
		append(k.Move.All(), k.Follow, k.Scope, k.Clear, k.Clock, k.Filter, k.Reveal, r.Copy),
		{k.Search.Open, k.Search.Next, k.Search.Prev, k.Fold, k.FoldAll, k.UnfoldAll, k.Marks.Toggle, k.Marks.Next, k.Marks.Prev, k.Marks.Comment, k.Stream.Toggle, k.Stream.Before, k.Stream.After},
		{k.Detail, k.Whole, k.OtherDown, k.OtherUp, r.Tabs.Prev, r.Tabs.Next, r.Tabs.Pick, k.Back},
		{r.Fold, r.FoldAll, r.UnfoldAll, r.CopyPlace, r.Format, r.Hex, r.Reveal, r.Jump, r.Mute, r.Save},
		written.all(),
	}
}
