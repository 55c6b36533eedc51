package engine

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/a2a/mesh/meshtest"
	"parley/session/log"
	"parley/session/model"
)

// While a mesh has no agent, a message to it would go to whichever announces itself first.
func TestAMessageToAMeshThatNamesNoAgentIsNotSent(t *testing.T) {
	t.Parallel()
	b := meshtest.Mosquitto(t)
	d := meshHarness(t)
	d.o.Saved = func(name string) (Saved, bool) {
		return Saved{Name: "Mesh", Ref: b.URL("n"), Client: func() a2a.Options { return d.o.Client(b.URL("n")) }}, name == "Mesh"
	}
	id := d.Open("Mesh")
	d.until("that discovery begins", func(it log.Item) bool { return it.Signal != nil && it.Signal.Kind == log.SignalOpening })
	turn := d.Send(model.Target{Agent: id}, &a2a.Message{Parts: []a2a.Part{a2a.TextPart("secret plans")}}, model.SendOptions{})
	if sig := d.waitForTurnEnd(turn); !strings.Contains(sig.Sentence, b.URL("n")+" names no agent of the mesh") {
		t.Errorf("got end %q, want that no agent was named", sig.Sentence)
	}
	first := (&meshtest.Agent{Name: "First", Namespace: "n", Streaming: true, Answer: func(r *meshtest.Request) { r.Final("completed", "ok") }}).Start(t, b.Address)
	d.until("the first agent", func(log.Item) bool { a := d.named("First"); return a != nil && a.Phase == model.Ready })
	a := d.state.Agent(id)
	if a.Name() != "First desk" || a.Ref != b.URL("n") || a.Address() != b.URL("n")+"#First" {
		t.Errorf("got agent %q at %s, address %s; want its own name and address", a.Name(), a.Ref, a.Address())
	}
	turn = d.Send(model.Target{Agent: id}, &a2a.Message{Parts: []a2a.Part{a2a.TextPart("hi")}}, model.SendOptions{})
	if sig := d.waitForTurnEnd(turn); sig.Sentence != "" {
		t.Errorf("got failure %q, want none", sig.Sentence)
	}
	if got := first.Requests(); len(got) != 1 || got[0].Text != "hi" {
		t.Errorf("got requests %+v, want the message that was written when the agent was there", got)
	}
	d.finish()
}

// Without all agents, an engine refuses a mesh, and opens none that announces itself later.
func TestAMeshThatNamesNoAgentIsRefused(t *testing.T) {
	t.Parallel()
	b := meshtest.Mosquitto(t)
	first := (&meshtest.Agent{Name: "First", Namespace: "n", Streaming: true}).Start(t, b.Address)
	first.Publish("n/a2a/v1/discovery/agentcards", `{"name":"Kept","url":"solace:n/a2a/v1/agent/request/Kept","version":"1","protocolVersion":"0.3.0","capabilities":{},"skills":[]}`, true, nil)
	d := meshHarness(t, func(o *a2a.Options) { o.MeshListen = time.Second })
	d.o.Whole = false
	untilAnnounced(t, d.o.Client(b.URL("n")), b.URL("n"), "Kept") // how long that takes does not count
	id := d.Open(b.URL("n"))
	opened := d.waitForSignal(log.SignalOpened)
	if opened.Class != a2a.ClassMesh || !slices.Contains(opened.Announced, "Kept") || opened.Profile != nil {
		t.Errorf("got %+v, want a refusal with the agents", opened)
	}
	turn := d.Send(model.Target{Agent: id}, &a2a.Message{Parts: []a2a.Part{a2a.TextPart("x")}}, model.SendOptions{})
	if sig := d.waitForTurnEnd(turn); !strings.Contains(sig.Sentence, "names no agent of the mesh") {
		t.Errorf("got end %q, want a refusal", sig.Sentence)
	}
	if len(d.meshes) != 0 || len(d.state.Agents) != 1 || len(first.Requests()) != 0 {
		t.Errorf("got %d meshes that are followed, %d agents and %d requests, want no agent", len(d.meshes), len(d.state.Agents), len(first.Requests()))
	}
	d.finish()
}

// untilAnnounced waits until the gateway of a mesh knows an agent.
func untilAnnounced(t *testing.T, o a2a.Options, url, name string) {
	t.Helper()
	m, problem := a2a.ParseMesh(url)
	if problem != "" {
		t.Fatal(problem)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	seen := false
	failure := a2a.WatchMesh(ctx, m, o, func(s a2a.MeshSighting) {
		if s.Kind == a2a.SawCard && s.Agent == name {
			seen = true
			cancel()
		}
	})
	if !seen {
		t.Fatalf("after a minute: %s has not announced itself: %s", name, failure.Sentence)
	}
}
