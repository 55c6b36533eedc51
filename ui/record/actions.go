package record

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/canvas"
)

// An Action is a named operation of the view, with its key.
type Action struct {
	Key  key.Binding
	Name string
	Why  string // why it is not available now; empty if it is
	Do   func() Intent
}

// Actions returns the operations on the record. reading says whether the view has the keys.
func (v *View) Actions(reading bool) []Action {
	if v.it == nil {
		return nil
	}
	record := "record " + v.number()
	now := v.Keys(reading)
	unread := "the cursor is not in the record: read the record first"
	why := func(b key.Binding, otherwise string) string {
		switch {
		case b.Enabled():
			return ""
		case !reading:
			return unread
		default:
			return otherwise
		}
	}
	empty := ""
	if len(v.it.Record.Raw) == 0 && v.shows() != showBytes {
		empty = "this record has no bytes"
	}
	none := ""
	if len(v.it.Findings) == 0 {
		none = "it has no findings"
	}
	k := &v.keys
	out := []Action{
		v.showTab(Pretty, "Show "+record+" as a tree", ""), v.showTab(Raw, "Show the raw bytes of "+record, empty),
		v.showTab(Headers, "Show the headers around "+record, ""), v.showTab(Timing, "Show the timing of the exchange of "+record, ""),
		v.showTab(Findings, "Show the findings of "+record, none),
		{k.Copy, "Copy " + record, "", func() Intent { return v.copyIntent(reading) }},
		{k.Save, "Save the body of " + record + " to a file", empty, func() Intent { return v.saveIntent(reading) }},
		{k.CopyPlace, "Copy the JSON pointer of the cursor", why(now.CopyPlace, "the cursor is not on a value of a tree"), v.place},
		{k.Hex, "Show the bytes of " + record + " in hexadecimal", empty, v.switchHex},
		{k.Format, "Preview decoded value", why(now.Format, "the cursor is not on a text"), v.nextFormat},
		{k.Reveal, "Reveal the secret under the cursor", why(now.Reveal, "the cursor is not on a masked value"), v.wrapChange(v.reveal)},
		{k.FoldAll, "Fold all of " + record, why(now.FoldAll, "no tree is shown"), v.wrapChange(func() Intent { v.tree.FoldAll(true); return nil })},
		{k.UnfoldAll, "Unfold all of " + record, why(now.UnfoldAll, "no tree is shown"), v.wrapChange(func() Intent { v.tree.FoldAll(false); return nil })},
	}
	mute := Action{Key: k.Mute, Name: "Mute the rule under the cursor", Why: why(now.Mute, "the cursor is not on a finding: 5 lists them")}
	if mute.Why == "" {
		f := v.sheet.entry().finding
		mute.Name = "Mute " + canvas.SanitizeLine(f.Rule)
		if v.log.Findings().Muted(f.Rule) {
			mute.Name = "Unmute " + canvas.SanitizeLine(f.Rule)
		}
		mute.Do = v.wrapChange(func() Intent { return v.mute(f) })
	}
	return append(out, mute)
}

// act runs the action of a key, or explains why it is not available now. Keys that have another
// meaning in the rows are not used.
func (v *View) act(msg tea.KeyPressMsg, reading bool) (in Intent, used bool) {
	if key.Matches(msg, v.keys.Hex, v.keys.Tabs.Pick) { // their actions do more than the keys
		return nil, false
	}
	mine := []key.Binding{v.keys.Save}
	if reading {
		mine = append(mine, v.keys.Format, v.keys.Reveal, v.keys.CopyPlace, v.keys.FoldAll, v.keys.UnfoldAll)
	}
	for _, a := range v.Actions(reading) {
		switch {
		case !key.Matches(msg, a.Key):
		case a.Why == "":
			return a.Do(), true
		case key.Matches(msg, mine...):
			return Say{"Not available now: " + a.Why + "."}, true
		}
	}
	return nil, false
}

// showTab returns the action that shows a tab.
func (v *View) showTab(t Tab, name, why string) Action {
	return Action{v.keys.Tabs.Pick, name, why, func() Intent {
		v.SetTab(t)
		return nil
	}}
}

// wrapChange wraps a function that changes the view.
func (v *View) wrapChange(do func() Intent) func() Intent {
	return func() Intent {
		defer v.invalidate()
		return do()
	}
}

// switchHex switches the bytes between hexadecimal and text.
func (v *View) switchHex() Intent {
	hex := v.Tab() != Raw || !v.raw.Hex()
	v.SetTab(Raw)
	v.load()
	v.raw.SetHex(hex)
	return nil
}

// nextFormat shows the string under the cursor in its next format.
func (v *View) nextFormat() Intent {
	v.invalidate()
	return Say{"shown " + v.tree.NextFormat().String()}
}
