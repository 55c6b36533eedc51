package filter

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/internal/tape"
	"parley/session/log"
)

// A recording has the findings and pauses that its tests set.
type recording struct {
	*tape.Tape
	gaps map[a2a.RecordID]time.Duration
}

func newRecording() *recording {
	f := &recording{Tape: tape.New(), gaps: map[a2a.RecordID]time.Duration{}}
	f.Now = time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC)
	f.Call.Binding = a2a.BindingJSONRPC
	return f
}

// put adds a record after ms milliseconds. A note belongs to no exchange.
func (f *recording) put(ms int, r a2a.Record, found ...a2a.Finding) {
	it := f.Next(ms, r)
	if r.Kind == a2a.KindNote {
		it.Record.Exchange, it.Record.Call = 0, nil
	}
	f.gaps[it.Record.ID] = time.Duration(ms) * time.Millisecond
	it.Update.Findings = found
	f.State.Apply(it)
}

func (f *recording) request(ms int, method, params string) {
	f.put(ms, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Head: &a2a.Head{Method: "POST", URL: "http://127.0.0.1:4711/a2a", Header: http.Header{"Traceparent": {"00-4bf92f"}}},
		Raw: []byte(`{"jsonrpc":"2.0","id":"r","method":"` + method + `","params":` + params + `}`)})
}

func (f *recording) head(ms, status int) {
	f.put(ms, a2a.Record{Kind: a2a.KindHead, Dir: a2a.In, Head: &a2a.Head{Status: status, Header: http.Header{"Content-Type": {"text/event-stream"}}}})
}

func (f *recording) event(ms int, result string, found ...a2a.Finding) {
	data := `{"jsonrpc":"2.0","id":"r","result":` + result + `}`
	f.put(ms, a2a.Record{Kind: a2a.KindEvent, Dir: a2a.In, Raw: []byte("data: " + data + "\n\n"), Data: []byte(data)}, found...)
}

func (f *recording) end(ms int, why a2a.EndReason, class string) {
	f.put(ms, a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In, End: &a2a.End{Reason: why, Class: class}})
}

const ids = `"taskId":"91c2e0d4-77f1","contextId":"7f3a11b9-02c8"`

// desk is a session with two exchanges and a note: a stream that is cut, and a get
// that fails.
func desk() *recording {
	f := newRecording()
	f.request(0, "SendStreamingMessage", `{"message":{"messageId":"m1","role":"ROLE_USER","parts":[{"text":"Book me a flight"}]}}`) // 1
	f.head(41, 200)                                                                                                                 // 2
	f.event(2, `{"task":{"id":"91c2e0d4-77f1","contextId":"7f3a11b9-02c8","status":{"state":"TASK_STATE_SUBMITTED"}}}`)             // 3
	f.event(210, `{"statusUpdate":{`+ids+`,"status":{"state":"TASK_STATE_WORKING"}}}`)                                              // 4
	f.event(96, `{"artifactUpdate":{`+ids+`,"artifact":{"artifactId":"a1","name":"itinerary.md","parts":[{"text":"Z\u00fcrich, \u00c9t\u00e9, \"10\" to 17"}]}}}`,
		a2a.Finding{Rule: "ART-003", Severity: a2a.Info}) // 5
	f.event(2100, `{"artifactUpdate":{`+ids+`,"append":true,"artifact":{"artifactId":"a1","parts":[{"text":"`+strings.Repeat("Grüße ", 2000)+`"}]}}}`) // 6
	f.event(3, `{"statusUpdate":{`+ids+`,"status":{"state":"pondering"}}}`, a2a.Finding{Rule: "STAT-004", Severity: a2a.Error})                        // 7
	f.event(4, `{"statusUpdate":{`+ids+`,"status":{"state":"TASK_STATE_INPUT_REQUIRED"}}}`, a2a.Finding{Rule: "STAT-009", Severity: a2a.Warning})      // 8
	f.end(1, a2a.Cut, "reset")                                                                                                                         // 9
	f.Call = &a2a.Call{Agent: 2, Conversation: 2, Turn: 2, Op: a2a.OpGet, Dialect: a2a.V10, TaskID: "task-000017", ContextID: "ctx-9"}
	f.request(60_000, "GetTask", `{"id":"task-000017"}`) // 10
	f.head(5, 404)                                       // 11
	data := `{"jsonrpc":"2.0","id":"r","error":{"code":-32001,"message":"Task not found"}}`
	f.put(1, a2a.Record{Kind: a2a.KindBody, Dir: a2a.In, Raw: []byte(data)}) // 12
	f.end(1, a2a.Ended, "")                                                  // 13
	f.put(1000, a2a.Record{Kind: a2a.KindNote, Note: &a2a.Note{Type: log.NoteUnsent, Attrs: map[string]string{"agent": "2", "sentence": "Nobody answers at the door."}}})
	return f
}

// env returns what the tape's records do not contain.
func (f *recording) env() *Env {
	e := &Env{
		Agent:   func(id a2a.AgentID) string { return map[a2a.AgentID]string{1: "Travel Desk", 2: "Old Clerk"}[id] },
		Gap:     func(it *log.Item) time.Duration { return f.gaps[it.Record.ID] },
		Longest: LongestIn(f.State.Log),
		Muted:   func(rule string) bool { return rule == "ART-003" },
		Marked:  func(id a2a.RecordID) bool { return id == 4 },
		Comment: func(id a2a.RecordID) string {
			return map[a2a.RecordID]string{5: "is this chunk complete?", 8: "why?"}[id]
		},
		Values: &Values{},
	}
	for i := 1; i <= f.State.Log.Len(); i++ {
		e.Values.Add(f.State.Log.At(a2a.RecordID(i)))
	}
	about := map[a2a.ExchangeID]About{}
	for i := 1; i <= f.State.Log.Len(); i++ {
		it := f.State.Log.At(a2a.RecordID(i))
		if a := AboutOf(it); about[it.Record.Exchange] == (About{}) {
			about[it.Record.Exchange] = a
		}
	}
	e.About = func(x a2a.ExchangeID) About { return about[x] }
	e.Start = f.State.Log.At(1).Record.Time
	e.End = f.Now
	return e
}

// hits returns the records that a filter lists, as words.
func (f *recording) hits(t *testing.T, text string) string {
	t.Helper()
	flt, err := Parse(text)
	if err != nil {
		t.Errorf("%s: %v", text, err)
		return ""
	}
	env := f.env()
	var out []string
	for i := 1; i <= f.State.Log.Len(); i++ {
		if flt.Match(f.State.Log.At(a2a.RecordID(i)), env) {
			out = append(out, strconv.Itoa(i))
		}
	}
	return strings.Join(out, " ")
}
