package ui

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
	"parley/ui/chat"
	"parley/ui/control"
)

// The actions of the root model that texts and the order of presses name.
const (
	writeMessage action.ID = "write-message"
	nextPane     action.ID = "next-pane"
	previousPane action.ID = "previous-pane"
	showHelp     action.ID = "show-help"
	zoomPane     action.ID = "zoom-pane"
	toggleMouse  action.ID = "toggle-mouse"
	withAltKey   action.ID = "press-next-key-with-alt"
	suspend      action.ID = "suspend-parley"
	clearOrQuit  action.ID = "clear-text-then-quit"
	goBack       action.ID = "go-back"
	leave        action.ID = "quit"
)

// tables are the actions whose keys are not those of one pane, by where their keys work.
type tables struct {
	everywhere *action.Table[tea.Cmd]
	first      *action.Table[tea.Cmd] // of everywhere: those before what lies over the panes
	outside    *action.Table[tea.Cmd] // text fields
	record     *action.Table[tea.Cmd] // the record under the cursor, in the conversation and the wire
	turn       *action.Table[tea.Cmd] // the turn under the cursor of the conversation
	panes      []interface{ Of(action.ID) key.Binding }
}

// newTables joins the actions of the root model and of its controllers, in the order of the help.
func newTables(m *Model) tables {
	join := func(all ...[]action.Action[tea.Cmd]) *action.Table[tea.Cmd] {
		rows := slices.DeleteFunc(slices.Concat(all...), func(a action.Action[tea.Cmd]) bool { return len(a.Keys) == 0 })
		return action.New(func(why string) tea.Cmd { return m.say(why, true) }, rows...)
	}
	r := rootActions{m}
	t := tables{
		everywhere: join(
			r.places(), m.inbox.Actions(), m.links.Actions(), m.forms.Actions(), m.outbox.Actions(), m.tasks.Cancels(), m.cards.Actions(), m.tasks.Actions(), m.webhooks.Actions(),
			m.signIn.Actions(), m.lanes.Actions(), m.pair.Actions(), r.screen(), m.theme.Actions(), r.terminal(), m.present.Actions(),
		),
		outside: join(r.letters(), m.findings.Actions(), r.arrangement()),
		record:  join(m.records.Actions()),
		turn:    join(m.outbox.TurnActions()),
		panes:   []interface{ Of(action.ID) key.Binding }{m.panes.composer, m.panes.chat, m.panes.wire},
	}
	t.first = t.everywhere.First()
	return t
}

// Key returns the keys of an action, also of one of a pane: of those of one name, the ones that work in
// more places.
func (t *tables) Key(id action.ID) key.Binding {
	for _, in := range [...]*action.Table[tea.Cmd]{t.everywhere, t.outside, t.record, t.turn} {
		if b := in.Of(id); len(b.Keys()) > 0 {
			return b
		}
	}
	for _, p := range t.panes {
		if b := p.Of(id); len(b.Keys()) > 0 {
			return b
		}
	}
	return key.Binding{}
}

// underCursor returns the actions on what is under the cursor of a pane.
func (t *tables) underCursor(at control.Focus) []*action.Table[tea.Cmd] {
	switch at {
	case control.OnChat:
		return []*action.Table[tea.Cmd]{t.record, t.turn}
	case control.OnWire:
		return []*action.Table[tea.Cmd]{t.record}
	default:
		return nil
	}
}

// rootActions are the actions of the root model.
type rootActions struct{ m *Model }

// do returns what runs an action that reports nothing.
var do = action.Do[tea.Cmd]

// places returns the actions that move the focus, and the one that finds anything.
func (r rootActions) places() []action.Action[tea.Cmd] {
	m := r.m
	return []action.Action[tea.Cmd]{
		{
			Row: action.Row{
				ID: writeMessage, Keys: []string{"ctrl+l"}, Does: "write message", First: true, Now: action.Unless(m.refusal),
				Name: "Write a message", Also: []string{"reply", "chat", "send", "text field"},
			},
			Run: m.write,
		},
		{
			Row: action.Row{ID: nextPane, Keys: []string{"tab"}, Does: "next pane", Live: true, Now: func() action.State { return action.State{Off: m.completes()} }},
			Run: do(func() { m.step(1) }),
		},
		{Row: action.Row{ID: previousPane, Keys: []string{"shift+tab"}, Does: "previous pane"}, Run: do(func() { m.step(-1) })},
		{Row: action.Row{ID: action.FindAnything, Keys: []string{"ctrl+p", "f7"}, Does: "find anything"}, Run: m.openPalette},
	}
}

// conversation returns the action that searches the conversation, which has a key there.
func (r rootActions) conversation() []action.Action[tea.Cmd] {
	m := r.m
	return []action.Action[tea.Cmd]{{
		Row: action.Row{ID: chat.SearchText, Name: "Search the conversation", Also: []string{"find text"}},
		Run: func() tea.Cmd {
			m.setFocus(control.OnChat)
			m.arrange()
			if !m.panes.chat.OpenSearch() {
				return m.say("There is nothing to search here.", false)
			}
			return nil
		},
	}}
}

// screen returns the actions that show the help and more of a pane.
func (r rootActions) screen() []action.Action[tea.Cmd] {
	return []action.Action[tea.Cmd]{
		{
			Row: action.Row{
				ID: showHelp, Keys: []string{"f1"}, Does: "show help", First: true,
				Slash: "help", Name: "Show help", Also: []string{"keys", "shortcuts", "keybindings", "?", "manual"},
			},
			Run: do(r.toggleHelp),
		},
		{Row: action.Row{ID: zoomPane, Keys: []string{"alt+z"}, Does: "zoom pane", Name: "Zoom pane"}, Run: do(r.zoom)},
	}
}

// terminal returns the actions about the terminal, and the end of the program.
func (r rootActions) terminal() []action.Action[tea.Cmd] {
	m := r.m
	return []action.Action[tea.Cmd]{
		{
			Row: action.Row{ID: toggleMouse, Keys: []string{"alt+m"}, Does: "toggle mouse", Name: "Toggle the mouse between Parley and the terminal"},
			Run: m.toggleMouse,
		},
		{ // for terminals that send no alt
			Row: action.Row{ID: withAltKey, Keys: []string{"ctrl+o"}, Does: "press next key with alt", First: true},
			Run: do(func() { m.presses.prefix = true }),
		},
		{Row: action.Row{ID: suspend, Keys: []string{"ctrl+z"}, Does: "suspend Parley"}, Run: func() tea.Cmd { return host{m}.handOver(tea.Suspend) }},
		{
			Row: action.Row{
				ID: clearOrQuit, Keys: []string{"ctrl+c"}, Does: "clear text, then quit",
				Slash: "quit", Name: "Quit", Also: []string{"exit", "close", "leave", "stop"},
			},
			Run: m.leave, Press: func(tea.KeyPressMsg) tea.Cmd { return m.clearOrQuit() },
		},
	}
}

// letters returns the first actions that work outside text fields.
func (r rootActions) letters() []action.Action[tea.Cmd] {
	m := r.m
	return []action.Action[tea.Cmd]{
		{Row: action.Row{ID: writeMessage, Keys: []string{"i"}, Does: "write message"}, Run: m.write}, // where it has no other meaning
		{Row: action.Row{ID: goBack, Keys: []string{"esc"}, Does: "go back"}, Run: do(m.back)},
		{Row: action.Row{ID: showHelp, Keys: []string{"?"}, Does: "show help"}, Run: do(m.openHelp)},
	}
}

// arrangement returns the actions outside text fields that arrange the panes, and the one that leaves.
func (r rootActions) arrangement() []action.Action[tea.Cmd] {
	m := r.m
	return []action.Action[tea.Cmd]{
		{Row: action.Row{Keys: []string{"z"}, Does: "zoom pane"}, Run: do(r.zoom)},
		{Row: action.Row{Keys: []string{"<"}, Does: "move border left"}, Run: do(func() { m.moveBorder(-4) })},
		{Row: action.Row{Keys: []string{">"}, Does: "move border right"}, Run: do(func() { m.moveBorder(4) })},
		{
			Row: action.Row{ID: leave, Keys: []string{"q"}, Does: "quit", Live: true, Now: func() (s action.State) { // named by where it leads
				if m.opts.Back != "" {
					s.Does = backWords(m.opts.Back)
				}
				return s
			}},
			Run: r.leave,
		},
	}
}

// toggleHelp opens the help, or shows again what it lies over.
func (r rootActions) toggleHelp() {
	if r.m.screen.over == overHelp {
		r.m.show(r.m.screen.under)
		return
	}
	r.m.openHelp()
}

// zoom shows the focused pane alone, or all panes again.
func (r rootActions) zoom() { r.m.screen.zoom = !r.m.screen.zoom }
