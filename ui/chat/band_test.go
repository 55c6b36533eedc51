package chat

import (
	"strings"
	"testing"

	"parley/session/model"
	"parley/ui/styles"
)

// What the user wrote stands on a band as wide as the pane; under the cursor the selection takes its
// place.
func TestOwnMessagesStandOnABand(t *testing.T) {
	st := dark()
	p := open(st, travel(), 64, 30)
	settle(t, p)
	for y, line := range p.Lines() {
		own := y < 2 || strings.Contains(line, "Which dates") // the name and one line of text, and what the agent asks
		if got := strings.HasPrefix(line, st.Band.On) && strings.HasSuffix(line, " "+styles.Reset); got != own {
			t.Errorf("line %d: got a band: %t, want %t: %q", y, got, own, line)
		}
	}
	p.SelectRecord(model.Anchor{Conversation: 1, Turn: 1, Block: -1, Entry: -1})
	p.ShowCursor() // for another pane
	for y, line := range p.Lines()[:2] {
		if !strings.HasPrefix(line, st.Held.On) || strings.Contains(line, st.Selected.On) {
			t.Errorf("line %d: got %q under the cursor of another pane, want it held", y, line)
		}
	}
	p.Focus()
	press(p, "g")
	for y, line := range p.Lines()[:2] {
		if strings.Contains(line, st.Band.On) || !strings.HasPrefix(line, st.Selected.On) {
			t.Errorf("line %d: got %q under the cursor, want the selection without a band", y, line)
		}
	}
}
