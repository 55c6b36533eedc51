//go:build unix

package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// An unrulyAgent is an agent of 1.0 that does too much or too little of everything: each word
// that it receives selects a behaviour.
type unrulyAgent struct {
	*httptest.Server
	skills int
}

func newUnrulyAgent(t *testing.T, skills int) *unrulyAgent {
	t.Helper()
	b := &unrulyAgent{skills: skills}
	b.Server = httptest.NewServer(b)
	t.Cleanup(func() {
		b.CloseClientConnections() // some requests are never answered
		b.Close()
	})
	return b
}

// large is the size of its file; the remainder of a division by 3 is 2.
const large = 50 << 20

// names are the names of its files. Used unchanged, each would be a path outside the directory.
var names = []string{"../../x", "/etc/passwd", `..\..\x`, `C:\boot.ini`, "CON", "..", "a\nb", "~/.ssh/id", "\x1b[31mred", strings.Repeat("👩‍🚀🇳🇴🧳", 4096/23)}

// A reply is one answer of an unruly agent.
type reply struct {
	w    http.ResponseWriter
	r    *http.Request
	id   json.RawMessage
	task string
}

// event sends one event of a stream.
func (a *reply) event(format string, args ...any) {
	a.w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprintf(a.w, `data: {"jsonrpc":"2.0","id":%s,"result":{%s}}`+"\n\n", a.id, fmt.Sprintf(format, args...))
	_ = http.NewResponseController(a.w).Flush()
}

func (a *reply) state(state, says string) {
	a.event(`"statusUpdate":{"taskId":%q,"contextId":"c","status":{"state":"TASK_STATE_%s","message":{"messageId":"m-%s","role":"ROLE_AGENT","parts":[{"text":%q}]}}}`,
		a.task, state, a.task, says)
}

func (a *reply) begin(more string) {
	a.event(`"task":{"id":%q,"contextId":"c","status":{"state":"TASK_STATE_WORKING"}%s}`, a.task, more)
}

func (a *reply) artifact(key, parts string) {
	a.event(`"artifactUpdate":{"taskId":%q,"contextId":"c","artifact":{"artifactId":%q,"name":%q,"parts":[%s]}}`, a.task, key, key, parts)
}

func (b *unrulyAgent) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		skills := make([]string, b.skills)
		for i := range skills {
			skills[i] = fmt.Sprintf(`{"id":"s%d","name":"Skill %d","description":"d","tags":[],"examples":["do thing %d"]}`, i, i, i)
		}
		fmt.Fprintf(w, `{"name":"Unruly","description":"d","version":"1","supportedInterfaces":[{"url":%q,"protocolBinding":"JSONRPC","protocolVersion":"1.0"}],
			"capabilities":{"streaming":true},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[%s]}`, b.URL+"/rpc", strings.Join(skills, ","))
		return
	}
	var q struct {
		ID     json.RawMessage
		Method string
		Params struct {
			ID      string
			Message struct {
				TaskID string
				Parts  []struct{ Text string }
			}
		}
	}
	body, _ := io.ReadAll(r.Body)
	if json.Unmarshal(body, &q) != nil {
		return
	}
	a := &reply{w: w, r: r, id: q.ID}
	switch q.Method {
	case "GetTask", "CancelTask":
		state := map[string]string{"GetTask": "COMPLETED", "CancelTask": "CANCELED"}[q.Method]
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"id":%q,"contextId":"c","status":{"state":"TASK_STATE_%s"}}}`, q.ID, q.Params.ID, state)
	default:
		a.task = q.Params.Message.Parts[0].Text
		if q.Params.Message.TaskID != "" {
			a.task = q.Params.Message.TaskID
		}
		a.perform()
	}
}

// perform shows the behaviour that the task names.
func (a *reply) perform() {
	switch a.task {
	case "loop":
		a.state("INPUT_REQUIRED", "And what else?")
	case "history":
		list := make([]string, 10_000)
		for i := range list {
			list[i] = fmt.Sprintf(`{"messageId":"h%d","role":"ROLE_AGENT","parts":[{"text":"message number %d of many"}]}`, i, i)
		}
		a.begin(`,"history":[` + strings.Join(list, ",") + `]`)
		a.state("COMPLETED", "That is all that was said.")
	case "artifacts":
		a.begin("")
		for i := range 100 {
			a.artifact(fmt.Sprint("paper ", i), []string{`{"text":"# It says\n\n- this"}`, `{"data":{"n":[1,2]}}`, `{"url":"https://files.example/x.pdf"}`}[i%3])
		}
		a.state("COMPLETED", "A hundred of them.")
	case "file":
		a.begin("")
		a.artifact("file", `{"filename":"large.bin","raw":"`+strings.Repeat("AAAA", large/3)+`AAA="}`) // base64 of zeros, which is cheap for the agent
		a.state("COMPLETED", "There it is.")
	case "names":
		a.begin("")
		for i, name := range names {
			quoted, _ := json.Marshal(name)
			a.artifact(fmt.Sprint("n", i), fmt.Sprintf(`{"filename":%s,"raw":"aGVsbG8="}`, quoted))
		}
		a.state("COMPLETED", "Keep them all.")
	case "twice":
		for _, says := range []string{"My answer.", "My other answer."} {
			a.event(`"message":{"messageId":%q,"role":"ROLE_AGENT","contextId":"c","parts":[{"text":%q}]}`, says, says)
		}
	case "never":
		<-a.r.Context().Done()
	default:
		a.event(`"message":{"messageId":"m","role":"ROLE_AGENT","contextId":"c","parts":[{"text":"Done: %s."}]}`, a.task)
	}
}
