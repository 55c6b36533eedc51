package demo

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
)

// What an agent says to a cancel is one message, so that clients show it once: the cancel, the
// stream of the task and the task itself have the same.
func TestACanceledTaskSaysOneFarewell(t *testing.T) {
	peers := meetAt(t, 1)
	for name, prompt := range map[string]string{
		"Travel Desk": "Watch fares to Tokyo until I say stop", "Scribe": "Write an essay on tides",
		"Old Clerk": "Count the paper clips", "Saboteur": "Fall silent",
	} {
		t.Run(name, func(t *testing.T) {
			id := ""
			if name == "Old Clerk" {
				id = "client"
			}
			p := *peers[name]
			p.t = t
			if events := p.streamUntilCanceled(prompt, id, "working"); last(events) != "canceled" {
				t.Errorf("got events %v, want the stream to end canceled", events)
			}
		})
	}
}

// streamUntilCanceled cancels the task when its first progress arrives.
func (p *peer) streamUntilCanceled(prompt, id, state string) []event {
	resp := p.post(p.words.stream, p.say(prompt, id))
	first := make([]byte, 1)
	if _, err := io.ReadFull(resp.Body, first); err != nil {
		p.t.Fatal(err)
	}
	task := id
	if task == "" { // the first event is there: read its task
		var head []byte
		for !bytes.Contains(head, []byte("\n")) {
			b := make([]byte, 1)
			if _, err := resp.Body.Read(b); err != nil {
				p.t.Fatal(err)
			}
			head = append(head, b...)
		}
		e, err := read(strings.TrimPrefix(string(head), "ata: "))
		if err != nil {
			p.t.Fatal(err)
		}
		task = e.task
	}
	for p.get(task).state != state { // ends with the test's own time limit
	}
	canceled := p.call(p.words.cancel, fmt.Sprintf(`{"id":%q}`, task))
	if canceled.state != "canceled" {
		p.t.Errorf("cancel: got %s, want state canceled", canceled.raw)
	}
	events := p.events(resp)
	for _, e := range append(events[len(events)-1:], p.get(task)) {
		if fmt.Sprint(e.message) != fmt.Sprint(canceled.message) || e.message == nil {
			p.t.Errorf("%s: got the message %v, want that of the cancel, %v", p.name, e.message, canceled.message)
		}
	}
	if again := p.call(p.words.cancel, fmt.Sprintf(`{"id":%q}`, task)); !strings.Contains(again.raw, "-32002") {
		p.t.Errorf("second cancel: got %s, want code -32002", again.raw)
	}
	return events
}
