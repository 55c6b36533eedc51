package control

import (
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
	"parley/ui/styles"
)

// A SheetName identifies a sheet in [Host.Open].
type SheetName string

// A SheetPane is a pane that can be drawn over the others.
type SheetPane interface {
	SetSize(w, h int)
	SetStyles(st *styles.Styles)
	Title() string
	Note() string
	Lines() []string
	Hints(out []action.Hint) []action.Hint // for the footer
	FullHelp() [][]key.Binding
	Cursor() *tea.Cursor // nil while no text is being typed
}

// An IntentPane is a [SheetPane] whose keys and clicks become intents of one type.
type IntentPane[Intent any] interface {
	SheetPane
	Key(msg tea.KeyPressMsg) Intent
	Mouse(msg tea.MouseMsg, x, y int) Intent
}

// Wide is how many columns the content of a box wants whose rows say much.
const Wide = 104

// A Sheet describes a pane that lies over the others while it is used. Its controller
// describes it once.
type Sheet struct {
	Name  SheetName
	Help  string // the heading of its keys in the help; empty leaves them out
	Pane  SheetPane
	Key   func(msg tea.KeyPressMsg) tea.Cmd
	Mouse func(msg tea.MouseMsg, x, y int) tea.Cmd

	Leave      func() key.Binding // the keys that close it, besides ctrl+c and those of the pane; nil if there are none
	KeepsCtrlC bool               // the pane handles ctrl+c itself
	// Typing reports whether text is being typed: ctrl+c then belongs to the pane. Nil means
	// never.
	Typing      func() bool
	Paste       func(msg tea.PasteMsg) // nil if nothing can be pasted
	PasteAlways bool                   // pastes belong to it even if Typing reports false

	// OnPaste takes what is pasted where a paste does something; nil if it is text alone.
	OnPaste func(msg tea.PasteMsg) tea.Cmd

	// A sheet is a box as high as what its pane says, unless that has no room above the text field:
	// then it takes the whole page. Page makes it a page whatever it says, because it is read at
	// length, or what it shows moves.
	Page  bool
	Whole bool       // it is a page without a frame that also lies over the panes that others leave uncovered
	Wide  bool       // the rows of the box say much: see [Wide]
	Width func() int // how many columns the content of the box wants; nil for as many as others have

	Clear bool // what lies behind it keeps its colours

	Drags bool // it gets the movements of the mouse while a button is held, and the release

	Refresh func() // updates it before a frame; nil if that happens elsewhere
	// Next returns how long what it shows stays as it is while nothing comes, 0 for ever. Nil means for ever.
	Next func() time.Duration
}

// NewSheet returns s with a pane and its keys; do carries out the intents of the pane.
func NewSheet[Intent any](p IntentPane[Intent], do func(Intent) tea.Cmd, s Sheet) Sheet {
	s.Pane = p
	s.Key = func(msg tea.KeyPressMsg) tea.Cmd { return do(p.Key(msg)) }
	s.Mouse = func(msg tea.MouseMsg, x, y int) tea.Cmd { return do(p.Mouse(msg, x, y)) }
	return s
}

// EverySecond is [Sheet.Next] of what shows running durations.
func EverySecond() time.Duration { return time.Second }

// KeyOf returns what [Sheet.Leave] needs for a sheet that the key of an action closes.
func KeyOf(host Host, id action.ID) func() key.Binding {
	return func() key.Binding { return host.Key(id) }
}

// Keys returns the keys of the sheet for the help.
func (s Sheet) Keys() [][]key.Binding { return s.Pane.FullHelp() }

// Closes reports whether a key closes the sheet.
func (s Sheet) Closes(msg tea.KeyPressMsg, ctrlC key.Binding) bool {
	typing := s.Typing != nil && s.Typing()
	return s.Leave != nil && key.Matches(msg, s.Leave()) || !s.KeepsCtrlC && !typing && key.Matches(msg, ctrlC)
}

// AlwaysTypes reports whether each character is text, as long as the sheet is open.
func (s Sheet) AlwaysTypes() bool { return s.Typing == nil && s.Paste != nil }

// TakesPaste reports whether pasted text belongs to the sheet now.
func (s Sheet) TakesPaste() bool {
	return s.Paste != nil && (s.PasteAlways || s.Typing == nil || s.Typing())
}
