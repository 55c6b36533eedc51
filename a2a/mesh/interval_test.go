package mesh_test

import (
	"context"
	"net"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"parley/a2a"
	"parley/a2a/mesh"
	"parley/a2a/mesh/meshtest"
)

// inBubble runs a test of the usual times with a broker that is reached through pipes: time passes
// when everybody waits for it, and at no other moment.
func inBubble(t *testing.T, f meshtest.Fault, s mesh.Settings, test func(*testing.T, *meshtest.Faulty, *desk)) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := meshtest.NewPiped(t, f)
		d := newDesk(t, "wb-1", mesh.Times{}, s)
		d.options.Dial = b.Dial
		test(t, b, d)
	})
}

// at is the address of the namespace n on a broker.
func at(b *meshtest.Faulty) string { return "mqtt://" + b.Address + "/n" }

// mustTake fails unless this much time has passed.
func mustTake(t *testing.T, since time.Time, want time.Duration) {
	t.Helper()
	if got := time.Since(since); got != want {
		t.Errorf("it took %s, want %s", got, want)
	}
}

// The interval of the agent itself counts, not that of the settings.
func TestAnAgentIsLateBeforeItIsGone(t *testing.T) {
	inBubble(t, meshtest.Fault{}, mesh.Settings{Interval: time.Minute, Gone: 30 * time.Second}, func(t *testing.T, b *meshtest.Faulty, d *desk) {
		start := func() *meshtest.Agent {
			return (&meshtest.Agent{Name: "Billing", Namespace: "n", Every: 2 * time.Second, Dial: b.Dial}).Start(t, b.Address)
		}
		agent := start()
		seen := d.watch(at(b))
		must := func(want a2a.SightingKind, says string) {
			t.Helper()
			if s := <-seen; s.Kind != want || !strings.Contains(s.Sentence, says) {
				t.Fatalf("got sighting %d %q, want %d and “%s”", s.Kind, s.Sentence, want, says)
			}
		}
		must(a2a.SawCard, "")
		time.Sleep(5 * time.Second) // two more cards
		agent.Stop()
		must(a2a.SawLate, "Billing has not announced itself for 7s, but does so about every 2s: it may be gone.")
		agent = start()
		must(a2a.SawAgain, "")
		time.Sleep(5 * time.Second)
		agent.Stop()
		must(a2a.SawLate, "for 7s, but does so about every 2s")
		must(a2a.SawGone, "Billing has not announced itself for 31s: start it, or wait.")
	})
}

// An agent of which one card came is late after the interval of the settings.
func TestTheIntervalOfTheSettingsCountsUntilOneIsSeen(t *testing.T) {
	inBubble(t, meshtest.Fault{}, mesh.Settings{Interval: 5 * time.Second}, func(t *testing.T, b *meshtest.Faulty, d *desk) {
		agent := (&meshtest.Agent{Name: "Billing", Namespace: "n", Every: -1, Dial: b.Dial}).Start(t, b.Address)
		seen := d.watch(at(b))
		synctest.Wait() // until the subscription is made
		agent.Publish(agent.Topic("discovery/agentcards"), `{"name":"Billing","url":"x"}`, false, nil)
		next(t, seen, a2a.SawCard)
		came := time.Now()
		if s := next(t, seen, a2a.SawLate, a2a.SawGone); s.Kind != a2a.SawLate || !strings.Contains(s.Sentence, "about every 5s") {
			t.Errorf("got sighting %d %q, want that the agent is late", s.Kind, s.Sentence)
		}
		if d := time.Since(came); d < 15*time.Second || d > 16*time.Second {
			t.Errorf("the agent is late after %s, want three intervals", d)
		}
	})
}

func TestASubscriptionIsRenewedBeforeAnAgentCountsAsGone(t *testing.T) {
	inBubble(t, meshtest.Fault{}, mesh.Settings{}, func(t *testing.T, b *meshtest.Faulty, d *desk) {
		(&meshtest.Agent{Name: "Billing", Namespace: "n", Every: 10 * time.Second, Dial: b.Dial}).Start(t, b.Address)
		seen := d.watch(at(b))
		next(t, seen, a2a.SawCard)
		time.Sleep(25 * time.Second) // two more cards
		b.Set(meshtest.Fault{Forget: "discovery"})
		time.Sleep(10 * time.Minute)
		var got []a2a.SightingKind
		for len(seen) > 0 {
			got = append(got, (<-seen).Kind)
		}
		if want := []a2a.SightingKind{a2a.SawLate, a2a.SawAgain}; !slices.Equal(got, want) {
			t.Errorf("got sightings %v, want %v: that the agent is late, and there again", got, want)
		}
	})
}

func TestARequestIsNotSentAgainWhenItsConfirmationIsLost(t *testing.T) {
	inBubble(t, meshtest.Fault{LosePubacks: "n/a2a/v1/agent/request/"}, mesh.Settings{}, func(t *testing.T, b *meshtest.Faulty, d *desk) {
		agent := (&meshtest.Agent{Name: "Billing", Namespace: "n", Every: -1, Dial: b.Dial, Answer: func(r *meshtest.Request) {
			time.Sleep(30 * time.Second) // three times as long as a confirmation may take
			r.Final("completed", "done")
		}}).Start(t, b.Address)
		began := time.Now()
		out, _ := d.ask(profile(at(b), "Billing"), streaming, "x", a2a.Hooks{})
		mustTake(t, began, 30*time.Second)
		if out.State != a2a.StateCompleted || len(agent.Requests()) != 1 || b.Published("n/a2a/v1/agent/request/Billing") != 1 {
			t.Errorf("got end %+v, %d requests, want the answer to one", out.End, len(agent.Requests()))
		}
		if n := notices(d); len(n) != 1 || !strings.Contains(n[0], "did not confirm the request within 10s") {
			t.Errorf("got notices %q, want one about the confirmation", n)
		}
	})
}

func TestARequestIsGivenUpAfterANotice(t *testing.T) {
	inBubble(t, meshtest.Fault{}, mesh.Settings{}, func(t *testing.T, b *meshtest.Faulty, d *desk) {
		(&meshtest.Agent{Name: "Mute", Namespace: "n", Every: -1, Dial: b.Dial}).Start(t, b.Address)
		began := time.Now()
		out, _ := d.ask(profile(at(b), "Mute"), streaming, "x", a2a.Hooks{})
		mustTake(t, began, 5*time.Minute)
		mustSay(t, out, a2a.ClassTimeout, "Nothing came for 5m0s")
		if n := notices(d); len(n) != 1 || n[0] != "Nothing came for 1m0s. Parley waits until 5m0s." {
			t.Errorf("got notices %q, want one", n)
		}
	})
}

func TestACancelOfAFinishedTaskIsNotConfirmed(t *testing.T) {
	inBubble(t, meshtest.Fault{}, mesh.Settings{}, func(t *testing.T, b *meshtest.Faulty, d *desk) {
		(&meshtest.Agent{Name: "Billing", Namespace: "n", Every: -1, Dial: b.Dial, Answer: numbers(1)}).Start(t, b.Address)
		p := profile(at(b), "Billing")
		out, _ := d.ask(p, streaming, "x", a2a.Hooks{})
		began := time.Now()
		cancel := a2a.NewClient(p, streaming, d.options).Do(t.Context(), a2a.Request{Call: &a2a.Call{Op: a2a.OpCancel, Agent: 1}, TaskID: out.TaskID}, a2a.Hooks{})
		mustTake(t, began, 10*time.Second)
		if out.State != a2a.StateCompleted || cancel.End.Reason != a2a.TimedOut || !strings.Contains(cancel.End.Sentence, "did not end within 10s") {
			t.Errorf("got the cancel of a finished task %+v, want that it is not confirmed", cancel.End)
		}
	})
}

func TestAttemptsToConnectBecomeRarer(t *testing.T) {
	inBubble(t, meshtest.Fault{}, mesh.Settings{}, func(t *testing.T, b *meshtest.Faulty, d *desk) {
		began := time.Now()
		tries := make(chan time.Duration, 100)
		d.options.Dial = func(context.Context, string, string) (net.Conn, error) {
			tries <- time.Since(began)
			return nil, &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
		}
		out, _ := d.ask(profile(at(b), "Billing"), streaming, "x", a2a.Hooks{})
		mustTake(t, began, time.Second)
		mustSay(t, out, a2a.ClassRefused, "no broker listens there")
		time.Sleep(time.Minute)
		var got []time.Duration
		for len(tries) > 0 { // each of the two connections at the same time
			got = append(got, <-tries)
		}
		const q = 250 * time.Millisecond
		want := []time.Duration{0, q, 3 * q, 7 * q, 15 * q, 31 * q, 63 * q, 123 * q, 183 * q, 243 * q}
		if both := slices.Compact(slices.Clone(got)); !slices.Equal(both, want) || len(got) != 2*len(want) {
			t.Errorf("got attempts after %v, want two after each of %v", got, want)
		}
	})
}

// Two programs with one id take the connection from each other; a broker that restarts now and then
// does not look like that.
func TestConnectionsThatAreLostAtOnceAreGivenUp(t *testing.T) {
	inBubble(t, meshtest.Fault{}, mesh.Settings{}, func(t *testing.T, b *meshtest.Faulty, d *desk) {
		seen := d.watch(at(b))
		lose := func(after time.Duration) {
			t.Helper()
			time.Sleep(after)
			b.Drop()
			if s := next(t, seen, a2a.SawDown); strings.Contains(s.Sentence, "soon after it was made") {
				t.Fatalf("got %q, want another attempt", s.Sentence)
			}
			next(t, seen, a2a.SawUp)
		}
		lose(4 * time.Second)
		lose(4 * time.Second)
		for range 5 {
			lose(5 * time.Second)
		}
		lose(4 * time.Second)
		lose(4 * time.Second)
		time.AfterFunc(4*time.Second, b.Drop)
		began := time.Now()
		out, _ := d.ask(profile(at(b), "Mute"), streaming, "x", a2a.Hooks{})
		mustTake(t, began, 4*time.Second)
		mustSay(t, out, a2a.ClassCut, "ended the connection 3 times soon after it was made")
	})
}

// A task whose answer nobody reads has its messages for a while; then they are strays.
func TestWhatIsKeptForATaskIsReportedWhenItsTimeIsOver(t *testing.T) {
	inBubble(t, meshtest.Fault{}, mesh.Settings{}, func(t *testing.T, b *meshtest.Faulty, d *desk) {
		stopped := make(chan struct{})
		(&meshtest.Agent{Name: "Slow", Namespace: "n", Every: -1, Dial: b.Dial, Answer: func(r *meshtest.Request) {
			r.Say("one ")
			<-stopped
			r.Say("two ")
			time.Sleep(5 * time.Second)
			r.Final("completed", "two")
		}}).Start(t, b.Address)
		seen := d.watch(at(b))
		ctx, cancel := context.WithCancel(t.Context())
		hooks, began := gate()
		go func() { <-began; cancel() }()
		d.askWithin(ctx, profile(at(b), "Slow"), streaming, "x", hooks)
		close(stopped)
		from := time.Now()
		for range 2 {
			if s := next(t, seen, a2a.SawStray); s.Sentence != "Nobody waited for it; the message changes nothing." {
				t.Errorf("got stray %q, want that nobody waited", s.Sentence)
			}
			mustTake(t, from, 15*time.Second)
		}
	})
}
