package serve

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"parley/a2a"
	"parley/session/log"
)

// An Agent is a recorded agent.
type Agent struct {
	ref, name  string
	cardRecord a2a.RecordID
	cardIndex  string

	exchanges []*exchange            // those that can be played, in order
	byKey     map[string][]*exchange // requests of operations, by facts.key
	taskOwner map[string]bool        // the ids of recorded tasks
	contexts  map[string]bool        // likewise
	endpoints map[string]bool        // of JSON-RPC: verbs and paths
	card      *card                  // as it is served, nil until it is placed
	clock     clock                  // with speed, it says how far tasks are whose stream nobody reads
	speed     float64

	mu    sync.Mutex
	known map[string]known // by the ids that clients have
	runs  []*run           // oldest first
	used  map[*exchange]int
}

// finish reads the exchanges of a recorded agent when all are there. The sentence says why the
// agent cannot be served.
func (a *Agent) finish() (problem string) {
	a.byKey, a.taskOwner, a.contexts, a.endpoints = map[string][]*exchange{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	a.known, a.used, a.clock = map[string]known{}, map[*exchange]int{}, realClock
	kept := a.exchanges[:0]
	for _, x := range a.exchanges {
		if !x.playable() {
			continue
		}
		if x.call.Binding == a2a.BindingMQTT {
			x.overHTTP()
		}
		kept = append(kept, x)
		x.survey()
		x.begins = !a.taskOwner[x.facts.TaskID] && !a.contexts[x.facts.ContextID]
		for _, id := range append(x.taskIDs, x.requested(x.facts.TaskID)...) {
			a.taskOwner[id] = true
		}
		for _, id := range append(x.contextIDs, x.requested(x.facts.ContextID)...) {
			a.contexts[id] = true
		}
		a.byKey[x.facts.Key()] = append(a.byKey[x.facts.Key()], x)
		if x.facts.Binding == a2a.BindingJSONRPC {
			a.endpoints["POST "+x.target.EscapedPath()] = true
		}
	}
	a.exchanges = kept
	a.name = cmp.Or(a.name, a.cardName())
	if len(kept) == 0 {
		return fmt.Sprintf("“%s” gave no answer in this recording.", a.title())
	}
	return ""
}

// requested returns an id in a request that means something: of a message or an operation on a
// task that the agent answered.
func (x *exchange) requested(id string) []string {
	if id == "" || x.call.Op == a2a.OpProbe || strings.Contains(id, a2a.Mask) || !x.facts.Sends() {
		return nil
	}
	return []string{id}
}

// title returns a name for the agent.
func (a *Agent) title() string { return cmp.Or(a.name, a.ref, "an agent") }

// Name returns the name of the agent: the user's, or that of its card.
func (a *Agent) Name() string { return a.title() }

// cardName returns the name in the recorded card.
func (a *Agent) cardName() string {
	if _, c := a.recordedCard(); c != nil {
		return c.DisplayName()
	}
	return ""
}

// recordedCard returns the exchange of the agent's card, and the card in it.
func (a *Agent) recordedCard() (*exchange, *a2a.Card) {
	for _, x := range slices.Backward(a.exchanges) {
		if x.call.Op != a2a.OpCard {
			continue
		}
		for i := range x.parts {
			r := &x.parts[i]
			if a.cardRecord != 0 && r.ID != a.cardRecord && x.id != a.cardRecord {
				continue
			}
			u := a2a.Decode(x.call, a2a.Input{Body: x.payload(r, false), Status: x.status()})
			if c := log.CardIn(&u, a.cardIndex); c != nil {
				return x, c
			}
		}
	}
	return nil, nil
}

// status returns the status of the answer, 0 if there is none.
func (x *exchange) status() int {
	if x.head == nil || x.head.Head == nil {
		return 0
	}
	return x.head.Head.Status
}

// unauthorized reports whether the answer asks for credentials.
func (x *exchange) unauthorized() bool {
	return x.status() == http.StatusUnauthorized || x.status() == http.StatusForbidden
}

// Prompts returns what was sent to the agent, in order and each once.
func (a *Agent) Prompts() []string {
	var all []string
	for _, x := range a.exchanges {
		if x.facts.Sends() && x.facts.Text != "" && !slices.Contains(all, x.facts.Text) {
			all = append(all, x.facts.Text)
		}
	}
	return all
}

// bindings returns the bindings of the recorded operations.
func (a *Agent) bindings() map[a2a.Binding]bool {
	all := map[a2a.Binding]bool{}
	for _, x := range a.exchanges {
		if x.facts.Op != "" && x.call.Op != a2a.OpProbe {
			all[x.facts.Binding] = true
		}
	}
	return all
}

// dialectOverREST returns the dialect of HTTP+JSON that was recorded, or a guess if none was.
func (a *Agent) dialectOverREST(guess a2a.DialectName) a2a.DialectName {
	for _, x := range a.exchanges {
		if x.facts.Binding == a2a.BindingREST && x.facts.Op != "" && x.call.Op != a2a.OpProbe && x.call.Dialect != "" {
			return x.call.Dialect
		}
	}
	return guess
}
