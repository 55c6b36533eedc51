package model

import (
	"testing"

	"parley/a2a"
	"parley/session/log"
)

func TestATurnKnowsThatItWasWrittenByHand(t *testing.T) {
	for _, c := range []struct {
		raw  bool
		body string
		want string
	}{
		{true, `{"jsonrpc":"2.0","id":"1","method":"SendMessage","params":{}}`, "SendMessage"},
		{true, `{"jsonrpc":`, "POST /a2a?x=1"},
		{false, `{"jsonrpc":"2.0","id":"1","method":"SendMessage","params":{}}`, ""},
	} {
		s := NewState()
		s.Apply(log.Item{Record: a2a.Record{
			ID: 1, Exchange: 1, Kind: a2a.KindRequest, Dir: a2a.Out, Raw: []byte(c.body), Head: &a2a.Head{Method: "POST", URL: "http://h/a2a?x=1"},
			Call: &a2a.Call{Agent: 1, Conversation: 1, Turn: 1, Op: a2a.OpGet, Raw: c.raw},
		}})
		if got := s.Turn(1).Written; got != c.want {
			t.Errorf("%v %s: got %q, want %q", c.raw, c.body, got, c.want)
		}
	}
}
