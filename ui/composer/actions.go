package composer

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/field"
	"parley/ui/keys"
)

// Actions that texts and commands name.
const (
	SendMessage      action.ID = "send"
	ChangeTarget     action.ID = "change-target"
	OpenEditor       action.ID = "open-editor"
	AttachFile       action.ID = "attach-file"
	EditAttachment   action.ID = "edit-attachment"
	SetOptions       action.ID = "set-send-options"
	HideText         action.ID = "hide-text"
	RemoveAttachment action.ID = "remove-attachment"
	CompleteWord     action.ID = "complete-word"
	SearchHistory    action.ID = "search-history"
	PreviousMessage  action.ID = "previous-message"

	closeList   action.ID = "close-list"
	nextMessage action.ID = "next-message"
)

// The keys of actions that have other words while the history is searched.
var (
	sendKeys     = []string{"enter", "ctrl+m"}
	searchKeys   = []string{"ctrl+r"}
	previousKeys = []string{"up"}
	nextKeys     = []string{"down"}
	closeKeys    = []string{"esc"}
)

// actions returns the table of the composer. Other keys edit the text.
func (c *Composer) actions() *action.Table[Intent] {
	rows := append(c.messageActions(), c.draftActions()...)
	return action.New(func(why string) Intent { return c.refused(why) }, append(rows, c.listActions()...)...).
		While(c.Searching, c.searchActions(), c.searchKey).
		Live()
}

// do returns what runs an action without an intent.
var do = action.Do[Intent]

// messageActions returns the actions about the message as a whole.
func (c *Composer) messageActions() []action.Action[Intent] {
	return []action.Action[Intent]{
		{Row: action.Row{ID: SendMessage, Keys: sendKeys, Does: "send", Foot: 1, Rank: 1, Now: c.canSend}, Run: c.send},
		{
			Row: action.Row{Keys: []string{"alt+enter", "shift+enter", "ctrl+j"}, Does: "new line", Foot: 6, Rank: 7, Now: func() action.State {
				if c.Empty() {
					return action.State{}
				}
				return action.State{Rank: 2} // something is being written
			}},
			Run: do(func() { c.insert("\n") }),
		},
		{
			Row: action.Row{Keys: []string{"/"}, Does: "commands", Foot: 8, Rank: 3, Now: func() action.State {
				return action.State{Off: !c.Empty() || c.draft.Secret || c.search.on}
			}},
			Run: do(func() { c.insert("/") }),
		},
		{
			Row: action.Row{ID: ChangeTarget, Keys: []string{"ctrl+t"}, Does: "change target", Foot: 12, Rank: 3, Short: "target", Now: func() action.State {
				return action.State{Off: c.next() < 0, Idle: c.resumes() || c.isCommand()}
			}},
			Run: func() Intent {
				c.selected = c.next()
				return Retarget{Index: c.selected}
			},
		},
		{
			Row: action.Row{Keys: []string{"right", "ctrl+e", "end"}, Does: "accept suggestion", Foot: 5, Rank: 4, Short: "accept", Now: func() action.State { return action.State{Off: c.ghostRest() == ""} }},
			Run: do(c.takeGhost),
		},
		{
			Row: action.Row{ID: OpenEditor, Keys: []string{"alt+e"}, Does: "open editor", Foot: 13, Rank: 8, Short: "editor", Wide: "editor", Now: func() action.State {
				if c.draft.Secret {
					return action.State{Off: true, Why: "An editor would write the secret to a file: " + keys.Name(c.Of(HideText)) + " shows it here."}
				}
				return action.State{}
			}},
			Run: func() Intent { return Edit{Text: c.Value()} },
		},
	}
}

// canSend returns how the action stands that sends the message or runs the command.
func (c *Composer) canSend() action.State {
	switch {
	case c.isCommand():
		return action.State{Does: c.enters()}
	case c.resumes():
		return action.State{}
	case c.Empty() && (c.ghost == "" || len(c.queue.Waiting) > 0):
		return action.State{Off: true}
	}
	why := c.why()
	return action.State{Off: why != "", Why: why}
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

// draftActions returns the actions about what belongs to the message besides its text.
func (c *Composer) draftActions() []action.Action[Intent] {
	return []action.Action[Intent]{
		{Row: action.Row{ID: AttachFile, Keys: []string{"alt+a"}, Does: "attach file", Foot: 9, Rank: 5, Short: "attach", Wide: "attach", Now: func() action.State { return action.State{Foot: c.notIfSecret()} }}, Run: func() Intent { return Attach{} }},
		{
			Row: action.Row{ID: EditAttachment, Keys: []string{"alt+p"}, Does: "edit attachment", Foot: 10, Rank: 4, Short: "attachment", Now: func() action.State {
				return action.State{Idle: len(c.draft.Parts) == 0, Foot: c.notIfSecret()}
			}},
			Run: c.changePart,
		},
		{Row: action.Row{ID: SetOptions, Keys: []string{"alt+h"}, Does: "set send options"}, Run: func() Intent { return OpenOptions{} }},
		{
			Row: action.Row{ID: HideText, Keys: []string{"alt+s"}, Does: "hide text", Foot: 3, Rank: 2, Now: func() action.State {
				if c.draft.Secret {
					return action.State{Does: "show text"}
				}
				return action.State{Foot: -1}
			}},
			Run: func() Intent {
				c.Hide(!c.draft.Secret)
				return Hidden{On: c.draft.Secret}
			},
		},
		{
			Row: action.Row{ID: RemoveAttachment, Keys: []string{"alt+x"}, Does: "remove attachment", Foot: 11, Rank: 5, Short: "remove", Now: func() action.State {
				return action.State{Idle: len(c.draft.Parts) == 0 && c.lastQueued() < 0}
			}},
			Run: c.takeAway,
		},
	}
}

// notIfSecret keeps an action out of the footer while the text is a secret: the others matter more
// then.
func (c *Composer) notIfSecret() int {
	if c.draft.Secret {
		return -1
	}
	return 0
}

// changePart asks to change the attachment, or to choose one.
func (c *Composer) changePart() Intent {
	switch len(c.draft.Parts) {
	case 0:
		return Refused{Why: "The message has no attachment: " + keys.Name(c.Of(AttachFile)) + " attaches a file."}
	case 1:
		return Change{}
	}
	return Change{Index: -1}
}

// listActions returns the actions of the list of completions, and those of the history.
func (c *Composer) listActions() []action.Action[Intent] {
	listed := func() bool { return len(c.visibleOffers()) > 0 }
	return []action.Action[Intent]{
		{
			Row: action.Row{ID: CompleteWord, Keys: []string{"tab"}, Does: "complete word", Foot: 2, Rank: 2, Short: "complete", Now: func() action.State { return action.State{Off: !c.Completes()} }},
			Run: do(c.complete),
		},
		{
			Row: action.Row{ID: closeList, Keys: closeKeys, Does: "close list", Foot: 4, Rank: 4, Now: func() action.State { return action.State{Off: !listed()} }},
			Run: do(func() { c.slash.hidden = true }),
		},
		{
			Row: action.Row{ID: SearchHistory, Keys: searchKeys, Does: "search history", Now: func() action.State { return action.State{Idle: len(c.past.all) == 0} }},
			Run: do(func() { c.Search("") }),
		},
		{
			Row: action.Row{ID: PreviousMessage, Keys: previousKeys, Does: "previous message", Now: func() action.State {
				switch {
				case listed():
					return action.State{Does: "previous word"}
				case c.lastQueued() >= 0:
					return action.State{Does: "edit queued message"}
				}
				return action.State{Off: c.written && c.at().Y > 0, Idle: c.past.at == 0}
			}},
			Run: func() Intent {
				switch {
				case listed():
					c.move(-1)
				case c.lastQueued() >= 0:
					return Unqueue{Index: c.lastQueued()}
				default:
					c.recall(-1)
				}
				return nil
			},
		},
		{
			Row: action.Row{ID: nextMessage, Keys: nextKeys, Does: "next message", Foot: 3, Rank: 3, Now: func() action.State {
				if listed() {
					return action.State{Does: "next word"}
				}
				return action.State{Off: c.written && c.at().Y < c.area.Height()-1, Idle: c.past.at >= len(c.past.all), Foot: -1}
			}},
			Run: do(func() {
				if listed() {
					c.move(1)
				} else {
					c.recall(1)
				}
			}),
		},
	}
}

// searchActions returns the table of the search in the history.
func (c *Composer) searchActions() *action.Table[Intent] {
	older, newer := do(func() { c.seek(-1) }), do(func() { c.seek(1) })
	return action.New(nil,
		action.Action[Intent]{Row: action.Row{ID: SendMessage, Keys: sendKeys, Does: "accept message", Foot: 1}, Run: do(func() { c.StopSearch(true) })},
		action.Action[Intent]{Row: action.Row{ID: SearchHistory, Keys: searchKeys, Does: "older message", Foot: 2}, Run: older},
		action.Action[Intent]{Row: action.Row{ID: PreviousMessage, Keys: previousKeys, Does: "older message"}, Run: older},
		action.Action[Intent]{Row: action.Row{ID: nextMessage, Keys: nextKeys, Does: "newer message", Foot: 3}, Run: newer},
		action.Action[Intent]{Row: action.Row{ID: closeList, Keys: closeKeys, Does: "cancel search", Foot: 4}, Run: do(func() { c.StopSearch(false) })},
	)
}

// searchKey handles the other keys while the history is searched: letters change the words, and
// keys that move the cursor accept the match first.
func (c *Composer) searchKey(msg tea.KeyPressMsg) Intent {
	s := &c.search
	switch {
	case key.Matches(msg, c.st.Editing.Backspace):
		words := []rune(s.words)
		before, _ := field.Cluster(s.words, len(words))
		c.setSearchWords(string(words[:len(words)-before]))
	case msg.Text != "":
		c.setSearchWords(s.words + canvas.SanitizeTyped(msg.Text))
	default:
		c.StopSearch(true)
		return c.Key(msg)
	}
	return nil
}

// Key handles a key press: one of the table, or a character, or a key that edits the text.
func (c *Composer) Key(msg tea.KeyPressMsg) Intent {
	defer c.updateSecret()
	c.dirty = true
	if in, done := c.Press(msg); done {
		return in
	}
	if msg.Text != "" {
		c.insert(msg.Text)
		return nil
	}
	return c.edit(msg)
}

// edit passes a key that moves the cursor or deletes to the text area. It stores text that was
// cut by the word or to an end of the line, unless the draft is a secret, and inserts it again.
func (c *Composer) edit(msg tea.KeyPressMsg) Intent {
	if key.Matches(msg, c.st.Editing.Yank) {
		c.insert(c.cut)
		return nil
	}
	if cut := c.area.Key(msg); cut != "" && !c.draft.Secret {
		c.cut = c.folds.decode(cut)
	}
	c.edited()
	return nil
}

// recall replaces the draft by the history's previous entry, or by the next one.
func (c *Composer) recall(by int) {
	if d, ok := c.past.step(by, c.Draft()); ok {
		d.Options = c.draft.Options
		c.SetDraft(d)
		c.slash.hidden = true // the keys continue through the history
	}
}
