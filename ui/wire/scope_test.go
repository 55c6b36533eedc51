package wire

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"parley/a2a"
	"parley/internal/tape"
	"parley/session/log"
	"parley/themes"
	"parley/ui/styles"
)

// exchange puts a finished exchange of an agent and a conversation on a tape: four records.
func exchange(f *tape.Tape, agent a2a.AgentID, conv a2a.ConversationID, turn a2a.TurnID, found ...a2a.Finding) (first a2a.RecordID) {
	f.Call = &a2a.Call{Agent: agent, Conversation: conv, Turn: turn, Op: a2a.OpStream, Dialect: a2a.V10, Binding: a2a.BindingJSONRPC}
	f.Put(5, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Head: &a2a.Head{Method: "POST", URL: "http://127.0.0.1/", Header: http.Header{}}, Raw: []byte(`{}`)})
	first = a2a.RecordID(f.State.Log.Len())
	f.Put(1, a2a.Record{Kind: a2a.KindHead, Dir: a2a.In, Head: &a2a.Head{Status: 200, Header: http.Header{}}})
	f.Event(1, result(`{"statusUpdate":{"taskId":"t`+strconv.Itoa(int(turn))+`","contextId":"c`+strconv.Itoa(int(conv))+`","status":{"state":"TASK_STATE_WORKING"}}}`), found...)
	f.End(1, a2a.Ended)
	return first
}

// listed returns the numbers of the rows.
func listed(p *Pane) (out []int) {
	p.Lines()
	for i := range p.rows.Len() {
		out = append(out, int(p.rows.at(i)))
	}
	return out
}

func wantRows(t *testing.T, p *Pane, what string, want ...int) {
	t.Helper()
	got := listed(p)
	if len(got) == len(want) {
		same := true
		for i := range got {
			same = same && got[i] == want[i]
		}
		if same {
			return
		}
	}
	t.Errorf("%s: got rows %v, want %v", what, got, want)
}

// twoAgents returns a pane that shows conversation 1 of agent 1, among three conversations with
// two agents and an exchange of agent 1 without a conversation.
func twoAgents(t *testing.T) (*tape.Tape, *Pane) {
	t.Helper()
	f := tape.New()
	f.Call = &a2a.Call{Agent: 1, Op: a2a.OpCard}
	request(f, 1, "card")                                                     // 1
	exchange(f, 1, 1, 1)                                                      // 2 to 5
	exchange(f, 2, 2, 2, a2a.Finding{Rule: "GAP-001", Severity: a2a.Warning}) // 6 to 9
	exchange(f, 1, 3, 3)                                                      // 10 to 13
	p := openPane(f, themes.Mono(), 100, 40)
	p.SetNames(func(id a2a.AgentID) string { return []string{"", "Travel Desk", "Scribe"}[id] }, func(id a2a.AgentID) string { return []string{"", "TD", "Scri"}[id] })
	p.SetView(1, 1)
	return f, p
}

func TestTheScopeFollowsTheViewAndOneKeyWidensIt(t *testing.T) {
	_, p := twoAgents(t)
	wantRows(t, p, "conversation 1", 1, 2, 3, 4, 5)
	if got := p.Title() + " | " + p.Note(); got != "wire · conversation | 5 records · +8 ⚑1 elsewhere · follow" {
		t.Errorf("got title and note %q", got)
	}
	if p.Selected() != 5 {
		t.Errorf("record %d is selected, want 5, the newest of the conversation", p.Selected())
	}
	press(p, "a")
	wantRows(t, p, "agent 1", 1, 2, 3, 4, 5, 10, 11, 12, 13)
	press(p, "a")
	wantRows(t, p, "all", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13)
	if p.Title() != "wire · all" || p.Note() != "13 records · follow" {
		t.Errorf("got title %q and note %q, want all 13 records", p.Title(), p.Note())
	}
	press(p, "a")
	p.SetView(2, 2)
	wantRows(t, p, "conversation 2", 6, 7, 8, 9)
	p.SetView(2, 0)
	wantRows(t, p, "agent 2 before a message", 6, 7, 8, 9)
	if p.Title() != "wire · agent" {
		t.Errorf("got title %q before the first message, want the agent", p.Title())
	}
	p.SetView(0, 0)
	if len(listed(p)) != 13 || p.Title() != "wire" {
		t.Errorf("without an agent: got rows %v and title %q, want all rows", listed(p), p.Title())
	}
}

// What is elsewhere is told whole, with its findings, or not at all.
func TestANoteSaysWhatIsElsewhereWhereItFits(t *testing.T) {
	_, p := twoAgents(t)
	for _, c := range []struct {
		w            int
		follow, held string
	}{
		{62, "5 records · +8 ⚑1 elsewhere · follow", "5 records · +8 ⚑1 elsewhere · held"},
		{52, "5 · +8 ⚑1 elsewhere · follow", "5 · +8 ⚑1 elsewhere · held"},
		{46, "5 · +8 ⚑1 elsewhere", "5 records · held"},
		{42, "5 records · follow", "5 records · held"},
		{36, "5 · follow", "5 · held"},
		{30, "5", "held"},
	} {
		p.SetSize(c.w, 30)
		for _, want := range []string{c.follow, c.held} {
			if got := p.Note(); got != want {
				t.Errorf("%d columns: got note %q, want %q", c.w, got, want)
			}
			press(p, "f")
		}
	}
}

func TestWhatComesForOthersMovesNothing(t *testing.T) {
	f, p := twoAgents(t)
	exchange(f, 2, 2, 4)
	wantRows(t, p, "records of another agent", 1, 2, 3, 4, 5)
	if p.Selected() != 5 || !strings.Contains(p.Note(), "+12 ⚑1 elsewhere") {
		t.Errorf("record %d is selected, note %q; want 5 and 12 elsewhere", p.Selected(), p.Note())
	}
	exchange(f, 1, 1, 5) // 18 to 21
	if p.Lines(); p.Selected() != 21 {
		t.Errorf("record %d is selected, want 21, the newest of the conversation", p.Selected())
	}
	p.SetScope(OfAll)
	exchange(f, 2, 2, 6) // 22 to 25
	if p.Lines(); p.Selected() != 21 || p.rows.Len() != 25 || !p.rows.follow {
		t.Errorf("record %d of %d is selected, following %v; want 21 of 25: the record below must not change its agent", p.Selected(), p.rows.Len(), p.rows.follow)
	}
	has(t, p, "Scribe", "Travel Desk")
}

func TestFilterSearchFoldsAndScopeApplyTogether(t *testing.T) {
	_, p := twoAgents(t)
	p.Filter("state:working")
	p.SetScope(OfConversation)
	wantRows(t, p, "filtered conversation", 4)
	if p.Note() != "1 of 5 · +8 ⚑1 elsewhere · follow" {
		t.Errorf("got note %q, want 1 of 5", p.Note())
	}
	p.SetSize(40, 30)
	p.SetView(2, 2)
	if press(p, "f"); p.Note() != "1 of 4 · held" {
		t.Errorf("got note %q in a narrow pane, want the count", p.Note())
	}
	press(p, "f")
	p.SetView(1, 1)
	p.SetSize(100, 30)
	p.SetScope(OfAll)
	wantRows(t, p, "filtered session", 4, 8, 12)
	p.SetScope(OfConversation)
	p.Filter("")
	press(p, "-")
	wantRows(t, p, "folded conversation", 1, 2)
	p.SetView(2, 2)
	wantRows(t, p, "folded other conversation", 6)
	press(p, "space")
	wantRows(t, p, "unfolded exchange", 6, 7, 8, 9)
	press(p, "ctrl+f", "w", "o", "r", "k", "i", "n", "g", "enter")
	for jobs := p.Jobs(); len(jobs) > 0; jobs = p.Jobs() {
		for _, job := range jobs {
			job()()
		}
	}
	has(t, p, "1 of 1")
}

func TestARecordOutOfScopeIsShownInAWiderOne(t *testing.T) {
	_, p := twoAgents(t)
	p.Select(12)
	if p.Selected() != 12 || p.Scope() != OfAgent {
		t.Errorf("record %d is selected in scope %v, want 12 in that of the agent", p.Selected(), p.Scope())
	}
	p.Select(8)
	if p.Selected() != 8 || p.Scope() != OfAll {
		t.Errorf("record %d is selected in scope %v, want 8 in that of all", p.Selected(), p.Scope())
	}
}

func TestADeliveryWithoutAKnownTaskStandsInTheAgentsScope(t *testing.T) {
	f, p := twoAgents(t)
	f.Call = &a2a.Call{Agent: 1, Op: a2a.OpDelivery, Delivery: &a2a.DeliveryFacts{}}
	f.Put(1, a2a.Record{Kind: a2a.KindDelivery, Dir: a2a.In, Raw: []byte(`{}`)})
	last := f.State.Log.Len()
	if rows := listed(p); rows[len(rows)-1] == last {
		t.Errorf("got rows %v, want the delivery %d out of the conversation", rows, last)
	}
	p.SetScope(OfAgent)
	if rows := listed(p); rows[len(rows)-1] != last {
		t.Errorf("got rows %v, want the delivery %d among the agent's", rows, last)
	}
}

func TestANoteAboutABrokerStandsInTheScopeOfAllItsAgents(t *testing.T) {
	f, p := twoAgents(t)
	for _, agents := range []string{"2", "2 1"} { // the agent that is shown is 1
		it := f.Next(0, a2a.Record{Kind: a2a.KindNote, Note: &a2a.Note{Type: log.NoteMesh, Attrs: map[string]string{log.AttrAgent: "2", log.AttrAgents: agents}}})
		it.Record.Exchange, it.Record.Call = 0, nil
		f.State.Apply(it)
		p.SetScope(OfAll)
		p.SetScope(OfAgent)
		rows := listed(p)
		if in, want := rows[len(rows)-1] == int(it.Record.ID), agents == "2 1"; in != want {
			t.Errorf("agents %q: got rows %v, want the note among them: %v", agents, rows, want)
		}
	}
}

func TestClearingHidesWhatCameBefore(t *testing.T) {
	f, p := twoAgents(t)
	press(p, "L")
	wantRows(t, p, "cleared")
	has(t, p, "cleared: L shows the records again")
	exchange(f, 1, 1, 7) // 14 to 17
	wantRows(t, p, "what came since", 14, 15, 16, 17)
	press(p, "L", "L")
	wantRows(t, p, "shown again", 1, 2, 3, 4, 5, 14, 15, 16, 17)
	press(p, "L")
	p.Select(3)
	if p.Selected() != 3 {
		t.Errorf("record %d is selected, want 3, although it was cleared", p.Selected())
	}
}

func TestATagNamesTheAgentOfARow(t *testing.T) {
	_, p := twoAgents(t)
	p.SetScope(OfAll)
	p.SetSize(100, 30)
	has(t, p, "TD   Travel Desk", "Scri Scribe")
	p.SetSize(60, 30)
	has(t, p, "TD   →", "Scri →")

	p.SetStyles(styles.New(themes.Dark(), styles.Unicode()))
	exact(t, p, 60, 30)
	for w := 1; w < 120; w += 7 {
		p.SetSize(w, 20)
		exact(t, p, w, 20)
	}
}

// A number leads to its record from the filter and from the search, also where the rows do not list it, and changes
// neither what is listed nor the search.
func TestANumberLeadsToItsRecord(t *testing.T) {
	for _, open := range []string{"/", "ctrl+f"} {
		_, p := twoAgents(t)
		press(p, open)
		write(p, "#99")
		if press(p, "enter"); !p.Typing() {
			t.Errorf("%s: the line is closed after a number that no record has, want it open", open)
		}
		has(t, p, "there is no record #99")
		press(p, "backspace", "backspace")
		write(p, "2")
		if press(p, "enter"); p.Typing() || p.Selected() != 2 || p.Filtered() || p.search.on() {
			t.Errorf("%s: record %d is selected, filtered %v; want 2 among all rows", open, p.Selected(), p.Filtered())
		}
		press(p, open)
		write(p, " #7 ")
		if press(p, "enter"); p.Selected() != 7 || p.Scope() != OfAll {
			t.Errorf("%s: record %d is selected in scope %v, want 7 of the other agent", open, p.Selected(), p.Scope())
		}
		for _, text := range []string{"#", "#-1", "#1x", "#18446744073709551616", "\"#2\""} {
			press(p, open)
			write(p, text)
			if press(p, "enter"); p.Selected() == 2 {
				t.Errorf("%s: text %q led to record 2, want a search for the text", open, text)
			}
			press(p, open, "esc", "esc")
		}
	}
}
