package session

import (
	"time"

	"cmp"
	"encoding/json"
	"slices"
	"strconv"

	"parley/a2a"
)

// The types of a note: a decision of the user or the engine that no other record contains.
const (
	NoteOpening      = "opening"       // discovery of an agent begins
	NoteOpened       = "opened"        // it is over: which record holds the card, or why there is none
	NoteNamed        = "named"         // the user names an agent, or removes the name
	NoteClosed       = "closed"        // the user closed an agent: it is no longer listed
	NoteReopened     = "reopened"      // the user reopened a closed agent
	NoteUnsent       = "unsent"        // a message that could not be sent at all
	NoteProfile      = "profile"       // the way to speak to an agent has changed: a pin, a probe, another attempt
	NoteMerge        = "merge"         // the user merged artifacts of a task whose chunks each have their own id
	NoteVerdict      = "verdict"       // an agent's reaction to an injected fault
	NoteExtensions   = "extensions"    // which extensions an agent's requests ask for
	NoteExtendedCard = "extended-card" // the extended card replaces the public one, or why not
	NotePublicCard   = "public-card"   // the public card is used again
	NoteMissing      = "missing"       // replaces a record that is missing in a journal
)

// The attributes of notes.
const (
	attrAgent        = "agent"
	attrName         = "name" // that the user gave an agent, "" for none
	attrConversation = "conversation"
	attrTurn         = "turn"
	attrRef          = "ref"
	attrRecord       = "record" // of the card
	attrIndex        = "index"  // of the card among those that the record holds, "" for the first
	attrSentence     = "sentence"
	attrClass        = "class"
	attrAttempts     = "attempts" // JSON, "" for none
	attrWarnings     = "warnings" // likewise
	attrCautions     = "cautions" // likewise
	attrChanges      = "changes"  // JSON, the differences between a card and that of an earlier run, "" for none
	attrSince        = "since"    // when the card of attrChanges was seen
	attrProfile      = "profile"  // JSON, where it does not follow from the card alone
	attrText         = "text"
	attrTask         = "task"
	attrExchange     = "exchange"
	attrFault        = "fault"      // a [FaultKind]
	attrExtensions   = "extensions" // JSON, "" for none
)

// note applies a decision.
func (s *State) note(r *a2a.Record, ch *Change) {
	if r.Note == nil {
		return
	}
	attr := r.Note.Attrs
	id, err := strconv.ParseUint(attr[attrAgent], 10, 32)
	if err != nil || id == 0 {
		return
	}
	a := s.agent(a2a.AgentID(id), attr[attrRef])
	ch.Agent, ch.Agents = a.ID, true
	switch r.Note.Type {
	case NoteOpening:
		a.Phase, a.Problem = Discovering, ""
		if name := attr[attrName]; name != "" {
			a.Given = name
		}
	case NoteNamed:
		a.Given = attr[attrName]
	case NoteClosed:
		s.closed(a, ch)
	case NoteReopened:
		s.reopened(a, ch)
	case NoteOpened:
		s.opened(a, attr)
	case NoteUnsent:
		s.unsent(a, r, ch)
	case NoteProfile:
		s.profile(a, attr, ch)
	case NoteMerge:
		s.merge(a, attr, ch)
	case NoteVerdict:
		s.verdict(r, ch)
	case NoteExtendedCard:
		s.extendedCard(a, attr, ch)
	case NotePublicCard:
		s.publicCard(a, attr, ch)
	case NoteExtensions:
		s.asks(a, attr)
	}
}

// opened applies the result of discovery. The note names the record of the card, and the
// profile follows from the card.
func (s *State) opened(a *Agent, attr map[string]string) {
	a.Attempts = nil
	_ = json.Unmarshal([]byte(attr[attrAttempts]), &a.Attempts) // a hostile journal has none
	card, record := s.cardAt(attr[attrRecord], attr[attrIndex])
	a.Problem = attr[attrSentence]
	switch {
	case card != nil:
		if a.Extended.Stands {
			a.Card = a.Extended.Public
		}
		a.Extended = Extended{}
		if a.Card != nil {
			a.CardChanges, a.CardSince = cardChanges(a.Card, card), time.Time{}
		} else {
			_ = json.Unmarshal([]byte(attr[attrChanges]), &a.CardChanges)
			a.CardSince, _ = time.Parse(time.RFC3339, attr[attrSince])
		}
		a.Card, a.CardRecord, a.Profile = card, record, a2a.Detect(card)
		a.citeCard()
		a.Profile.Warnings = nil // the note's are all there were
		_ = json.Unmarshal([]byte(attr[attrWarnings]), &a.Profile.Warnings)
		_ = json.Unmarshal([]byte(attr[attrCautions]), &a.Profile.Cautions)
		s.profile(a, map[string]string{attrProfile: attr[attrProfile]}, &Change{})
		a.Choices = s.choices(record)
		s.heardCard(a, record)
		a.Phase, a.Problem = Ready, a.Profile.Problem
		if a.Problem != "" {
			a.Phase = Failed
		}
	case attr[attrProfile] != "":
		a.Phase = Ready
		s.profile(a, map[string]string{attrProfile: attr[attrProfile]}, &Change{})
	case gone(attr[attrClass]):
		a.Phase = Unreachable
	default:
		a.Phase = Failed
	}
	a.lacks()
}

// closed removes an agent from the list, with its tasks that wait for the user. Its records
// still lead to its conversations.
func (s *State) closed(a *Agent, ch *Change) {
	a.Closed = true
	s.Agents = slices.DeleteFunc(s.Agents, func(other *Agent) bool { return other == a })
	s.unlist(a, ch)
}

// reopened lists a closed agent again, with its tasks that wait for the user.
func (s *State) reopened(a *Agent, ch *Change) {
	if !a.Closed {
		return
	}
	a.Closed = false
	s.enlist(a)
	for _, c := range a.Conversations {
		for _, t := range c.Tasks {
			s.waits(t, ch)
		}
	}
}

// choices returns the cards of a record if they are too many to become agents automatically.
func (s *State) choices(record a2a.RecordID) (cards []*a2a.Card) {
	events := s.Log.At(record).Update.Events
	for i := range events {
		if events[i].Card != nil {
			cards = append(cards, events[i].Card)
		}
	}
	if len(cards) <= maxSpread {
		return nil
	}
	return cards
}

// cardAt returns the card in a record.
func (s *State) cardAt(record, index string) (*a2a.Card, a2a.RecordID) {
	n, err := strconv.ParseUint(record, 10, 64)
	if err != nil {
		return nil, 0
	}
	it := s.Log.At(a2a.RecordID(n))
	if it == nil {
		return nil, 0
	}
	return cardIn(&it.Update, index), a2a.RecordID(n)
}

// cardIn returns a card of an update by its index, which counts from 0.
func cardIn(u *a2a.Update, index string) *a2a.Card {
	i, _ := strconv.Atoi(index) // none means the first
	for k := range u.Events {
		if c := u.Events[k].Card; c != nil {
			if i == 0 {
				return c
			}
			i--
		}
	}
	return nil
}

// verdict places the verdict about a turn's stream.
func (s *State) verdict(r *a2a.Record, ch *Change) {
	id, err := strconv.ParseUint(r.Note.Attrs[attrTurn], 10, 32)
	if t := s.turns[a2a.TurnID(id)]; err == nil && t != nil {
		ch.Turn, ch.Conversation = t.ID, t.Conversation.ID
		s.anchor(r.ID, place{t, -1, -1}, 0)
	}
}

// unsent applies a message that was never sent: the user's text is kept, with the reason below.
func (s *State) unsent(a *Agent, r *a2a.Record, ch *Change) {
	attr := r.Note.Attrs
	conv, err1 := strconv.ParseUint(attr[attrConversation], 10, 32)
	turn, err2 := strconv.ParseUint(attr[attrTurn], 10, 32)
	if err1 != nil || err2 != nil || turn == 0 || s.turns[a2a.TurnID(turn)] != nil {
		return
	}
	c := s.conversation(a2a.ConversationID(conv), a, ch)
	t := s.newTurn(c, a2a.TurnID(turn), r)
	t.Target.TaskID = attr[attrTask]
	s.said(t, &a2a.Message{Role: a2a.RoleUser, Parts: []a2a.Part{a2a.TextPart(attr[attrText])}}, ch)
	pr := &Problem{Sentence: attr[attrSentence], Class: cmp.Or(attr[attrClass], ProblemUnsent), Record: r.ID}
	s.entry(t, nil, Entry{Kind: EntryProblem, Record: r.ID, Time: r.Time, Problem: pr})
	s.anchor(r.ID, place{t, -1, -1}, 0)
	ch.Turn, ch.Conversation, ch.Refused = t.ID, c.ID, t
}
