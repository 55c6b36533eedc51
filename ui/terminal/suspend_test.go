package terminal

import (
	"testing"

	tea "charm.land/bubbletea/v2"
)

// A size reaches the renderer at once or, if the terminal is behind, after it has caught up.
func TestASizeIsHeldBackFromAStoppedTerminal(t *testing.T) {
	size := tea.WindowSizeMsg{Width: 100, Height: 30}
	o := &Output{}
	if got := o.Filter(size); got != size {
		t.Errorf("a terminal that keeps up gets %v, want %v", got, size)
	}
	o.pending.Store(maxUnwritten + 1)
	if got := o.Filter(size); got != (ResizedMsg{}) {
		t.Fatalf("a terminal that is behind gets %v, want a ResizedMsg", got)
	}
}
