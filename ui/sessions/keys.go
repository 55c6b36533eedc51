package sessions

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/session/annotation"
	"parley/session/catalog"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/list"
	"parley/ui/sheet"
)

// A KeyMap contains the pane's key bindings.
type KeyMap struct {
	list.Keys
	Open, Resume, Filter, Search      key.Binding
	Rename, Tags, Note, Pin           key.Binding
	Delete, Copy, Close, Keep, Cancel key.Binding
}

// DefaultKeyMap returns the default key bindings.
func DefaultKeyMap() KeyMap {
	return KeyMap{
		Keys:   list.DefaultKeys(),
		Open:   keys.Bind("enter", "open session"),
		Resume: keys.Bind("r", "go on"),
		Filter: sheet.FilterKey("sessions"),
		Search: keys.Bind("s", "search records"),
		Rename: keys.Bind("R", "rename session"),
		Tags:   keys.Bind("t", "set tags"),
		Note:   keys.Bind("n", "write note"),
		Pin:    keys.Bind("p", "pin session"),
		Delete: keys.Bind("d", "delete session", "d", "delete"),
		Copy:   keys.Bind("y", "copy path"),
		Close:  keys.Bind("esc", "close", "esc", "q"),
		Keep:   keys.Bind("enter", "keep text"),
		Cancel: keys.Bind("esc", "cancel", "esc", "ctrl+c"),
	}
}

// edited is what the user types.
type edited uint8

const (
	nothing edited = iota
	theSearch
	theTitle
	theTags
	theNote
)

// prompt stands before the text of the input.
func (e edited) prompt() string {
	return [...]string{"", "search records: ", "title: ", "tags: ", "note: "}[e]
}

// ShortHelp returns the key bindings for the footer.
func (p *Pane) ShortHelp() []key.Binding {
	k, s := p.keys, p.selected()
	switch {
	case p.filter.Typing():
		return p.filter.TypingKeys()
	case p.editing == theSearch:
		k.Keep.SetHelp(k.Keep.Help().Key, "search")
		fallthrough
	case p.editing != nothing:
		return []key.Binding{k.Keep, k.Cancel}
	}
	if s != nil && s.Annotations.Pinned {
		k.Pin.SetHelp(k.Pin.Help().Key, "unpin session")
	}
	for _, b := range []*key.Binding{&k.Open, &k.Resume, &k.Rename, &k.Tags, &k.Note, &k.Pin, &k.Delete, &k.Copy} {
		b.SetEnabled(s != nil)
	}
	k.Filter.SetEnabled(len(p.all) > 0)
	k.Search.SetEnabled(len(p.all) > 0)
	k.Keys.SetEnabled(len(p.rows()) > 1)
	return []key.Binding{k.Open, k.Resume, k.Filter, k.Search, k.Rename, k.Tags, k.Note, k.Pin, k.Delete, k.Close}
}

// KeyMap returns the keys, for the user's settings to change.
func (p *Pane) KeyMap() any { return &p.keys }

// FullHelp returns all key bindings, in columns.
func (p *Pane) FullHelp() [][]key.Binding {
	k := p.keys
	return [][]key.Binding{
		{k.Open, k.Resume, k.Filter, k.Search, k.Rename, k.Tags, k.Note, k.Pin, k.Delete, k.Copy},
		{k.Up, k.Down, k.PageUp, k.PageDown, k.First, k.Last, k.Close},
	}
}

// Key handles a key press.
func (p *Pane) Key(msg tea.KeyPressMsg) Intent {
	switch {
	case p.filter.Typing():
		p.filter.Key(msg)
		p.restore()
		return nil
	case p.editing != nothing:
		return p.inputKey(msg)
	}
	k, s := p.keys, p.selected()
	asked, left := p.confirm, p.leaving
	p.confirm, p.leaving = "", ""
	switch {
	case key.Matches(msg, k.Close):
		return p.leave(msg)
	case key.Matches(msg, k.Filter) && len(p.all) > 0:
		p.filter.Open()
	case key.Matches(msg, k.Search) && len(p.all) > 0:
		p.edit(theSearch, p.search.text)
	case p.List.Key(msg, &k.Keys, len(p.rows()), p.parts().List):
		p.keepSelection()
	case s == nil:
	case key.Matches(msg, k.Open):
		return p.open()
	case key.Matches(msg, k.Resume):
		return p.resume(s, left)
	case key.Matches(msg, k.Copy):
		return Copy{s.Path}
	case key.Matches(msg, k.Delete):
		return p.delete(s, asked)
	default:
		return p.annotate(msg, s)
	}
	return nil
}

// leave ends the filter, then the search, then closes the pane.
func (p *Pane) leave(msg tea.KeyPressMsg) Intent {
	if msg.Code == tea.KeyEscape {
		if p.filter.Clear() {
			p.restore()
			return nil
		}
		if p.search.text != "" {
			return Search{}
		}
	}
	return Close{}
}

// open opens the selected session.
func (p *Pane) open() Intent {
	s := p.selected()
	if s.Path == p.own {
		return Refused{"This is the session that you are in."}
	}
	return Open{s.Path}
}

// resume goes on with a session. If that ends something here, the user has been asked about it.
func (p *Pane) resume(s *catalog.Session, asked string) Intent {
	switch {
	case s.Path == p.own:
		return Refused{"This is the session that you are in."}
	case s.Held:
		return Refused{"A Parley records this session now, or goes on with it; quit that one first."}
	case p.ends && asked != s.Path:
		p.leaving = s.Path
		return nil
	}
	return Resume{s.Path}
}

// delete deletes a session if the user has been asked about it.
func (p *Pane) delete(s *catalog.Session, asked string) Intent {
	switch {
	case s.Path == p.own:
		return Refused{"This is the session that you are in; it can be deleted when it is over."}
	case s.Held:
		return Refused{"A Parley records this session now, or goes on with it; quit that one first."}
	case asked != s.Path:
		p.confirm = s.Path
		return nil
	}
	return Delete{s.Path}
}

// annotate handles the keys that change what the user added.
func (p *Pane) annotate(msg tea.KeyPressMsg, s *catalog.Session) Intent {
	switch k := p.keys; {
	case key.Matches(msg, k.Pin):
		return Annotate{s.Path, annotation.SetPinned(!s.Annotations.Pinned)}
	case key.Matches(msg, k.Rename):
		p.edit(theTitle, s.Annotations.Title)
	case key.Matches(msg, k.Tags):
		p.edit(theTags, strings.Join(s.Annotations.Tags, " "))
	case key.Matches(msg, k.Note):
		p.edit(theNote, s.Annotations.Note)
	}
	return nil
}

// edit lets the user type.
func (p *Pane) edit(what edited, text string) {
	p.editing = what
	p.input.SetPrompt(what.prompt())
	p.input.SetValue(canvas.SanitizeTyped(strings.ToValidUTF8(text, "")))
	p.input.SetWidth(p.W)
	p.Focus(&p.input)
}

func (p *Pane) stopEditing() {
	p.editing = nothing
	p.input.Reset()
	p.Focus(nil)
}

// inputKey handles a key press while the user types.
func (p *Pane) inputKey(msg tea.KeyPressMsg) Intent {
	switch {
	case key.Matches(msg, p.keys.Cancel):
		p.stopEditing()
	case key.Matches(msg, p.keys.Keep):
		return p.accept()
	default:
		p.input.Key(msg)
	}
	return nil
}

// accept takes over what the user typed.
func (p *Pane) accept() Intent {
	text, what, s := strings.TrimSpace(p.input.Value()), p.editing, p.selected()
	p.stopEditing()
	var change func(*annotation.Content) error
	switch what {
	case theSearch:
		return Search{text}
	case theTitle:
		change = annotation.SetTitle(text)
	case theTags:
		change = annotation.SetTags(strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' }))
	case theNote:
		change = annotation.SetNote(text)
	}
	if s == nil || change == nil {
		return nil
	}
	return Annotate{s.Path, change}
}
