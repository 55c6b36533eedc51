package chat

import (
	"strings"
	"testing"
)

// The conversation of another client names the client, and does not ask the user.
func TestAConversationBehindATapNamesItsClient(t *testing.T) {
	conv := travel()
	conv.Agent.Tap = "desk"
	conv.Turns[0].Client = "planner/2.1\x1b[2J"
	p := open(mono(), conv, 60, 60)
	settle(t, p)
	text := screen(p)
	for _, want := range []string{"planner/2.1", "waits for its client", "Which dates would you like"} {
		if !strings.Contains(text, want) {
			t.Errorf("got a screen without %q, want it:\n%s", want, text)
		}
	}
	for _, bad := range []string{"you  ", "needs you", "\x1b[2J"} {
		if strings.Contains(text, bad) {
			t.Errorf("got %q on the screen, want none:\n%s", bad, text)
		}
	}
	exact(t, p, 60, 60)
}

// Before the first message, a tap says how clients come to it, and offers nothing to send.
func TestAnEmptyTapSaysWhichAddressClientsUse(t *testing.T) {
	agent := travel().Agent
	agent.Tap, agent.TapAddress = "desk", "http://127.0.0.1:4107"
	for _, card := range []bool{false, true} {
		if !card {
			agent.Card = nil
		} else {
			agent.Card = travel().Agent.Card
		}
		p := open(mono(), nil, 60, 20)
		p.Show(agent, nil)
		text := screen(p)
		for _, want := range []string{"No message has passed through this tap yet.", "Let clients use http://127.0.0.1:4107 in place of", "/tap copies the address"} {
			if !strings.Contains(text, want) {
				t.Errorf("card %v: got a screen without %q, want it:\n%s", card, want, text)
			}
		}
		if strings.Contains(text, "looking for its card") || strings.Contains(text, "Book me a flight") || press(p, "alt+1") != nil {
			t.Errorf("card %v: got a search or a prompt, want none:\n%s", card, text)
		}
		exact(t, p, 60, 20)
	}
}
