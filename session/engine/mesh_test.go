package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley/a2a"
	"parley/a2a/mesh"
	"parley/a2a/mesh/meshtest"
	"parley/session/card"
	"parley/session/log"
	"parley/session/model"
)

// meshHarness is a harness whose agents are on a broker; change sets more options of clients.
func meshHarness(t *testing.T, change ...func(*a2a.Options)) *harness {
	t.Helper()
	return meshHarnessAt(t, meshTimes, change...)
}

// meshTimes are short, but for those after which something is given up: an agent of a slow machine
// announces itself late, and is not gone.
var meshTimes = mesh.Times{Retry: 40 * time.Millisecond, Steady: 700 * time.Millisecond, Interval: 100 * time.Millisecond, Gone: time.Hour, Absent: 300 * time.Millisecond, Keep: 10 * time.Millisecond}

func meshHarnessAt(t *testing.T, times mesh.Times, change ...func(*a2a.Options)) *harness {
	t.Helper()
	hub := mesh.NewHub("wb-1", times)
	d := newHarness(t, func(o *options) {
		o.Client = func(ref string) a2a.Options {
			o := a2a.Options{UserAddresses: []string{ref}, Carriers: map[a2a.Binding]a2a.Carrier{a2a.BindingMQTT: hub.Carrier(mesh.Settings{})}}
			for _, f := range change {
				f(&o)
			}
			return o
		}
		o.Resubscribe, o.CheckStreams, o.Whole = 3, true, true
	})
	t.Cleanup(hub.Close)
	return d
}

// named returns an agent of the state by the name on its card.
func (d *harness) named(name string) *model.Agent {
	for _, a := range d.state.Agents {
		if a.Card != nil && a.Card.Name == name {
			return a
		}
	}
	return nil
}

// untilAll waits until agents are in a phase, whichever of them is first.
func (d *harness) untilAll(phase model.Phase, names ...string) {
	d.t.Helper()
	d.until(fmt.Sprintf("phase %v of %q", phase, names), func(log.Item) bool {
		return !slices.ContainsFunc(names, func(name string) bool { a := d.named(name); return a == nil || a.Phase != phase })
	})
}

// A slow machine may take an agent that is there for one that is gone: the test waits for what each agent
// is at some time. What they are at which time is in [TestAnAgentOfAMeshIsLateThenGoneThenBack].
func TestAgentsOfAMeshAppearAndVanish(t *testing.T) {
	t.Parallel()
	b := meshtest.Mosquitto(t)
	one := (&meshtest.Agent{Name: "One", Namespace: "acme/dev", Streaming: true}).Start(t, b.Address)
	one.Publish("acme/dev/a2a/v1/discovery/agentcards", `{"name":`, true, nil) // a retained card that is broken
	one.Publish("acme/dev/a2a/v1/discovery/gatewaycards", `{"name":"gw","url":"solace:x"}`, false, nil)
	times := meshTimes
	times.Gone = time.Second
	d := meshHarnessAt(t, times)
	d.Open(b.URL("acme/dev"))
	ready := func(name string) func(log.Item) bool {
		return func(log.Item) bool { a := d.named(name); return a != nil && a.Phase == model.Ready }
	}
	d.until("the first agent", ready("One"))
	if p := d.named("One").Profile; p.Dialect != a2a.SAMBroker || p.Binding != a2a.BindingMQTT || p.Endpoint != b.URL("acme/dev")+"/a2a/v1/agent/request/One" {
		t.Errorf("got profile %+v, want the topic of the agent", p)
	}
	two := (&meshtest.Agent{Name: "Two", Namespace: "acme/dev"}).Start(t, b.Address)
	d.until("the second agent", ready("Two"))
	two.Stop()
	away := d.until("that it is gone", func(log.Item) bool { return d.named("Two").Phase == model.Unreachable })
	if !strings.Contains(away.Signal.Sentence, "Two has not announced itself") {
		t.Errorf("got sentence %q, want that it has not announced itself", away.Signal.Sentence)
	}
	(&meshtest.Agent{Name: "Two", Namespace: "acme/dev"}).Start(t, b.Address)
	d.until("that it is back", ready("Two"))
	if name := d.named("One").Name(); name != "One desk" {
		t.Errorf("got name %q, want that for users", name)
	}
	if n := len(d.state.Agents); n != 2 {
		t.Errorf("got %d agents, want 2", n)
	}
	found := false
	for _, it := range d.items {
		found = found || it.Record.Note != nil && it.Record.Note.Type == log.NoteMesh && strings.Contains(it.Record.Note.Attrs[log.AttrSentence], "it is retained")
	}
	if !found {
		t.Error("got no note about the broken card")
	}
}

func TestAConversationOnAMesh(t *testing.T) {
	t.Parallel()
	b := meshtest.Mosquitto(t)
	agent := (&meshtest.Agent{Name: "Billing", Namespace: "n", Streaming: true, Answer: func(r *meshtest.Request) {
		r.Say("Why ")
		r.Peer("Archive", "searching")
		r.Say("twice?")
		r.Final("completed", "twice?")
	}}).Start(t, b.Address)
	d := meshHarness(t)
	id := d.openAgent(b.URL("n") + "#Billing")
	conv := a2a.ConversationID(0)
	for range 2 { // the second message belongs to the same session of the agent
		turn := d.Send(model.Target{Agent: id, Conversation: conv}, &a2a.Message{Parts: []a2a.Part{a2a.TextPart("hi")}}, model.SendOptions{})
		if sig := d.waitForTurnEnd(turn); sig.Sentence != "" {
			t.Fatalf("got failure %q, want none", sig.Sentence)
		}
		conv = d.state.Turn(turn).Conversation.ID
	}
	var shown []string
	for _, e := range d.state.Turn(1).Blocks[0].Entries {
		if e.Message != nil {
			shown = append(shown, e.Message.Text())
		}
	}
	if want := []string{"Why ", "Archive: searching", "twice?"}; !slices.Equal(shown, want) {
		t.Errorf("got messages %q, want %q: the last answer repeats the stream", shown, want)
	}
	requests := agent.Requests()
	if len(requests) != 2 || requests[0].Context == "" || requests[0].Context != requests[1].Context || requests[0].ID == requests[1].ID {
		t.Errorf("got requests %+v, want two tasks in one context", requests)
	}
	for _, it := range d.items {
		for _, f := range it.Findings {
			t.Errorf("got finding %s %s about %s, want none", f.Rule, f.Message, it.Record.Raw)
		}
	}
	d.finish()
}

func TestABrokerThatIsKilledInTheMiddleOfATask(t *testing.T) {
	t.Parallel()
	b := meshtest.Mosquitto(t)
	goOn, said := make(chan struct{}), make(chan struct{})
	(&meshtest.Agent{Name: "Billing", Namespace: "n", Streaming: true, Answer: func(r *meshtest.Request) {
		r.Say("one ")
		close(said)
		<-goOn
		r.Say("two ")
		r.Final("completed", "two ")
	}}).Start(t, b.Address)
	d := meshHarness(t)
	id := d.openAgent(b.URL("n") + "#Billing")
	turn := d.Send(model.Target{Agent: id}, &a2a.Message{Parts: []a2a.Part{a2a.TextPart("count")}}, model.SendOptions{})
	d.until("the first update", func(it log.Item) bool { return it.Record.Kind == a2a.KindEvent })
	<-said // what the broker did not confirm would come again, and close the gap
	b.Stop()
	d.until("that the broker is away", func(it log.Item) bool { return it.Signal != nil && it.Signal.Kind == log.SignalWatch })
	b.Start()
	subscription := d.until("the subscription", func(it log.Item) bool {
		return it.Record.Kind == a2a.KindRequest && it.Record.Call.Op == a2a.OpSubscribe
	})
	d.until("its confirmation, before which the broker keeps nothing for it", func(it log.Item) bool {
		return it.Record.Kind == a2a.KindHead && it.Record.Exchange == subscription.Record.ID
	})
	close(goOn)
	if sig := d.waitForTurnEnd(turn); sig.Sentence != "" {
		t.Fatalf("got failure %q, want none", sig.Sentence)
	}
	text, gaps := "", 0
	for _, block := range d.state.Turn(turn).Blocks {
		for _, e := range block.Entries {
			if e.Gap != nil {
				gaps++
				if e.Gap.Whole != 0 {
					t.Errorf("got gap %+v, want it to stay: the task lacks the text of its updates", e.Gap)
				}
			}
			if e.Message != nil {
				text += e.Message.Text()
			}
		}
	}
	if gaps != 1 || !strings.Contains(text, "one ") || !strings.Contains(text, "two ") {
		t.Errorf("got %d gaps and text %q, want one and both parts", gaps, text)
	}
	if d.state.Agent(id).Phase != model.Ready { // who watches the broker may be slower than the task
		d.untilAll(model.Ready, "Billing")
	}
	d.finish()
}

func TestAFileOfAMeshComesFromItsGateway(t *testing.T) {
	t.Parallel()
	b := meshtest.Mosquitto(t)
	(&meshtest.Agent{Name: "Orders", Namespace: "n"}).Start(t, b.Address)
	s, asked := gateway(t)
	d := meshHarness(t, func(o *a2a.Options) { o.ArtifactGateway = s.URL })
	id := d.openAgent(b.URL("n") + "#Orders")
	if !d.state.Agent(id).Profile.ArtifactGateway {
		t.Error("got a profile without the gateway")
	}
	turn := d.DownloadArtifact(id, "artifact://Orders/ann/web-1/report.txt?version=2")
	body := d.until("the file", func(it log.Item) bool { return it.Record.Kind == a2a.KindBody })
	if sig := d.waitForTurnEnd(turn); sig.Sentence != "" || string(body.Record.Raw) != "data: 12 ships\n" || len(asked()) != 1 {
		t.Errorf("got end %+v, file %q, requests %q; want one request to the gateway", sig, body.Record.Raw, asked())
	}
	without := meshHarness(t)
	id = without.openAgent(b.URL("n") + "#Orders")
	if sig := without.waitForTurnEnd(without.DownloadArtifact(id, "artifact://Orders/ann/web-1/report.txt")); !strings.Contains(sig.Sentence, "--artifact-gateway") {
		t.Errorf("got end %+v, want the name of the setting", sig)
	}
}

func TestATaskOfAMeshEndsWithItsLastAnswerAlone(t *testing.T) {
	t.Parallel()
	b := meshtest.Mosquitto(t)
	(&meshtest.Agent{Name: "Proxy", Namespace: "n", Streaming: true, Answer: turns(0)}).Start(t, b.Address)
	mustShowTurns(t, meshHarness(t), b.URL("n"))
}

// The end of a turn is not that of the task, however long the next turn takes.
func TestATaskOfAMeshMayBeSilentAfterATurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := meshtest.NewPiped(t, meshtest.Fault{})
		(&meshtest.Agent{Name: "Proxy", Namespace: "n", Streaming: true, Dial: b.Dial, Answer: turns(30 * time.Second)}).Start(t, b.Address)
		hub := mesh.NewHub("wb-1", mesh.Times{})
		d := newHarness(t, func(o *options) {
			o.After, o.Grace = time.After, 10*time.Second
			o.Client = func(ref string) a2a.Options {
				return a2a.Options{Dial: b.Dial, UserAddresses: []string{ref}, Carriers: map[a2a.Binding]a2a.Carrier{a2a.BindingMQTT: hub.Carrier(mesh.Settings{})}}
			}
		})
		t.Cleanup(hub.Close)
		mustShowTurns(t, d, "mqtt://"+b.Address+"/n")
	})
}

// turns answers with two turns, and a pause between them.
func turns(pause time.Duration) func(*meshtest.Request) {
	return func(r *meshtest.Request) {
		r.EndTurn("first turn. ")
		time.Sleep(pause)
		for i, text := range []string{"one", "two", "three"} {
			r.Artifact("f.txt", text, i > 0, i == 2)
		}
		r.EndTurn("second turn.")
		r.Final("completed", "second turn.")
	}
}

// mustShowTurns fails unless everything that [turns] says is shown.
func mustShowTurns(t *testing.T, d *harness, url string) {
	t.Helper()
	id := d.openAgent(url + "#Proxy")
	turn := d.Send(model.Target{Agent: id}, &a2a.Message{Parts: []a2a.Part{a2a.TextPart("x")}}, model.SendOptions{})
	if sig := d.waitForTurnEnd(turn); sig.Sentence != "" {
		t.Fatalf("got failure %q, want none", sig.Sentence)
	}
	var shown []string
	for _, e := range d.state.Turn(turn).Blocks[0].Entries {
		switch {
		case e.Message != nil:
			shown = append(shown, e.Message.Text())
		case e.Artifact != nil:
			shown = append(shown, string(e.Artifact.Text))
		}
	}
	if want := []string{"first turn. ", "onetwothree", "second turn."}; !slices.Equal(shown, want) {
		t.Errorf("got %q, want %q", shown, want)
	}
	d.finish()
}

func TestATaskOfAMeshIsCanceled(t *testing.T) {
	t.Parallel()
	b := meshtest.Mosquitto(t)
	(&meshtest.Agent{Name: "Slow", Namespace: "n", Streaming: true, Answer: func(r *meshtest.Request) {
		r.Say("working")
		<-r.Canceled
		r.Final("canceled", "stopped")
	}}).Start(t, b.Address)
	d := meshHarness(t)
	id := d.openAgent(b.URL("n") + "#Slow")
	turn := d.Send(model.Target{Agent: id}, &a2a.Message{Parts: []a2a.Part{a2a.TextPart("x")}}, model.SendOptions{})
	event := d.until("the first update", func(it log.Item) bool { return it.Record.Kind == a2a.KindEvent })
	task := event.Update.Events[0].TaskID
	d.Cancel(id, task, d.state.Turn(turn).Conversation.ID)
	if sig := d.waitForTurnEnd(turn); sig.Sentence != "" {
		t.Errorf("got failure %q, want none", sig.Sentence)
	}
	if st := d.state.Task(id, task).State; st != a2a.StateCanceled {
		t.Errorf("got state %s, want canceled", st)
	}
	for _, e := range d.state.Turn(turn).Blocks[0].Entries {
		if e.Problem != nil {
			t.Errorf("got problem %q, want none", e.Problem.Sentence)
		}
	}
	d.finish()
}

func TestWhatAnAgentOfAMeshSendsIsShownInOrder(t *testing.T) {
	t.Parallel()
	b := meshtest.Mosquitto(t)
	(&meshtest.Agent{Name: "Billing", Namespace: "n", Streaming: true, Answer: func(r *meshtest.Request) {
		r.Say("Let me look. ")
		r.Status(`{"kind":"data","data":{"type":"tool_invocation_start","tool_name":"ledger","tool_args":{"card":2},"function_call_id":"f1"}}`)
		r.Status(`{"kind":"data","data":{"type":"tool_result","tool_name":"ledger","result_data":"two","function_call_id":"f1"}}`)
		r.Status(`{"kind":"file","file":{"name":"bill.pdf","mimeType":"application/pdf","uri":"artifact://Billing/ada/s1/bill.pdf?version=0"}}`)
		r.Status(`{"kind":"data","data":{"type":"of another version","x":1}}`)
		r.Say("Two cards.")
		r.Final("completed", "Two cards.")
	}}).Start(t, b.Address)
	d := meshHarness(t)
	id := d.openAgent(b.URL("n") + "#Billing")
	turn := d.Send(model.Target{Agent: id}, &a2a.Message{Parts: []a2a.Part{a2a.TextPart("x")}}, model.SendOptions{})
	if sig := d.waitForTurnEnd(turn); sig.Sentence != "" {
		t.Fatalf("got failure %q, want none", sig.Sentence)
	}
	block := d.state.Turn(turn).Blocks[0]
	var shown []string
	for _, e := range block.Entries {
		if e.Message == nil {
			continue
		}
		switch part := &e.Message.Parts[0]; part.Kind {
		case a2a.PartURL:
			shown = append(shown, "file "+part.Filename+" "+part.URL)
		case a2a.PartData:
			shown = append(shown, "data "+string(part.Data))
		default:
			shown = append(shown, part.Text)
		}
	}
	want := []string{
		"Let me look. ", "calls ledger", "ledger answered", "file bill.pdf artifact://Billing/ada/s1/bill.pdf?version=0",
		`data {"type":"of another version","x":1}`, "Two cards.",
	}
	if !slices.Equal(shown, want) {
		t.Errorf("got %q, want %q", shown, want)
	}
	if task := block.Task; task == nil || task.State != a2a.StateCompleted || !strings.Contains(string(task.Metadata), `"total_tokens":321`) {
		t.Errorf("got task %+v, want it completed with the metadata of the last answer", task)
	}
	d.finish()
}

// An error ends the task, on whichever of its topics it comes.
func TestAnErrorEndsATaskOfAMesh(t *testing.T) {
	t.Parallel()
	for _, topic := range []string{"replyTo", "a2aStatusTopic"} {
		t.Run(topic, func(t *testing.T) {
			b := meshtest.Mosquitto(t)
			(&meshtest.Agent{Name: "Billing", Namespace: "n", Streaming: true, Answer: func(r *meshtest.Request) {
				r.Say("Let me look. ")
				r.Reply(r.Props[topic], fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"error":{"code":-32603,"message":"The model is away"}}`, r.ID))
			}}).Start(t, b.Address)
			d := meshHarness(t)
			id := d.openAgent(b.URL("n") + "#Billing")
			turn := d.Send(model.Target{Agent: id}, &a2a.Message{Parts: []a2a.Part{a2a.TextPart("x")}}, model.SendOptions{})
			d.waitForTurnEnd(turn)
			var said, problems []string
			for _, block := range d.state.Turn(turn).Blocks {
				for _, e := range block.Entries {
					switch {
					case e.Problem != nil:
						problems = append(problems, e.Problem.Sentence)
					case e.Message != nil:
						said = append(said, e.Message.Text())
					}
				}
			}
			if len(problems) != 1 || !strings.Contains(problems[0], "The model is away") || !slices.Equal(said, []string{"Let me look. "}) {
				t.Errorf("got problems %q and messages %q, want the error of the agent after its text", problems, said)
			}
			d.finish()
		})
	}
}

func TestALateAnswerIsTakenByItsTask(t *testing.T) {
	t.Parallel()
	b := meshtest.Mosquitto(t)
	stopped := make(chan struct{})
	(&meshtest.Agent{Name: "Slow", Namespace: "n", Streaming: true, Answer: func(r *meshtest.Request) {
		r.Say("working")
		<-stopped
		r.Final("completed", "at last")
		r.Final("failed", "again")
	}}).Start(t, b.Address)
	d := meshHarness(t)
	id := d.openAgent(b.URL("n") + "#Slow")
	turn := d.Send(model.Target{Agent: id}, &a2a.Message{Parts: []a2a.Part{a2a.TextPart("x")}}, model.SendOptions{})
	event := d.until("the first update", func(it log.Item) bool { return it.Record.Kind == a2a.KindEvent })
	d.Stop(turn)
	d.waitForTurnEnd(turn)
	close(stopped)
	stray := func(what string) log.Item {
		return d.until(what, func(it log.Item) bool { return it.Record.Kind == a2a.KindDelivery })
	}
	first := stray("the late answer")
	task := d.state.Task(id, event.Update.Events[0].TaskID)
	if task.State != a2a.StateCompleted || log.Describe(&first) != "stray task completed" {
		t.Errorf("got state %s, record %q; want that the task took it", task.State, log.Describe(&first))
	}
	stray("the second answer")
	if task.State != a2a.StateCompleted {
		t.Errorf("got state %s, want that the second answer changed nothing", task.State)
	}
	d.finish()
}

func TestCardsOfAMeshAreComparedByAgent(t *testing.T) {
	t.Parallel()
	b := meshtest.Mosquitto(t)
	(&meshtest.Agent{Name: "One", Namespace: "n"}).Start(t, b.Address)
	refs := make(chan string, 9)
	d := meshHarness(t)
	d.o.SinceLastRun = func(ref string, _ int, _ card.Snapshot) ([]card.Change, time.Time) {
		refs <- ref
		return nil, time.Time{}
	}
	d.openAgent(b.URL("n"))
	if got, want := <-refs, b.URL("n")+"/a2a/v1/agent/request/One"; got != want {
		t.Errorf("got reference %q, want %q", got, want)
	}
}

func TestAgentsOfAMeshGoAndComeWithItsBroker(t *testing.T) {
	t.Parallel()
	b := meshtest.Mosquitto(t)
	for _, name := range []string{"One", "Two"} {
		(&meshtest.Agent{Name: name, Namespace: "n"}).Start(t, b.Address)
	}
	d := meshHarness(t)
	d.Open(b.URL("n"))
	d.untilAll(model.Ready, "One", "Two")
	b.Stop()
	d.untilAll(model.Unreachable, "One", "Two")
	b.Start()
	d.untilAll(model.Ready, "One", "Two")
}

func TestANoteAboutABrokerConcernsAllItsAgents(t *testing.T) {
	t.Parallel()
	b := meshtest.Mosquitto(t)
	for _, name := range []string{"One", "Two"} {
		(&meshtest.Agent{Name: name, Namespace: "n"}).Start(t, b.Address)
	}
	d := meshHarness(t)
	d.Open(b.URL("n"))
	d.untilAll(model.Ready, "One", "Two")
	b.Stop()
	note := d.until("the note", func(it log.Item) bool { return it.Record.Note != nil && it.Record.Note.Type == log.NoteMesh })
	if got, want := log.AgentsIn(note.Record.Note), []a2a.AgentID{1, 2}; !slices.Equal(got, want) {
		t.Errorf("got agents %v, want %v", got, want)
	}
	for id, want := range map[a2a.AgentID]bool{1: true, 2: true, 3: false} {
		if got := d.state.Log.Concerns(note.Record.ID, id); got != want {
			t.Errorf("agent %d: got %v, want %v", id, got, want)
		}
	}
}
