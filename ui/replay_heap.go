package ui

import (
	"runtime/debug"

	tea "charm.land/bubbletea/v2"
)

const (
	// longWay is how many records make a way so long that collecting garbage on it again and again
	// would take longer than reading them.
	longWay = 20_000
	// lazyGC is how much the heap may grow on such a way, in percent: more costs more memory than
	// time.
	lazyGC = 40
)

// A travel collects less garbage while the screen is on a long way to the player's position, and
// gives the memory back when it has arrived. The index, too, leaves memory behind.
type travel struct {
	percent int // of the way of the program, while another one is set
	far     bool
	indexed bool
}

// follow notes where the screen is.
func (h *travel) follow(r *replayScreen) tea.Cmd {
	if r.player == nil || r.o.Getenv("GOGC") != "" {
		return nil
	}
	n, _ := r.player.Len()
	indexed := r.player.Checked() == 1
	far := r.player.Position()-r.m.state.Log.Len() > longWay
	arrived := h.far && !far && r.player.Position()-r.m.state.Log.Len() <= farAway
	switch {
	case far && !h.far:
		h.far, h.percent = true, debug.SetGCPercent(lazyGC)
		return freeMemory // of the model that was left
	case arrived:
		h.far = false
		debug.SetGCPercent(h.percent)
	case !indexed || h.indexed:
		return nil
	}
	h.indexed = indexed
	if n < longWay {
		return nil
	}
	return freeMemory
}

func freeMemory() tea.Msg {
	debug.FreeOSMemory()
	return nil
}
