package header

import (
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/session/log"
	"parley/session/model"
	"parley/session/task"
	"parley/themes"
	"parley/ui/canvas"
	"parley/ui/styles"
)

// asked returns what the header shows of a task that has waited for the user for 12 seconds.
func asked(name string) About {
	now := time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC)
	agent := &model.Agent{ID: 1, Ref: name, Phase: model.Ready, Pulse: model.Pulse{Health: model.Healthy}, Profile: a2a.Profile{Dialect: a2a.V10, Binding: a2a.BindingJSONRPC}}
	t := &model.Task{
		ID: "7722aaaa-0123", Lifecycle: task.Lifecycle{State: a2a.StateInputRequired},
		Transitions: []model.Transition{{State: a2a.StateInputRequired, Time: now.Add(-12 * time.Second)}},
	}
	conv := &model.Conversation{Agent: agent, ContextID: "394ebbbb-0123", Tasks: []*model.Task{t}, Turns: []*model.Turn{{Time: now.Add(-13 * time.Second), Blocks: []*model.Block{{Task: t}}}}}
	return About{Agent: agent, Conversation: conv, Findings: log.New().Findings(), Waiting: 1, Now: now, Nth: 1, Agents: 4}
}

// The state of the task is a block that stays longest after the name. The program's name is the first to go.
func TestTheHeaderAtSeveralWidths(t *testing.T) {
	h := New(styles.New(themes.Dark(), styles.Unicode()))
	about := asked("Travel Desk")
	for w, want := range map[int]string{
		200: " Travel Desk  1 of 4  A2A 1.0 · JSON-RPC    ◐ waits for you 10 s   task 7722 · ctx 394e " + strings.Repeat(" ", 105) + "parley",
		120: " Travel Desk  1 of 4  A2A 1.0 · JSON-RPC    ◐ waits for you 10 s   task 7722 · ctx 394e " + strings.Repeat(" ", 25) + "parley",
		80:  " Travel Desk  1 of 4  A2A 1.0 · JSON-RPC    ◐ waits for you 10 s   task 7722",
		60:  " Travel Desk  1 of 4    ◐ waits for you 10 s   task 7722",
		50:  " Travel Desk    ◐ waits for you 10 s   task 7722",
		40:  " Travel Desk    ◐ waits for you 10 s",
	} {
		drawn := h.Draw(about, w)
		if got := panetest.Text([]string{drawn}); got != want {
			t.Errorf("width %d: got\n%q, want\n%q", w, got, want)
		}
		if canvas.Width(drawn) != w || !strings.Contains(drawn, h.st.WaitingArea.Text.S(" ◐ waits for you 10 s ")) {
			t.Errorf("width %d: got %q, want a solid block in a row of that width", w, drawn)
		}
	}
	about.Waiting = 3
	if got := panetest.Text([]string{h.Draw(about, 120)}); !strings.HasSuffix(got, "  2 more waiting   parley") {
		t.Errorf("got %q, want the number of the others that wait", got)
	}
	about.Calm, about.Waiting = true, 1
	if got := panetest.Text([]string{h.Draw(about, 120)}); got != " Travel Desk    ◐ waits for you 10 s" {
		t.Errorf("got %q for an audience, want the name and the state", got)
	}
	about.Calm, about.Still = false, true
	if got := panetest.Text([]string{h.Draw(about, 120)}); strings.Contains(got, "10 s") || about.Next() != 0 {
		t.Errorf("got %q, which changes in %v, want no age in a recording", got, about.Next())
	}
	if about.Still = false; about.Next() != 3*time.Second {
		t.Errorf("the header changes in %v, want 3 s", about.Next())
	}
}

// While a turn is at work, the spinner turns in the block; a stream that the user does not read is not silent.
func TestTheHeaderShowsThatATurnIsAtWork(t *testing.T) {
	h := New(styles.New(themes.Mono(), styles.Unicode()))
	about := asked("Travel Desk")
	about.Conversation.Tasks[0].State, about.Conversation.Turns[0].Pending, about.Waiting = a2a.StateWorking, true, 0
	about.Stream = &log.Stream{Exchange: 1, Start: about.Now.Add(-5 * time.Second), Last: about.Now, Events: 1}
	for _, frame := range []string{"⣾", "⣽"} {
		about.Spinner = frame
		about.Paused = true
		panetest.Sees(t, panetest.Text([]string{h.Draw(about, 80)}), frame+" working 13 s")
		about.Paused = false
		panetest.Sees(t, panetest.Text([]string{h.Draw(about, 80)}), "‖ silent 5 s")
	}
}

// Beside the name stands what its health says, unless that is nothing to know.
func TestTheHeaderShowsTheHealthThatMatters(t *testing.T) {
	st := styles.New(themes.Mono(), styles.Unicode())
	for _, c := range []struct {
		agent model.Agent
		want  string
	}{
		{model.Agent{Phase: model.Ready, Pulse: model.Pulse{Health: model.Healthy}}, " Desk   parley"},
		{model.Agent{Phase: model.Ready}, " Desk   parley"},
		{model.Agent{Phase: model.Ready, Pulse: model.Pulse{Health: model.Unhealthy}}, " Desk ▲   parley"},
		{model.Agent{Phase: model.Ready, Late: "it may be gone"}, " Desk ◌   parley"},
		{model.Agent{Phase: model.Unreachable}, " Desk ✕   parley"},
		{model.Agent{Phase: model.Discovering}, " Desk ⣾   parley"},
	} {
		c.agent.Ref = "Desk"
		got := panetest.Text([]string{New(st).Draw(About{Agent: &c.agent, Findings: log.New().Findings(), Spinner: "⣾"}, 60)})
		if words := strings.Join(strings.Fields(got), " "); words != strings.Join(strings.Fields(c.want), " ") {
			t.Errorf("got %q, want %q", words, c.want)
		}
	}
}

// What an agent sends stays in its place: its name, and a state that the protocol does not have.
func TestAHostileHeader(t *testing.T) {
	st := styles.New(themes.Mono(), styles.Unicode())
	for _, evil := range []string{"\x1b[31mred\x1b]2;owned\a\r\n", strings.Repeat("語", 400), "\u202eright to left\u2066", "שלום עולם"} {
		about := asked(evil)
		about.Conversation.Tasks[0].Lifecycle = task.Lifecycle{State: a2a.StateOther, Word: evil}
		for _, w := range []int{1, 20, 60, 80, 120, 200} {
			drawn := New(st).Draw(about, w)
			panetest.Exact(t, []string{drawn}, w, 1)
			for _, bad := range []string{"\x1b[31m", "\x1b]", "\a", "\r", "\n", "\u202e", "\u2066"} {
				if strings.Contains(drawn, bad) {
					t.Errorf("width %d: got %q, want no %q", w, drawn, bad)
				}
			}
			if w >= 120 {
				panetest.Sees(t, panetest.Text([]string{drawn}), "task 7722", "◌ ")
			}
		}
	}
}
