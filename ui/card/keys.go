package card

import (
	"slices"

	"charm.land/bubbles/v2/key"

	"parley/internal/signature"
	"parley/ui/keys"
	"parley/ui/list"
)

// KeyMap has the pane's keys.
type KeyMap struct {
	list.Keys
	Next, Prev, Use, Number, Evidence   key.Binding
	Raw, Copy, Retry, Extensions, Close key.Binding
	Extended, Difference, Trust         key.Binding
}

// DefaultKeyMap returns the keys of the pane.
func DefaultKeyMap() KeyMap {
	return KeyMap{
		Keys:   list.TextKeys(),
		Next:   keys.Bind("n", "next example", "n", "tab"),
		Prev:   keys.Bind("N", "previous example", "N", "shift+tab"),
		Use:    keys.Bind("enter", "use example, show record"),
		Number: keys.Bind("1-9", "use numbered example", "1", "2", "3", "4", "5", "6", "7", "8", "9"),
		Raw:    keys.Bind("v", "show raw JSON"),
		Copy:   keys.Bind("y", "copy JSON"),
		Retry:  keys.Bind("r", "get card again"),
		Close:  keys.Bind("esc", "close", "esc", "q"),

		Evidence:   keys.Bind("w", "show evidence"),
		Extensions: keys.Bind("x", "choose extensions"),
		Extended:   keys.Bind("e", "get extended card"),
		Difference: keys.Bind("d", "compare cards"),
		Trust:      keys.Bind("t", "download keys of signatures"),
	}
}

// ShortHelp lists the keys for the footer.
func (p *Pane) ShortHelp() []key.Binding {
	k := p.enabled()
	return []key.Binding{k.Use, k.Evidence, k.Number, k.Next, k.Raw, k.Difference, k.Trust, k.Copy, k.Retry, k.Extended, k.Extensions, k.Close}
}

// KeyMap returns the keys, for the user's settings to change.
func (p *Pane) KeyMap() any { return &p.keys }

// FullHelp lists all keys of the pane.
func (p *Pane) FullHelp() [][]key.Binding {
	k := p.keys
	return [][]key.Binding{
		k.Keys.All(),
		{k.Next, k.Prev, k.Use, k.Number, k.Evidence, k.Raw, k.Copy, k.Retry, k.Extended, k.Difference, k.Trust, k.Extensions, k.Close},
	}
}

// enabled returns the keys, with those disabled that would do nothing.
func (p *Pane) enabled() KeyMap {
	k := p.keys
	p.build()
	has := p.examples > 0
	k.Next.SetEnabled(has)
	k.Prev.SetEnabled(has)
	k.Number.SetEnabled(has)
	k.Use.SetEnabled(p.at >= 0)
	k.Evidence.SetEnabled(p.hasEvidence())
	switch {
	case p.at < 0:
	case p.entries[p.at].example != nil:
		k.Use.SetHelp(k.Use.Help().Key, "use example")
	case p.entries[p.at].record != 0:
		k.Use.SetHelp(k.Use.Help().Key, "show record")
	default:
		k.Use.SetHelp(k.Use.Help().Key, "say why")
	}
	card := p.agent != nil && p.agent.Card != nil
	k.Raw.SetEnabled(card)
	k.Copy.SetEnabled(card)
	k.Retry.SetEnabled(p.agent != nil)
	k.Extensions.SetEnabled(p.agent != nil)
	k.Extended.SetEnabled(p.agent != nil)
	k.Difference.SetEnabled(p.canCompare())
	k.Trust.SetEnabled(slices.ContainsFunc(p.signatures(), func(r signature.Result) bool { return r.Verdict == signature.Unverifiable && r.KeyURL != "" }))
	if p.agent != nil && p.agent.Extended.Stands {
		k.Extended.SetHelp(k.Extended.Help().Key, "show public card")
	}
	if p.differs() {
		k.Difference.SetHelp(k.Difference.Help().Key, "show card")
	}
	return k
}
