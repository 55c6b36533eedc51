package engine

import (
	"context"
	"net"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"parley/a2a"
	"parley/a2a/mesh"
	"parley/a2a/mesh/meshtest"
	"parley/session/log"
	"parley/session/model"
)

// A meshBubble is a harness with the usual times of a mesh, and a broker that is reached through
// pipes: time passes when everybody waits for it, and at no other moment.
type meshBubble struct {
	*harness
	broker *meshtest.Faulty
	opened time.Time
	away   atomic.Bool // the broker refuses connections
}

// inMeshBubble runs a test whose mesh has the namespace n.
func inMeshBubble(t *testing.T, test func(*testing.T, *meshBubble)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := &meshBubble{broker: meshtest.NewPiped(t, meshtest.Fault{})}
		hub := mesh.NewHub("wb-1", mesh.Times{})
		m.harness = newHarness(t, func(o *options) {
			o.After, o.Whole = time.After, true
			o.Client = func(ref string) a2a.Options {
				return a2a.Options{Dial: m.dial, UserAddresses: []string{ref}, Carriers: map[a2a.Binding]a2a.Carrier{a2a.BindingMQTT: hub.Carrier(mesh.Settings{})}}
			}
		})
		t.Cleanup(hub.Close)
		test(t, m)
	})
}

func (m *meshBubble) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if m.away.Load() {
		return nil, &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
	}
	return m.broker.Dial(ctx, network, address)
}

// openMesh opens all agents of the mesh, before the first of them announces itself.
func (m *meshBubble) openMesh() {
	m.Open("mqtt://" + m.broker.Address + "/n")
	m.opened = time.Now()
	synctest.Wait() // until the subscription is made
}

// announce starts an agent that announces itself now, and then every four seconds. It returns the time.
func (m *meshBubble) announce(name string) (*meshtest.Agent, time.Time) {
	m.t.Helper()
	a := (&meshtest.Agent{Name: name, Namespace: "n", Every: 4 * time.Second, Dial: m.dial}).Start(m.t, m.broker.Address)
	return a, time.Now()
}

// look returns when the gateway looks around next, which it does each second.
func (m *meshBubble) look(after time.Time) time.Time {
	return m.opened.Add(after.Sub(m.opened).Truncate(time.Second) + time.Second)
}

// untilLate waits until an agent is late, which must be noticed at the look after a time, and checks what is
// said about it.
func (m *meshBubble) untilLate(name string, due time.Time, says string) {
	m.t.Helper()
	m.until(name+" to be late", func(log.Item) bool { return m.named(name).Late != "" })
	a := m.named(name)
	if off := time.Since(m.look(due)); off != 0 || a.Late != says || a.Phase != model.Ready {
		m.t.Errorf("%s is late in phase %v, %s after the time: %q; want ready at the time: %q", name, a.Phase, off, a.Late, says)
	}
}

// untilGone waits until an agent is gone, which must be noticed at the look after a time, and checks what is
// said about it.
func (m *meshBubble) untilGone(name string, due time.Time, says string) {
	m.t.Helper()
	it := m.until(name+" to be gone", func(log.Item) bool { return m.named(name).Phase == model.Unreachable })
	if off := time.Since(m.look(due)); off != 0 || it.Signal.Sentence != says {
		m.t.Errorf("%s is gone %s after the time: %q; want at the time: %q", name, off, it.Signal.Sentence, says)
	}
}

// mustNeverMiss fails if an agent was late or gone at any time from an item on.
func (m *meshBubble) mustNeverMiss(name string, from int) {
	m.t.Helper()
	a := m.named(name)
	for _, it := range m.items[from:] {
		if s := it.Signal; s != nil && s.Agent == a.ID && (s.Kind == log.SignalLate || s.Kind == log.SignalWatch) {
			m.t.Errorf("got signal %d about %s: %q, want none", s.Kind, name, s.Sentence)
		}
	}
	if a.Phase != model.Ready || a.Late != "" {
		m.t.Errorf("got %s in phase %v, late %q; want it ready", name, a.Phase, a.Late)
	}
}

func TestAnAgentOfAMeshIsLateThenGoneThenBack(t *testing.T) {
	inMeshBubble(t, func(t *testing.T, m *meshBubble) {
		m.openMesh()
		m.announce("One")
		two, first := m.announce("Two")
		m.untilAll(model.Ready, "One", "Two")

		time.Sleep(10 * time.Second) // two more cards
		two.Stop()
		last := first.Add(8 * time.Second)
		const late = "Two has not announced itself for 13s, but does so about every 4s: it may be gone."
		m.untilLate("Two", last.Add(12*time.Second), late)
		m.mustNeverMiss("One", 0)

		from := len(m.items)
		two, first = m.announce("Two")
		m.until("that it is not late any more", func(log.Item) bool { return m.named("Two").Late == "" })
		if got := time.Since(first); got != 0 || m.named("Two").Phase != model.Ready {
			t.Errorf("it is late for %s after its card, in phase %v; want no time, and ready", got, m.named("Two").Phase)
		}

		time.Sleep(10 * time.Second)
		two.Stop()
		last = first.Add(8 * time.Second)
		m.untilLate("Two", last.Add(12*time.Second), late)
		m.untilGone("Two", last.Add(time.Minute), "Two has not announced itself for 1m1s: start it, or wait.")
		for _, it := range m.items[from:] {
			if it.Signal != nil && it.Signal.Kind == log.SignalBack {
				t.Error("got a signal that an agent is back before one was gone")
			}
		}

		_, first = m.announce("Two")
		m.untilAll(model.Ready, "Two")
		if got, late := time.Since(first), m.named("Two").Late; got != 0 || late != "" {
			t.Errorf("it is back %s after its card, late %q; want at once and not late", got, late)
		}
		from = len(m.items)
		time.Sleep(5 * time.Minute)
		m.Open("mqtt://" + m.broker.Address + "/n#Two") // its items are after all that came
		m.waitForSignal(log.SignalOpened)
		m.mustNeverMiss("One", 0)
		m.mustNeverMiss("Two", from)
	})
}

func TestAfterABrokerOnlyAgentsThatAnnounceThemselvesAreThere(t *testing.T) {
	inMeshBubble(t, func(t *testing.T, m *meshBubble) {
		m.openMesh()
		m.announce("One")
		leaves, _ := m.announce("Leaves")
		left, first := m.announce("Left")
		m.untilAll(model.Ready, "One", "Leaves", "Left")
		time.Sleep(10 * time.Second) // two more cards
		left.Stop()
		last := first.Add(8 * time.Second)
		m.untilLate("Left", last.Add(12*time.Second), "Left has not announced itself for 13s, but does so about every 4s: it may be gone.")
		m.untilGone("Left", last.Add(time.Minute), "Left has not announced itself for 1m1s: start it, or wait.")
		m.mustNeverMiss("One", 0)
		m.mustNeverMiss("Leaves", 0)

		m.away.Store(true)
		m.broker.Drop()
		m.untilAll(model.Unreachable, "One", "Leaves")
		time.Sleep(20 * time.Second)
		leaves.Stop()
		m.away.Store(false)
		m.until("that the broker is back", func(log.Item) bool { return m.named("Leaves").Phase == model.Ready })
		back, from := time.Now(), len(m.items)
		if phase := m.named("Left").Phase; phase != model.Unreachable {
			t.Errorf("got phase %v of the agent that left before the broker, want that it is gone as before", phase)
		}
		m.untilLate("Leaves", back.Add(4*time.Second), "Leaves has not announced itself for 36s, but does so about every 4s: it may be gone.")
		m.untilGone("Leaves", back.Add(time.Minute), "Leaves has not announced itself for 1m32s: start it, or wait.")
		m.mustNeverMiss("One", from)
		if phase := m.named("Left").Phase; phase != model.Unreachable {
			t.Errorf("got phase %v of the agent that left before the broker, want that it stays gone", phase)
		}
	})
}
