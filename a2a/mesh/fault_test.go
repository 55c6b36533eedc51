package mesh_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/a2a/mesh"
	"parley/a2a/mesh/meshtest"
)

// gate lets a test act after the first update of an answer.
func gate() (hooks a2a.Hooks, began <-chan string) {
	c := make(chan string, 1)
	return a2a.Hooks{Decoded: func(u a2a.Update) {
		if len(u.Events) > 0 {
			select {
			case c <- u.Events[0].TaskID:
			default:
			}
		}
	}}, c
}

func notices(d *desk) (out []string) {
	for _, r := range d.all(a2a.KindNote) {
		out = append(out, r.Note.Attrs["sentence"])
	}
	return out
}

func TestAShortOutageLosesNothing(t *testing.T) {
	t.Parallel()
	b := meshtest.Mosquitto(t)
	p := meshtest.NewProxy(t, b.Address)
	d := newDesk(t, "wb-1", quick, mesh.Settings{})
	away, kept := make(chan struct{}), make(chan struct{})
	(&meshtest.Agent{Name: "Billing", Namespace: "n", Streaming: true, Answer: func(r *meshtest.Request) {
		for i := range 200 {
			switch i {
			case 100:
				<-away
			case 150: // what was said since then came during the outage
				close(kept)
				d.wait(func() bool { return len(notices(d)) > 0 })
			}
			r.Say(fmt.Sprintf("%d ", i))
		}
		r.Final("completed", "done")
	}}).Start(t, b.Address)
	seen := d.watch("mqtt://" + p.Address + "/n")
	next(t, seen, a2a.SawCard)
	hooks, began := gate()
	go func() {
		<-began
		p.Cut()
		next(t, seen, a2a.SawDown)
		close(away)
		<-kept
		p.Mend()
	}()
	out, said := d.ask(profile("mqtt://"+p.Address+"/n", "Billing"), streaming, "count", hooks)
	if out.Err != nil || out.End.Reason != a2a.Ended {
		t.Fatalf("got end %+v, err %v; want a completed task", out.End, out.Err)
	}
	// A message that was read but not confirmed comes again; its id says so to the fold.
	if got := unique(said); got != counted(200) {
		t.Errorf("got text %q, want 0 to 199 in order", got)
	}
	if n := notices(d); !slices.ContainsFunc(n, func(s string) bool { return strings.Contains(s, "was lost for") }) {
		t.Errorf("got notices %q, want one about the outage", n)
	}
}

// unique removes words that repeat an earlier one.
func unique(said string) string {
	seen := map[string]bool{}
	var b strings.Builder
	for word := range strings.FieldsSeq(said) {
		if !seen[word] {
			b.WriteString(word + " ")
		}
		seen[word] = true
	}
	return b.String()
}

func TestABrokerThatForgetsTheSessionCutsTheStreamAndTheRestIsKept(t *testing.T) {
	t.Parallel()
	b := meshtest.Mosquitto(t)
	confirmed, goOn := make(chan struct{}), make(chan struct{})
	(&meshtest.Agent{Name: "Billing", Namespace: "n", Streaming: true, Answer: func(r *meshtest.Request) {
		r.Say("one ")
		close(confirmed)
		<-goOn
		r.Say("two ")
		r.Final("completed", "two")
		r.Reply("n/a2a/v1/gateway/status/wb-1/marker", `{}`) // comes after the rest
	}}).Start(t, b.Address)
	d := newDesk(t, "wb-1", quick, mesh.Settings{})
	p := profile(b.URL("n"), "Billing")
	seen := d.watch(b.URL("n"))
	next(t, seen, a2a.SawCard)
	hooks, began := gate()
	task, restarted := make(chan string, 1), make(chan struct{})
	go func() {
		defer close(restarted)
		task <- <-began
		<-confirmed // what the broker did not confirm would come again
		b.Stop()
		next(t, seen, a2a.SawDown)
		b.Start()
	}()
	out, said := d.ask(p, streaming, "count", hooks)
	<-restarted
	if out.End.Reason != a2a.Cut || out.End.Class != a2a.ClassCut || said != "one " {
		t.Fatalf("got end %+v, text %q; want a cut after the first update", out.End, said)
	}
	close(goOn)
	if s := next(t, seen, a2a.SawStray); s.TaskID != "marker" { // what came before it is kept
		t.Errorf("got stray of task %s, %q; want none but the marker", s.TaskID, s.Sentence)
	}
	c := a2a.NewClient(p, streaming, d.options)
	var rest strings.Builder
	again := c.Do(t.Context(), a2a.Request{Call: &a2a.Call{Op: a2a.OpSubscribe, Agent: 1}, TaskID: <-task}, a2a.Hooks{Decoded: func(u a2a.Update) {
		for _, e := range u.Events {
			if e.Kind == a2a.EventStatus {
				rest.WriteString(e.Status.Message.Text())
			}
		}
	}})
	if again.Err != nil || again.State != a2a.StateCompleted || rest.String() != "two " {
		t.Errorf("got end %+v, state %s, text %q; want the rest of the task", again.End, again.State, rest.String())
	}
}

// A subscription is confirmed when the broker is reached: what is published before does not arrive.
func TestASubscriptionBeginsWhenTheBrokerIsReached(t *testing.T) {
	t.Parallel()
	b := meshtest.Mosquitto(t)
	b.Stop()
	refuses, err := net.Listen("tcp", b.Address)
	if err != nil {
		t.Fatal(err)
	}
	tried := make(chan struct{}, 3)
	go func() {
		for {
			c, err := refuses.Accept()
			if err != nil {
				return
			}
			c.Close()
			select {
			case tried <- struct{}{}:
			default: // there were enough
			}
		}
	}()
	d := newDesk(t, "wb-1", quick, mesh.Settings{})
	c := a2a.NewClient(profile(b.URL("n"), "Billing"), streaming, d.options)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	over := make(chan bool)
	go func() {
		defer close(over)
		c.Do(ctx, a2a.Request{Call: &a2a.Call{Op: a2a.OpSubscribe, Agent: 1}, TaskID: "t1"}, a2a.Hooks{})
	}()
	for range 3 {
		<-tried
	}
	if n := len(d.all(a2a.KindHead)); n != 0 {
		t.Errorf("got %d confirmations without a broker, want none", n)
	}
	refuses.Close()
	b.Start()
	d.wait(func() bool { return len(d.all(a2a.KindHead)) > 0 })
	cancel()
	<-over
}

func TestTenThousandUpdatesArriveInOrder(t *testing.T) {
	t.Parallel()
	b := meshtest.Mosquitto(t)
	const n = 10_000
	(&meshtest.Agent{Name: "Billing", Namespace: "n", Streaming: true, Answer: numbers(n)}).Start(t, b.Address)
	d := newDesk(t, "wb-1", mesh.Times{}, mesh.Settings{})
	began := time.Now()
	out, said := d.ask(profile(b.URL("n"), "Billing"), streaming, "count", a2a.Hooks{})
	t.Logf("%d updates in %s", n, time.Since(began).Round(time.Millisecond))
	if out.Err != nil || said != counted(n) || len(d.all(a2a.KindEvent)) != n+1 {
		t.Errorf("got %d records, err %v, end %+v; want all %d updates in order", len(d.all(a2a.KindEvent)), out.Err, out.End, n)
	}
}

func TestWhatBelongsToNoAnswerIsAStray(t *testing.T) {
	t.Parallel()
	b := meshtest.Mosquitto(t)
	agent := (&meshtest.Agent{Name: "Billing", Namespace: "n", Streaming: true, Answer: func(r *meshtest.Request) {
		r.Say("a")
		r.Reply(r.Props["a2aStatusTopic"], strings.ReplaceAll(r.Task("working", "of another"), r.ID, "other")) // another task on its topic
		r.Reply(r.Props["a2aStatusTopic"], `{"jsonrpc": [`+strings.Repeat("[", 100_000))
		r.Reply("n/a2a/v1/gateway/status/gateway/"+r.ID, `{"jsonrpc":"2.0","id":"`+r.ID+`","result":{"kind":"status-update","taskId":"`+r.ID+`","contextId":"c","final":true,"status":{"state":"working","message":{"role":"agent","messageId":"w1","parts":[{"kind":"text","text":"b"}]}}}}`)
		r.Reply("n/a2a/v1/gateway/status/gateway/foreign", r.Task("working", "of another gateway"))
		r.Say("c")
		r.Final("completed", "abc")
		r.Say("late")
	}}).Start(t, b.Address)
	d := newDesk(t, "wb-1", quick, mesh.Settings{})
	seen := d.watch(b.URL("n"))
	next(t, seen, a2a.SawCard)
	out, said := d.ask(profile(b.URL("n"), "Billing"), streaming, "x", a2a.Hooks{})
	if out.State != a2a.StateCompleted || said != "abc" {
		t.Errorf("got state %s, text %q, err %v; want abc, completed", out.State, said, out.Err)
	}
	for _, want := range []string{"It names the task other", "It came after the end"} {
		s := next(t, seen, a2a.SawStray)
		if !strings.HasPrefix(s.Sentence, want) {
			t.Errorf("got stray %q, want %q", s.Sentence, want)
		}
		s.Record(&a2a.Call{Op: a2a.OpDelivery, Agent: 1, Delivery: &a2a.DeliveryFacts{RefusalReason: "stray"}})
	}
	strays := d.all(a2a.KindDelivery)
	if len(strays) != 2 || strays[0].Head.Method != "PUBLISH" || !strings.HasSuffix(strays[0].Head.URL, "/gateway/status/wb-1/"+agent.Requests()[0].ID) {
		t.Errorf("got strays %+v, want two with their topics", strays)
	}
}

func TestAnAnswerOnTheTopicWithoutATaskIsTakenAndNamed(t *testing.T) {
	t.Parallel()
	b := meshtest.Mosquitto(t)
	(&meshtest.Agent{Name: "Billing", Namespace: "n", Streaming: true, Answer: func(r *meshtest.Request) {
		r.Reply("n/a2a/v1/client/response/"+r.Props["clientId"], r.Task("completed", "here"))
	}}).Start(t, b.Address)
	d := newDesk(t, "wb-1", quick, mesh.Settings{})
	out, _ := d.ask(profile(b.URL("n"), "Billing"), streaming, "x", a2a.Hooks{})
	if n := notices(d); out.State != a2a.StateCompleted || len(n) != 1 || !strings.Contains(n[0], "not on the topic") {
		t.Errorf("got state %s, notices %q; want the answer and a notice", out.State, n)
	}
}

func TestFailuresAreNamed(t *testing.T) {
	t.Parallel()
	t.Run("nobody listens", func(t *testing.T) {
		b := meshtest.Mosquitto(t)
		brief := quick
		brief.Absent = 10 * time.Millisecond
		d := newDesk(t, "wb-1", brief, mesh.Settings{})
		out, _ := d.ask(profile(b.URL("n"), "Nobody"), streaming, "x", a2a.Hooks{})
		mustSay(t, out, a2a.ClassRefused, "Nobody receives what is sent to this agent")
	})
	t.Run("no broker", func(t *testing.T) {
		d := newDesk(t, "wb-1", quick, mesh.Settings{})
		out, _ := d.ask(profile("mqtt://127.0.0.1:1/n", "A"), streaming, "x", a2a.Hooks{})
		mustSay(t, out, a2a.ClassRefused, "127.0.0.1:1 refused the connection: no broker listens there")
		if got := out.End.Cause(); got != "127.0.0.1:1 refused the connection" {
			t.Errorf("got cause %q, want it without advice", got)
		}
	})
	t.Run("wrong password", func(t *testing.T) {
		b := meshtest.Mosquitto(t, "allow_anonymous false", "password_file "+passwords(t))
		d := newDesk(t, "wb-1", quick, mesh.Settings{User: "ann", Password: "wrong-password"})
		out, _ := d.ask(profile(b.URL("n"), "A"), streaming, "x", a2a.Hooks{})
		mustSay(t, out, a2a.ClassAuth, "does not accept the user ann")
		d = newDesk(t, "wb-1", quick, mesh.Settings{})
		out, _ = d.ask(profile(b.URL("n"), "A"), streaming, "x", a2a.Hooks{})
		mustSay(t, out, a2a.ClassNoCredentials, "--mqtt-user")
	})
	t.Run("too large", func(t *testing.T) {
		b := meshtest.Mosquitto(t, "max_packet_size 2000")
		d := newDesk(t, "wb-1", quick, mesh.Settings{})
		out, _ := d.ask(profile(b.URL("n"), "A"), streaming, strings.Repeat("x", 3000), a2a.Hooks{})
		mustSay(t, out, a2a.ClassLimit, "but the broker accepts at most 2000")
	})
	t.Run("the same client id twice", func(t *testing.T) {
		b := meshtest.Mosquitto(t)
		(&meshtest.Agent{Name: "Mute", Namespace: "n"}).Start(t, b.Address)
		first, second := newDesk(t, "same", quick, mesh.Settings{}), newDesk(t, "same", quick, mesh.Settings{})
		hooks, _ := gate()
		lost := make(chan a2a.Answer, 1)
		go func() {
			out, _ := first.ask(profile(b.URL("n"), "Mute"), streaming, "x", hooks)
			lost <- out
		}()
		first.wait(func() bool { return len(first.all(a2a.KindHead)) == 1 })
		go second.ask(profile(b.URL("n"), "Mute"), streaming, "x", hooks)
		mustSay(t, <-lost, a2a.ClassCut, "client id same")
	})
}

func mustSay(t *testing.T, out a2a.Answer, class, want string) {
	t.Helper()
	if out.End.Class != class || !strings.Contains(out.End.Sentence, want) {
		t.Errorf("got end %+v, want class %s and “%s”", out.End, class, want)
	}
}

// passwords returns a file with the user ann, whose password is of mosquitto's older kind: plain
// text is not one, so that no password fits.
func passwords(t *testing.T) string {
	name := t.TempDir() + "/passwords"
	if err := os.WriteFile(name, []byte("ann:$7$101$ij8Vh0LGGkNe9Q0c$L2hH0T8m0l1Xb3nKq0y8m1E2oX4r6s7t8u9v0w1x2y3z4A5B6C7D8E9F0G1H2I3J4K5L6M7N8O9P0Q==\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestNothingSecretIsRecorded(t *testing.T) {
	t.Parallel()
	b := meshtest.Mosquitto(t)
	const password, token = "correct-horse-battery", "eyJtoken-of-the-user-0123456789"
	(&meshtest.Agent{Name: "Proxy", Namespace: "n", Streaming: true, Answer: func(r *meshtest.Request) {
		if r.Props["authToken"] != token {
			t.Errorf("got authToken %q, want the user's", r.Props["authToken"])
		}
		r.Agent.Publish(r.Props["replyTo"], r.Task("completed", "your password is "+password), false, r.Props) // as proxies do
	}}).Start(t, b.Address)
	d := newDesk(t, "wb-1", quick, mesh.Settings{User: "ann", Password: password})
	d.options.Bearer, d.options.UserAddresses = token, []string{b.URL("n")}
	out, _ := d.ask(profile(b.URL("n"), "Proxy"), streaming, "x", a2a.Hooks{})
	if out.State != a2a.StateCompleted {
		t.Fatalf("got end %+v, want a completed task", out.End)
	}
	if all := dump(d); strings.Contains(all, password) || strings.Contains(all, token) {
		t.Errorf("got a secret in %s", all)
	}
}

func dump(d *desk) string {
	var b strings.Builder
	for _, r := range d.all("") {
		fmt.Fprintf(&b, "%s %s %+v %+v\n", r.Kind, r.Raw, r.Head, r.End)
	}
	return b.String()
}

func TestAReaderThatIsSlowGetsEverythingInOrder(t *testing.T) {
	t.Parallel()
	b := meshtest.Mosquitto(t)
	const n = 5000
	finished := make(chan struct{})
	(&meshtest.Agent{Name: "Billing", Namespace: "n", Streaming: true, Answer: func(r *meshtest.Request) {
		numbers(n)(r)
		close(finished)
	}}).Start(t, b.Address)
	d := newDesk(t, "wb-1", quick, mesh.Settings{})
	first := true
	out, said := d.ask(profile(b.URL("n"), "Billing"), streaming, "count", a2a.Hooks{Decoded: func(a2a.Update) {
		if first { // nothing is read until the agent has sent everything
			first = false
			<-finished
		}
	}})
	if out.Err != nil || said != counted(n) {
		t.Errorf("got end %+v, %d bytes of text; want everything", out.End, len(said))
	}
}
