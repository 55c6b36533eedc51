package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"parley/ui/canvas"
	"parley/ui/styles"
)

// The smallest screen that has room for a pane. A replay has one row more, for its line.
const leastWidth, leastHeight = 20, 4

// tooSmall reports whether the screen has no room for anything but a sentence that says so.
func tooSmall(w, h int) bool { return w < leastWidth || h < leastHeight }

// small draws that sentence. The panes keep their state, and are back when the terminal is larger.
func small(st *styles.Styles, w, h int) []string {
	need := fmt.Sprintf("%d%s%d", leastWidth, st.G[styles.Times], leastHeight+1)
	words := canvas.WrapPainted("Enlarge this terminal: Parley needs "+need+" cells.", w, st.Text)
	return canvas.Block(words, w, h)
}

// smallView removes what a screen without panes does not have.
func smallView(v *tea.View) { v.Cursor, v.MouseMode = nil, tea.MouseModeNone }
