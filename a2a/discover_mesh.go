package a2a

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"
)

// A Directory is a [Line] that hears of agents by itself.
type Directory interface {
	// Watch reports what happens on a mesh until ctx ends, beginning with what is known. Report
	// is called by one goroutine at a time and may take its time. The error says why the mesh
	// cannot be watched any longer; it is nil after ctx has ended.
	Watch(ctx context.Context, mesh MeshAddress, report func(Sighting)) error
}

// SightingKind is what a [Sighting] reports.
type SightingKind uint8

// The sightings.
const (
	SawCard  SightingKind = iota // a card that is new, or differs from the one before
	SawAgain                     // an agent announces itself again after it was late or gone
	SawLate                      // an agent has not announced itself for longer than it usually takes
	SawGone                      // an agent has not announced itself for too long
	SawBad                       // a card that nobody can read
	SawStray                     // a message for this gateway that belongs to no open answer
	SawDown                      // the broker is gone
	SawUp                        // it is back
)

// A Sighting is an event on a mesh that answers no request.
type Sighting struct {
	Kind SightingKind
	// Agent is the name of the agent in topics, empty if none is known.
	Agent    string
	Frame    Frame  // of a card or a stray
	TaskID   string // of a stray, from its topic
	Sentence string // for a user
}

// A MeshSighting is a sighting that can be recorded.
type MeshSighting struct {
	Sighting
	Mesh    MeshAddress
	options *Options
	wire    *wire
}

// WatchMesh reports what happens on a mesh until ctx ends. A failure says why it cannot go on.
func WatchMesh(ctx context.Context, mesh MeshAddress, o Options, see func(MeshSighting)) (failure End) {
	o.UserAddresses = append(o.UserAddresses[:len(o.UserAddresses):len(o.UserAddresses)], mesh.String())
	w := newWire(&o, nil)
	directory, ok := w.lines[BindingMQTT].(Directory)
	if !ok {
		return End{Reason: Refused, Class: ClassUnsupported, Sentence: "This program cannot reach brokers."}
	}
	err := directory.Watch(ctx, mesh, func(s Sighting) {
		see(MeshSighting{Sighting: s, Mesh: mesh, options: &o, wire: w})
	})
	if err == nil {
		return End{}
	}
	return meshFailure(ctx, w, mesh, err)
}

// meshFailure says why a mesh cannot be reached.
func meshFailure(ctx context.Context, w *wire, mesh MeshAddress, err error) End {
	x := w.exchange(Call{}, Hooks{})
	x.target, _ = url.Parse(mesh.Broker)
	if x.target == nil {
		x.target = &url.URL{}
	}
	end := x.flowFailure(ctx, err)
	if end.Class == ClassRefused && !errors.As(err, new(*FlowError)) {
		end.refuse(ClassRefused, noBroker(x.target.Host))
	}
	return end
}

// noBroker says that nothing listens at the address of a broker.
func noBroker(host string) wording {
	return wording{host + " refused the connection", ": no broker listens there. Start the broker, or check the port. " +
		"A mesh in dev mode has no broker, and a container may not publish the port of MQTT (-p 1883:1883)."}
}

// Discover records a card for an agent, as the request and its answer, and returns it as if it
// had been searched for.
func (s *MeshSighting) Discover(agent AgentID, pins Pins) Discovery {
	o := *s.options
	o.Pins = pins
	d := discoverer{options: &o, call: Call{Agent: agent, Op: OpCard}}
	d.result.Origin = Origin(s.Mesh.Broker)
	d.announced(s.wire, s.Mesh.At(s.Agent), &s.Frame)
	return d.result
}

// Record records a message that belongs to no open answer, as a delivery, and returns what it
// means. The facts of the call say why nobody waited for it.
func (s *MeshSighting) Record(call *Call) Update {
	shown, gone := s.wire.mask.header(s.Frame.Header)
	x := s.wire.exchange(*call, Hooks{})
	raw, more := s.wire.mask.body(OpDelivery, s.Frame.Bytes)
	r := Record{Kind: KindDelivery, Dir: In, Raw: raw, Redactions: append(gone, more...),
		Head: &Head{Method: verbPublish, URL: s.Mesh.url(s.Frame.Path), Header: shown, Order: s.Frame.Order}}
	r.Call, r.Time = x.call, x.wire.trace.Now()
	u := DecodeDelivery(&r)
	x.id = x.put(r, u)
	x.put(Record{Kind: KindEnd, Dir: Local, End: &End{Reason: Ended, Sentence: s.Sentence}}, Update{})
	return u
}

// mesh waits for the card of an agent on a broker. An address without an agent, which may stand in
// a pin, is refused unless the caller opens all agents: whichever announces itself first would be
// one that nobody named.
func (d *discoverer) mesh(ctx context.Context, mesh MeshAddress) {
	o := *d.options
	o.UserAddresses = append(o.UserAddresses[:len(o.UserAddresses):len(o.UserAddresses)], mesh.String())
	w := newWire(&o, o.Card)
	d.result.Origin = Origin(mesh.Broker)
	if mesh = mesh.Named(o.Pins.Endpoint); mesh.Agent != "" {
		d.result.Endpoint = mesh.String()
	}
	directory, ok := w.lines[BindingMQTT].(Directory)
	if !ok {
		d.result.Sentence, d.result.Class = "This program cannot reach brokers.", ClassUnsupported
		return
	}
	if mesh.Agent == "" && !o.WholeMesh {
		d.census(ctx, w, directory, mesh)
		return
	}
	wait := cmp.Or(o.AnswerTimeout, cardTimeout)
	err := listen(ctx, directory, mesh, wait, func(s *Sighting) (enough bool) {
		named := mesh.Agent == "" || s.Agent == mesh.Agent
		if s.Kind == SawCard && named {
			d.announced(w, mesh.At(s.Agent), &s.Frame)
		}
		return d.result.Card != nil
	})
	switch {
	case d.result.Card != nil || ctx.Err() != nil:
	case err != nil:
		end := meshFailure(ctx, w, mesh, err)
		d.missing(w, mesh, &end)
	default:
		d.silent(w, mesh, wait)
	}
}

// listen reports what happens on a mesh until a time is over or see has enough. The error says why
// the mesh cannot be watched.
func listen(ctx context.Context, directory Directory, mesh MeshAddress, wait time.Duration, see func(*Sighting) (enough bool)) error {
	limited, stop := context.WithTimeoutCause(ctx, wait, &timeoutError{after: wait})
	defer stop()
	return directory.Watch(limited, mesh, func(s Sighting) {
		if limited.Err() == nil && see(&s) {
			stop()
		}
	})
}

// announced records the card of an agent as the answer to the subscription. Its source names the
// agent too: what is read in the card does not decide where requests go.
func (d *discoverer) announced(w *wire, mesh MeshAddress, f *Frame) {
	call := d.call
	call.Endpoint, call.Binding = mesh.source(), BindingMQTT
	x := w.exchange(call, d.hooks)
	shown, gone := w.mask.header(f.Header)
	x.id = x.put(Record{Kind: KindRequest, Dir: Local, Head: &Head{Method: verbSubscribe, URL: mesh.url(mesh.Topic("discovery/agentcards"))}}, Update{})
	raw, more := w.mask.body(OpCard, f.Bytes)
	u := Decode(x.call, Input{Body: raw})
	record := x.put(Record{Kind: KindBody, Dir: In, Raw: raw, Redactions: append(gone, more...), Head: &Head{URL: f.Path, Header: shown, Order: f.Order}}, u)
	x.put(Record{Kind: KindEnd, Dir: Local, End: &End{Reason: Ended}}, Update{})
	attempt := Lookup{URL: call.Endpoint, Record: x.id}
	if cards := cardsIn(u); len(cards) > 0 {
		d.result.Attempts = append(d.result.Attempts, attempt)
		d.take(cards[:1], record)
		return
	}
	attempt.Sentence, d.result.cause, attempt.Class = noCard(&Answer{body: raw}, "")
	d.result.Attempts = append(d.result.Attempts, attempt)
	d.result.Sentence, d.result.Class = attempt.Sentence, attempt.Class
}

// missing notes that the mesh could not be reached.
func (d *discoverer) missing(w *wire, mesh MeshAddress, end *End) {
	d.failed(w, mesh, Record{Dir: Out, Head: &Head{Method: "CONNECT", URL: mesh.Broker}}, end)
}

// unheard notes that the subscription brought no card that is taken.
func (d *discoverer) unheard(w *wire, mesh MeshAddress, end *End) {
	d.failed(w, mesh, Record{Dir: Local, Head: &Head{Method: verbSubscribe, URL: mesh.url(mesh.Topic("discovery/agentcards"))}}, end)
}

// failed notes a request after which there is no card.
func (d *discoverer) failed(w *wire, mesh MeshAddress, request Record, end *End) {
	call := d.call
	call.Endpoint, call.Binding = mesh.String(), BindingMQTT
	x := w.exchange(call, d.hooks)
	request.Kind = KindRequest
	x.id = x.put(request, Update{})
	*end = x.finish(*end, nil)
	d.result.Attempts = append(d.result.Attempts, Lookup{URL: mesh.String(), Record: x.id, Sentence: end.Sentence, Class: end.Class})
	d.result.Sentence, d.result.Class = end.Sentence, end.Class
}

// silent ends a search during which no card came. An agent that was named can be spoken to
// without one.
func (d *discoverer) silent(w *wire, mesh MeshAddress, wait time.Duration) {
	if mesh.Agent != "" {
		d.result.Profile = meshProfile(mesh, &d.options.Pins)
		d.result.Profile.Warnings = append(d.result.Profile.Warnings, fmt.Sprintf(
			"No card of %s came within %s: the agent may not run", mesh.Agent, wait))
		return
	}
	d.nobody(w, mesh, wait, " Parley continues to listen.")
}
