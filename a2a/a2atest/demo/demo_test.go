package demo

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image/png"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"parley/a2a/a2atest"
)

// expected lists the final state of each example of the three conforming agents. A state before
// a plus is reached first; the task then waits for a cancel.
func expected() map[string]map[string]string {
	return map[string]map[string]string{
		"Travel Desk": {
			"Book me a flight":           "input-required",
			"Book me a flight to Lisbon": "input-required",
			`{"from": "Oslo", "to": "London", "dates": "10 to 17 October", "bags": "one bag"}`: "completed",
			"What is the weather in Oslo?":          "completed",
			"Hello":                                 "message",
			"Put me on the waiting list":            "submitted",
			"Watch fares to Tokyo until I say stop": "working+canceled",
			"Book the 1969 Concorde to New York":    "failed",
			"Hold a seat for me, then let it go":    "canceled",
			"Book me a flight to the Moon":          "rejected",
			"Ask the desk next door":                "unspecified",
			"Charge the trip to my company card":    "auth-required",
			"Rent me a car":                         "input-required",
		},
		"Scribe": {
			"Write an essay on tides":                "completed",
			"Compare tides in two documents at once": "completed",
			"Think aloud about the Moon":             "completed",
			"Write me a poem":                        "input-required",
			"Hello":                                  "message",
			"Write a tide table and its program":     "completed",
		},
		"Old Clerk": {
			"I have lost my umbrella":      "input-required",
			"Stamp this form, please":      "completed",
			"Good morning":                 "completed",
			"Count the paper clips":        "working+canceled",
			"I wish to complain about you": "failed",
		},
	}
}

func examples(card map[string]any) []string {
	var out []string
	skills, _ := card["skills"].([]any)
	for _, s := range skills {
		list, _ := dig(s, "examples").([]any)
		for _, e := range list {
			out = append(out, word(e))
		}
	}
	return out
}

func TestEveryExampleReachesItsState(t *testing.T) {
	peers := meet(t)
	for name, want := range expected() {
		p := peers[name]
		prompts := examples(p.card)
		if len(prompts) != len(want) {
			t.Errorf("%s: got %d examples, want %d", name, len(prompts), len(want))
		}
		for i, prompt := range prompts {
			t.Run(name+"/"+prompt, func(t *testing.T) {
				state, waits := strings.CutSuffix(want[prompt], "+canceled")
				id := ""
				if name == "Old Clerk" {
					id = fmt.Sprintf("client-%d", i)
				}
				var events []event
				if waits {
					events = p.streamUntilCanceled(prompt, id, state)
					state = "canceled"
				} else {
					events = p.stream(prompt, id)
				}
				p.checkEvents(t, events, id)
				if state == "message" {
					if len(events) != 1 || events[0].message == nil {
						t.Fatalf("got events %v, want one message", events)
					}
					if got := p.call(p.words.send, p.say(prompt, id)); got.message == nil {
						t.Errorf("got plain answer %s, want a message", got.raw)
					}
					return
				}
				if got := last(events); got != state {
					t.Errorf("got state %q at the end of the stream, want %q", got, state)
				}
				if got := p.get(events[0].task); got.state != state || got.task != events[0].task {
					t.Errorf("get: got %s, want task %s with state %s", got.raw, events[0].task, state)
				}
				if waits {
					return
				}
				if id != "" {
					id += "-plain"
				}
				if got := p.call(p.words.send, p.say(prompt, id)); got.state != state || got.rpcID != "q-1" {
					t.Errorf("got plain answer %s, want state %s", got.raw, state)
				}
			})
		}
	}
}

// checkEvents checks what holds for every conforming stream.
func (p *peer) checkEvents(t *testing.T, events []event, id string) {
	t.Helper()
	if len(events) == 0 {
		t.Fatal("got no events")
	}
	if id == "" {
		id = events[0].task
	}
	for i, e := range events {
		if e.rpcID != "q-1" || e.result == nil || e.task != id && e.task != "" {
			t.Errorf("event %d: got %s, want a result about the task", i, e.raw)
		}
		if e.final == true && i != len(events)-1 {
			t.Errorf("event %d is final, want only the last one final: %s", i, e.raw)
		}
	}
	if e := events[len(events)-1]; p.words.version == "" && e.final != true && e.state != "" {
		t.Errorf("got last event %s, want it final", e.raw)
	}
}

func TestAllNineStatesAreReached(t *testing.T) {
	var reached []string
	for _, want := range expected() {
		for _, state := range want {
			reached = append(reached, strings.Split(state, "+")...)
		}
	}
	for _, state := range []string{"submitted", "working", "input-required", "auth-required", "completed",
		"failed", "canceled", "rejected", "unspecified"} {
		if !slices.Contains(reached, state) {
			t.Errorf("got examples that reach %v, want one for state %s", reached, state)
		}
	}
}

func TestBookingTakesThreeSuggestions(t *testing.T) {
	p := meet(t)["Travel Desk"]
	first := p.stream(examples(p.card)[0], "")
	task := first[0].task
	second := p.stream(suggestion(first), task)
	p.checkEvents(t, second, task)
	if got := last(second); got != "input-required" {
		t.Fatalf("after the destination: got state %s, want input-required", got)
	}
	third := p.stream(suggestion(second), task)
	p.checkEvents(t, third, task)
	if got := last(third); got != "completed" {
		t.Fatalf("after the dates: got state %s, want completed", got)
	}
	chunks := 0
	for _, e := range third {
		switch e.key {
		case "itinerary":
			chunks++
		case "fares":
			if got := dig(e.artifact, "parts", 0, "data", "dates"); got != "10 to 17 October" {
				t.Errorf("fares: got %s, want the dates", e.raw)
			}
		case "map":
			checkPicture(t, word(dig(e.artifact, "parts", 0, "raw")))
		}
	}
	if chunks < 30 {
		t.Errorf("got the itinerary in %d chunks, want at least 30", chunks)
	}
	text := texts(t, third)["itinerary"]
	for _, want := range []string{"# London, 10 to 17 October\n", "| **PY 103** |", "**one bag**", "Heathrow"} {
		if !strings.Contains(text, want) {
			t.Errorf("got no %q in %s", want, text)
		}
	}
	whole := p.get(task)
	if got := dig(whole.result, "artifacts", 0, "parts", 0, "text"); got != text {
		t.Errorf("get: got itinerary %q, want the streamed one", got)
	}
	history, _ := whole.result["history"].([]any)
	if artifacts, _ := whole.result["artifacts"].([]any); len(artifacts) != 3 || len(history) != 5 {
		t.Errorf("get: got %d artifacts and %d messages, want 3 and 5", len(artifacts), len(history))
	}
	for i, asked := range [][]event{first, second} {
		if q := asked[len(asked)-1].raw; !strings.Contains(q, word(dig(history, 2*i+1, "messageId"))) || !strings.Contains(q, word(dig(history, 2*i+1, "parts", 0, "text"))) || dig(history, 2*i+1, "parts", 0, "text") == "" {
			t.Errorf("question %d: got %v in the history, want %s", i, dig(history, 2*i+1), q)
		}
	}
	if got := p.call(p.words.send, p.say("and back", task)); !strings.Contains(got.raw, "UNSUPPORTED_OPERATION") {
		t.Errorf("message to a finished task: got %s, want UNSUPPORTED_OPERATION", got.raw)
	}
}

func checkPicture(t *testing.T, encoded string) {
	t.Helper()
	b, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(b))
	if err != nil || len(b) > 6<<10 {
		t.Fatalf("got a picture of %d bytes, want at most 6 KiB: %v", len(b), err)
	}
	colours := map[any]bool{}
	for y := range mapHeight {
		for x := range mapWidth {
			colours[img.At(x, y)] = true
		}
	}
	if len(colours) < 6 {
		t.Errorf("got a picture of %d colours, want at least 6", len(colours))
	}
}

func TestBookingAsksAgainForWhatItDoesNotKnow(t *testing.T) {
	p := meet(t)["Travel Desk"]
	task := p.stream("I need a holiday", "")[0].task
	if got := p.stream("Timbuktu", task); last(got) != "input-required" || suggestion(got) != "London" {
		t.Errorf("Timbuktu: got %v, want a question with the suggestion London", got)
	}
	if got := p.stream("Oh, Reykjavik then", task); !strings.Contains(got[len(got)-1].raw, "Reykjavík it is") {
		t.Errorf("Reykjavik: got %v, want it confirmed", got)
	}
	got := p.stream(`"tomorrow" <&> \n; two {{task}} bags`, task)
	if text := texts(t, got)["itinerary"]; !strings.Contains(text, `# Reykjavík, "tomorrow" <&> \n`) ||
		!strings.Contains(text, "**two {{task}} bags**") {
		t.Errorf("got itinerary %s, want the user's text as it was", text)
	}
}

func TestClerkGoesOnWhenTheIDComesAgain(t *testing.T) {
	p := meet(t)["Old Clerk"]
	first := p.stream("I have lost my umbrella", "mine-1")
	second := p.stream(suggestion(first), "mine-1")
	p.checkEvents(t, second, "mine-1")
	text := texts(t, second)
	if last(second) != "completed" || !strings.Contains(text["0"], "Matter ....... mine-1") {
		t.Errorf("got state %s and artifacts %v, want the matter completed", last(second), text)
	}
	if _, ok := text["1"]; !ok {
		t.Errorf("got artifacts %v, want a register", text)
	}
	got := p.get("mine-1")
	if dig(got.result, "artifacts", 0, "parts", 0, "text") != text["0"] || got.result["sessionId"] != "s-1" {
		t.Errorf("get: got %s, want the streamed text and session s-1", got.raw)
	}
	if got := p.get("nobody"); !strings.Contains(got.raw, `"code":-32001,"message":"Task not found"}`) {
		t.Errorf("unknown task: got %s, want task not found", got.raw)
	}
}

func TestSubscribersSeeTheRest(t *testing.T) {
	p := meet(t)["Travel Desk"]
	resp := p.post(p.words.send, `{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"watch"}]},"configuration":{"returnImmediately":true}}`)
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	e, err := read(string(body))
	if err != nil {
		t.Fatal(err)
	}
	for !strings.Contains(p.get(e.task).raw, "WORKING") { // ends with the test's own time limit
	}
	sub := p.post(p.words.subscribe, fmt.Sprintf(`{"id":%q}`, e.task))
	p.call(p.words.cancel, fmt.Sprintf(`{"id":%q}`, e.task))
	if got := last(p.events(sub)); got != "canceled" {
		t.Errorf("subscriber: got last state %q, want canceled", got)
	}
}

func TestStopEndsOpenStreams(t *testing.T) {
	agents, stop, err := Start(t.Context(), a2atest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := &peer{t: t, name: agents[3].Name, url: agents[3].URL, words: wires()[agents[3].Name]}
	p.fetchCard()
	resp := p.post(p.words.stream, p.say("Fall silent", ""))
	stop()
	if _, err := io.ReadAll(resp.Body); err != nil {
		t.Errorf("got error %v, want a regular end of the stream", err)
	}
	if _, err := http.Get(p.url); err == nil {
		t.Error("got an answer from the stopped agent")
	}
}

func TestCardsServeWhatTheyName(t *testing.T) {
	for _, p := range meet(t) {
		for _, member := range []string{"iconUrl", "documentationUrl"} {
			url := word(p.card[member])
			if url == "" || strings.HasPrefix(url, "javascript:") {
				continue
			}
			resp, err := http.Get(url)
			if err != nil {
				t.Fatal(err)
			}
			if body, err := io.ReadAll(resp.Body); err != nil || resp.StatusCode != 200 || len(body) == 0 {
				t.Errorf("%s %s: got status %d, %d bytes, %v, want 200 with content", p.name, member, resp.StatusCode, len(body), err)
			}
			_ = resp.Body.Close()
		}
	}
}

func TestHistoriesAreAsLongAsAskedFor(t *testing.T) {
	for name, p := range meet(t) {
		if name == "Saboteur" {
			continue
		}
		id := ""
		if name == "Old Clerk" {
			id = "client"
		}
		events := p.stream(examples(p.card)[0], id)
		for most, want := range map[string]int{`,"historyLength":0`: 0, `,"historyLength":1`: 1, ``: 1} {
			got := p.call(p.words.get, fmt.Sprintf(`{"id":%q%s}`, events[0].task, most))
			if history, _ := got.result["history"].([]any); len(history) != want {
				t.Errorf("%s: %s: got history %v, want %d messages", name, most, history, want)
			}
		}
	}
}
