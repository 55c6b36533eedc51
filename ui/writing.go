package ui

import (
	"parley/a2a"
	"parley/session/model"
	"parley/ui/composer"
	"parley/ui/control"
)

// writing is what the user wrote before, and what goes with messages.
type writing struct {
	past map[a2a.AgentID]*composer.History
	// earlier is what was written in earlier runs, by agent; nil before it was read.
	earlier   map[string][]string
	recalled  map[a2a.AgentID]bool // the agents that have it in their history
	inherited map[a2a.AgentID]bool // those that have what was written to them before they were closed
	unkept    bool                 // the user knows that nothing is kept
	// hooked are the conversations whose every message brings a webhook of Parley's along.
	hooked map[control.Place]bool
	hand   a2a.TurnID // of a request written by hand, until its conversation is shown
}

func newWriting() writing {
	return writing{
		past:     map[a2a.AgentID]*composer.History{},
		recalled: map[a2a.AgentID]bool{}, inherited: map[a2a.AgentID]bool{},
		hooked: map[control.Place]bool{},
	}
}

// history returns what was written to an agent.
func (w *writing) history(id a2a.AgentID) *composer.History {
	h := w.past[id]
	if h == nil {
		h = composer.NewHistory()
		w.past[id] = h
	}
	return h
}

// unready says why nothing can be sent to an agent now, empty if it can.
func unready(a *model.Agent) string { return control.Unready(a) }
