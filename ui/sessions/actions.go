package sessions

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/session/annotation"
	"parley/session/catalog"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/list"
	"parley/ui/sheet"
)

// Actions that texts of the pane name.
const (
	openSession   action.ID = "open-session"
	goOn          action.ID = "go-on"
	deleteSession action.ID = "delete-session"
	listAgain     action.ID = "list-all-again"
)

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

// actions returns the table of the pane.
func (p *Pane) actions() *action.Table[Intent] {
	listed := p.onSession(func(*catalog.Session) string { return "" })
	some := func() bool { return len(p.all) > 0 }
	move := p.List.Motion(func() int { return len(p.rows()) }, func() int { return p.parts().List })
	move.Move = func(by int) { p.List.Move(by, len(p.rows())); p.keepSelection() }
	t := action.New(func(why string) Intent { return Refused{why} }, slices.Concat(
		[]action.Action[Intent]{
			{Row: action.Row{ID: openSession, Keys: []string{"enter"}, Does: "open session", Foot: 1, Now: p.onSession(p.isOwn)}, Run: p.open},
			{Row: action.Row{ID: goOn, Keys: []string{"r"}, Does: "go on", Foot: 2, Now: p.onSession(p.notResumed)}, Run: p.resume},
		},
		sheet.FilterActions[Intent](&p.filter, "sessions", 3, some),
		[]action.Action[Intent]{
			{
				Row: action.Row{Keys: []string{"s"}, Does: "search records", Foot: 4, Now: func() action.State { return action.State{Off: !some()} }},
				Run: func() Intent { p.edit(theSearch, p.search.text); return nil },
			},
			{
				Row: action.Row{Keys: []string{"R"}, Does: "rename session", Foot: 5, Now: listed},
				Run: p.edits(theTitle, func(a *annotation.Content) string { return a.Title }),
			},
			{
				Row: action.Row{Keys: []string{"t"}, Does: "set tags", Foot: 6, Now: listed},
				Run: p.edits(theTags, func(a *annotation.Content) string { return strings.Join(a.Tags, " ") }),
			},
			{
				Row: action.Row{Keys: []string{"n"}, Does: "write note", Foot: 7, Now: listed},
				Run: p.edits(theNote, func(a *annotation.Content) string { return a.Note }),
			},
			{Row: action.Row{Keys: []string{"p"}, Does: "pin session", Foot: 8, Now: p.pinnable}, Run: p.pin},
			{
				Row: action.Row{ID: deleteSession, Keys: []string{"d", "delete"}, Does: "delete session", Foot: 9, Now: p.onSession(p.notDeleted)},
				Run: p.delete,
			},
			{Row: action.Row{Keys: []string{"y"}, Does: "copy path", Now: listed}, Run: func() Intent { return Copy{p.selected().Path} }},
		},
		list.Actions[Intent](list.DefaultKeys(), list.Foot{}, move),
		[]action.Action[Intent]{
			{
				Row: action.Row{ID: listAgain, Keys: []string{"esc"}, Does: "list all again", Fixed: true, Passing: true, Now: p.searched},
				Run: func() Intent { return Search{} },
			},
			{Row: action.Row{Keys: []string{"esc", "q"}, Does: "close", Foot: 10}, Run: func() Intent { return Close{} }},
		},
	)...)
	return sheet.Filtered(t, &p.filter, p.restore).
		While(func() bool { return p.editing != nothing }, p.typed(), func(msg tea.KeyPressMsg) Intent { p.input.Key(msg); return nil })
}

// typed returns the table while the user types something other than the filter.
func (p *Pane) typed() *action.Table[Intent] {
	return action.New[Intent](nil,
		action.Action[Intent]{Row: action.Row{Keys: []string{"enter"}, Does: "keep text", Foot: 1, Now: p.accepts}, Run: p.accept},
		action.Action[Intent]{
			Row: action.Row{Keys: []string{"esc", "ctrl+c"}, Does: "cancel", Foot: 2},
			Run: func() Intent { p.stopEditing(); return nil },
		},
	)
}

// Key handles a key press. What the last key press asked about, this one answers.
func (p *Pane) Key(msg tea.KeyPressMsg) Intent {
	if !p.Typing() {
		p.asked, p.question = p.question, question{}
	}
	return p.Table.Key(msg)
}

// onSession returns how an action about the selected session stands: not says why it is not
// possible, empty if it is. Without a session it is not possible, without a word.
func (p *Pane) onSession(not func(s *catalog.Session) string) func() action.State {
	return func() action.State {
		s := p.selected()
		if s == nil {
			return action.State{Off: true}
		}
		why := not(s)
		return action.State{Off: why != "", Why: why}
	}
}

// isOwn says, of the session in which this Parley is, that it is so.
func (p *Pane) isOwn(s *catalog.Session) string {
	if s.Path == p.own {
		return "This is the session that you are in."
	}
	return ""
}

func (p *Pane) notResumed(s *catalog.Session) string {
	if s.Held && s.Path != p.own {
		return held
	}
	return p.isOwn(s)
}

func (p *Pane) notDeleted(s *catalog.Session) string {
	switch {
	case s.Path == p.own:
		return "This is the session that you are in; it can be deleted when it is over."
	case s.Held:
		return held
	}
	return ""
}

// held says that another Parley has a session.
const held = "A Parley records this session now, or goes on with it; quit that one first."

func (p *Pane) pinnable() action.State {
	switch s := p.selected(); {
	case s == nil:
		return action.State{Off: true}
	case s.Annotations.Pinned:
		return action.State{Does: "unpin session"}
	}
	return action.State{}
}

func (p *Pane) searched() action.State { return action.State{Off: p.search.text == ""} }

func (p *Pane) accepts() action.State {
	if p.editing == theSearch {
		return action.State{Does: "search"}
	}
	return action.State{}
}

// open opens the selected session.
func (p *Pane) open() Intent {
	s := p.selected()
	if why := p.isOwn(s); why != "" {
		return Refused{why}
	}
	return Open{s.Path}
}

// resume goes on with the selected session. If that ends something here, the user has been asked
// about it.
func (p *Pane) resume() Intent {
	s := p.selected()
	if p.ends && p.asked.leave != s.Path {
		p.question.leave = s.Path
		return nil
	}
	return Resume{s.Path}
}

// delete deletes the selected session if the user has been asked about it.
func (p *Pane) delete() Intent {
	s := p.selected()
	if p.asked.remove != s.Path {
		p.question.remove = s.Path
		return nil
	}
	return Delete{s.Path}
}

// pin pins the selected session, or unpins it.
func (p *Pane) pin() Intent {
	s := p.selected()
	return Annotate{s.Path, annotation.SetPinned(!s.Annotations.Pinned)}
}

// edits returns what lets the user change a text that was added to the selected session.
func (p *Pane) edits(what edited, text func(*annotation.Content) string) func() Intent {
	return func() Intent { p.edit(what, text(&p.selected().Annotations)); return nil }
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
