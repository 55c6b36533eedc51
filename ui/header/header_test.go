package header

import (
	"cmp"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/session/log"
	"parley/session/model"
	"parley/session/task"
	"parley/themes"
	"parley/ui/looks"
	"parley/ui/styles"
)

// The header has the same sign as the panes, also without colour.
func TestTheHeaderHasTheSignOfEveryState(t *testing.T) {
	for _, glyphs := range []styles.Glyphs{styles.Unicode(), styles.ASCII()} {
		st := styles.New(themes.Mono(), glyphs)
		for _, s := range looks.States() {
			sign, _ := looks.State(st, s)
			stands := looks.Stands{Any: true, Task: "0123456789", Lifecycle: task.Lifecycle{State: s}}
			shown := panetest.Text([]string{identity{any: true, stands: stands, st: st}.draw()[1].text})
			word := map[a2a.State]string{a2a.StateInputRequired: "waits for you", a2a.StateAuthRequired: "wants sign-in"}[s]
			panetest.Sees(t, shown, st.G[sign]+" "+cmp.Or(word, s.String()))
		}
	}
}

// A conversation over another interface than the agent's others shows its own binding.
func TestTheHeaderShowsTheWayOfTheConversation(t *testing.T) {
	h := New(styles.New(themes.Mono(), styles.Unicode()))
	agent := &model.Agent{ID: 1, Card: &a2a.Card{Name: "Twin"}, Phase: model.Ready, Profile: a2a.Profile{Dialect: a2a.V03, Binding: a2a.BindingJSONRPC, Claim: "1.0"}}
	about := About{Agent: agent, Conversation: &model.Conversation{ID: 1, Agent: agent}, Findings: &log.Findings{}, Now: time.Unix(0, 0)}
	panetest.Sees(t, panetest.Text([]string{h.Draw(about, 120)}), "agent speaks 0.3 · JSON-RPC")
	about.Conversation.Way = a2a.Way{Dialect: a2a.V10, Binding: a2a.BindingGRPC}
	panetest.Sees(t, panetest.Text([]string{h.Draw(about, 120)}), "1.0 · gRPC in this conversation")
	panetest.Sees(t, panetest.Text([]string{h.Draw(about, 34)}), "Twin  gRPC")
}

// A version on the card that differs from the agent's stays in the header beside an open
// stream, shorter in a narrow header, and is left out before the state of the task.
func TestTheHeaderKeepsThatTheCardIsWrong(t *testing.T) {
	st := styles.New(themes.Mono(), styles.Unicode())
	who := identity{
		any: true, agent: "Saboteur", phase: model.Ready, dialect: a2a.V03, binding: a2a.BindingJSONRPC, claim: "1.0",
		context: "a5b6c7d8e9", st: st,
		stands: looks.Stands{Any: true, Task: "0123456789", Lifecycle: task.Lifecycle{State: a2a.StateWorking}},
	}
	activity := []segment{
		{text: "live · 3,020 events · 41 kB · 3 ev/s", rank: 4, right: true},
		{text: "⚑ 3,020 ⚑ 12", rank: 5, right: true, area: theFlags},
	}
	for _, c := range []struct {
		w             int
		has, hasNoted string
	}{
		{200, "card says A2A 1.0, agent speaks 0.3", "live"},
		{120, "card 1.0, agent 0.3", "live"},
		{80, "● working", "card 1.0, agent 0.3"},
		{60, "● working", ""},
	} {
		var texts []string
		for _, s := range fit(slices.Concat(who.draw(), activity), c.w) {
			texts = append(texts, s.text)
		}
		shown := panetest.Text([]string{strings.Join(texts, gap)})
		panetest.Sees(t, shown, c.has, c.hasNoted)
	}
}

// A stall and a cut stay in a narrow header, the stall beside the state of the task.
func TestTheHeaderKeepsAStall(t *testing.T) {
	st := styles.New(themes.Mono(), styles.Unicode())
	now := time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC)
	task := &model.Task{ID: "0123456789", Lifecycle: task.Lifecycle{State: a2a.StateWorking}}
	conv := &model.Conversation{ContextID: "a5b6c7d8e9", Tasks: []*model.Task{task}, Stream: 1}
	about := About{
		Agent: &model.Agent{Ref: "Saboteur", Phase: model.Ready, Profile: a2a.Profile{Dialect: a2a.V10}}, Conversation: conv, Findings: log.New().Findings(),
		Stream: &log.Stream{Exchange: 1, Start: now.Add(-4 * time.Second), Last: now, Events: 3, LastEvent: 41}, Now: now,
	}
	for _, w := range []int{200, 120, 80, 70} {
		panetest.Sees(t, panetest.Text([]string{New(st).Draw(about, w)}), "● working", "‖ stalled")
	}
	panetest.Sees(t, panetest.Text([]string{New(st).Draw(about, 120)}), "3 events · 0 ev/s")
	about.Stream.End = &a2a.End{Reason: a2a.Cut, Class: a2a.ClassCut}
	for _, w := range []int{200, 120, 80} {
		panetest.Sees(t, panetest.Text([]string{New(st).Draw(about, w)}), "↯ cut while working", "cut after #41")
	}
	about.Agent.Phase = model.Unreachable
	panetest.Sees(t, panetest.Text([]string{New(st).Draw(about, 80)}), "◌ was working")
}

// The dialect and the binding stay beside a cut and a stall, and while the agent cannot be reached.
func TestTheHeaderKeepsTheDialectAfterACut(t *testing.T) {
	st := styles.New(themes.Mono(), styles.Unicode())
	now := time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC)
	tk := &model.Task{ID: "0123456789", Lifecycle: task.Lifecycle{State: a2a.StateWorking}}
	about := About{
		Agent:        &model.Agent{Ref: "Desk", Phase: model.Ready, Profile: a2a.Profile{Dialect: a2a.V10, Binding: a2a.BindingGRPC}},
		Conversation: &model.Conversation{ContextID: "a5b6c7d8e9", Tasks: []*model.Task{tk}, Stream: 1}, Findings: log.New().Findings(), Now: now,
		Stream: &log.Stream{Exchange: 1, Start: now.Add(-13 * time.Second), Last: now, Events: 3, LastEvent: 41, End: &a2a.End{Reason: a2a.Cut, Class: a2a.ClassCut}},
	}
	for _, phase := range []model.Phase{model.Ready, model.Unreachable, model.Failed} {
		about.Agent.Phase = phase
		for _, w := range []int{80, 120, 200} {
			panetest.Sees(t, panetest.Text([]string{New(st).Draw(about, w)}), "1.0 · gRPC", "cut after #41")
		}
	}
	about.Stream.End = nil
	about.Agent.Phase = model.Ready
	panetest.Sees(t, panetest.Text([]string{New(st).Draw(about, 84)}), "1.0 · gRPC", "‖ stalled")
}

// An agent to which nothing can be sent speaks no version.
func TestTheHeaderSaysOnlyWhatTheCardSaysIfNothingCanBeSent(t *testing.T) {
	h := New(styles.New(themes.Mono(), styles.Unicode()))
	about := About{Findings: log.New().Findings(), Agent: &model.Agent{
		Ref: "Desk", Phase: model.Failed, Profile: a2a.Profile{Dialect: a2a.V10, Binding: a2a.BindingJSONRPC, Claim: "9.9", Problem: "The card says 9.9."},
	}}
	for _, w := range []int{40, 80, 200} {
		got := panetest.Text([]string{h.Draw(about, w)})
		if !strings.Contains(got, "9.9") || strings.Contains(got, "1.0") {
			t.Errorf("got %q, want only the version that the card says", got)
		}
	}
}

// One second of a stream would be a lone full block, which looks like a cursor.
func TestASparklineNeedsSeconds(t *testing.T) {
	h := New(styles.New(themes.Mono(), styles.Unicode()))
	for _, c := range []struct {
		counts []int
		want   string
	}{{nil, ""}, {[]int{3}, ""}, {[]int{1, 2, 8}, ""}, {[]int{8, 0, 8, 4}, " █▁█▅"}, {[]int{9, 9, 1, 1, 1, 1, 1, 1, 1, 1}, " ████████"}} {
		if got := panetest.Text([]string{h.spark(c.counts)}); got != c.want {
			t.Errorf("%v: got %q, want %q", c.counts, got, c.want)
		}
	}
}

func TestTwoCountsWithoutWordsHaveLetters(t *testing.T) {
	l := log.New()
	l.Count(l.Add(log.Item{Record: a2a.Record{ID: 1}, Findings: []a2a.Finding{{Rule: "A-001", Severity: a2a.Error}, {Rule: "B-001", Severity: a2a.Warning}}}))
	h := New(styles.New(themes.Mono(), styles.Unicode()))
	words, short := h.findings(About{Findings: l.Findings()})
	if got := panetest.Text([]string{words, short}); got != "⚑ 1 error  ⚑ 1 warning\n⚑ 1E 1W" {
		t.Errorf("got %q, want the counts with words, and with letters where there is less room", got)
	}
	if words, _ := h.findings(About{Agent: &model.Agent{ID: 7}, Findings: l.Findings()}); words != "" {
		t.Errorf("got %q beside an agent without findings, want nothing of other agents", words)
	}
}

// Where the list of agents has no room, the header says how many there are, and a click on that lists them.
func TestTheHeaderSaysWhichOfHowManyAgents(t *testing.T) {
	h := New(styles.New(themes.Mono(), styles.Unicode()))
	about := About{Findings: log.New().Findings(), Nth: 1, Agents: 4, Agent: &model.Agent{
		ID: 1, Ref: "Travel Desk", Phase: model.Ready, Profile: a2a.Profile{Dialect: a2a.V10, Binding: a2a.BindingJSONRPC},
	}}
	for w, want := range map[int]string{80: " Travel Desk  1 of 4  A2A 1.0 · JSON-RPC", 46: " Travel Desk  1 of 4  A2A 1.0 · JSON-RPC", 36: " Travel Desk  1 of 4  A2A 1.0", 24: " Travel Desk  1 of 4"} {
		got := panetest.Text([]string{h.Draw(about, w)})
		panetest.Sees(t, got, want)
		at := h.Agents()
		if of := string([]rune(got)[at.X : at.X+at.W]); !strings.HasPrefix(of, "1 of 4") || at.H != 1 {
			t.Errorf("width %d: got area %v, which covers %q, want the number of agents", w, at, of)
		}
	}
	about.Calm = true
	if got := panetest.Text([]string{h.Draw(about, 80)}); strings.Contains(got, "of 4") || h.Agents().W != 0 {
		t.Errorf("got %q for an audience, want no number of agents", got)
	}
	about.Calm, about.Agent.Profile.Dialect = false, a2a.SAMBroker
	panetest.Sees(t, panetest.Text([]string{h.Draw(about, 120)}), "1 of 4  sam-broker")
}
