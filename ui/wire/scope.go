package wire

import (
	"parley/a2a"
	"parley/session/log"
)

// A Scope says which part of the session the rows list.
type Scope uint8

// The scopes, in the order of the key that switches them.
const (
	// OfConversation lists the exchanges of the conversation that is shown and those of its agent
	// that belong to no conversation, such as its card. Before the first message it is OfAgent.
	OfConversation Scope = iota
	// OfAgent lists the exchanges with the agent that is shown. Without an agent it is OfAll.
	OfAgent
	OfAll
	scopes
)

// String returns the word for the scope.
func (s Scope) String() string { return [...]string{"conversation", "agent", "all"}[s] }

// scope is the part of the log that may have rows.
type scope struct {
	wanted  Scope
	before  *Scope       // what to return to when the filter is cleared, see [Pane.filterSession]
	view    log.Owner    // what is shown beside the wire
	in      set          // the records in scope, kept up to date unless the scope is OfAll
	cleared a2a.RecordID // the user cleared the rows up to this record
	flags   flagCounts
}

// kind returns the scope in effect.
func (s *scope) kind() Scope {
	switch {
	case s.wanted == OfAll, s.view.Agent == 0:
		return OfAll
	case s.wanted == OfAgent, s.view.Conversation == 0:
		return OfAgent
	default:
		return OfConversation
	}
}

// An extent is all that determines which records are in scope.
type extent struct {
	kind    Scope
	view    log.Owner
	cleared a2a.RecordID
}

// extent returns the extent of the scope.
func (s *scope) extent() extent {
	e := extent{kind: s.kind(), cleared: s.cleared}
	if e.kind != OfAll {
		e.view.Agent = s.view.Agent
	}
	if e.kind == OfConversation {
		e.view.Conversation = s.view.Conversation
	}
	return e
}

// has reports whether a record is in scope and not cleared.
func (s *scope) has(id a2a.RecordID) bool {
	return id > s.cleared && (s.kind() == OfAll || s.in.has(id))
}

// clip removes the records that are out of scope from a set.
func (s *scope) clip(ids *set) {
	if s.kind() != OfAll {
		ids.intersect(&s.in)
	}
	ids.removeTo(s.cleared)
}

// covers reports whether an owner's records are in scope. A delivery that names no known task may
// be about any conversation, so it belongs to the agent only.
func (s *scope) covers(o log.Owner, delivery bool) bool {
	switch s.kind() {
	case OfAll:
		return true
	case OfAgent:
		return o.Agent == s.view.Agent
	default:
		return o.Agent == s.view.Agent && (o.Conversation == s.view.Conversation || o.Conversation == 0 && !delivery)
	}
}

// addRecord adds the new record it with the number id. moved is set if the owner of its exchange became known with it, so
// that the earlier records of the exchange enter or leave the scope, too.
func (s *scope) addRecord(l *log.Log, id a2a.RecordID, it *log.Item) (moved bool) {
	first := id
	if ids := l.Exchange(it.Record.Exchange); len(ids) > 0 {
		first = ids[0]
	}
	o := l.Owner(first)
	s.flags.add(id, it)
	if s.kind() == OfAll {
		return false
	}
	now := s.covers(o, isDelivery(l, first)) || l.Concerns(first, s.view.Agent)
	if moved = first != id && now != s.in.has(first); moved {
		s.putExchange(l, first, now)
		s.flags.recount()
	}
	if now {
		s.in.add(id)
	}
	return moved
}

// refill computes the records in scope among the first known records. tops are the first records
// of exchanges and the records without one.
func (s *scope) refill(l *log.Log, tops *set) {
	s.in.clear()
	s.flags.recount()
	if s.kind() == OfAll {
		return
	}
	for id := range tops.all() {
		if s.covers(l.Owner(id), isDelivery(l, id)) || l.Concerns(id, s.view.Agent) {
			s.putExchange(l, id, true)
		}
	}
}

// putExchange adds the exchange that begins with a record to the scope, or removes it.
func (s *scope) putExchange(l *log.Log, first a2a.RecordID, in bool) {
	ids := l.Exchange(l.ExchangeOf(first))
	if len(ids) == 0 {
		ids = []a2a.RecordID{first}
	}
	for _, id := range ids {
		if in {
			s.in.add(id)
		} else {
			s.in.remove(id)
		}
	}
}

// isDelivery reports whether an exchange is a delivery to a webhook.
func isDelivery(l *log.Log, first a2a.RecordID) bool {
	s := l.Stream(l.ExchangeOf(first))
	return s != nil && s.Call != nil && s.Call.Op == a2a.OpDelivery
}

// reset forgets the log. What is shown beside the wire stays.
func (s *scope) reset() {
	s.cleared, s.before = 0, nil
	s.in.clear()
	s.flags.reset()
}

// SetView says which agent and conversation are shown beside the wire, 0 for none.
func (p *Pane) SetView(agent a2a.AgentID, conversation a2a.ConversationID) {
	v := log.Owner{Agent: agent, Conversation: conversation}
	if p.rows.scope.view == v {
		return
	}
	p.rescope(func(s *scope) { s.view = v })
}

// Scope returns the scope in effect, which is wider than the chosen one while nothing is shown
// that it could be narrowed to.
func (p *Pane) Scope() Scope { return p.rows.scope.kind() }

// SetScope chooses the scope.
func (p *Pane) SetScope(to Scope) { p.rescope(func(s *scope) { s.wanted, s.before = to, nil }) }

// filterSession lists the whole session until the filter is cleared. The scope from before then
// returns, unless the user has chosen another one meanwhile.
func (p *Pane) filterSession() {
	before := p.rows.scope.wanted
	p.SetScope(OfAll)
	p.rows.scope.before = &before
}

// nextScope chooses the next scope that differs from the one in effect.
func (p *Pane) nextScope() {
	if next := p.rows.scope.next(); next != p.rows.scope.kind() {
		p.SetScope(next)
	}
}

// next returns the scope that follows the one in effect, and that would be in effect.
func (s *scope) next() Scope {
	was := s.kind()
	for next := (was + 1) % scopes; next != was; next = (next + 1) % scopes {
		other := *s
		if other.wanted = next; other.kind() == next {
			return next
		}
	}
	return was
}

// rescope changes the scope. The selection stays where it is if it has a row in the new scope;
// else the pane follows again.
func (p *Pane) rescope(change func(*scope)) {
	p.sync()
	r := &p.rows
	was := r.scope.extent()
	if change(&r.scope); r.scope.extent() == was {
		r.findLatest()
	} else {
		r.scope.refill(r.log, &r.folds.firstRecords)
		r.relist()
		r.list.Reorder()
	}
	if _, listed := r.index(r.rowOf(r.sel)); listed || r.follow {
		r.restoreSelection()
	} else {
		r.resume()
	}
	r.redraw()
	p.split.at = 0
	p.arrange()
}

// clearRows hides the rows up to the newest record; nothing is deleted. If nothing has come since,
// they are shown again.
func (p *Pane) clearRows() {
	shown := p.allCleared()
	p.rescope(func(s *scope) {
		if s.cleared = a2a.RecordID(p.rows.total); shown {
			s.cleared = 0
		}
	})
}

// allCleared reports whether the user cleared all rows and none has come since.
func (p *Pane) allCleared() bool {
	return p.rows.total > 0 && p.rows.scope.cleared == a2a.RecordID(p.rows.total)
}

// fixedScope says why the scope cannot be changed; empty if it can.
func (p *Pane) fixedScope() string {
	if p.rows.scope.view.Agent == 0 {
		return "no agent is open"
	}
	return ""
}

// widen chooses a scope that has a record and shows rows that hide it because they were cleared.
func (p *Pane) widen(id a2a.RecordID) {
	s := &p.rows.scope
	if id <= s.cleared {
		p.rescope(func(s *scope) { s.cleared = 0 })
	}
	for _, wider := range []Scope{OfAgent, OfAll} {
		if !s.has(id) {
			p.SetScope(wider)
		}
	}
}
