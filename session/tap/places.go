package tap

import (
	"strings"

	"parley/a2a"
	"parley/session/request"
)

// A place is where in the conversations something belongs.
type place struct {
	conversation a2a.ConversationID
	turn         a2a.TurnID
}

// Places remember where the tasks and contexts of an agent belong, of each the newest.
type places struct{ tasks, contexts memory }

const (
	maxPlaces = 16_384 // tasks, and contexts, that are remembered
	maxID     = 512    // bytes of an id that is remembered
)

// A memory remembers the newest places by an id.
type memory struct {
	at    map[string]place
	order []string // the oldest first
}

func (m *memory) get(id string) (place, bool) {
	p, ok := m.at[id]
	return p, ok
}

func (m *memory) put(id string, p place) {
	if id == "" || len(id) > maxID || strings.Contains(id, a2a.Mask) {
		return
	}
	if m.at == nil {
		m.at = map[string]place{}
	}
	if _, known := m.at[id]; !known {
		if len(m.order) == maxPlaces {
			delete(m.at, m.order[0])
			m.order = m.order[1:]
		}
		m.order = append(m.order, id)
	}
	m.at[id] = p
}

// unknown reports whether a request names a task or a context that is not known: what passed before
// may say where it belongs.
func (p *places) unknown(f *request.Facts) bool {
	_, task := p.tasks.get(f.TaskID)
	_, context := p.contexts.get(f.ContextID)
	return f.TaskID != "" && !task || f.ContextID != "" && !context
}

// find returns the place of the task or the context that a request names.
func (p *places) find(f *request.Facts) (place, bool) {
	if at, ok := p.tasks.get(f.TaskID); ok {
		return at, true
	}
	return p.contexts.get(f.ContextID)
}

// place returns where a request belongs. A message begins a turn, and a conversation unless it
// continues one; what is about a known task belongs to that one's turn.
func (t *Tap) place(f *request.Facts) place {
	t.mu.Lock()
	defer t.mu.Unlock()
	at, found := t.places.find(f)
	switch begins := f.Sends() || f.TaskID != "" && inConversation(f.Op); {
	case !begins:
		return at
	case !found:
		at = place{conversation: t.o.Numbers.NextConversation(t.agent)}
		fallthrough
	case f.Sends():
		at.turn = t.o.Numbers.NextTurn()
	}
	t.places.tasks.put(f.TaskID, at)
	t.places.contexts.put(f.ContextID, at)
	return at
}

// inConversation reports whether an operation on a task that is not known is shown as a turn.
func inConversation(op a2a.Op) bool {
	return op == a2a.OpGet || op == a2a.OpCancel || op == a2a.OpSubscribe
}

// maxNamed is how many tasks of one answer are remembered: an agent may mix up its streams.
const maxNamed = 16

// learn remembers the tasks and contexts that an answer names.
func (t *Tap) learn(x *exchange, u *a2a.Update) {
	at := place{x.call.Conversation, x.call.Turn}
	if at.conversation == 0 || at.turn == 0 {
		return
	}
	for i := range u.Events {
		ev := &u.Events[i]
		if ev.TaskID == "" && ev.ContextID == "" || ev.TaskID == x.task && ev.ContextID == x.context {
			continue
		}
		if x.named++; x.named > maxNamed {
			return
		}
		x.task, x.context = ev.TaskID, ev.ContextID
		t.mu.Lock()
		if known, ok := t.places.tasks.get(ev.TaskID); !ok || known.conversation == at.conversation {
			t.places.tasks.put(ev.TaskID, at)
			if _, other := t.places.contexts.get(ev.ContextID); !other || x.facts.Sends() {
				t.places.contexts.put(ev.ContextID, at)
			}
		}
		t.mu.Unlock()
	}
}
