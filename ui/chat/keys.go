package chat

import (
	"slices"
	"strconv"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
)

// A KeyMap binds the pane's keys.
type KeyMap struct {
	Up, Down, PageUp, PageDown, Top, End key.Binding
	PreviousTurn, NextTurn               key.Binding
	Before, After                        key.Binding
	Open                                 key.Binding
	Fold                                 key.Binding
	Detail, Timeline                     key.Binding
	History                              key.Binding
	Versions                             key.Binding
	Copy                                 key.Binding
	Save, Launch, Preview                key.Binding
	Merge, Poll                          key.Binding
	Search, Next, Previous               key.Binding
	Choose                               key.Binding
}

// DefaultKeyMap returns the keys as the manual names them. The digits also work
// with alt, so that they can be passed on while a text field has the focus.
func DefaultKeyMap() KeyMap {
	digits := make([]string, 0, 2*maxPrompts)
	for i := 1; i <= maxPrompts; i++ {
		digits = append(digits, strconv.Itoa(i), "alt+"+strconv.Itoa(i))
	}
	return KeyMap{
		Up:           keys.Bind("k", "up", "k", "up"),
		Down:         keys.Bind("j", "down", "j", "down"),
		PageUp:       keys.Bind("pgup", "page up", "pgup", "ctrl+b"),
		PageDown:     keys.Bind("pgdn", "page down", "pgdown", "ctrl+f"),
		Top:          keys.Bind("g", "top", "g", "home"),
		End:          keys.Bind("G", "follow end", "G", "end", "f"),
		PreviousTurn: keys.Bind("{", "previous turn"),
		NextTurn:     keys.Bind("}", "next turn"),
		Before:       keys.Bind("h", "previous chunk", "h", "left"),
		After:        keys.Bind("l", "next chunk", "l", "right"),
		Open:         keys.Bind("enter", "show record"),
		Fold:         keys.Bind("space", "fold or unfold"),
		Detail:       keys.Bind("d", "show details"),
		Timeline:     keys.Bind("t", "show timeline"),
		History:      keys.Bind("H", "show history"),
		Versions:     keys.Bind("v", "switch version or raw text"),
		Copy:         keys.Bind("y", "copy text"),
		Save:         keys.Bind("w", "save file"),
		Launch:       keys.Bind("o", "save and open"),
		Preview:      keys.Bind("V", "preview file"),
		Merge:        keys.Bind("m", "merge artifacts"),
		Poll:         keys.Bind("p", "check task"),
		Search:       keys.Bind("/", "search text"),
		Next:         keys.Bind("n", "next match"),
		Previous:     keys.Bind("N", "previous match"),
		Choose:       keys.Bind("1-9", "use example", digits...),
	}
}

// Key handles a key press.
func (p *Pane) Key(msg tea.KeyPressMsg) Intent {
	p.sync()
	p.dirty = true
	if p.search.typing {
		return p.onSearchKey(msg)
	}
	if !key.Matches(msg, p.keys.Before, p.keys.After, p.keys.Open) {
		p.endScrub(p.w)
	}
	switch {
	case key.Matches(msg, p.keys.Choose):
		name := msg.String()
		return p.chooseOffer(int(name[len(name)-1] - '1'))
	case key.Matches(msg, p.keys.Up):
		return p.move(-1)
	case key.Matches(msg, p.keys.Down):
		return p.move(1)
	case key.Matches(msg, p.keys.Before):
		return p.stepScrub(-1)
	case key.Matches(msg, p.keys.After):
		return p.stepScrub(1)
	case key.Matches(msg, p.keys.PageUp):
		return p.page(1 - p.h)
	case key.Matches(msg, p.keys.PageDown):
		return p.page(p.h - 1)
	case key.Matches(msg, p.keys.Top):
		return p.toTop()
	case key.Matches(msg, p.keys.PreviousTurn):
		return p.toTurn(-1)
	case key.Matches(msg, p.keys.NextTurn):
		return p.toTurn(1)
	case key.Matches(msg, p.keys.End):
		p.End()
	case key.Matches(msg, p.keys.Search):
		p.search.start()
	case key.Matches(msg, p.keys.Next):
		return p.seek(1)
	case key.Matches(msg, p.keys.Previous):
		return p.seek(-1)
	default:
		return p.act(msg)
	}
	return nil
}

// act handles the keys that act on what is under the cursor.
func (p *Pane) act(msg tea.KeyPressMsg) Intent {
	if p.row == nil || !p.isListed(p.row) {
		return nil
	}
	switch {
	case key.Matches(msg, p.keys.Open):
		if id := p.Selected(); id != 0 {
			return RevealRecord{Record: id, Open: true}
		}
	case key.Matches(msg, p.keys.Copy):
		if text := p.copyText(); text != "" {
			return Copy{Text: text}
		}
	case key.Matches(msg, p.keys.Launch) && len(p.linksAtCursor()) > 0:
		return OpenLinks{p.linksAtCursor()}
	case key.Matches(msg, p.keys.Poll) && p.pollSignal() != nil:
		return StopPolling{p.pollSignal().Turn}
	case key.Matches(msg, p.keys.Poll):
		if t := p.authTask(); t != nil {
			return SetAuthPoll{Agent: t.Conversation.Agent.ID, Task: t.ID, On: t.AuthPoll == nil}
		}
	case key.Matches(msg, p.keys.Save, p.keys.Launch, p.keys.Preview):
		if files := p.FilesAtCursor(); len(files) > 0 {
			return Files{List: files, Open: key.Matches(msg, p.keys.Launch), Look: key.Matches(msg, p.keys.Preview)}
		}
	case key.Matches(msg, p.keys.Merge):
		if t := p.scatteredTask(); t != nil {
			return MergeArtifacts{Agent: t.Conversation.Agent.ID, Task: t.ID}
		}
	case key.Matches(msg, p.keys.Fold):
		if open := p.row.body.fold(); !p.toggleInset() && open != nil {
			*open = !*open
			p.refold()
		}
	case key.Matches(msg, p.keys.Detail):
		p.toggleDetails(p.row)
	case key.Matches(msg, p.keys.Timeline):
		if h := p.headRow(); h != nil {
			p.toggleDetails(h)
		}
	case key.Matches(msg, p.keys.History):
		if h := p.history(); h != nil {
			h.body.(*head).history = !h.body.(*head).history
			p.row, p.line = h, -1 // it may be far above
			p.refold()
		}
	case key.Matches(msg, p.keys.Versions):
		if v := p.versions(); v != nil {
			*v = !*v
			p.refold()
		}
	}
	return nil
}

// refold draws the cursor's row again after something in it was folded.
func (p *Pane) refold() {
	p.out.redraw(p.row)
	p.out.invalidate()
	p.sync()
	if p.isListed(p.row) {
		p.row.Lines(p.w)
		p.line = min(p.line, p.lastLine(p.row))
		p.scrollToCursor()
	}
}

// history returns the head of the cursor's block if its task has a history.
func (p *Pane) history() *row {
	if t := p.task(); t == nil || len(t.History) == 0 {
		return nil
	}
	return p.headRow()
}

// versions returns the switch for the earlier versions of what is under the cursor, nil if
// there are none.
func (p *Pane) versions() *bool {
	switch b := p.body().(type) {
	case *artifact:
		if len(b.art.Revisions) > 0 || b.content.undeclaredJSON() {
			return &b.revisions
		}
	case *message:
		if len(b.replacedMessages()) > 0 || !b.declared() {
			return &b.earlier
		}
	}
	return nil
}

// activeKeys returns the keys, with those disabled that would do nothing.
func (p *Pane) activeKeys() KeyMap {
	k, rows, at := p.keys, len(p.out.rows) > 0, p.row != nil
	enable := func(on bool, bindings ...*key.Binding) {
		for _, b := range bindings {
			b.SetEnabled(on)
		}
	}
	enable(rows, &k.Up, &k.Down, &k.PageUp, &k.PageDown, &k.Top, &k.End, &k.PreviousTurn, &k.NextTurn, &k.Search)
	enable(rows && at, &k.Open, &k.Copy, &k.Detail)
	enable(p.savable(), &k.Save, &k.Launch, &k.Preview)
	enable(p.chunkedText() != nil, &k.Before, &k.After)
	enable(p.search.query != "", &k.Next, &k.Previous)
	set, _ := p.insetAtCursor()
	k.Fold.SetEnabled(rows && at && (p.row.body.fold() != nil || set.inset != nil))
	if k.Fold.Enabled() && set.inset == nil && p.onChip() && !*p.row.body.fold() {
		k.Fold.SetHelp(k.Fold.Help().Key, "show content")
	}
	k.Timeline.SetEnabled(p.headRow() != nil)
	k.History.SetEnabled(p.history() != nil)
	k.Versions.SetEnabled(p.versions() != nil)
	k.Merge.SetEnabled(p.scatteredTask() != nil)
	if len(p.linksAtCursor()) > 0 {
		k.Launch.SetHelp(k.Launch.Help().Key, "open link")
		k.Launch.SetEnabled(true)
	}
	wants := p.authTask()
	k.Poll.SetEnabled(wants != nil || p.pollSignal() != nil)
	if p.pollSignal() != nil {
		k.Poll.SetHelp(k.Poll.Help().Key, "stop polling")
	} else if wants != nil && wants.AuthPoll != nil {
		k.Poll.SetHelp(k.Poll.Help().Key, "stop auth poll")
	}
	digits := p.offerKeys()
	k.Choose.SetEnabled(!rows && (len(p.prompts()) > 0 || digits > 0 || p.needsRemedy()))
	if p.needsRemedy() && p.held {
		k.Choose.SetHelp("1", "review card")
	} else if p.needsRemedy() {
		k.Choose.SetHelp("1-"+strconv.Itoa(len(p.helpful())), "show examples")
	} else if n := len(p.prompts()); n > 0 {
		k.Choose.SetHelp("1-"+strconv.Itoa(n), "use example")
	} else if digits > 1 {
		k.Choose.SetHelp("1-"+strconv.Itoa(digits), "open agent")
	} else if len(p.offers) == 1 {
		k.Choose.SetHelp("1", "open agent")
	} else if digits == 1 && p.demo {
		k.Choose.SetHelp("1", "open demo agents")
	} else if digits == 1 {
		k.Choose.SetHelp("1", "browse sessions")
	}
	return k
}

// ShortHelp returns the keys for the footer. Those that would do nothing are disabled.
func (p *Pane) ShortHelp() []key.Binding {
	if p.search.typing {
		return []key.Binding{p.search.find, p.search.leave}
	}
	k := p.activeKeys()
	rest := []key.Binding{k.Detail, k.Versions, k.History, k.Merge, k.Poll, k.Timeline, k.Copy, k.Search, k.Next, k.End}
	if p.onChip() {
		return slices.Concat([]key.Binding{k.Open, k.Save, k.Preview, k.Launch, k.Fold}, rest)
	}
	return slices.Concat([]key.Binding{k.Choose, k.Open, k.After, k.Fold}, rest, []key.Binding{k.Preview, k.Save, k.Launch})
}

// Keys returns the key bindings, for texts of others.
func (p *Pane) Keys() KeyMap { return p.keys }

// KeyMap returns the keys, for the user's settings to change.
func (p *Pane) KeyMap() any { return &p.keys }

// FullHelp returns all keys in columns.
func (p *Pane) FullHelp() [][]key.Binding {
	if p.search.typing {
		return [][]key.Binding{p.ShortHelp()}
	}
	k := p.activeKeys()
	return [][]key.Binding{
		{k.Up, k.Down, k.Before, k.After, k.PageUp, k.PageDown, k.Top, k.End, k.PreviousTurn, k.NextTurn},
		{k.Open, k.Fold, k.Detail, k.Timeline, k.Versions, k.History, k.Merge, k.Poll, k.Copy, k.Preview, k.Save, k.Launch},
		{k.Search, k.Next, k.Previous, k.Choose},
	}
}
