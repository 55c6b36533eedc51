package composer

import (
	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textarea"

	"parley/ui/keys"
)

// A KeyMap contains the composer's key bindings. The text area has its own bindings, which move
// the cursor and delete.
type KeyMap struct {
	Send, Newline, Target, Ghost, Editor          key.Binding
	Attach, Parts, Hide, Options, Detach          key.Binding
	Complete, Close, Search, Previous, Next, Yank key.Binding
}

// DefaultKeyMap returns the default key bindings.
func DefaultKeyMap() KeyMap {
	return KeyMap{
		Send:     keys.Bind("enter", "send", "enter", "ctrl+m"),
		Newline:  keys.Bind("alt+enter", "new line", "alt+enter", "shift+enter", "ctrl+j"),
		Target:   keys.Bind("ctrl+t", "change target"),
		Ghost:    keys.Bind("right", "accept suggestion", "right", "ctrl+e", "end"),
		Editor:   keys.Bind("alt+e", "open editor"),
		Attach:   keys.Bind("alt+a", "attach file"),
		Parts:    keys.Bind("alt+p", "edit attachment"),
		Hide:     keys.Bind("alt+s", "hide text"),
		Options:  keys.Bind("alt+h", "set send options"),
		Detach:   keys.Bind("alt+x", "remove attachment"),
		Complete: keys.Bind("tab", "complete word"),
		Close:    keys.Bind("esc", "close list"),
		Search:   keys.Bind("ctrl+r", "search history"),
		Previous: keys.Bind("up", "previous message"),
		Next:     keys.Bind("down", "next message"),
		Yank:     keys.Yank(),
	}
}

// Keys returns the key bindings.
func (c *Composer) Keys() KeyMap { return c.keys }

// bindArea removes the text area's keys that mean something else in Parley: ctrl+n, ctrl+p,
// ctrl+t and enter.
func bindArea(keys *textarea.KeyMap) {
	keys.LineNext.SetKeys("down")
	keys.LinePrevious.SetKeys("up")
	keys.InsertNewline.Unbind()
	keys.TransposeCharacterBackward.Unbind()
}

// now returns the key bindings for the current state: bindings without an effect are disabled,
// and help texts match what the keys do.
func (c *Composer) now() KeyMap {
	keys, empty := c.keys, c.Empty()
	keys.Send.SetEnabled((!empty || c.ghost != "" && len(c.queue.Waiting) == 0) && c.why() == "" || c.resumes())
	keys.Target.SetEnabled(c.next() >= 0 && !c.resumes())
	keys.Ghost.SetEnabled(c.ghostRest() != "")
	keys.Parts.SetEnabled(len(c.draft.Parts) > 0)
	keys.Detach.SetEnabled(len(c.draft.Parts) > 0 || c.lastQueued() >= 0)
	keys.Complete.SetEnabled(c.Completes())
	keys.Close.SetEnabled(len(c.visibleOffers()) > 0)
	keys.Previous.SetEnabled(c.past.at > 0 || c.lastQueued() >= 0)
	keys.Next.SetEnabled(c.past.at < len(c.past.all))
	keys.Search.SetEnabled(len(c.past.all) > 0)
	keys.Yank.SetEnabled(c.cut != "")
	if c.isCommand() {
		keys.Send.SetHelp(keys.Send.Help().Key, c.enters())
		keys.Send.SetEnabled(true)
		keys.Target.SetEnabled(false)
	}
	if c.draft.Secret {
		keys.Hide = rename(keys.Hide, "show text")
		keys.Editor.SetEnabled(false)
	}
	switch {
	case c.lastQueued() >= 0:
		keys.Previous = rename(keys.Previous, "edit queued message")
	case c.search.on:
		keys.Send, keys.Search, keys.Close = rename(keys.Send, "accept message"), rename(keys.Search, "older message"), rename(keys.Close, "cancel search")
		keys.Previous, keys.Next = rename(keys.Previous, "older message"), rename(keys.Next, "newer message")
	case len(c.visibleOffers()) > 0:
		keys.Previous, keys.Next = rename(keys.Previous, "previous word"), rename(keys.Next, "next word")
	}
	return keys
}

// enters describes what enter does with the command.
func (c *Composer) enters() string {
	cmd, _, _ := c.command()
	switch s := &c.slash; {
	case c.Listed() && s.pick >= 0 && !c.completed(s.pick), cmd == nil && len(c.fitting()) == 1:
		return "accept word"
	case cmd == nil && len(c.fitting()) > 1:
		return "say what fits"
	}
	return "run command"
}

// rename returns an enabled binding with another help text.
func rename(b key.Binding, does string) key.Binding {
	b.SetHelp(b.Help().Key, does)
	b.SetEnabled(true)
	return b
}

// ShortHelp returns the key bindings for the footer. Those without an effect are disabled.
func (c *Composer) ShortHelp() []key.Binding {
	k := c.now()
	switch {
	case c.search.on:
		return []key.Binding{k.Send, k.Search, k.Next, k.Close}
	case len(c.visibleOffers()) > 0:
		return []key.Binding{k.Send, k.Complete, k.Next, k.Close}
	}
	if c.draft.Secret {
		return []key.Binding{k.Send, k.Hide, k.Newline, k.Detach, k.Target}
	}
	return []key.Binding{k.Send, k.Complete, k.Ghost, k.Newline, k.Editor, k.Attach, k.Parts, k.Detach, k.Target}
}

// KeyMap returns the keys, for the user's settings to change.
func (c *Composer) KeyMap() any { return &c.keys }

// FullHelp returns all key bindings, in columns.
func (c *Composer) FullHelp() [][]key.Binding {
	k, a := c.now(), c.area.KeyMap
	a.LineEnd.SetEnabled(!k.Ghost.Enabled()) // the cursor is at the end already
	return [][]key.Binding{
		{k.Send, k.Newline, k.Target, k.Ghost, k.Editor, k.Attach, k.Parts, k.Options, k.Hide, k.Detach, k.Complete, k.Close, k.Search, k.Previous, k.Next},
		{
			a.LineStart, a.LineEnd, a.WordBackward, a.WordForward, a.InputBegin, a.InputEnd,
			a.DeleteWordBackward, a.DeleteWordForward, a.DeleteBeforeCursor, a.DeleteAfterCursor, k.Yank,
		},
	}
}
