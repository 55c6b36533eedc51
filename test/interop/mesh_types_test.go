package interop

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/a2a/mesh"
	"parley/a2a/mesh/meshtest"
)

// What Parley sends to agents of a mesh, and what the agents of the tests send, has the types of
// the official SDK whose wire a mesh speaks: TypeScript refuses a member that a type lacks, one
// that is missing, and one with another value.
func TestFramesOfAMeshHaveTheTypesOfTheSDK(t *testing.T) {
	t.Parallel()
	source := "import type { AgentCard, CancelTaskRequest, JSONRPCErrorResponse, SendMessageRequest, SendMessageSuccessResponse,\n" +
		"  SendStreamingMessageRequest, SendStreamingMessageSuccessResponse } from '@a2a-js/sdk';\n"
	frames := meshFrames(t)
	seen := map[string]int{}
	for i, f := range frames {
		seen[f.kind]++
		source += fmt.Sprintf("export const frame%d: %s = %s;\n", i, f.kind, f.body)
	}
	for kind, least := range map[string]int{"AgentCard": 2, "CancelTaskRequest": 1, "JSONRPCErrorResponse": 1, "SendMessageRequest": 6, "SendStreamingMessageRequest": 6, "SendStreamingMessageSuccessResponse": 6} {
		if seen[kind] < least {
			t.Errorf("got %d frames of the type %s, want at least %d", seen[kind], kind, least)
		}
	}
	// The check itself: each of these must be refused, or @ts-expect-error is an error.
	mistakes := map[string]bool{}
	for i, f := range frames {
		for _, wrong := range spoiled(f) {
			mistakes[wrong.name] = true
			source += fmt.Sprintf("// @ts-expect-error\nexport const wrong%d_%s: %s = %s;\n", i, wrong.name, f.kind, wrong.body)
		}
	}
	if len(mistakes) != 10 {
		t.Errorf("got the mistakes %v, want all ten tried", mistakes)
	}
	dir := install(t, filepath.Join("agents", "a2a-js-0.3.14-types"))
	if err := os.WriteFile(filepath.Join(dir, "frames.ts"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", filepath.Join("node_modules", "typescript", "bin", "tsc"), "--project", ".")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		lines := strings.Split(source, "\n")
		t.Errorf("the types refuse a frame, or accept a wrong one: %v\n%s\nThe first line: %s", err, out, lineOf(lines, string(out)))
	}
}

// lineOf returns the line of the source that the first error names.
func lineOf(lines []string, out string) string {
	var at int
	if _, err := fmt.Sscanf(out, "frames.ts(%d,", &at); err != nil || at < 1 || at > len(lines) {
		return ""
	}
	return lines[at-1]
}

// A frame is a payload of a mesh and the type that it must have.
type frame struct{ kind, body string }

// A wrong is a frame that no type accepts.
type wrong struct{ name, body string }

// spoiled returns a frame with the mistakes that a type must find.
func spoiled(f frame) (out []wrong) {
	for _, c := range []struct{ name, old, with string }{
		{"snake", `"messageId":`, `"message_id":`},
		{"version", `"jsonrpc":"2.0"`, `"jsonrpc":"1.0"`},
		{"role", `"role":"user"`, `"role":"ROLE_USER"`},
		{"method", `"method":"`, `"method":"old-`},
		{"state", `"state":"`, `"state":"TASK_STATE_`},
		{"part", `"kind":"text"`, `"type":"text"`},
		{"id", `"params":{"id":`, `"params":{"name":`},
		{"code", `"code":-`, `"code":"x",`},
		{"extra", `"message":{`, `"message":{"bogus":1,`},
		{"card", `"defaultInputModes":[`, `"input":[`},
	} {
		if c.name == "code" {
			c.old, c.with = `"message":"`, `"text":"`
			if f.kind != "JSONRPCErrorResponse" {
				continue
			}
		}
		if body := strings.Replace(f.body, c.old, c.with, 1); body != f.body {
			out = append(out, wrong{c.name, body})
		}
	}
	return out
}

// meshFrames holds conversations on a mesh with every kind of part and returns all payloads.
func meshFrames(t *testing.T) (frames []frame) {
	b := meshtest.Mosquitto(t)
	hub := mesh.NewHub("wb-1", mesh.Times{Cancel: 200 * time.Millisecond})
	t.Cleanup(hub.Close)
	card := func(body []byte) { frames = append(frames, frame{"AgentCard", string(body)}) }
	for _, streaming := range []bool{true, false} {
		name := map[bool]string{true: "Billing", false: "Plain"}[streaming]
		agent := (&meshtest.Agent{Name: name, Namespace: "n", Streaming: streaming, Answer: answerAll}).Start(t, b.Address)
		ids := 0
		o := a2a.Options{Carriers: map[a2a.Binding]a2a.Carrier{a2a.BindingMQTT: hub.Carrier(mesh.Settings{})}, NewID: func() string { ids++; return fmt.Sprintf("%s-%d", name, ids) }}
		o.Trace.Now = time.Now
		o.Trace.Put = func(r a2a.Record, _ a2a.Update) a2a.RecordID {
			switch {
			case r.Kind == a2a.KindRequest && strings.Contains(string(r.Raw), "tasks/cancel"):
				frames = append(frames, frame{"CancelTaskRequest", string(r.Raw)})
			case r.Kind == a2a.KindRequest && r.Dir == a2a.Out && streaming:
				frames = append(frames, frame{"SendStreamingMessageRequest", string(r.Raw)})
			case r.Kind == a2a.KindRequest && r.Dir == a2a.Out:
				frames = append(frames, frame{"SendMessageRequest", string(r.Raw)})
			case r.Kind == a2a.KindEvent && strings.Contains(string(r.Raw), `"error"`):
				frames = append(frames, frame{"JSONRPCErrorResponse", string(r.Raw)})
			case r.Kind == a2a.KindEvent:
				frames = append(frames, frame{"SendStreamingMessageSuccessResponse", string(r.Raw)})
			}
			return a2a.RecordID(len(frames) + 1)
		}
		found := a2a.Discover(t.Context(), b.URL("n")+"#"+name, &a2a.Call{Op: a2a.OpCard, Agent: 1}, o, a2a.Hooks{})
		if found.Card == nil {
			t.Fatalf("got no card of %s: %s", name, found.Sentence)
		}
		card(found.Card.Raw)
		c := a2a.NewClient(found.Profile, found.Card, o)
		for i, part := range parts() {
			m := &a2a.Message{ID: o.NewID(), Role: a2a.RoleUser, Parts: []a2a.Part{a2a.TextPart(fmt.Sprint("part ", i)), part}, Metadata: json.RawMessage(`{"own":[1,{"a":null}]}`)}
			if i == 1 {
				m.ContextID, m.ReferenceTaskIDs, m.Extensions = "c", []string{"t0"}, []string{"https://e.example/x"}
			}
			c.Do(t.Context(), a2a.Request{Call: &a2a.Call{Op: a2a.OpStream, Agent: 1}, Message: m}, a2a.Hooks{})
		}
		failing := &a2a.Message{ID: o.NewID(), Role: a2a.RoleUser, Parts: []a2a.Part{a2a.TextPart("fail")}}
		c.Do(t.Context(), a2a.Request{Call: &a2a.Call{Op: a2a.OpStream, Agent: 1}, Message: failing}, a2a.Hooks{})
		cancel := a2a.NewClient(found.Profile, found.Card, o)
		_ = cancel.Do(t.Context(), a2a.Request{Call: &a2a.Call{Op: a2a.OpCancel, Agent: 1}, TaskID: agent.Requests()[0].ID}, a2a.Hooks{})
	}
	return slices.Clip(frames)
}

// parts are all kinds of parts of a message.
func parts() []a2a.Part {
	return []a2a.Part{
		a2a.TextPart("ü \u2028 \"quoted\""),
		{Kind: a2a.PartBytes, Content: []byte{0, 1, 255}, Filename: "a.bin", MediaType: "application/octet-stream"},
		{Kind: a2a.PartURL, URL: "https://files.example/a.pdf", Filename: "a.pdf", MediaType: "application/pdf"},
		{Kind: a2a.PartData, Data: json.RawMessage(`{"n":1,"list":[true,null]}`)},
		{Kind: a2a.PartBytes, Content: []byte("x")},
		{Kind: a2a.PartURL, URL: "artifact://A/u/s/f?version=1"},
	}
}

// answerAll publishes every kind of answer.
func answerAll(r *meshtest.Request) {
	if r.Text == "fail" {
		r.Reply(r.Props["replyTo"], fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"error":{"code":-32603,"message":"no","data":{"taskId":%q,"reason":"llm_call_limit_reached"}}}`, r.ID, r.ID))
		return
	}
	r.Say("text")
	r.Peer("Archive", "searching")
	r.EndTurn("turn")
	r.Status(`{"kind":"data","data":{"type":"tool_invocation_start","tool_name":"ledger","function_call_id":"f1"}}`)
	r.Status(`{"kind":"file","file":{"name":"a.txt","mimeType":"text/plain","uri":"artifact://A/u/s/a.txt"}}`)
	r.Artifact("f.txt", "one", false, false)
	r.Final("completed", "done")
}
