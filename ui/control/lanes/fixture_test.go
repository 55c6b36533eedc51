package lanes

import (
	"slices"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/ui/control"
	"parley/ui/control/controltest"
)

// newHost returns a host of a session with an agent, records 1 to 4, and a task, records 5 to 7.
func newHost() *controltest.Host {
	host := controltest.NewHost(model.NewState())
	at := control.Place{Agent: 1, Conversation: 1}
	for _, it := range slices.Concat(controltest.AgentItems(1, 1, "http://clerk.example", "Clerk", ""), controltest.TaskItems(5, controltest.Noon, at, "t1", "WORKING", "at work")) {
		it.Record.Time = controltest.Noon
		host.State().Apply(it)
	}
	return host
}

func apply(host *controltest.Host, r a2a.Record) { host.State().Apply(log.Item{Record: r}) }
