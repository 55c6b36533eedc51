package engine

import (
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"parley/a2a"
	"parley/session/model"
	"parley/session/task"
)

// A Start is what an engine knows before its first record: the agents, conversations and tasks of a
// recorded session that goes on. The engine contacts nobody before [Engine.GoOn].
type Start struct {
	Name          string // of the recording
	Last          model.Numbers
	Agents        []StartAgent
	Conversations []StartConversation
}

// A StartAgent is an agent of a recorded session.
type StartAgent struct {
	ID     a2a.AgentID
	Title  string // the agent's name for the user
	Saved  Saved  // its reference, with the settings of today
	Index  int    // of its card among those at the reference
	Card   *a2a.Card
	Seen   time.Time // when Card was received
	Pins   a2a.Pins  // those of the recording, none of which is a secret
	Way    a2a.Profile
	Closed bool
	// Withheld says in one sentence why the agent is not contacted, empty if it is.
	Withheld string
	// Tapped is set if other clients talked to it through a tap: it is not contacted, and its tasks
	// are theirs.
	Tapped     bool
	Extensions []string
	// Gateway is the id under which the recorded session took part in the agent's mesh, empty if it
	// chose none by itself: the agent still answers to it.
	Gateway string
	Tasks   []StartTask
	// Contacts are the addresses that are contacted once the user has confirmed them. The first is
	// that of the card.
	Contacts []Contact
}

// A StartTask is a task of a recorded session.
type StartTask struct {
	ID           string
	Conversation a2a.ConversationID
	Turn         a2a.TurnID
	task.Lifecycle
	Output bool // it has artifacts
}

// A StartConversation is a conversation of a recorded session.
type StartConversation struct {
	ID        a2a.ConversationID
	Agent     a2a.AgentID
	ContextID string
	Way       a2a.Way // without an endpoint; the zero value is that of the agent
}

// A Contact is an address at which an agent is contacted.
type Contact struct {
	Address string // scheme, host and port, or the path of a file
	Origin  string // as [a2a.Origin] has it, empty for a file
	TLS     bool
}

// A Resolver finds the settings of today for an agent by its recorded name and reference. Why says
// in one sentence that there are none by which it can be contacted, empty if there are.
type Resolver func(name, ref string) (saved Saved, why string)

// NewStart returns what a state says of a recorded session. It fails if the session cannot go on.
func NewStart(name string, s *model.State, resolve Resolver) (*Start, error) {
	start := &Start{Name: name, Last: s.Last()}
	if !start.Last.Plausible() {
		return nil, errors.New("the numbers of its agents or turns are too large: the file was changed by hand; parley open shows it")
	}
	for _, a := range s.AllAgents() {
		agent := startAgent(s, a)
		if agent.Tapped = a.Tap != ""; agent.Tapped {
			agent.Withheld = tapEndedSentence
		} else {
			agent.Saved, agent.Withheld = resolve(a.Given, a.Ref)
		}
		if agent.Withheld == "" && !a.Closed {
			agent.Contacts = contacts(s, a, agent.Saved.Ref, agent.Pins)
		}
		for _, c := range a.Conversations {
			start.Conversations = append(start.Conversations, StartConversation{ID: c.ID, Agent: a.ID, ContextID: unmasked(c.ContextID), Way: c.Way})
			for _, t := range c.Tasks {
				if unmasked(t.ID) != "" && !agent.Tapped {
					agent.Tasks = append(agent.Tasks, StartTask{ID: t.ID, Conversation: c.ID, Turn: t.Turn(), Lifecycle: t.Lifecycle, Output: len(t.Artifacts) > 0})
				}
			}
		}
		start.Agents = append(start.Agents, agent)
	}
	return start, nil
}

// unmasked returns a recorded text, empty if a part of it was masked: that part is unknown, and the
// mask is never sent.
func unmasked(s string) string {
	if strings.Contains(s, a2a.Mask) {
		return ""
	}
	return s
}

func startAgent(s *model.State, a *model.Agent) StartAgent {
	out := StartAgent{ID: a.ID, Title: a.Name(), Index: max(a.Index, 0), Card: a.Card, Way: a.Profile, Closed: a.Closed, Pins: recordedPins(&a.Profile)}
	if a.Extended.Stands {
		out.Card = a.Extended.Public
	}
	if it := s.Log.At(a.CardRecord); it != nil {
		out.Seen = it.Record.Time
	}
	if a2a.IsMesh(a.Ref) {
		out.Gateway = gatewayOf(s, a)
	}
	for _, uri := range a.Extensions.Chosen {
		if unmasked(uri) != "" {
			out.Extensions = append(out.Extensions, uri)
		}
	}
	return out
}

// gatewayPrefix begins the ids that Parley gives itself on a mesh. Another id in a file that came from
// elsewhere could be that of a stranger, whose connection the broker would end.
const gatewayPrefix = "parley-"

// gatewayOf returns the id under which the newest message to an agent of a mesh was sent, empty if it is
// none that Parley gives itself.
func gatewayOf(s *model.State, a *model.Agent) (id string) {
	var newest a2a.RecordID
	for _, c := range a.Conversations {
		for _, t := range c.Turns {
			it := s.Log.At(t.Record)
			if t.Record <= newest || it == nil || it.Record.Head == nil {
				continue
			}
			header := map[string][]string(it.Record.Head.Header) // names of user properties keep their case
			if ids := header["clientId"]; len(ids) == 1 {
				newest, id = t.Record, ids[0]
			}
		}
	}
	const longest = 64
	if !strings.HasPrefix(id, gatewayPrefix) || len(id) > longest || a2a.BadTopicPart(id, false) != "" {
		return ""
	}
	return id
}

// recordedPins returns the pins that a profile shows.
func recordedPins(p *a2a.Profile) (pins a2a.Pins) {
	for _, ev := range p.Evidence {
		value := unmasked(ev.Value)
		if ev.Confidence != a2a.Pinned || value == "" {
			continue
		}
		switch ev.Field {
		case "dialect":
			pins.Dialect = a2a.DialectName(value)
		case "binding":
			pins.Binding = a2a.Binding(value)
		case "endpoint":
			pins.Endpoint = value
		case "tenant":
			pins.Tenant = value
		}
	}
	return pins
}

// contacts returns the addresses at which an agent is contacted: that of its card, the endpoint that
// the card named last, and a pinned one.
func contacts(s *model.State, a *model.Agent, ref string, pins a2a.Pins) (out []Contact) {
	card := newContact(ref)
	if card.Origin == "" {
		if recorded := newContact(cardURL(s, a)); recorded.Origin != "" {
			card = recorded
		}
	}
	out = append(out, card)
	for _, endpoint := range []string{a.Profile.Endpoint, pins.Endpoint} {
		c := newContact(endpoint)
		if c.Origin != "" && !slices.ContainsFunc(out, func(o Contact) bool { return o.Origin == c.Origin }) {
			out = append(out, c)
		}
	}
	return out
}

// cardURL returns the URL that the card of an agent was received from, empty if it was none.
func cardURL(s *model.State, a *model.Agent) string {
	it := s.Log.At(a.CardRecord)
	if it == nil {
		return ""
	}
	return s.Log.RequestURL(it.Record.Exchange)
}

// newContact returns the address of a URL, or of a file.
func newContact(ref string) Contact {
	origin := a2a.Origin(ref)
	c := Contact{Address: a2a.MaskReference(ref), Origin: origin, TLS: strings.HasPrefix(origin, "https:")}
	if origin == "" {
		return c
	}
	c.Address = origin
	if u, err := url.Parse(strings.TrimSpace(ref)); err == nil && u.Scheme != "http" && u.Scheme != "https" { // of gRPC or a broker
		_, host, _ := strings.Cut(origin, "://")
		c.Address = strings.ToLower(u.Scheme) + "://" + host
	}
	return c
}
