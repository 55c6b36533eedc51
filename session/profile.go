package session

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"parley/a2a"
)

// profile applies a change in how an agent is spoken to: the person pinned something,
// it was probed, or a call that it had turned away was sent once more.
func (s *State) profile(a *Agent, attr map[string]string, ch *Change) {
	var p a2a.Profile
	if json.Unmarshal([]byte(attr[attrProfile]), &p) != nil {
		return
	}
	a.Profile, a.Problem = p, p.Problem
	var attempts []a2a.Attempt
	if json.Unmarshal([]byte(attr[attrAttempts]), &attempts) == nil {
		a.Attempts = slices.Concat(a.Attempts, attempts)
	}
	switch {
	case p.Problem != "":
		a.Phase = Failed
	case p.Endpoint != "" && a.Phase == Failed:
		a.Phase = Ready
	}
	turn, err := strconv.ParseUint(attr[attrTurn], 10, 32)
	if t := s.turns[a2a.TurnID(turn)]; err == nil && t != nil {
		t.refused = false
		s.turnedAround(t, attr[attrSentence])
		ch.Turn, ch.Conversation = t.ID, t.Conversation.ID
	}
}

// turnedAround turns the refusals of a message into what they became.
func (s *State) turnedAround(t *Turn, sentence string) {
	for i, b := range t.Blocks {
		for j := range b.Entries {
			pr := b.Entries[j].Problem
			if pr == nil || pr.Class == ProblemFallback {
				continue
			}
			said := *pr
			said.Class, said.Sentence = ProblemFallback, sentence
			if said.Detail == "" {
				said.Detail = pr.Sentence
			}
			b.Entries[j].Problem = &said
			s.touch(place{t, i, j})
		}
	}
}

// maxContradictions bounds what the wire can say against a card.
const maxContradictions = 8

// saw adds what the traffic proves about an agent to its profile. What is sent does
// not change by it.
func (s *State) saw(x *exchange, p *Item, ch *Change) {
	prof := &x.agent.Profile
	if x.call.Op == a2a.OpProbe || x.call.Op == a2a.OpCard || x.call.Dialect != prof.Dialect {
		return
	}
	for _, ev := range p.Update.Saw {
		same := func(o a2a.Evidence) bool { return o.Field == ev.Field && o.Value == ev.Value && o.Record != 0 }
		if slices.ContainsFunc(prof.Evidence, same) || len(prof.Evidence) > 4*maxContradictions {
			continue
		}
		ev.Record = p.Record.ID
		prof.Evidence = append(slices.Clone(prof.Evidence), ev)
		if ev.Field == "dialect" && len(prof.Warnings) < maxContradictions {
			number := a2a.DialectName(ev.Value).Number()
			prof.Warnings = append(slices.Clone(prof.Warnings), fmt.Sprintf(
				"The card says A2A %s and the wire speaks %s: %s. What is sent stays %s; pin a dialect to change that",
				prof.Dialect.Number(), number, ev.Reason, prof.Dialect.Number()))
		}
		ch.Agents = true
	}
}
