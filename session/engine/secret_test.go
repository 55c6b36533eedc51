package engine

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/session/sessiontest"
)

// theSecret is sent to agents that repeat it in every encoding; only its first two characters
// may be found anywhere.
const theSecret = `Zyx "vutsrq"/4711`

// leaks returns the pieces of the secret that a text contains.
func leaks(where string) []string {
	var found []string
	for _, piece := range []string{"vut", "uts", "tsrq", `x "v`, `x \"v`, "Zyx", base64.StdEncoding.EncodeToString([]byte(theSecret))[:16]} {
		if strings.Contains(where, piece) {
			found = append(found, piece)
		}
	}
	return append(found, number.FindAllString(where, 1)...)
}

// number is a number in the secret that is no part of a time, a port or a hash.
var number = regexp.MustCompile(`(^|[^0-9a-f])4711($|[^0-9a-f])`)

// A parrot is an agent that repeats messages in encodings that may hide a secret.
type parrot struct {
	*httptest.Server
	heard    atomic.Value // the last received text
	redirect string       // where it redirects messages
}

func newParrot(t *testing.T) *parrot {
	p := &parrot{}
	p.heard.Store("")
	p.Server = httptest.NewServer(http.HandlerFunc(p.serve))
	t.Cleanup(p.Close)
	return p
}

func (p *parrot) serve(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		fmt.Fprintf(w, `{"name":"Parrot","description":"d","version":"1","capabilities":{"streaming":true},"skills":[],
			"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],
			"supportedInterfaces":[{"url":%q,"protocolBinding":"JSONRPC","protocolVersion":"1.0"}]}`, p.URL+"/rpc")
		return
	}
	if p.redirect != "" {
		http.Redirect(w, r, p.redirect, http.StatusTemporaryRedirect)
		return
	}
	body, _ := io.ReadAll(r.Body)
	var call struct {
		ID     json.RawMessage
		Method string
		Params struct {
			Message struct {
				MessageID string
				Parts     []struct{ Text string }
			}
		}
	}
	_ = json.Unmarshal(body, &call)
	m := call.Params.Message
	if len(m.Parts) > 0 {
		p.heard.Store(m.Parts[0].Text)
	}
	said := p.heard.Load().(string)
	quoted, _ := json.Marshal(said)
	w.Header().Set("X-Heard", strings.ReplaceAll(said, "\n", " "))
	task := func(state, more string) string {
		return fmt.Sprintf(`{"id":"t","contextId":"c","status":{"state":"TASK_STATE_%s"}%s}`, state, more)
	}
	if call.Method == "GetTask" {
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, call.ID, task("COMPLETED", fmt.Sprintf(
			`,"artifacts":[{"artifactId":"a","parts":[{"text":"is Zyx"},{"text":" \"vut"},{"text":"srq\"/4711!"}]}],
			"history":[{"messageId":%q,"role":"ROLE_USER","parts":[{"text":%s}]}]`, m.MessageID, quoted)))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(format string, args ...any) {
		fmt.Fprintf(w, ": "+strings.ReplaceAll(said, "%", "%%")+"\nid: "+strings.ReplaceAll(said, "%", "%%")+"\ndata: {\"jsonrpc\":\"2.0\",\"id\":"+string(call.ID)+",\"result\":"+format+"}\n\n", args...)
		w.(http.Flusher).Flush()
	}
	send(`{"task":%s}`, task("WORKING", ""))
	chunk := func(text string) {
		b, _ := json.Marshal(text)
		send(`{"artifactUpdate":{"taskId":"t","contextId":"c","append":true,"artifact":{"artifactId":"a","parts":[{"text":%s}]}}}`, b)
	}
	for _, c := range said {
		chunk(string(c))
	}
	for i := range said {
		chunk(" | " + said[:i])
		chunk(said[i:])
	}
	var escaped strings.Builder
	for _, c := range said {
		fmt.Fprintf(&escaped, `\u%04x`, c)
	}
	send(`{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING","message":{"messageId":"m1","role":"ROLE_AGENT",
data: "parts":[{"text":"%s"},{"data":{%s:[%s,{"inner":%q}]}},{"raw":"%s","filename":"echo.txt","mediaType":"text/plain"}],"metadata":{"heard":%s}}}}}`,
		escaped.String(), quoted, quoted, quoted, base64.StdEncoding.EncodeToString([]byte("heard "+said)), quoted)
	send(`{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED","message":{"messageId":"m2","role":"ROLE_AGENT","parts":[{"text":%s}]}}}}`, quoted)
	fmt.Fprint(w, "data: {\"torn\": \"", said)
}

// finishAndRead ends the session and returns everything that a session left behind.
func (d *harness) finishAndRead() string {
	d.t.Helper()
	d.finish()
	file, err := os.ReadFile(d.journal.Path())
	if err != nil {
		d.t.Fatal(err)
	}
	var all bytes.Buffer
	all.Write(file)
	for line := range bytes.Lines(file) { // and once more unquoted
		var v struct{ Raw string }
		_ = json.Unmarshal(line, &v)
		all.WriteString(v.Raw + "\n")
	}
	all.WriteString(sessiontest.Dump(d.state))
	all.WriteString(d.log())
	for _, it := range d.items {
		if it.Signal != nil {
			fmt.Fprintf(&all, "%+v\n", *it.Signal)
		}
		for _, r := range it.Record.Redactions {
			fmt.Fprintf(&all, "%s %d %s\n", r.Name, r.Size, r.Same())
		}
	}
	return all.String()
}

func TestNothingOfASecretAnswerIsLeftBehind(t *testing.T) {
	t.Parallel()
	d := newHarness(t, func(o *options) { o.CheckStreams = true })
	p := newParrot(t)
	id := d.openAgent(p.URL)
	turn, _ := d.sendText(model.Target{Agent: id}, theSecret, model.SendOptions{Secret: true})
	if got := p.heard.Load(); got != theSecret {
		t.Errorf("the agent received %q, want %q", got, theSecret)
	}
	if got := turn.Message.Text(); got != a2a.Mask {
		t.Errorf("the conversation shows %q, want the mask", got)
	}
	d.waitForTurnEnd(d.Get(id, "t", 0, nil))
	if found := leaks(d.finishAndRead()); found != nil {
		t.Errorf("the session contains %q\n%s", found, d.log())
	}
}

func TestASecretThatWasNotSentIsInNoNote(t *testing.T) {
	t.Parallel()
	d := newHarness(t, nil)
	p := newParrot(t)
	id := d.openAgent(p.URL)
	p.Close()
	turn, _ := d.sendText(model.Target{Agent: id}, theSecret, model.SendOptions{Secret: true})
	if turn.Message.Text() != a2a.Mask {
		t.Errorf("the conversation shows %q, want the mask", turn.Message.Text())
	}
	d.Send(model.Target{Agent: 77}, &a2a.Message{Parts: []a2a.Part{a2a.TextPart(theSecret)}}, model.SendOptions{Secret: true})
	d.waitForSignal(log.SignalTurnOver)
	if found := leaks(d.finishAndRead()); found != nil {
		t.Errorf("the session contains %q", found)
	}
}

func TestASecretIsTakenToNoOtherHost(t *testing.T) {
	t.Parallel()
	d := newHarness(t, nil)
	p, other := newParrot(t), newParrot(t)
	p.redirect = other.URL + "/rpc"
	turn, sig := d.sendText(model.Target{Agent: d.openAgent(p.URL)}, theSecret, model.SendOptions{Secret: true})
	if got := other.heard.Load(); got != "" {
		t.Errorf("the other host received %q, want nothing", got)
	}
	if !strings.Contains(sig.Sentence, "the message is a secret") {
		t.Errorf("got turn end %q, turn %+v; want that the message is a secret", sig.Sentence, turn)
	}
	if found := leaks(d.finishAndRead()); found != nil {
		t.Errorf("the session contains %q", found)
	}
}

func TestASecretThatIsSentAgainByHandStaysOne(t *testing.T) {
	t.Parallel()
	d := newHarness(t, nil)
	p := newParrot(t)
	id := d.openAgent(p.URL)
	turn, _ := d.sendText(model.Target{Agent: id}, theSecret, model.SendOptions{Secret: true})
	r, missing := a2a.Unmask(&d.state.Log.At(turn.Record).Record)
	if len(missing) > 0 {
		t.Fatalf("got missing secrets %q, want none", missing)
	}
	p.heard.Store("")
	d.waitForTurnEnd(d.SendRaw(id, turn.Conversation.ID, r))
	if got := p.heard.Load(); got != theSecret {
		t.Errorf("the agent received %q, want %q", got, theSecret)
	}
	if found := leaks(d.finishAndRead()); found != nil {
		t.Errorf("the session contains %q", found)
	}
}

func TestASecretPartOfAMessageIsMaskedAndTheRestIsNot(t *testing.T) {
	t.Parallel()
	d := newHarness(t, nil)
	p := newParrot(t)
	id := d.openAgent(p.URL)
	data, _ := json.Marshal(map[string]any{"user": "ali", "password": theSecret, "pin": 4711})
	m := &a2a.Message{Parts: []a2a.Part{a2a.DataPart(data)}}
	turn := d.Send(model.Target{Agent: id}, m, model.SendOptions{Secrets: []string{theSecret, "4711"}})
	d.waitForTurnEnd(turn)
	all := d.finishAndRead()
	if found := leaks(all); found != nil {
		t.Errorf("the session contains %q", found)
	}
	if got := string(d.state.Turn(turn).Message.Parts[0].Data); got != `{"password":"•••","pin":"•••","user":"ali"}` {
		t.Errorf("the conversation shows %s, want masks in place of password and pin", got)
	}
}
