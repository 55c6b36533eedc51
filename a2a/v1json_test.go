package a2a

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestEventsOfEveryDialectPrintAs10(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		call Call
		body string
		want string
	}{
		{"status of 0.1", Call{Op: OpStream, Dialect: V01},
			`{"id":"t","status":{"state":"input-required","timestamp":"2025-04-02T16:59:25.5+02:00"},"final":true}`,
			`{"statusUpdate":{"taskId":"t","status":{"state":"TASK_STATE_INPUT_REQUIRED","timestamp":"2025-04-02T14:59:25.5Z"}}}`},
		{"artifact of 0.1", Call{Op: OpStream, Dialect: V01},
			`{"id":"t","artifact":{"name":"n","index":0,"append":true,"lastChunk":true,"parts":[{"type":"text","text":"<x>"}]}}`,
			`{"artifactUpdate":{"taskId":"t","artifact":{"artifactId":"#0","name":"n","parts":[{"text":"<x>"}]},"append":true,"lastChunk":true}}`},
		{"message of 0.3", Call{Op: OpStream, Dialect: V03},
			`{"kind":"message","role":"agent","messageId":"m","contextId":"c","parts":[{"kind":"file","file":{"bytes":"AA==","name":"a","mimeType":"b/c"}},{"kind":"file","file":{"uri":"https://x"}},{"kind":"data","data":{"value":3},"metadata":{"data_part_compat":true,"k":1}}]}`,
			`{"message":{"messageId":"m","contextId":"c","role":"ROLE_AGENT","parts":[{"raw":"AA==","filename":"a","mediaType":"b/c"},{"url":"https://x"},{"data":3,"metadata":{"k":1}}]}}`},
		{"task of 0.3", Call{Op: OpGet, Dialect: V03},
			`{"kind":"task","id":"t","contextId":"c","status":{"state":"paused"},"history":[{"kind":"message","role":"user","messageId":"m","parts":[{"kind":"text","text":"x"}]}]}`,
			`{"task":{"id":"t","contextId":"c","status":{"state":"paused"},"history":[{"messageId":"m","role":"ROLE_USER","parts":[{"text":"x"}]}]}}`},
		{"unknown part", Call{Op: OpSend, Dialect: V03},
			`{"kind":"message","role":"agent","messageId":"m","parts":[{"kind":"video","video":1}]}`,
			`{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"kind":"video","video":1}]}}`},
		{"1.0 with members nobody defined", Call{Op: OpStream, Dialect: V10},
			`{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING","x":[1.0]},"y":null}}`,
			`{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING","x":[1.0]},"y":null}}`},
		{"bare task of 1.0", Call{Op: OpGet, Dialect: V10},
			`{"id":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"},"z":1}`,
			`{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"},"z":1}}`},
		{"draft of 1.0", Call{Op: OpStream, Dialect: V10},
			`{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"working"},"final":false}}`,
			`{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			ev, _ := one(t, &c.call, Input{Body: rpc(c.body), Stream: c.call.Op == OpStream})
			if got := string(EncodeV1Event(&ev)); got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestEventsWithoutA10ShapePrintNothing(t *testing.T) {
	t.Parallel()
	if got := EncodeV1Event(&Event{Kind: EventError, Err: &RPCError{}}); got != nil {
		t.Errorf("got %s for an error event, want nothing", got)
	}
}

func TestAssembledTaskPrintsWhatWasAssembled(t *testing.T) {
	t.Parallel()
	f, _ := foldBodies(t, nil,
		`{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_SUBMITTED"}}}`,
		`{"artifactUpdate":{"taskId":"t","contextId":"c","artifact":{"artifactId":"a","parts":[{"text":"x"}]}}}`)
	want := `{"id":"t","contextId":"c","status":{"state":"TASK_STATE_SUBMITTED"},"artifacts":[{"artifactId":"a","parts":[{"text":"x"}]}]}`
	if got := string(EncodeV1Task(f.Task("t"))); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

func TestCardsOfEveryDialectPrintAs10(t *testing.T) {
	t.Parallel()
	for _, v := range loadVectors(t) {
		if v.Kind != "card" {
			continue
		}
		cards, _, failure := ParseCard(v.body, "https://agent.example.com/.well-known/agent-card.json")
		if failure != nil {
			t.Fatalf("got failure %q, want a card", failure)
		}
		raw := EncodeV1Card(cards[0])
		again, findings, failure := ParseCard(raw, "")
		if failure != nil || len(findings) > 0 {
			t.Errorf("%s: got error %v and findings %v of %s, want none", v.File, failure, findings, raw)
			continue
		}
		if !isV1Card(raw) || again[0].Interfaces[0].Version == "" {
			t.Errorf("%s: got %s, want a card of 1.0", v.File, raw)
		}
		a, b := cards[0], again[0]
		if a.Name != b.Name || len(a.Interfaces) != len(b.Interfaces) || len(a.Skills) != len(b.Skills) || len(a.Security) != len(b.Security) {
			t.Errorf("%s: got %s, which lost members", v.File, raw)
		}
		for _, old := range []string{"preferredTransport", "additionalInterfaces", "supportsAuthenticatedExtendedCard", `"authentication"`} {
			if strings.Contains(string(raw), old) {
				t.Errorf("%s: got old member %s in %s", v.File, old, raw)
			}
		}
	}
}

func TestCardOf10PrintsAsItCame(t *testing.T) {
	t.Parallel()
	body := readVector(t, "v1.0/01-card.json")
	cards, _, _ := ParseCard(body, "")
	if got := EncodeV1Card(cards[0]); strings.TrimSpace(string(body)) != string(got) {
		t.Errorf("got %s, want the card unchanged", got)
	}
	if !json.Valid(EncodeV1Card(&Card{Name: "built"})) {
		t.Errorf("got card %s, want valid JSON", EncodeV1Card(&Card{Name: "built"}))
	}
}
