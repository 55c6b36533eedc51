package agents

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"parley/a2a"
	"parley/session/model"
	"parley/session/task"
)

// A conversation with an agent that cannot be reached is not at work, whatever its turn waits
// for.
func TestAConversationWithAnAgentThatIsAwayIsNotAtWork(t *testing.T) {
	list := desk()
	up := list[0]
	works := &model.Task{Lifecycle: task.Lifecycle{State: a2a.StateWorking}}
	up.Conversations = []*model.Conversation{{ID: 3, Agent: up, Title: "Essay", Tasks: []*model.Task{works}, Turns: []*model.Turn{{ID: 1, Pending: true}}}}
	p := pane(30, 8)
	p.SetSpinner("⣾")
	p.SetAgents(list)
	if got := ansi.Strip(text(p)); !strings.Contains(got, "Essay                       ⣾") {
		t.Fatalf("got a conversation that is not at work, want it to be:\n%s", got)
	}
	up.Phase = model.Unreachable
	p.SetAgents(list)
	if got := ansi.Strip(text(p)); !strings.Contains(got, "Essay                       ◌") || strings.Contains(got, "⣾") || !strings.Contains(got, "Travel Desk     ✕ unreachable") {
		t.Errorf("got a conversation at work with an agent that is away, want it not to be:\n%s", got)
	}
}
