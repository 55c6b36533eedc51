package control

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

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
	ShortHelp() []key.Binding
	Cursor() *tea.Cursor // nil where nothing is typed
}

// A Sheet is a pane that lies over the others while it is used, and what its keys lead
// to. Its controller describes it anew whenever it is asked for.
type Sheet struct {
	Pane  SheetPane
	Key   func(tea.KeyPressMsg) tea.Cmd
	Mouse func(msg tea.MouseMsg, x, y int) tea.Cmd
	Paste func(tea.PasteMsg) // nil while nothing is typed
	Leave []key.Binding      // keys that close it, besides those that the pane takes

	Help   string                 // the heading of its keys in the help
	Keys   func() [][]key.Binding // nil if its keys need no help
	Width  int                    // columns it wants; 0 for a page
	Height int                    // rows it wants; 0 for all there are
	Wide   bool                   // it takes all columns there are
	Narrow bool                   // it takes fewer columns than a page

	Refresh func() // brings it up to date before a frame; nil if that happens elsewhere
	Ticks   bool   // it shows durations, so it is drawn every second
}
