package agents

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/session/model"
	"parley/session/task"
	"parley/themes"
	"parley/ui/looks"
	"parley/ui/styles"
)

// desk returns two agents: one with two conversations, one that is unreachable.
func desk() []*model.Agent {
	up := &model.Agent{ID: 1, Ref: "http://a", Phase: model.Ready, Card: &a2a.Card{Name: "Travel Desk"}, Profile: a2a.Profile{Dialect: a2a.V10}, Pulse: model.Pulse{Health: model.Healthy}}
	done := &model.Task{Lifecycle: task.Lifecycle{State: a2a.StateCompleted}}
	asks := &model.Task{Lifecycle: task.Lifecycle{State: a2a.StateInputRequired}}
	up.Conversations = []*model.Conversation{
		{ID: 1, Agent: up, Title: "Weather", Tasks: []*model.Task{done}},
		{ID: 2, Agent: up, Title: "Flight", Tasks: []*model.Task{asks, done}},
	}
	away := &model.Agent{ID: 2, Ref: "http://b", Phase: model.Unreachable, Problem: "refused"}
	return []*model.Agent{up, away}
}

func pane(w, h int) *Pane {
	p := New(styles.New(themes.Mono(), styles.Unicode()))
	p.SetSize(w, h)
	p.SetAgents(desk())
	p.Focus()
	return p
}

func press(p *Pane, letters string) Intent {
	var in Intent
	for _, r := range letters {
		msg := panetest.Key("enter")
		if r != '\r' {
			msg = panetest.Key(string(r))
		}
		in = p.Key(msg)
	}
	return in
}

func text(p *Pane) string { return strings.Join(p.Lines(), "\n") }

func TestStatesAreToldByGlyphs(t *testing.T) {
	got := text(pane(30, 8))
	for _, want := range []string{"▌", "Travel Desk", "Weather ", "✓", "Flight", "◐ asks", "✕", "http://b", "r retry"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q on the screen, want it:\n%s", want, got)
		}
	}
	if strings.Index(got, "◐") < strings.Index(got, "Flight") {
		t.Errorf("got the waiting sign before Flight, want it behind:\n%s", got)
	}
}

func TestARecordingOffersNoRetry(t *testing.T) {
	p := pane(30, 8)
	p.SetRecording(true)
	p.SetAgents(desk())
	if got := text(p); strings.Contains(got, "retry") || !strings.Contains(got, "http://b") {
		t.Errorf("got rows\n%s\nwant the failed agent without a key that gets its card", got)
	}
}

// The sign shows what was observed, unless an agent is as it should be: one without observations has a sign.
func TestTheSignSaysWhatTheNewestCallToldAndNoMore(t *testing.T) {
	for want, pulse := range map[string]model.Pulse{
		"Travel Desk             ○ 1.0": {}, "Travel Desk               1.0": {Health: model.Healthy}, "Travel Desk             ▲ 1.0": {Health: model.Unhealthy, Why: "answered 503"},
	} {
		list := desk()
		list[0].Pulse = pulse
		p := pane(30, 9)
		p.SetAgents(list)
		if got := panetest.Text(p.Lines()); !strings.Contains(got, want) || strings.Contains(got, "answered 503 · r get card") != (pulse.Health == model.Unhealthy) {
			t.Errorf("%+v: got rows\n%s\nwant the agent's state and its remedy", pulse, got)
		}
	}
}

func TestAnAgentThatIsLateSaysSo(t *testing.T) {
	list := desk()
	list[0].Pulse.Health, list[0].Late = model.Healthy, "Travel Desk has not announced itself for 30s"
	p := pane(30, 9)
	p.SetAgents(list)
	if got := panetest.Text(p.Lines()); !strings.Contains(got, "Travel Desk            ◌ late") || !strings.Contains(got, "no card lately") {
		t.Errorf("got rows\n%s\nwant that the agent is late", got)
	}
	list[0].Late = ""
	p.SetAgents(list)
	if got := panetest.Text(p.Lines()); !strings.Contains(got, "Travel Desk               1.0") || strings.Contains(got, "late") {
		t.Errorf("got rows\n%s\nwant that the agent is there", got)
	}
}

func TestANameComesBeforeALongDialect(t *testing.T) {
	list := desk()
	list[0].Profile.Dialect = a2a.SAMBroker
	for w, want := range map[int]string{22: "▌Travel Desk\n", 30: "▌Travel Desk        sam-broker"} {
		p := pane(w, 9)
		p.SetAgents(list)
		if got := panetest.Text(p.Lines()); !strings.Contains(got, want) {
			t.Errorf("width %d: got rows\n%s\nwant %q", w, got, want)
		}
	}
}

func TestTwoAgentsOfOneMachineAreToldApart(t *testing.T) {
	list := desk()
	list[0].Phase, list[0].Card = model.Unreachable, nil
	list[0].Ref, list[1].Ref = "http://127.0.0.1:40001", "http://127.0.0.1:40002"
	for w, want := range map[int][2]string{20: {"127.0.0.1:40001", "127.0.0.1:40002"}, 40: {list[0].Ref, list[1].Ref}} {
		p := pane(w, 9)
		p.SetAgents(list)
		if got := panetest.Text(p.Lines()); !strings.Contains(got, "▌"+want[0]) || !strings.Contains(got, "▌"+want[1]) {
			t.Errorf("width %d: got rows\n%s\nwant %v", w, got, want)
		}
	}
}

func TestKeysChooseWhatTheSelectionIsOn(t *testing.T) {
	for _, c := range []struct {
		keys string
		want Intent
	}{
		{"\r", Select{Agent: 1, Enter: true}},
		{"j\r", Select{Agent: 1, Conversation: 1, Enter: true}},
		{"jj\r", Select{Agent: 1, Conversation: 2, Enter: true}},
		{"jjj\r", Select{Agent: 2, Enter: true}}, // blank lines and hints are not selectable
		{"jjjk\r", Select{Agent: 1, Conversation: 2, Enter: true}},
		{"Gr", Retry{Agent: 2}},
		{"Gc", nil},            // has no card
		{"r", Retry{Agent: 1}}, // is reachable, and may have another card
		{"jc", OpenCard{Agent: 1}},
		{"n", Begin{Agent: 1}},
		{"Ggn", Begin{Agent: 1}},
		{"a", Add{}},
	} {
		if got := press(pane(30, 12), c.keys); got != c.want {
			t.Errorf("%q gave %#v, want %#v", c.keys, got, c.want)
		}
	}
}

func TestTheSelectionStaysOnItsConversation(t *testing.T) {
	p := pane(30, 12)
	press(p, "jj")
	list := desk()
	agents := p.agents
	agents[0].Conversations = append([]*model.Conversation{{ID: 9, Title: "New"}}, agents[0].Conversations...)
	p.SetAgents(agents)
	if got := press(p, "\r"); got != (Select{Agent: 1, Conversation: 2, Enter: true}) {
		t.Errorf("got %#v after a conversation was inserted before the selected one, want the selected one", got)
	}
	p.SetAgents(list[:1])
	p.Lines()
	p.SetAgents(nil)
	if got := text(p); !strings.Contains(got, "a opens one by its") {
		t.Errorf("got an empty list without the key that adds an agent, want it:\n%s", got)
	}
	press(p, "jkGg\rcrn")
}

func TestClicksAndTheWheel(t *testing.T) {
	p := pane(30, 4)
	p.Mouse(tea.MouseWheelMsg{Button: tea.MouseWheelDown}, 0, 0)
	if !strings.Contains(text(p), "http://b") {
		t.Errorf("wheel did not scroll, want http://b on the screen:\n%s", text(p))
	}
	p.Mouse(tea.MouseWheelMsg{Button: tea.MouseWheelUp}, 0, 0)
	if got := p.Mouse(tea.MouseClickMsg{}, 0, 1); got != (Select{Agent: 1, Conversation: 1}) {
		t.Errorf("click on the first conversation: got %#v, want Select", got)
	}
	if got := p.Mouse(tea.MouseClickMsg{}, 0, 99); got != nil {
		t.Errorf("click below the rows: got %#v, want nothing", got)
	}
}

func TestWhatHappensElsewhereIsUnreadUntilShown(t *testing.T) {
	p := pane(30, 8)
	plain := text(p)
	p.MarkUnread(1, 1)
	if text(p) == plain {
		t.Error("got the same rows for an unread conversation, want it to stand out")
	}
	p.SetShown(1, 1)
	p.MarkUnread(1, 1)
	p.SetShown(1, 2)
	if strings.Contains(text(p), p.st.Bold.S("Weather")) {
		t.Error("got a shown conversation as unread, want it read")
	}
}

func FuzzPane(f *testing.F) {
	f.Add("안녕 \x1b]52;c;x\a\u202e", "jjG\rk", 24, 6)
	f.Add("👩‍👩‍👧", "c", 3, 2)
	f.Add("", "ggjjjjj", 0, 0)
	f.Fuzz(func(t *testing.T, name, keys string, w, h int) {
		w, h = w&127, h&63
		p := pane(w, h)
		list := desk()
		list[0].Card.Name, list[1].Ref = name, name
		list[0].Conversations[0].Title = name
		p.SetAgents(list)
		for _, r := range keys {
			p.Key(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
		panetest.Exact(t, p.Lines(), w, h)
	})
}

// The signs beside a conversation's name differ without colour, like those in the conversation.
func TestStatesHaveTheSignsThatTheyHaveEverywhere(t *testing.T) {
	p := pane(30, 8)
	for _, s := range []a2a.State{a2a.StateInputRequired, a2a.StateAuthRequired, a2a.StateCompleted, a2a.StateCanceled, a2a.StateFailed, a2a.StateRejected, a2a.StateUnknown} {
		sign, _ := looks.State(p.st, s)
		got := p.state(&model.Conversation{Tasks: []*model.Task{{Lifecycle: task.Lifecycle{State: s}}}})[2]
		if !strings.HasPrefix(got.text, p.st.G[sign]) {
			t.Errorf("a conversation whose task is %s has the sign %q, want %q", s, got.text, p.st.G[sign])
		}
	}
}

// While no row is added or removed, the rows are not made again: the cost of a frame does not
// depend on the number of conversations.
func TestRowsAreMadeOnlyWhenOneComesOrGoes(t *testing.T) {
	agents := desk()
	for range 10_000 {
		agents[0].Conversations = append(agents[0].Conversations, &model.Conversation{Agent: agents[0]})
	}
	p := pane(30, 8)
	p.SetAgents(agents)
	p.rows[9_000].heading = "as it was made"
	p.SetAgents(agents)
	if p.rows[9_000].heading == "" {
		t.Error("got new rows without a change, want the previous ones")
	}
	if n := testing.AllocsPerRun(5, func() { p.SetAgents(agents); p.Lines() }); n > 60 {
		t.Errorf("got %.0f allocations per frame, want at most 60", n)
	}
	for _, c := range []struct {
		what   string
		change func()
	}{
		{"a conversation", func() {
			agents[0].Conversations = append(agents[0].Conversations, &model.Conversation{Agent: agents[0]})
		}},
		{"an agent's hint", func() { agents[1].Phase = model.Ready }},
		{"an agent is gone", func() { agents = agents[:1] }},
	} {
		p.rows[2].heading = "as it was made"
		c.change()
		p.SetAgents(agents)
		if p.rows[2].heading != "" {
			t.Errorf("%s: got the old rows, want new ones", c.what)
		}
	}
}

func BenchmarkFrame(b *testing.B) {
	agents := desk()
	for range 10_000 {
		agents[0].Conversations = append(agents[0].Conversations, &model.Conversation{Agent: agents[0]})
	}
	p := pane(30, 40)
	for b.Loop() {
		p.SetAgents(agents)
		p.Lines()
	}
}

func TestTheConversationOnTheScreenIsHeldAndNewsHaveANumber(t *testing.T) {
	p := pane(40, 8)
	p.SetStyles(styles.New(themes.Dark(), styles.Unicode()))
	p.SetShown(1, 1)
	press(p, "j") // to the other conversation
	rows := p.Lines()
	if !strings.HasPrefix(rows[1], p.st.Held.On) || !strings.HasPrefix(rows[2], p.st.Selected.On) {
		t.Errorf("got rows %q and %q, want what is shown held, and the selection", rows[1], rows[2])
	}
	p.MarkUnread(2, 7)
	p.MarkUnread(2, 7)
	p.MarkUnread(2, 8)
	p.SetWaiting(1)
	panetest.Sees(t, panetest.Text(p.Lines()), "Flight                     2 new ◐ asks")
	if got := p.Note(); got != "2 · 2 unread · 1 waiting" {
		t.Errorf("got note %q, want the agents, the unread answers and the waiting tasks", got)
	}
	for w, want := range map[int]string{31: "2 unread · 1 waiting", 22: "1 waiting", 20: "1 waiting", 15: "◐1"} {
		if p.SetSize(w, 8); p.Note() != want {
			t.Errorf("got note %q in a pane of %d columns, want %q", p.Note(), w, want)
		}
	}
	p.SetWaiting(0)
	if p.SetSize(20, 8); p.Note() != "2 unread" || !strings.Contains(panetest.Text(p.Lines()), "Flight 2 new") {
		t.Errorf("got note %q and rows\n%s\nwant words where they have room", p.Note(), panetest.Text(p.Lines()))
	}
	p.SetWaiting(1)
	p.SetShown(1, 2)
	if got := p.Note(); got != "1 waiting" {
		t.Errorf("got note %q after the conversation was shown, want nothing unread", got)
	}
}

func TestConversationsHaveDistinctNames(t *testing.T) {
	p := pane(24, 12)
	a := desk()[0]
	a.Conversations = nil
	for i, title := range []string{"Write an essay about tides", "Write an essay about the moon", "Weather", "Weather", "Write an essay about tides"} {
		a.Conversations = append(a.Conversations, &model.Conversation{ID: a2a.ConversationID(i + 1), Agent: a, Title: title})
	}
	p.SetAgents([]*model.Agent{a})
	got := panetest.Text(p.Lines())
	panetest.Sees(t, got, "tides", "moon", "Weather", "Weather 2", "tides 2")
	seen := map[string]bool{}
	for _, row := range strings.Split(got, "\n")[1:6] {
		if name := strings.TrimSpace(strings.Trim(strings.TrimSpace(row), "├└")); seen[name] {
			t.Errorf("got %q twice, want distinct names:\n%s", name, got)
		} else {
			seen[name] = true
		}
	}
	a.Conversations[3].Given = "Rain"
	panetest.Sees(t, panetest.Text(p.Lines()), "Rain")
}

func TestAConversationIsRenamedByAKey(t *testing.T) {
	p := pane(30, 8)
	if got := press(p, "jR"); got != (RenameConversation{Conversation: 1}) {
		t.Errorf("got %#v, want RenameConversation of the first", got)
	}
}

// The list says which tag is whose. The whole name stays where a cell less before the version makes room for
// it.
func TestTheListHasTheTagsOfAgents(t *testing.T) {
	list := desk()
	list[0].Profile.Dialect, list[0].Tag, list[1].Tag = a2a.V10, "TD", "\x1bab"
	for w, want := range map[int]string{18: "▌Travel D… TD  1.0", 19: "▌Travel Desk TD 1.0", 24: "▌Travel Desk TD      1.0"} {
		p := pane(w, 9)
		p.SetAgents(list)
		if got := panetest.Text(p.Lines()); !strings.Contains(got, want) || strings.Contains(got, "\x1b") {
			t.Errorf("width %d: got rows\n%s\nwant %q", w, got, want)
		}
	}
	p := New(styles.New(themes.Mono(), styles.Unicode()))
	p.SetSize(24, 9)
	p.SetAgents(list[:1])
	if got := panetest.Text(p.Lines()); strings.Contains(got, "TD") {
		t.Errorf("got a tag although there is one agent:\n%s", got)
	}
}
