package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
	"parley/ui/control"
	"parley/ui/keys"
	"parley/ui/wire"
)

// sureClipboard is the size up to which tmux, which accepts less than others, accepts a text.
const sureClipboard = 700 << 10

// copy copies text, without the secrets of the session, to the clipboard by OSC 52, which works over ssh and in tmux where the
// terminal allows it. Terminals do not report whether they did.
func (m *Model) copy(text, what string) tea.Cmd {
	text = m.opts.Secrets.Drawn().Mask(text)
	size, save := int64(len(text)), keys.Name(m.panes.wire.Of(wire.SaveBody))+" in the wire pane saves them to a file"
	switch {
	case size > control.MaxClipboard:
		return m.say(units.Bytes(size)+" exceed the limit of a terminal's clipboard: "+save, true)
	case size > sureClipboard:
		return tea.Batch(tea.SetClipboard(text), m.say(copied(size, what)+"; the terminal may accept less: "+save, false))
	default:
		return tea.Batch(tea.SetClipboard(text), m.say(copied(size, what), false))
	}
}

// copied says what was copied: "303 B of record 13", or "the task's id, 36 B".
func copied(size int64, what string) string {
	switch {
	case what == "":
		return "copied " + units.Bytes(size)
	case strings.HasPrefix(what, "the ") || strings.HasPrefix(what, "all "):
		return "copied " + what + ", " + units.Bytes(size)
	default:
		return "copied " + units.Bytes(size) + " of " + what
	}
}
