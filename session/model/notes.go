package model

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"parley/a2a"
	"parley/session/card"
	"parley/session/log"
	"parley/session/problem"
	"parley/session/task"
)

// note applies a decision.
func (s *State) note(r *a2a.Record, v *log.Verdict, ch *Change) {
	if r.Note == nil {
		return
	}
	attr := r.Note.Attrs
	id := log.IDIn[a2a.AgentID](attr, log.AttrAgent)
	if id == 0 {
		return
	}
	a := s.agent(id, attr[log.AttrRef])
	ch.Agent, ch.Agents = a.ID, true
	defer s.Tags.give(a)
	if was := a.CardName(); a.Card != nil {
		defer func() {
			if a.CardName() != was {
				a.keepName(was)
			}
		}()
	}
	switch r.Note.Type {
	case log.NoteOpening:
		a.wasAway = a.Away()
		a.Phase, a.Problem = Discovering, ""
		if a.Tap, a.TapAddress = attr[log.AttrTap], attr[log.AttrTapAddress]; a.Tap != "" {
			a.Phase = Ready // nobody looks for its card: a client may ask for it
		}
		if name := attr[log.AttrName]; name != "" {
			a.Given = name
		}
		a.Embedded = a.Embedded || attr[log.AttrEmbedded] != ""
	case log.NoteNamed:
		a.Given = attr[log.AttrName]
	case log.NoteRenamed:
		s.renamed(attr)
	case log.NoteWay:
		s.ownWay(attr)
	case log.NoteClosed:
		s.closed(a, ch)
	case log.NoteReopened:
		s.reopened(a, ch)
	case log.NoteOpened:
		s.opened(a, attr)
	case log.NoteUnsent:
		s.unsent(a, r, ch)
	case log.NoteOutcome:
		s.outcome(r, ch)
	case log.NoteProfile:
		s.profile(a, attr, ch)
	case log.NoteMerge:
		s.merge(a, attr, v, ch)
	case log.NoteVerdict:
		s.verdict(r, ch)
	case log.NoteExtendedCard:
		s.extendedCard(a, attr)
	case log.NotePublicCard:
		s.publicCard(a, attr)
	case log.NoteExtensions:
		s.applyExtensions(a, attr)
	}
}

// opened applies the result of discovery. The note names the record of the card, and the
// profile follows from the card.
func (s *State) opened(a *Agent, attr map[string]string) {
	a.Attempts = nil
	_ = json.Unmarshal([]byte(attr[log.AttrAttempts]), &a.Attempts) // a hostile journal has none
	c, record := s.cardAt(attr)
	a.Problem = attr[log.AttrSentence]
	switch {
	case c != nil:
		if a.Extended.Stands {
			a.Card = a.Extended.Public
		}
		a.Extended = Extended{}
		if a.Card != nil {
			a.CardChanges, a.CardSince = card.Changes(a.Card, c), time.Time{}
		} else {
			_ = json.Unmarshal([]byte(attr[log.AttrChanges]), &a.CardChanges)
			a.CardSince, _ = time.Parse(time.RFC3339, attr[log.AttrSince])
		}
		a.Card, a.CardRecord, a.Profile = c, record, a2a.Detect(c)
		a.Index, _ = strconv.Atoi(attr[log.AttrIndex]) // none means the first
		a.citeCard()
		a.Profile.Warnings = nil // the note's are all there were
		_ = json.Unmarshal([]byte(attr[log.AttrWarnings]), &a.Profile.Warnings)
		_ = json.Unmarshal([]byte(attr[log.AttrCautions]), &a.Profile.Cautions)
		a.setProfile(attr)
		a.Choices = s.choices(record)
		s.pulseFromCard(a, record)
		a.Phase, a.Problem = Ready, a.Profile.Problem
		if a.Problem != "" {
			a.Phase = Failed
		}
	case attr[log.AttrProfile] != "":
		a.Phase = Ready
		a.setProfile(attr)
	case problem.IsUnreachable(attr[log.AttrClass]):
		a.Phase = Unreachable
	default:
		a.Phase = Failed
	}
	a.findMissing()
}

// renamed names a conversation that exists.
func (s *State) renamed(attr map[string]string) {
	if c := s.convs[log.IDIn[a2a.ConversationID](attr, log.AttrConversation)]; c != nil {
		c.Given = attr[log.AttrName]
		c.Version++
	}
}

// ownWay notes the way of a conversation, which may not have begun yet.
func (s *State) ownWay(attr map[string]string) {
	id := log.IDIn[a2a.ConversationID](attr, log.AttrConversation)
	way := a2a.Way{Dialect: a2a.DialectName(attr[log.AttrDialect]), Binding: a2a.Binding(attr[log.AttrBinding])}
	s.ways[id] = way
	if c := s.convs[id]; c != nil {
		c.Way = way
		c.Version++
	}
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
	if len(cards) <= MaxSpread {
		return nil
	}
	return cards
}

// cardAt returns the card that a note refers to, and its record; nil if there is none.
func (s *State) cardAt(attr map[string]string) (*a2a.Card, a2a.RecordID) {
	record := log.IDIn[a2a.RecordID](attr, log.AttrRecord)
	it := s.Log.At(record)
	if it == nil {
		return nil, 0
	}
	return log.CardIn(&it.Update, attr[log.AttrIndex]), record
}

// verdict places the verdict about a turn's stream.
func (s *State) verdict(r *a2a.Record, ch *Change) {
	if t := s.turns[log.IDIn[a2a.TurnID](r.Note.Attrs, log.AttrTurn)]; t != nil {
		ch.Turn, ch.Conversation = t.ID, t.Conversation.ID
		s.anchor(r.ID, place{t, -1, -1}, 0)
	}
}

// unsent applies a message that was never sent: the user's text is kept, with the reason below.
func (s *State) unsent(a *Agent, r *a2a.Record, ch *Change) {
	attr := r.Note.Attrs
	conv, turn := log.IDIn[a2a.ConversationID](attr, log.AttrConversation), log.IDIn[a2a.TurnID](attr, log.AttrTurn)
	if conv == 0 || turn == 0 {
		return
	}
	t := s.turns[turn]
	if t == nil {
		t = s.newTurn(s.conversation(conv, a, ch), turn, r)
		t.Target.TaskID = attr[log.AttrTask]
		s.noteSent(t, &a2a.Message{Role: a2a.RoleUser, Parts: []a2a.Part{a2a.TextPart(attr[log.AttrText])}}, ch)
		pr := &problem.Problem{Sentence: attr[log.AttrSentence], Class: cmp.Or(attr[log.AttrClass], problem.ClassUnsent), Record: r.ID}
		s.entry(t, nil, Entry{Kind: EntryProblem, Record: r.ID, Time: r.Time, Problem: pr})
		s.anchor(r.ID, place{t, -1, -1}, 0)
		ch.Turn, ch.Conversation = t.ID, t.Conversation.ID
	}
	t.course.Add(task.NewAttempt(&a2a.Call{}, r.Time, r.Time, &task.Facts{End: a2a.End{Reason: a2a.Refused, Class: attr[log.AttrClass], Sentence: attr[log.AttrSentence]}}))
}

// Skip takes a record of which the state keeps only the number: an event of a stream that
// another consumer handles, such as a printer. The rules check it. The state's knowledge of its
// task does not change.
func (s *State) Skip(it *log.Item) {
	s.stage.Skip(it)
	s.Log.Skip(it.Record.ID)
}
