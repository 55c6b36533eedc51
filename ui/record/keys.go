package record

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
)

// A KeyMap binds the view's keys.
type KeyMap struct {
	// These act whether the view has the keys or not.
	Copy, Save key.Binding
	Tabs       TabKeys

	// These act while the view has the keys; Hex acts wherever bytes are shown.
	Fold, FoldAll, UnfoldAll key.Binding
	CopyPlace                key.Binding
	Format, Hex              key.Binding
	Reveal                   key.Binding
	Jump, Mute               key.Binding
}

// TabKeys choose a tab.
type TabKeys struct{ Prev, Next, Pick key.Binding }

// DefaultKeyMap returns the default keys.
func DefaultKeyMap() KeyMap {
	return KeyMap{
		Copy: keys.Bind("y", "copy text"),
		Save: keys.Bind("w", "save body"),
		Tabs: TabKeys{
			Prev: keys.Bind("h", "previous tab", "h", "left"),
			Next: keys.Bind("l", "next tab", "l", "right"),
			Pick: keys.Bind("1-5", "show tab", "1", "2", "3", "4", "5"),
		},
		Fold:      keys.Bind("space", "fold or open text", "space", "enter"),
		FoldAll:   keys.Bind("-", "fold all"),
		UnfoldAll: keys.Bind("+", "unfold all", "+", "="),
		CopyPlace: keys.Bind("Y", "copy JSON pointer"),
		Format:    keys.Bind("v", "preview decoded value"),
		Hex:       keys.Bind("x", "switch hexadecimal"),
		Reveal:    keys.Bind("u", "reveal secret"),
		Jump:      keys.Bind("enter", "go to place", "enter", "space"),
		Mute:      keys.Bind("m", "mute rule"),
	}
}

// KeyMap returns the keys, for the user's settings to change.
func (v *View) KeyMap() any { return &v.keys }

// Keys returns the keys with those disabled that have no effect now. reading says whether the
// view has the keys.
func (v *View) Keys(reading bool) KeyMap {
	k, how := v.keys, v.shows()
	var at entry
	switch {
	case how == showSheet:
		v.sheet.fill(v)
		at = v.sheet.entry()
	case how != showNothing:
		v.load()
	}
	tree, sheet := reading && how == showTree, reading && how == showSheet
	k.Fold.SetEnabled(tree && v.tree.CanToggle())
	k.FoldAll.SetEnabled(tree)
	k.UnfoldAll.SetEnabled(tree)
	k.CopyPlace.SetEnabled(tree && v.tree.Pointer() != "")
	k.Format.SetEnabled(tree && v.tree.HasFormats())
	k.Hex.SetEnabled(how == showBytes)
	if v.raw.Hex() {
		k.Hex.SetHelp(k.Hex.Help().Key, "show as text")
	}
	k.Jump.SetEnabled(sheet && (at.finding != nil || at.record != 0))
	k.Mute.SetEnabled(sheet && at.finding != nil)
	if at.finding != nil && v.log.Findings().Muted(at.finding.Rule) {
		k.Mute.SetHelp(k.Mute.Help().Key, "unmute rule")
	}
	_, masked := v.secret()
	k.Reveal.SetEnabled(reading && (masked || v.shownSecret.in != nowhere))
	if v.shownSecret.in != nowhere {
		k.Reveal.SetHelp(k.Reveal.Help().Key, "hide secret")
	}
	k.Copy.SetEnabled(v.it != nil)
	k.Save.SetEnabled(v.it != nil && (len(v.it.Record.Raw) > 0 || how == showBytes))
	for _, b := range []*key.Binding{&k.Tabs.Prev, &k.Tabs.Next, &k.Tabs.Pick} {
		b.SetEnabled(v.it != nil && v.h > 0)
	}
	return k
}

// Key handles a key press and reports whether the key is one of the view's.
func (v *View) Key(msg tea.KeyPressMsg, reading bool) (in Intent, used bool) {
	k := v.Keys(reading)
	switch {
	case key.Matches(msg, k.Tabs.Prev):
		v.pick(int(v.Tab()) - 1)
	case key.Matches(msg, k.Tabs.Next):
		v.pick(int(v.Tab()) + 1)
	case key.Matches(msg, k.Tabs.Pick):
		n := int(msg.String()[0] - '1') // the key code differs on a keypad
		if n == int(Findings) && len(v.it.Findings) == 0 {
			return Say{"There are no findings in record " + v.number() + "."}, true
		}
		v.pick(n)
	case key.Matches(msg, k.Fold):
		v.tree.Toggle()
	case key.Matches(msg, k.Jump):
		in = v.enter()
	case key.Matches(msg, k.Hex):
		v.switchHex()
	default:
		return v.act(msg, reading)
	}
	v.invalidate()
	return in, true
}

// enter follows the row under the cursor: to a finding's place or to a record.
func (v *View) enter() Intent {
	switch at := v.sheet.entry(); {
	case at.finding != nil:
		return v.toFinding(at.finding)
	case at.record != 0:
		return Select{at.record}
	default:
		return nil
	}
}

// place copies the JSON pointer of the cursor.
func (v *View) place() Intent {
	return Copy{Text: v.tree.Pointer(), What: "the JSON pointer"}
}

// copyIntent returns what copying takes: in a tree the value under the cursor, on a revealed
// secret that secret, else everything that is shown.
func (v *View) copyIntent(reading bool) Copy {
	what := "record " + v.number()
	switch how := v.shows(); {
	case how == showTree && reading:
		v.load()
		text, pointer := v.tree.Selection()
		if pointer != "" {
			what = pointer + " in " + what
		}
		return Copy{Text: text, What: what}
	case how == showBytes || len(v.it.Record.Raw) > 0 && (!reading || how != showSheet):
		return Copy{Text: string(v.bytes()), What: what}
	default:
		v.sheet.fill(v)
		if s := v.sheet.entry().secret; reading && s.in != nowhere && s == v.shownSecret {
			value, _ := s.open(&v.log.At(s.record).Record)
			return Copy{Text: value, What: "the secret in " + what}
		}
		return Copy{Text: v.sheet.plainText(v), What: what}
	}
}
