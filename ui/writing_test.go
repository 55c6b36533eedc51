package ui

import (
	"testing"

	"parley/a2a"
	"parley/session"
)

var attached = a2a.Part{Kind: a2a.PartBytes, Filename: "map.png", MediaType: "image/png", Content: []byte("png")}

func TestWhatGoesWithADraftStaysInItsConversation(t *testing.T) {
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(asksWhere)
		c := d.model.panes.composer
		d.write("here")
		c.Attach(attached)
		d.press("ctrl+n")
		if !c.Empty() {
			t.Errorf("the new conversation begins with %+v", c.Draft())
		}
		d.press("ctrl+g")
		d.sees("map.png", "image/png", "3 B", "here")
		d.press("ctrl+c")
		d.press("up")
		d.sees("map.png", "here")
		d.press("alt+x")
		d.sees("map.png no longer goes with the message")
		if c.Attached() != 0 {
			t.Error("it does")
		}
	})
}

func TestARefusedMessageComesBackWithWhatWentWithIt(t *testing.T) {
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allFound)
		c := d.model.panes.composer
		d.write("look")
		c.Attach(attached)
		d.press("enter")
		if !c.Empty() {
			t.Fatal("it was not sent")
		}
		call := &a2a.Call{Agent: 1, Conversation: 1, Turn: 1, Op: a2a.OpStream, Dialect: a2a.V10}
		body := `{"jsonrpc":"2.0","id":"1","method":"SendStreamingMessage","params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"•••"}]}}}`
		now := d.model.opts.Now()
		d.send(batchMsg{Items: []session.Item{
			{Record: a2a.Record{ID: 29, Exchange: 29, Kind: a2a.KindRequest, Dir: a2a.Out, Call: call, Raw: []byte(body), Time: now}},
			{Record: a2a.Record{ID: 30, Exchange: 29, Kind: a2a.KindEnd, Time: now, End: &a2a.End{Reason: a2a.Refused, Class: a2a.ClassRefused, Sentence: "Nobody listens."}}},
			{Signal: &session.Signal{Kind: session.SignalTurnOver, Agent: 1, Conversation: 1, Turn: 1}},
		}})
		if got := c.Draft(); got.Text != "look" || len(got.Parts) != 1 || string(got.Parts[0].Content) != "png" {
			t.Errorf("it came back as %+v", got)
		}
		if len(d.model.writing.sent) != 0 {
			t.Error("what was written is kept although its turn is over")
		}
	})
}
