package model_test

import (
	"fmt"
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/sessiontest"
)

// A name line says that no part was lost only where that is sure, and how many events were only where the ids
// of the frames prove it.
func TestAnArtifactSaysWhetherPartsWereLost(t *testing.T) {
	const unknown = "not known whether parts were lost"
	chunk := func(n int) string {
		return sessiontest.ChunkOf("a", fmt.Sprintf("word %d ", n), n > 1)
	}
	whole := func(n int, artifact string) string {
		parts := make([]string, n)
		for i := range parts {
			parts[i] = fmt.Sprintf(`{"text":"word %d "}`, i+1)
		}
		return fmt.Sprintf(`{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"},"artifacts":[{"artifactId":%q,"parts":[%s]}]}}`,
			artifact, strings.Join(parts, ","))
	}
	const last = `{"artifactUpdate":{"taskId":"t","contextId":"c","append":true,"lastChunk":true,"artifact":{"artifactId":"a","parts":[{"text":"end"}]}}}`
	done := sessiontest.StatusWord("COMPLETED")
	type frames []string
	for name, c := range map[string]struct {
		first frames
		ids   []string
		next  frames // of the subscription, nil for none
		more  []string
		loss  string
		facts string
	}{
		"never cut":                   {first: frames{chunk(1), chunk(2), done}, loss: "none lost", facts: "2 parts · 14 B · none lost"},
		"cut after the end":           {first: frames{chunk(1), done}, loss: "none lost"},
		"cut, and nothing followed":   {first: frames{chunk(1), chunk(2)}, loss: unknown},
		"cut after its last chunk":    {first: frames{chunk(1), last}, loss: "none lost"},
		"sealed with each chunk":      {first: frames{last, last, last}, loss: unknown},
		"goes on without a word":      {first: frames{chunk(1), chunk(2)}, next: frames{chunk(4), done}, loss: unknown},
		"begins with the whole task":  {first: frames{chunk(1), chunk(2)}, next: frames{whole(5, "a"), done}, loss: "none lost", facts: "5 parts · 35 B · none lost · 2 events, 1 snapshot"},
		"the task lacks the artifact": {first: frames{chunk(1), chunk(2)}, next: frames{whole(1, "b"), done}, loss: unknown},
		"repeats from the beginning":  {first: frames{chunk(1), chunk(2)}, next: frames{chunk(1), chunk(2), chunk(3), done}, loss: "none lost"},
		"the ids go on": {first: frames{chunk(1), chunk(2)}, ids: []string{"e-0", "e-1"}, next: frames{chunk(3), done}, more: []string{"e-2", "e-3"},
			loss: "none lost"},
		"the ids jump": {first: frames{chunk(1), chunk(2), chunk(3)}, ids: []string{"1", "2", "3"}, next: frames{chunk(7), done}, more: []string{"7", "8"},
			loss: "at least 3 events lost"},
		"the ids count something else": {first: frames{chunk(1), chunk(2)}, ids: []string{"7", "19"}, next: frames{chunk(7)}, more: []string{"44"}, loss: unknown},
		"the ids do not begin at one":  {first: frames{chunk(1), chunk(2)}, ids: []string{"7", "8"}, next: frames{chunk(7)}, more: []string{"12"}, loss: unknown},
		"the ids have other names":     {first: frames{chunk(1), chunk(2)}, ids: []string{"a1", "a2"}, next: frames{chunk(7)}, more: []string{"b7"}, loss: unknown},
		"the ids begin anew":           {first: frames{chunk(1), chunk(2)}, ids: []string{"1", "2"}, next: frames{chunk(7)}, more: []string{"1"}, loss: unknown},
		"a huge id":                    {first: frames{chunk(1), chunk(2)}, ids: []string{"1", "2"}, next: frames{chunk(7)}, more: []string{"9223372036854775807"}, loss: unknown},
		"a larger one":                 {first: frames{chunk(1), chunk(2)}, ids: []string{"1", "2"}, next: frames{chunk(7)}, more: []string{"99999999999999999999999"}, loss: unknown},
	} {
		p := sessiontest.NewTape()
		play := func(op a2a.Op, events, ids []string, end a2a.End) {
			call := sessiontest.CallOf(op, 1)
			if op == a2a.OpSubscribe {
				call.TaskID = "t"
			}
			x := p.Ask(call, "hi")
			p.Head(x, call)
			for i, result := range events {
				e := `{"jsonrpc":"2.0","id":"r","result":` + result + `}`
				r := a2a.Record{Kind: a2a.KindEvent, Dir: a2a.In, Exchange: x, Call: call, Data: []byte(e), Raw: []byte("data: " + e + "\n\n")}
				if i < len(ids) {
					r.SSE = &a2a.SSEFields{ID: ids[i]}
				}
				p.Put(r)
			}
			p.End(x, call, end)
		}
		cut := a2a.End{Reason: a2a.Cut, Class: a2a.ClassCut, Sentence: "It broke."}
		play(a2a.OpStream, c.first, c.ids, cut)
		if c.next != nil {
			play(a2a.OpSubscribe, c.next, c.more, a2a.End{Reason: a2a.Ended})
		}
		a := p.State.Task(1, "t").Artifacts[0]
		if got := a.Loss(); got != c.loss {
			t.Errorf("%s: got %q, want %q", name, got, c.loss)
		}
		if got := strings.Join(a.Facts(), " · "); c.facts != "" && got != c.facts {
			t.Errorf("%s: got %q, want %q", name, got, c.facts)
		}
	}
}
