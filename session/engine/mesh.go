package engine

import (
	"bytes"
	"context"
	"strings"

	"parley/a2a"
	"parley/session/log"
	"parley/session/task"
)

// A meshWatch follows one mesh: its agents appear and vanish by themselves.
type meshWatch struct {
	mesh a2a.MeshAddress // without an agent
	// opener is the agent that the user opened first there: whose options the watch has, and who
	// gets what belongs to no agent.
	opener *remote
	// whole is set if the user opened the mesh and not one of its agents: then every agent that
	// announces itself is opened.
	whole bool
}

// maxMeshAgents limits how many agents of one mesh are opened by themselves.
const maxMeshAgents = 64

// meshKey names a mesh.
func meshKey(m a2a.MeshAddress) string { return m.Broker + " " + m.Namespace }

// meshOf returns the mesh of an agent by its reference, and false for every other agent.
func meshOf(ref string) (a2a.MeshAddress, bool) {
	if !a2a.IsMesh(ref) {
		return a2a.MeshAddress{}, false
	}
	m, problem := a2a.ParseMesh(ref)
	return m, problem == ""
}

// meshRef returns the reference by which an agent is discovered again: an agent that was found on
// a mesh stays the same one. The caller holds the engine's lock.
func (a *remote) meshRef() string {
	if m, ok := meshOf(a.ref); ok && m.Agent == "" && a.meshAgent != "" {
		return m.At(a.meshAgent).String()
	}
	return a.ref
}

// wholeMesh reports whether an agent stands for a mesh: neither its reference nor a pin names an agent.
// The caller holds the engine's lock.
func (a *remote) wholeMesh() bool {
	m, ok := meshOf(a.ref)
	return ok && m.Named(a.pins.Endpoint).Agent == ""
}

// unnamed says that an agent stands for a whole mesh and that none of its agents has announced itself
// yet, empty otherwise: a message would go to whichever comes first. The caller holds the engine's lock.
func (a *remote) unnamed() string {
	if !a.wholeMesh() || a.meshAgent != "" {
		return ""
	}
	return a2a.MaskReference(a.ref) + " names no agent of the mesh, and none has announced itself: wait for one, or add # and a name."
}

// nameOnMesh notes which agent of a mesh a discovery is about: the one that was named, else the one that
// announced itself first. The caller holds the engine's lock.
func (a *remote) nameOnMesh(f *a2a.Discovery) {
	if _, ok := meshOf(a.ref); !ok {
		return
	}
	if named, ok := meshOf(f.Endpoint); ok {
		a.meshAgent = named.Agent
	} else if f.Card != nil && a.meshAgent == "" {
		a.meshAgent = f.Card.Name
	}
}

// joinMesh begins to follow the mesh of an agent. An address that names no agent was refused, unless
// all agents are opened.
func (e *Engine) joinMesh(a *remote) {
	m, ok := meshOf(a.ref)
	if !ok {
		return
	}
	e.mu.Lock()
	whole := a.wholeMesh() && e.o.Whole
	if !whole && a.meshAgent == "" {
		e.mu.Unlock()
		return
	}
	key := meshKey(m)
	w := e.meshes[key]
	if w != nil {
		w.whole = w.whole || whole
		e.mu.Unlock()
		return
	}
	m.Agent = ""
	w = &meshWatch{mesh: m, opener: a, whole: whole}
	e.meshes[key] = w
	o := e.clientOptions(a)
	e.mu.Unlock()
	e.start(func() {
		failure := a2a.WatchMesh(e.ctx, m, o, func(s a2a.MeshSighting) { e.sight(w, &s) })
		e.mu.Lock()
		delete(e.meshes, key) // to open an agent again begins again
		e.mu.Unlock()
		if e.ctx.Err() == nil && failure.Class != "" {
			e.meshAway(w, failure.Sentence)
		}
	})
}

// meshAgents returns the open agents of a mesh, of one name or of all.
func (e *Engine) meshAgents(w *meshWatch, name string) (out []*remote) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for id := a2a.AgentID(1); id <= e.last.agent; id++ {
		a := e.agents[id]
		if a == nil || a.dismissed {
			continue
		}
		if m, ok := meshOf(a.ref); ok && meshKey(m) == meshKey(w.mesh) && (name == "" || a.meshAgent == name) {
			out = append(out, a)
		}
	}
	return out
}

// sight takes what happened on a mesh.
func (e *Engine) sight(w *meshWatch, s *a2a.MeshSighting) {
	switch s.Kind {
	case a2a.SawCard:
		e.sightCard(w, s)
	case a2a.SawAgain:
		for _, a := range e.meshAgents(w, s.Agent) {
			e.meshBack(a)
		}
	case a2a.SawLate:
		for _, a := range e.meshAgents(w, s.Agent) {
			e.mu.Lock()
			a.meshLate = true
			e.mu.Unlock()
			e.signal(log.Signal{Kind: log.SignalLate, Agent: a.id, Ref: a.ref, Sentence: s.Sentence})
		}
	case a2a.SawGone:
		e.leave(e.meshAgents(w, s.Agent), s.Sentence, true)
	case a2a.SawBad:
		s.Discover(w.opener.id, a2a.Pins{})
		e.note(log.NoteMesh, map[string]string{log.AttrAgent: log.IDText(w.opener.id), log.AttrSentence: s.Sentence})
	case a2a.SawStray:
		e.sightStray(w, s)
	case a2a.SawDown:
		e.meshAway(w, s.Sentence)
	case a2a.SawUp:
		e.noteBroker(w, "The broker "+w.mesh.Broker+" is back.")
		for _, a := range e.meshAgents(w, "") {
			e.mu.Lock()
			gone := a.meshGone
			e.mu.Unlock()
			if !gone { // it was not there before the broker left
				e.meshBack(a)
			}
		}
	}
}

// meshAway reports that the broker of a mesh cannot be reached, for all its agents.
func (e *Engine) meshAway(w *meshWatch, sentence string) {
	e.noteBroker(w, sentence)
	e.leave(e.meshAgents(w, ""), sentence, false)
}

// noteBroker records what happened to the broker of a mesh, for all its agents.
func (e *Engine) noteBroker(w *meshWatch, sentence string) {
	var ids []string
	for _, a := range e.meshAgents(w, "") {
		ids = append(ids, log.IDText(a.id))
	}
	e.note(log.NoteMesh, map[string]string{log.AttrAgent: log.IDText(w.opener.id), log.AttrAgents: strings.Join(ids, " "), log.AttrSentence: sentence})
}

// leave reports that agents cannot be reached: because they are gone, or their broker is.
func (e *Engine) leave(agents []*remote, sentence string, gone bool) {
	for _, a := range agents {
		e.mu.Lock()
		a.meshAway, a.meshLate, a.meshGone = true, false, a.meshGone || gone
		e.mu.Unlock()
		e.signal(log.Signal{Kind: log.SignalWatch, Agent: a.id, Ref: a.ref, Sentence: sentence})
	}
}

// meshBack reports that an agent of a mesh can be reached again, or is no longer late. Whoever waits before a task is
// subscribed to again does not wait any longer.
func (e *Engine) meshBack(a *remote) {
	e.mu.Lock()
	away, late := a.meshAway, a.meshLate
	a.meshAway, a.meshGone, a.meshLate = false, false, false
	if away {
		a.returns++
		for _, k := range a.tasks {
			if !k.Over() && k.followers > 0 {
				k.hasten()
			}
		}
	}
	e.mu.Unlock()
	if late {
		e.signal(log.Signal{Kind: log.SignalLate, Agent: a.id, Ref: a.ref})
	}
	if away {
		e.signal(log.Signal{Kind: log.SignalBack, Agent: a.id, Ref: a.ref})
	}
}

// sightCard takes a card that is new or has changed.
func (e *Engine) sightCard(w *meshWatch, s *a2a.MeshSighting) {
	agents := e.meshAgents(w, s.Agent)
	e.mu.Lock()
	whole := w.whole
	e.mu.Unlock()
	if len(agents) == 0 && whole {
		agents = e.newMeshAgent(w, s.Agent)
	}
	for _, a := range agents {
		e.mu.Lock()
		known := a.card != nil && bytes.Equal(bytes.TrimSpace(a.card.Raw), bytes.TrimSpace(s.Frame.Bytes))
		pins := a.pins
		e.mu.Unlock()
		if known {
			e.meshBack(a)
			continue
		}
		f := s.Discover(a.id, pins)
		e.mu.Lock()
		a.origin = f.Origin
		if f.Card != nil {
			a.found = &f
			a.stopWatch()
		}
		e.mu.Unlock()
		e.settle(a, f)
		e.meshBack(a)
	}
}

// newMeshAgent opens an agent that announced itself: the one that stands for the mesh while none
// was found, or another one.
func (e *Engine) newMeshAgent(w *meshWatch, name string) []*remote {
	e.mu.Lock()
	if w.opener.meshAgent == "" {
		w.opener.meshAgent = name
		e.mu.Unlock()
		return []*remote{w.opener}
	}
	e.mu.Unlock()
	if len(e.meshAgents(w, "")) >= maxMeshAgents || e.meshDismissed(w, name) {
		return nil
	}
	saved := w.opener.saved
	saved.Ref, saved.Name = w.mesh.At(name).String(), ""
	a := e.newAgent(saved, 0)
	e.mu.Lock()
	a.meshAgent = name
	e.mu.Unlock()
	e.startOpen(a, "")
	return []*remote{a}
}

// meshDismissed reports whether the user has closed an agent: it does not come back by itself.
func (e *Engine) meshDismissed(w *meshWatch, name string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, a := range e.agents {
		if m, ok := meshOf(a.ref); ok && a.dismissed && a.meshAgent == name && meshKey(m) == meshKey(w.mesh) {
			return true
		}
	}
	return false
}

// sightStray records a message that belongs to no open answer, where its task belongs. It is
// taken as a delivery is: it changes a task that nobody follows, and nothing else.
func (e *Engine) sightStray(w *meshWatch, s *a2a.MeshSighting) {
	call := &a2a.Call{Op: a2a.OpDelivery, Agent: w.opener.id, TaskID: s.TaskID, Binding: a2a.BindingMQTT, Dialect: a2a.SAMBroker, Delivery: &a2a.DeliveryFacts{Remote: strings.TrimPrefix(w.mesh.Broker, "mqtt://")}}
	var known *knownTask
	for _, a := range e.meshAgents(w, "") {
		e.mu.Lock()
		if k := a.tasks[s.TaskID]; k != nil {
			known = k
			call.Agent, call.Conversation, call.Turn = a.id, k.conv, k.turn
			call.Dialect, call.Endpoint = a.profile.Dialect, a.profile.Endpoint
		}
		e.mu.Unlock()
	}
	u := s.Record(call)
	if known == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for i := range u.Events {
		ev := &u.Events[i]
		if st := task.StatusOf(ev); st != nil && ev.TaskID == s.TaskID && known.stream == nil && !known.State.Terminal() {
			known.delivered = true
			known.deliver(st, e.followers, e.o.Now())
		}
	}
}

// subscribeOnMesh subscribes again to the tasks of an agent on a broker that nobody follows, because it
// cannot be asked for them.
func (e *Engine) subscribeOnMesh(ctx context.Context, a *remote, ids []string) bool {
	if _, ok := meshOf(a.ref); !ok || ctx.Err() != nil {
		return false
	}
	for _, id := range ids {
		e.Subscribe(a.id, id, 0, true)
	}
	return true
}
