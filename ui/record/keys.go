package record

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
)

// A KeyMap binds the view's keys.
type KeyMap struct {
	// These act whether the record is read or not.
	Copy key.Binding
	Tabs TabKeys

	// These act only while it is read.
	Fold, FoldAll, UnfoldAll key.Binding
}

// TabKeys choose what is shown of a record.
type TabKeys struct{ Prev, Next, Pick key.Binding }

// DefaultKeyMap returns the keys as the manual names them.
func DefaultKeyMap() KeyMap {
	return KeyMap{
		Copy: keys.Bind("y", "copy"),
		Tabs: TabKeys{
			Prev: keys.Bind("h", "tab left", "h", "left"),
			Next: keys.Bind("l", "next tab", "l", "right"),
			Pick: keys.Bind("1-4", "tab", "1", "2", "3", "4"),
		},
		Fold:      keys.Bind("space", "fold", "space", "enter"),
		FoldAll:   keys.Bind("-", "fold all"),
		UnfoldAll: keys.Bind("+", "unfold all", "+", "="),
	}
}

// Keys returns the keys with those disabled that would do nothing now; reading says
// whether the person is in the record.
func (v *View) Keys(reading bool) KeyMap {
	k := v.keys
	tree := reading && v.shows() == showTree
	if tree {
		v.hold()
	}
	k.Fold.SetEnabled(tree && v.tree.CanToggle())
	k.FoldAll.SetEnabled(tree)
	k.UnfoldAll.SetEnabled(tree)
	k.Copy.SetEnabled(v.it != nil)
	for _, b := range []*key.Binding{&k.Tabs.Prev, &k.Tabs.Next, &k.Tabs.Pick} {
		b.SetEnabled(v.it != nil && v.h > 0)
	}
	return k
}

// Key deals with a key press and reports whether it was one of the view's.
func (v *View) Key(msg tea.KeyPressMsg, reading bool) (in Intent, used bool) {
	k := v.Keys(reading)
	switch {
	case key.Matches(msg, k.Copy):
		return v.copied(reading), true
	case key.Matches(msg, k.Tabs.Prev):
		v.pick(int(v.Tab()) - 1)
	case key.Matches(msg, k.Tabs.Next):
		v.pick(int(v.Tab()) + 1)
	case key.Matches(msg, k.Tabs.Pick):
		if n := int(msg.Code - '1'); n < int(Findings) || n == int(Findings) && len(v.it.Findings) > 0 {
			v.pick(n)
		}
	case key.Matches(msg, k.Fold):
		v.tree.Toggle()
	case key.Matches(msg, k.FoldAll):
		v.tree.FoldAll(true)
	case key.Matches(msg, k.UnfoldAll):
		v.tree.FoldAll(false)
	default:
		return nil, false
	}
	return nil, true
}
