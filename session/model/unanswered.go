package model

import (
	"slices"

	"parley/a2a"
	"parley/session/problem"
)

// unanswered are the problems of an agent that later answers settle.
type unanswered struct {
	failing map[string][]place // those of operations on a task, by its id
	crashes []crash
}

// A crash is a problem that guesses that the agent has crashed at an address.
type crash struct {
	at     place
	origin string
}

// ofOperation names in a problem the operation on a task that failed with the end of an exchange. The sentence
// of a stream that broke is about the stream.
func (x *exchange) ofOperation(pr *problem.Problem) *problem.Problem {
	op := x.call.Op
	switch pr.Class {
	case a2a.ClassStatus, a2a.ClassBody:
	case a2a.ClassCut, a2a.ClassTimeout:
		if op == a2a.OpSubscribe {
			return pr
		}
	default:
		return pr
	}
	if !problem.OnTask(op) || x.call.Raw || x.call.Tapped != nil {
		return pr
	}
	return pr.Of([]a2a.Op{op})
}

// note remembers the problem of a call that a later answer settles.
func (u *unanswered) note(call *a2a.Call, at place) {
	pr := at.problem()
	if len(pr.Ops) > 0 && !slices.Contains(u.failing[call.TaskID], at) {
		if u.failing == nil {
			u.failing = map[string][]place{}
		}
		u.failing[call.TaskID] = append(u.failing[call.TaskID], at)
	}
	if c := (crash{at, a2a.Origin(call.Endpoint)}); a2a.WithoutCrash(pr.Sentence) != pr.Sentence && !slices.Contains(u.crashes, c) {
		u.crashes = append(u.crashes, c)
	}
}

// alive takes back the guess that the agent has crashed at the address of a call, which has answered.
func (u *unanswered) alive(s *State, call *a2a.Call) {
	if len(u.crashes) == 0 {
		return
	}
	origin := a2a.Origin(call.Endpoint)
	u.crashes = slices.DeleteFunc(u.crashes, func(c crash) bool {
		if c.origin != origin {
			return false
		}
		alive := *c.at.problem()
		alive.Sentence = a2a.WithoutCrash(alive.Sentence)
		s.replaceProblem(c.at, &alive)
		return true
	})
}

// settle notes that an operation on a task was answered: its failures are settled. A task that was canceled
// settles those of a cancel, too.
func (u *unanswered) settle(s *State, op a2a.Op, id string, canceled bool) {
	places, ok := u.failing[id]
	if !ok {
		return
	}
	settled := func(other a2a.Op) bool { return other == op || other == a2a.OpCancel && canceled }
	places = slices.DeleteFunc(places, func(at place) bool {
		pr := at.problem()
		left := slices.DeleteFunc(slices.Clone(pr.Ops), settled)
		switch {
		case len(left) == len(pr.Ops):
			return false
		case len(left) > 0:
			s.replaceProblem(at, pr.Of(left))
			return false
		}
		at.turn.Blocks[at.block].Entries[at.entry].Replaced = true
		s.touch(at)
		return true
	})
	if u.failing[id] = places; len(places) == 0 {
		delete(u.failing, id)
	}
}

// tells notes that the agent told how a task stands in answer to the exchange.
func (x *exchange) tells(s *State, id string) {
	t := s.Task(x.agent.ID, id)
	if t != nil && t.told < x.id {
		t.told = x.id
		t.touch()
	}
	x.agent.unanswered.settle(s, x.call.Op, id, t != nil && t.State == a2a.StateCanceled)
}

// problem returns the problem at a place.
func (p place) problem() *problem.Problem { return p.turn.Blocks[p.block].Entries[p.entry].Problem }
