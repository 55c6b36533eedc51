package webhooks

import (
	"testing"

	"parley/themes"
	"parley/ui/control"
	"parley/ui/styles"
)

// What holds for a new conversation goes over to the one that its first message begins, and
// the next new conversation begins without it.
func TestAWebhookGoesOverToTheConversationThatBegins(t *testing.T) {
	c := New(nil, styles.New(themes.Mono(), styles.ASCII()), nil)
	blank, begun, other := control.Place{Agent: 1}, control.Place{Agent: 1, Conversation: 2}, control.Place{Agent: 1, Conversation: 3}
	c.attached[blank] = true
	for _, s := range []struct {
		from, to control.Place
		want     bool
	}{
		{other, other, false},
		{blank, begun, true},
		{blank, other, false},
		{begun, begun, true},
		{begun, other, true}, // a fork of it
		{other, other, false},
	} {
		if got := c.Attached(s.from, s.to); got != s.want {
			t.Errorf("from %v to %v: got %v, want %v", s.from, s.to, got, s.want)
		}
	}
}
