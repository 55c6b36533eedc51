package ui

import (
	"strings"
	"testing"

	"parley/a2a"
)

// asksForData plays the booking to its first question, which then asks for data.
func (d *desk) asksForData() *fakeEngine {
	d.t.Helper()
	d.book(asksWhere)
	d.engine.Sent = nil
	t := d.task()
	prompt := *t.Prompt
	prompt.Parts = append(prompt.Parts[:1:1], a2a.DataPart([]byte(`{"instructions":"Where to, then?","schema":{
		"type":"object","required":["city","pin"],"properties":{
			"city":{"title":"City","enum":["London","Lisbon"]},
			"days":{"title":"Days","type":"integer","minimum":1,"maximum":30,"default":3},
			"pin":{"title":"PIN","description":"Of your card.","type":"string","format":"password"},
			"home":{"title":"Home","type":"object","required":["street"],"properties":{"street":{"type":"string"}}},
			"bags":{"title":"Bags","type":"array","items":{"type":"string"}}}}}`)))
	prompt.Metadata = nil // which suggests an answer
	t.Prompt = &prompt
	t.Conversation.Version++
	d.model.touch()
	d.settle()
	return d.engine
}

func TestAFormAnswersTheTaskThatAskedForIt(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		e := d.asksForData()
		d.sees("alt+i fill in form")
		d.write("half a thought")
		d.press("alt+i")
		d.sees("2 required left", "choose", "Where to, then?", "→ send")
		d.press("ctrl+s")
		d.sees("City is required; alt+r sends JSON as you write it.")
		d.write("li")
		d.press("enter", "enter")
		d.write("47 11")
		if strings.Contains(d.text(), "47 11") {
			t.Errorf("frame shows the secret:\n%s", d.text())
		}
		d.press("alt+i")
		if strings.Contains(d.text(), "required left") {
			t.Fatalf("the form is still open:\n%s", d.text())
		}
		d.press("alt+i", "ctrl+s")
		got := e.Last()
		if len(got.Parts) != 1 || string(got.Parts[0].Data) != `{"city":"Lisbon","days":3,"pin":"47 11"}` {
			t.Fatalf("sent %+v, want one part with the form's data\n%s", got, d.text())
		}
		if got.To.TaskID != d.task().ID || len(got.Options.Secrets) != 1 || got.Options.Secrets[0] != "47 11" || got.Options.Secret {
			t.Errorf("sent to %+v with options %+v, want the task and one secret", got.To, got.Options)
		}
		d.sees("half a thought")
		d.press("ctrl+c", "up")
		if c := d.model.panes.composer; c.Attached() > 0 {
			t.Errorf("got %d attachments from the history, want no secret there", c.Attached())
		}
	})
}

func TestAFormWhoseTaskWaitsNoMoreIsKept(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		e := d.asksForData()
		d.press("alt+i", "space", "down", "down")
		d.write("47 11")
		d.task().State = a2a.StateCanceled
		d.model.touch()
		d.settle()
		d.press("ctrl+s")
		d.sees("the task no longer waits")
		if len(e.Sent) > 0 || d.model.panes.composer.Attached() != 1 {
			t.Errorf("sent %+v, want nothing sent and the form attached to the next message", e.Sent)
		}
		d.press("enter")
		if got := e.Last(); len(got.Options.Secrets) != 1 {
			t.Errorf("got next message %+v, want one secret", got)
		}
		d.press("alt+i")
		d.sees("No task here asks for data")
	})
}

func TestWhoAsksForCredentialsGetsASecretForm(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		e := d.asksForData()
		d.task().State = a2a.StateAuthRequired
		d.press("alt+i", "alt+r")
		d.sees("Travel Desk asks, answered as JSON", `"days": 3`)
		d.press("ctrl+s")
		if got := e.Last(); !got.Options.Secret {
			t.Errorf("sent %+v, want a secret message", got)
		}
	})
}

func TestACardTellsWhatMessagesLookLike(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allFound)
		card := d.model.agent().Card
		card.Capabilities.Extensions = append(card.Capabilities.Extensions, a2a.Extension{URI: "u", Params: []byte(`{"input_schema":{"properties":{"to":{}}}}`)})
		d.write("/form")
		d.press("enter")
		d.sees("its schema does not name a type")
		d.write(`["a"]`)
		d.press("enter", "enter")
		if got := d.engine.Last(); len(got.Parts) == 0 || string(got.Parts[0].Data) != `{"to":["a"]}` || got.To.TaskID != "" {
			t.Errorf("sent %+v, want the form's data as a new task", got)
		}
	})
}
