package chat

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/session/model"
	"parley/session/task"
	"parley/themes"
	"parley/ui/action"
	"parley/ui/styles"
)

var noon = time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC)

// clockAt returns a clock that does not move.
func clockAt(t time.Time) func() time.Time { return func() time.Time { return t } }

func dark() *styles.Styles { return styles.New(themes.Dark(), styles.Unicode()) }
func mono() *styles.Styles { return styles.New(themes.Mono(), styles.ASCII()) }

// travel returns the conversation of the golden files: a booking that streamed an itinerary and
// now waits for dates. Records are numbered in order of arrival.
func travel() *model.Conversation {
	agent := &model.Agent{ID: 1, Phase: model.Ready, Ref: "http://127.0.0.1:4100", Card: &a2a.Card{
		Name: "Travel Desk", Description: "Books flights and tells the weather for the places that you go to.",
		Skills: []a2a.Skill{{Name: "Booking", Examples: []a2a.Example{
			{Text: "Book me a flight to London"}, {Text: "What is the weather in Oslo?"}, {Data: json.RawMessage(`{"from":"OSL"}`)},
		}}},
	}, Profile: a2a.Profile{Dialect: a2a.V10, Binding: a2a.BindingJSONRPC}}
	conv := &model.Conversation{ID: 1, Agent: agent, ContextID: "7f3a11b9-02c8", Title: "Flight to London", Version: 1}
	task := &model.Task{ID: "91c2e0d4-77f1", ContextID: conv.ContextID, Conversation: conv, Lifecycle: task.Lifecycle{State: a2a.StateInputRequired}, Version: 1}
	block := &model.Block{Task: task, Version: 1}
	turn := &model.Turn{
		ID: 1, Conversation: conv, Record: 1, Time: noon, Version: 1, Blocks: []*model.Block{block},
		Message: &a2a.Message{Role: a2a.RoleUser, Parts: []a2a.Part{a2a.TextPart("Book me a flight to London")}},
	}
	at := func(ms int) time.Time { return noon.Add(time.Duration(ms) * time.Millisecond) }
	state := func(s a2a.State, record a2a.RecordID, ms int) {
		tr := model.Transition{State: s, Word: s.String(), Time: at(ms), Record: record}
		task.Transitions = append(task.Transitions, tr)
		block.Entries = append(block.Entries, model.Entry{Kind: model.EntryState, Record: record, Time: tr.Time, State: tr})
	}
	state(a2a.StateSubmitted, 3, 43)
	state(a2a.StateWorking, 4, 653)
	itinerary := &model.Artifact{
		Key: "itinerary", Name: "itinerary.md", Task: task, Chunks: 3, Count: 3, Bytes: 147, Sealed: true, Version: 1,
		Description: "What you asked for, by day.", Metadata: json.RawMessage(`{"source":"amadeus"}`),
	}
	for i, chunk := range []string{
		"# London, 10 to 17 October\n\n| Flight | Departs | Arrives | Seats |\n",
		"|---|---|---|---|\n| OS 411 | 10 Oct 07:25 | 10 Oct 08:50 | 9 |\n",
		"| BA 763 | 10 Oct 11:10 | 10 Oct 12:35 | 2 |\n| SK 805 | 10 Oct 18:00 | 10 Oct 19:25 | 14 |\n",
	} {
		itinerary.Spans = append(itinerary.Spans, model.Span{Offset: len(itinerary.Text), Record: a2a.RecordID(5 + i)})
		itinerary.Text = append(itinerary.Text, chunk...)
	}
	fares := &model.Artifact{Key: "fares", Name: "fares.json", Task: task, Chunks: 1, Count: 1, Version: 1, Sealed: true, Parts: []model.PlacedPart{{
		Record: 8, Part: a2a.Part{Kind: a2a.PartData, Data: json.RawMessage(`{"OS 411":120.50,"BA 763":"98","SK 805":null}`)},
	}}}
	plan := &model.Artifact{Key: "map", Name: "map.png", Task: task, Chunks: 1, Count: 1, Version: 1, Sealed: true, Parts: []model.PlacedPart{{
		Record: 9, Part: a2a.Part{Kind: a2a.PartURL, URL: "https://maps.example/london.png", MediaType: "image/png"},
	}}}
	for i, art := range []*model.Artifact{itinerary, fares, plan} {
		task.Artifacts = append(task.Artifacts, art)
		block.Entries = append(block.Entries, model.Entry{Kind: model.EntryArtifact, Artifact: art, Time: at(800 + i), Record: []a2a.RecordID{5, 8, 9}[i]})
	}
	state(a2a.StateInputRequired, 10, 3100)
	task.Prompt = &a2a.Message{ID: "m1", Role: a2a.RoleAgent, RoleWord: "ROLE_AGENT", Parts: []a2a.Part{a2a.TextPart("Which dates would you like, and is one bag enough?")}}
	block.Entries = append(block.Entries, model.Entry{Kind: model.EntryMessage, Record: 10, Time: at(3100), Message: task.Prompt})
	conv.Turns, conv.Tasks = []*model.Turn{turn}, []*model.Task{task}
	return conv
}

// touch marks the newest block of the newest turn as changed.
func touch(c *model.Conversation) {
	turn := c.Turns[len(c.Turns)-1]
	c.Version++
	turn.Version++
	if n := len(turn.Blocks); n > 0 {
		turn.Blocks[n-1].Version++
	}
}

// streaming returns a conversation with one live artifact.
func streaming() (*model.Conversation, *model.Artifact) {
	conv := travel()
	turn := conv.Turns[0]
	task := turn.Blocks[0].Task
	task.State, task.Prompt = a2a.StateWorking, nil
	task.Transitions = task.Transitions[:2]
	turn.Pending = true
	art := &model.Artifact{Key: "essay", Name: "essay.md", Task: task, Live: true, Version: 1}
	entries := turn.Blocks[0].Entries
	turn.Blocks[0].Entries = append(entries[:2:2], model.Entry{Kind: model.EntryArtifact, Artifact: art, Record: 100, Time: noon})
	return conv, art
}

// chunk appends the text of a record to an artifact.
func chunk(c *model.Conversation, a *model.Artifact, record a2a.RecordID, text string) {
	a.Spans = append(a.Spans, model.Span{Offset: len(a.Text), Record: record})
	a.Text = append(a.Text, text...)
	a.Chunks++
	a.Count++
	a.Bytes += int64(len(text))
	a.Version++
	touch(c)
}

// namedPane returns a pane that names the default keys of others.
func namedPane(st *styles.Styles, now func() time.Time) *Pane {
	p := New(st, now)
	p.NameKeys(panetest.Bound, action.Label("enter", "send"))
	return p
}

func open(st *styles.Styles, c *model.Conversation, w, h int) *Pane {
	p := namedPane(st, clockAt(noon.Add(5*time.Second)))
	p.SetSize(w, h)
	if c != nil {
		p.Show(c.Agent, c)
	}
	return p
}

// settle runs the jobs until there are none.
func settle(t testing.TB, p *Pane) {
	t.Helper()
	for range 1000 {
		jobs := p.Jobs()
		if len(jobs) == 0 {
			return
		}
		for _, j := range jobs {
			p.Apply(j.Run())
		}
	}
	t.Fatal("got more jobs than the limit, want them to end")
}

func exact(t testing.TB, p *Pane, w, h int) {
	t.Helper()
	panetest.Exact(t, p.Lines(), w, h)
}

func styled(p *Pane) string { return strings.Join(p.Lines(), "\n") + "\n" }

// screen returns the pane's text without styles and trailing space.
func screen(p *Pane) string { return strings.TrimRight(panetest.Text(p.Lines()), "\n") }

func press(p *Pane, names ...string) Intent {
	var last Intent
	for _, name := range names {
		last = p.Key(panetest.Key(name))
	}
	return last
}
