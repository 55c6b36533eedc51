package model

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"parley/a2a"
	"parley/session/log"
	"parley/session/problem"
	"parley/session/task"
)

// profile applies a change of the way to speak to an agent: a pin, a probe, or another attempt
// after a refusal.
func (s *State) profile(a *Agent, attr map[string]string, ch *Change) {
	why := a.Problem
	if !a.setProfile(attr) {
		return
	}
	if problem.IsUnreachable(attr[log.AttrClass]) && a.Phase == Ready { // none of its interfaces answered
		a.Phase, a.Problem = Unreachable, why
	}
	var attempts []a2a.Lookup
	if json.Unmarshal([]byte(attr[log.AttrAttempts]), &attempts) == nil {
		a.Attempts = slices.Concat(a.Attempts, attempts)
	}
	if t := s.turns[log.IDIn[a2a.TurnID](attr, log.AttrTurn)]; t != nil && attr[log.AttrSentence] != "" {
		s.noteOtherWay(t, attr[log.AttrSentence], cmp.Or(attr[log.AttrClass], problem.ClassFallback))
		ch.Turn, ch.Conversation = t.ID, t.Conversation.ID
	}
}

// setProfile takes the profile of a note; it reports false if the note has none.
func (a *Agent) setProfile(attr map[string]string) bool {
	var p a2a.Profile
	if json.Unmarshal([]byte(attr[log.AttrProfile]), &p) != nil {
		return false
	}
	moved := p.Endpoint != a.Profile.Endpoint || p.Dialect != a.Profile.Dialect
	a.Profile, a.Problem = p, p.Problem
	a.citeCard()
	switch {
	case p.Problem != "":
		a.Phase = Failed
	case p.Endpoint != "" && a.Phase == Failed:
		a.Phase = Ready
	case moved && p.Dialect != a2a.Unknown && a.Phase == Unreachable: // until it turns out not to answer
		a.Phase = Ready
	}
	return true
}

// citeCard adds the record of the card to the evidence that follows from the card.
func (a *Agent) citeCard() {
	if a.Card == nil || a.CardRecord == 0 {
		return
	}
	declared := a2a.Detect(a.Card).Evidence
	a.Profile.Evidence = slices.Clone(a.Profile.Evidence)
	for i := range a.Profile.Evidence {
		if ev := &a.Profile.Evidence[i]; slices.Contains(declared, *ev) {
			ev.Record = a.CardRecord
		}
	}
}

// noteOtherWay replaces the refusal of a message by the result. All attempts together are one
// line.
func (s *State) noteOtherWay(t *Turn, sentence, class string) {
	at, pr := t.refusal()
	if pr == nil {
		return
	}
	said := *pr
	said.Detail = cmp.Or(said.Detail, said.Sentence)
	said.Class, said.Sentence, said.Before = class, sentence, sentence
	s.replaceProblem(at, &said)
}

// refusal returns the problem that says why a message was refused, nil if there is none.
func (t *Turn) refusal() (at place, pr *problem.Problem) {
	for at, pr = range t.problems {
		break
	}
	return at, pr
}

// maxContradictions limits the evidence of the wire against a card.
const maxContradictions = 8

// proveWay notes the record in which an agent answered a message in its current dialect. It is
// searched once for each dialect.
func (s *State) proveWay(x *exchange, p *log.Item, ch *Change) {
	prof := &x.agent.Profile
	if !task.SendsMessage(x.call.Op) || x.events != 1 || x.aside() || x.call.Dialect != prof.Dialect || prof.Dialect == a2a.Unknown {
		return
	}
	method := MethodOf(prof, x.call.Op)
	reason := method + " was answered"
	for _, ev := range prof.Evidence {
		if ev.Field == "dialect" && ev.Value == string(prof.Dialect) && ev.Record != 0 && strings.HasSuffix(ev.Reason, " was answered") {
			return
		}
	}
	prof.Evidence = append(slices.Clone(prof.Evidence), a2a.Evidence{
		Field: "dialect", Value: string(prof.Dialect), Reason: reason, Confidence: a2a.Certain, Record: p.Record.ID,
	})
	ch.Agents = true
}

// addEvidence adds the evidence of the traffic to an agent's profile. It does not change what is
// sent.
func (s *State) addEvidence(x *exchange, p *log.Item, ch *Change) {
	prof := &x.agent.Profile
	if x.call.Op == a2a.OpProbe || x.call.Op == a2a.OpCard || x.aside() || x.call.Dialect != prof.Dialect {
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
			taken := "Parley speaks"
			if prof.Claim == prof.Dialect.Number() {
				taken = "The card says"
			}
			prof.Warnings = append(slices.Clone(prof.Warnings), fmt.Sprintf(
				"%s A2A %s but the wire shows %s: %s. Parley continues with %s; pin a dialect to change that",
				taken, prof.Dialect.Number(), number, ev.Reason, prof.Dialect.Number()))
		}
		ch.Agents = true
	}
}

// FieldCard is the field of the evidence that an earlier card was used, see [OldCard].
const FieldCard = "card"

// OldCard says in words that follow "the card" which card a profile is from, if the card could not be read
// when the agent was opened; empty otherwise.
func OldCard(p *a2a.Profile) string {
	for i := range p.Evidence {
		if ev := &p.Evidence[i]; ev.Field == FieldCard {
			return ev.Value
		}
	}
	return ""
}
