package demo

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"parley/a2a/a2atest"
)

// A peer sends requests to one agent in the literal bytes of its dialect.
type peer struct {
	t        *testing.T
	name     string
	url      string // of the agent
	endpoint string
	card     map[string]any
	words    dialect
}

// A dialect holds what differs between the agents on the wire.
type dialect struct {
	cardPath, send, stream, get, cancel, subscribe string
	textPart, dataPart, extra                      string // %s is a JSON value
	version                                        string
}

func wires() map[string]dialect {
	v1 := dialect{
		cardPath: "/.well-known/agent-card.json",
		send:     "SendMessage", stream: "SendStreamingMessage", get: "GetTask", cancel: "CancelTask", subscribe: "SubscribeToTask",
		textPart: `{"text":%s}`, dataPart: `{"data":%s}`, extra: `"role":"ROLE_USER"`, version: "1.0",
	}
	return map[string]dialect{
		"Travel Desk": v1,
		"Saboteur":    v1,
		"Scribe": {
			cardPath: "/.well-known/agent-card.json",
			send:     "message/send", stream: "message/stream", get: "tasks/get", cancel: "tasks/cancel", subscribe: "tasks/resubscribe",
			textPart: `{"kind":"text","text":%s}`, dataPart: `{"kind":"data","data":%s}`, extra: `"role":"user","kind":"message"`,
		},
		"Old Clerk": {
			cardPath: "/.well-known/agent.json",
			send:     "tasks/send", stream: "tasks/sendSubscribe", get: "tasks/get", cancel: "tasks/cancel", subscribe: "tasks/resubscribe",
			textPart: `{"type":"text","text":%s}`, dataPart: `{"type":"data","data":%s}`, extra: `"role":"user"`,
		},
	}
}

// meet starts the demo without pauses and returns a peer per agent.
func meet(t *testing.T) map[string]*peer {
	t.Helper()
	return meetAt(t, 0)
}

// meetAt starts the demo at a pace.
func meetAt(t *testing.T, pace float64) map[string]*peer {
	t.Helper()
	agents, stop, err := Start(t.Context(), a2atest.Options{Pace: pace})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	peers := map[string]*peer{}
	for _, a := range agents {
		p := &peer{t: t, name: a.Name, url: a.URL, words: wires()[a.Name]}
		p.fetchCard()
		peers[a.Name] = p
	}
	return peers
}

func (p *peer) fetchCard() {
	p.t.Helper()
	resp, err := http.Get(p.url + p.words.cardPath)
	if err != nil {
		p.t.Fatal(err)
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(&p.card); err != nil {
		p.t.Fatalf("%s: the card is no JSON: %v", p.name, err)
	}
	p.endpoint, _ = p.card["url"].(string)
	if p.endpoint == "" {
		p.endpoint = dig(p.card, "supportedInterfaces", 0, "url").(string)
	}
}

// post sends one call with the id "q-1".
func (p *peer) post(method, params string) *http.Response {
	p.t.Helper()
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":"q-1","method":%q,"params":%s}`, method, params)
	req, err := http.NewRequestWithContext(p.t.Context(), http.MethodPost, p.endpoint, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if p.words.version != "" {
		req.Header.Set("A2A-Version", p.words.version)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		p.t.Fatalf("%s: %s %s: %v", p.name, method, params, err)
	}
	p.t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

// say returns the params of a send. A text that is a JSON object becomes a data
// part, as the examples of cards mean it.
func (p *peer) say(text, taskID string) string {
	part := fmt.Sprintf(p.words.dataPart, text)
	if !strings.HasPrefix(text, "{") {
		quoted, _ := json.Marshal(text)
		part = fmt.Sprintf(p.words.textPart, quoted)
	}
	if p.name == "Old Clerk" {
		return fmt.Sprintf(`{"id":%q,"sessionId":"s-1","message":{%s,"parts":[%s]}}`, taskID, p.words.extra, part)
	}
	ids := ""
	if taskID != "" {
		ids = fmt.Sprintf(`"taskId":%q,`, taskID)
	}
	return fmt.Sprintf(`{"message":{%s"messageId":"m-1",%s,"parts":[%s]}}`, ids, p.words.extra, part)
}

// An event is a frame in the terms that all dialects share.
type event struct {
	raw    string
	rpcID  any
	result map[string]any
	task   string
	state  string
	final  any
	// of an artifact update
	artifact     map[string]any
	key          string
	text         string
	append, last bool
	message      map[string]any
}

// events reads a stream to its end.
func (p *peer) events(resp *http.Response) []event {
	p.t.Helper()
	if got := resp.Header.Get("Content-Type"); got != "text/event-stream" {
		body, _ := io.ReadAll(resp.Body)
		p.t.Fatalf("%s: got status %d, content type %s and body %s, want a stream", p.name, resp.StatusCode, got, body)
	}
	var out []event
	scan := bufio.NewScanner(resp.Body)
	scan.Buffer(nil, 1<<20)
	for scan.Scan() {
		if data, ok := strings.CutPrefix(scan.Text(), "data: "); ok {
			e, err := read(data)
			if err != nil {
				p.t.Fatalf("%s: event %q: %v", p.name, data, err)
			}
			out = append(out, e)
		}
	}
	if err := scan.Err(); err != nil {
		p.t.Fatalf("%s: %v", p.name, err)
	}
	return out
}

// read understands a JSON-RPC response of any dialect.
func read(data string) (event, error) {
	var envelope map[string]any
	if err := json.Unmarshal([]byte(data), &envelope); err != nil {
		return event{}, err
	}
	e := event{raw: data, rpcID: envelope["id"]}
	r, _ := envelope["result"].(map[string]any)
	for _, wrapper := range []string{"task", "message", "statusUpdate", "artifactUpdate"} {
		if inner, ok := r[wrapper].(map[string]any); ok && r["id"] == nil && r["taskId"] == nil {
			r = inner
			break
		}
	}
	e.result = r
	e.task = word(r["taskId"]) + word(r["id"])
	e.state = strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(word(dig(r, "status", "state")), "TASK_STATE_"), "_", "-"))
	e.message, _ = dig(r, "status", "message").(map[string]any)
	if r["messageId"] != nil {
		e.message = r
	}
	e.final = r["final"]
	e.artifact, _ = r["artifact"].(map[string]any)
	if e.artifact != nil {
		e.key = word(e.artifact["artifactId"])
		if e.key == "" {
			e.key = fmt.Sprint(e.artifact["index"])
		}
		e.append = r["append"] == true || e.artifact["append"] == true
		e.last = r["lastChunk"] == true || e.artifact["lastChunk"] == true
		e.text = word(dig(e.artifact, "parts", 0, "text"))
	}
	return e, nil
}

func word(v any) string {
	s, _ := v.(string)
	return s
}

// dig follows names and indexes into a JSON value.
func dig(v any, path ...any) any {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[step]
		case int:
			a, _ := v.([]any)
			if step >= len(a) {
				return nil
			}
			v = a[step]
		}
	}
	return v
}

// stream sends a text and returns all events of the answer.
func (p *peer) stream(text, taskID string) []event {
	p.t.Helper()
	return p.events(p.post(p.words.stream, p.say(text, taskID)))
}

// call makes a plain call and returns its answer.
func (p *peer) call(method, params string) event {
	p.t.Helper()
	resp := p.post(method, params)
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	e, err := read(string(body))
	if err != nil {
		p.t.Fatalf("%s: %s: %v", method, body, err)
	}
	return e
}

func (p *peer) get(taskID string) event {
	p.t.Helper()
	return p.call(p.words.get, fmt.Sprintf(`{"id":%q}`, taskID))
}

// last returns the state that a stream ended with.
func last(events []event) string {
	state := ""
	for _, e := range events {
		if e.state != "" {
			state = e.state
		}
	}
	return state
}

// suggestion returns the first suggested reply of the last message.
func suggestion(events []event) string {
	for i := len(events) - 1; i >= 0; i-- {
		if s := word(dig(events[i].message, "metadata", "suggestedReplies", 0)); s != "" {
			return s
		}
	}
	return ""
}

// texts assembles the text of every artifact by the chunk rules.
func texts(t *testing.T, events []event) map[string]string {
	t.Helper()
	out, sealed := map[string]string{}, map[string]bool{}
	for _, e := range events {
		if e.artifact == nil {
			continue
		}
		if _, known := out[e.key]; known != e.append || sealed[e.key] {
			t.Errorf("artifact %s: known %v, append %v, sealed %v, want append for a known open one", e.key, known, e.append, sealed[e.key])
		}
		out[e.key] += e.text
		sealed[e.key] = e.last
	}
	for key := range out {
		if !sealed[key] {
			t.Errorf("artifact %s: got no last chunk, want one", key)
		}
	}
	return out
}

// raw reads a body that may be cut short.
func raw(t *testing.T, resp *http.Response) ([]byte, error) {
	t.Helper()
	b, err := io.ReadAll(resp.Body)
	return bytes.TrimRight(b, "\n"), err
}
