package har

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"parley/a2a"
	"parley/session/filter"
	"parley/session/log"
	facts "parley/session/request"
)

// A session is what an import makes of the entries of an archive.
type session struct {
	agents    map[string]*agent // by endpoint
	drafts    []*draft
	exchanges int
	convs     a2a.ConversationID
	turns     a2a.TurnID
	rest      map[string]bool // endpoints at which HTTP+JSON was seen for certain
}

// An agent is an endpoint, with its card if the archive contains that.
type agent struct {
	id    a2a.AgentID
	ref   string
	ways  map[string]place // contexts and tasks
	known bool             // it was opened
}

// A place is where in an agent's conversations something belongs.
type place struct {
	conversation a2a.ConversationID
	turn         a2a.TurnID
}

// A draft is a record without a number. Its references are to other drafts.
type draft struct {
	a2a.Record
	request *draft // that began the exchange, nil for a note
	card    *draft // that an opened note names
}

func newSession(entries []entry) *session {
	s := &session{agents: map[string]*agent{}, rest: map[string]bool{}}
	for i := range entries {
		if call, sure := callOf(&entries[i]); call != nil && sure {
			s.rest[call.Endpoint] = true
		}
	}
	return s
}

// add takes an entry if it is A2A.
func (s *session) add(e *entry) {
	if e.Response == nil || e.Direction != "" {
		return
	}
	call, sure := callOf(e)
	if call == nil || !sure && !s.rest[call.Endpoint] {
		s.addCard(e)
		return
	}
	s.exchanges++
	a := s.agent(call.Endpoint)
	call.Agent = a.id
	records := e.records(call)
	s.locate(a, call, records)
	if !a.known {
		a.known = true
		profile, _ := json.Marshal(a2a.Profile{Dialect: call.Dialect, Binding: call.Binding, Endpoint: call.Endpoint}) // plain values do not fail
		s.note(e, log.NoteOpening, a, nil, nil)
		s.note(e, log.NoteOpened, a, nil, map[string]string{log.AttrProfile: string(profile), log.AttrSentence: "The archive does not contain the card of this agent."})
	}
	s.put(records)
}

// put adds the records of an exchange and returns them.
func (s *session) put(records []a2a.Record) []*draft {
	var out []*draft
	for i := range records {
		d := &draft{Record: records[i]}
		d.Call = records[0].Call
		out = append(out, d)
		d.request = out[0]
		if i > 0 && d.Time.Before(out[i-1].Time) {
			d.Time = out[i-1].Time
		}
		s.drafts = append(s.drafts, d)
	}
	return out
}

// note adds a note about an agent at the beginning of an entry, or after the record of a card.
func (s *session) note(e *entry, kind string, a *agent, card *draft, attrs map[string]string) {
	all := map[string]string{log.AttrAgent: log.IDText(a.id), log.AttrRef: a.ref}
	for name, value := range attrs {
		all[name] = value
	}
	d := &draft{Record: a2a.Record{Kind: a2a.KindNote, Time: e.at(0), Note: &a2a.Note{Type: kind, Attrs: all}}, card: card}
	if card != nil {
		d.Time = card.Time
	}
	s.drafts = append(s.drafts, d)
}

// refer sets the number of the card that a note names.
func (s *session) refer(d *draft) {
	if d.card != nil {
		d.Note.Attrs[log.AttrRecord], d.Note.Attrs[log.AttrIndex] = log.IDText(d.card.ID), "0"
	}
}

// agent returns the agent at an endpoint.
func (s *session) agent(endpoint string) *agent {
	a := s.agents[endpoint]
	if a == nil {
		a = &agent{id: a2a.AgentID(len(s.agents) + 1), ref: endpoint, ways: map[string]place{}}
		s.agents[endpoint] = a
	}
	return a
}

// addCard takes an entry if its answer is a card of one agent.
func (s *session) addCard(e *entry) {
	body := e.Response.Content.body()
	if e.Request.Method != "GET" || e.Response.Status/100 != 2 || len(body) == 0 || body[0] == '<' {
		return
	}
	cards, _, failure := a2a.ParseCard(body, e.Request.URL)
	if failure != nil || len(cards) != 1 || !strings.Contains(e.Request.URL, "/agent") && !strings.Contains(e.Request.URL, "card") {
		return
	}
	profile := a2a.Detect(cards[0])
	if profile.Endpoint == "" {
		return
	}
	s.exchanges++
	a := s.agent(profile.Endpoint)
	for _, way := range profile.Alternatives { // the same agent
		if s.agents[way.Endpoint] == nil {
			s.agents[way.Endpoint] = a
		}
	}
	a.ref = e.Request.URL
	a.known = true
	s.note(e, log.NoteOpening, a, nil, nil)
	drafts := s.put(e.records(&a2a.Call{Agent: a.id, Op: a2a.OpCard, Endpoint: e.Request.URL}))
	i := slices.IndexFunc(drafts, func(d *draft) bool { return d.Kind == a2a.KindBody })
	s.note(e, log.NoteOpened, a, drafts[max(i, 0)], nil)
}

// locate finds the conversation and the turn of a call, by the context and the task in its
// request and its answer.
func (s *session) locate(a *agent, call *a2a.Call, records []a2a.Record) {
	sends := call.Op == a2a.OpSend || call.Op == a2a.OpStream
	about := filter.About{Task: call.TaskID, Context: call.ContextID}
	for i := range records {
		r := &records[i]
		if r.Kind != a2a.KindBody && r.Kind != a2a.KindEvent {
			continue
		}
		u := a2a.Decode(call, a2a.Input{Body: r.Payload(), Status: 200, Stream: r.Kind == a2a.KindEvent})
		got := filter.AboutOf(&log.Item{Record: *r, Update: u})
		if about.Task == "" {
			about.Task = got.Task
		}
		if about.Context == "" {
			about.Context = got.Context
		}
		if about.Task != "" && about.Context != "" {
			break
		}
	}
	at, found := a.ways["task "+about.Task]
	if about.Task == "" || !found {
		at, found = a.ways["context "+about.Context]
		found = found && about.Context != ""
	}
	if !found && (sends || about.Task != "") {
		s.convs++
		at = place{conversation: s.convs}
	}
	if sends || at.conversation != 0 && at.turn == 0 {
		s.turns++
		at.turn = s.turns
	}
	call.Conversation, call.Turn = at.conversation, at.turn
	if about.Task != "" {
		a.ways["task "+about.Task] = at
	}
	if about.Context != "" {
		a.ways["context "+about.Context] = at
	}
}

// callOf returns the call of an entry whose request is an operation of A2A, nil for others, and
// whether it cannot be anything else.
func callOf(e *entry) (*a2a.Call, bool) {
	u, err := url.Parse(e.Request.URL)
	if err != nil {
		return nil, false
	}
	f := facts.ReadHTTP(e.Request.Method, u, header(e.Request.Headers), e.Request.body())
	if f.Op == "" || f.Batch > 0 {
		return nil, false
	}
	endpoint := withoutQuery(e.Request.URL)
	if f.Binding == a2a.BindingREST {
		endpoint = u.Scheme + "://" + u.Host + f.Base
	}
	return &a2a.Call{Op: f.Op, Dialect: f.Dialect, Binding: f.Binding, Endpoint: endpoint, TaskID: f.TaskID, ContextID: f.ContextID}, f.Sure
}

func withoutQuery(address string) string {
	address, _, _ = strings.Cut(address, "#")
	address, _, _ = strings.Cut(address, "?")
	return address
}
