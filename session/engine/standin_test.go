package engine

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
)

// A keyholder is an agent in whose address, ids, cursors and event ids a text stands, which may be the
// credential of its client. It notes what it gets.
type keyholder struct {
	*httptest.Server
	text    string
	binding string

	mu  sync.Mutex
	got []string
}

func newKeyholder(t *testing.T, text, binding string) *keyholder {
	k := &keyholder{text: text, binding: binding}
	k.Server = httptest.NewServer(k)
	t.Cleanup(k.Close)
	return k
}

func (k *keyholder) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	if r.Method == http.MethodGet && strings.HasPrefix(r.URL.Path, "/.well-known") {
		fmt.Fprintf(w, `{"name":"Keyholder","description":"d","version":"1","capabilities":{"streaming":true,"pushNotifications":true},"skills":[],
			"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],
			"supportedInterfaces":[{"url":%q,"protocolBinding":%q,"protocolVersion":"1.0","tenant":%q}]}`,
			k.URL+"/agents/"+k.text+"/a2a?deployment="+k.text, k.binding, "of-"+k.text)
		return
	}
	k.mu.Lock()
	k.got = append(k.got, fmt.Sprintf("%s %s %s %s", r.Method, r.URL.RequestURI(), r.Header.Get("Last-Event-ID"), body))
	n := len(k.got)
	k.mu.Unlock()
	var call struct {
		ID     json.RawMessage
		Method string
	}
	_ = json.Unmarshal(body, &call)
	asked := call.Method + r.URL.Path
	task := func(state string) string {
		return fmt.Sprintf(`{"id":"t/%s","contextId":"c-%s","status":{"state":"TASK_STATE_%s"}}`, k.text, k.text, state)
	}
	wrapped := func(result string) string {
		if k.binding == "JSONRPC" {
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, call.ID, result)
		}
		return result
	}
	switch {
	case strings.Contains(asked, "SendStreamingMessage"), strings.HasSuffix(asked, "message:stream"):
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "id: e-%s-1\ndata: %s\n\n", k.text, wrapped(`{"task":`+task("WORKING")+`}`))
		if n > 1 {
			fmt.Fprintf(w, "data: %s\n\n", wrapped(`{"statusUpdate":`+strings.Replace(task("COMPLETED"), `"id"`, `"taskId"`, 1)+`}`))
			return
		}
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	case strings.Contains(asked, "SubscribeToTask"), strings.HasSuffix(asked, ":subscribe"):
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: %s\n\n", wrapped(`{"task":`+task("INPUT_REQUIRED")+`}`))
	case strings.Contains(asked, "ListTasks"), strings.HasSuffix(asked, "/tasks"):
		fmt.Fprint(w, wrapped(`{"tasks":[`+task("INPUT_REQUIRED")+`],"nextPageToken":"after `+k.text+`","totalSize":2,"pageSize":1}`))
	default:
		fmt.Fprint(w, wrapped(task("INPUT_REQUIRED")))
	}
}

// requests returns what the agent got in any order, with a common text in place of its own, of its port
// and of ids that the engine made.
func (k *keyholder) requests() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	var got []string
	for _, r := range k.got {
		r = strings.NewReplacer(k.text, "TEXT", url.QueryEscape(k.text), "TEXT", k.URL, "AGENT").Replace(r)
		got = append(got, madeID.ReplaceAllString(r, "ID"))
	}
	slices.Sort(got)
	return got
}

var madeID = regexp.MustCompile(`\bid-\d+`)

// use sends a message, whose stream breaks, and goes on with the task by everything that names it.
func (k *keyholder) use(t *testing.T, bearer string) *harness {
	d := newHarness(t, func(o *options) {
		o.Client = func(ref string) a2a.Options { return a2a.Options{Bearer: bearer, UserAddresses: []string{ref}} }
	})
	id := d.openAgent(k.URL)
	turn := d.Send(model.Target{Agent: id}, &a2a.Message{Parts: []a2a.Part{a2a.TextPart("go")}}, model.SendOptions{})
	d.until("a question", func(log.Item) bool {
		turn := d.state.Turn(turn)
		return turn != nil && len(turn.Blocks) > 0 && turn.Blocks[0].Task != nil && turn.Blocks[0].Task.State == a2a.StateInputRequired
	})
	task := d.state.Turn(turn).Blocks[0].Task
	d.waitForTurnEnd(d.Get(id, task.ID, 0, nil))
	d.waitForTurnEnd(d.Subscribe(id, task.ID, 0, true))
	list := d.List(id, a2a.ListFilter{ContextID: task.Conversation.ContextID}, nil)
	d.waitForTurnEnd(list)
	d.waitForTurnEnd(d.List(id, a2a.ListFilter{PageToken: d.token()}, nil))
	d.sendText(model.Target{Agent: id, Conversation: task.Conversation.ID, TaskID: task.ID}, "on", model.SendOptions{})
	return d
}

// token returns the page token of the last list.
func (d *harness) token() string {
	for _, it := range slices.Backward(d.items) {
		for i := range it.Update.Events {
			if token := it.Update.Events[i].NextPageToken; token != "" {
				return token
			}
		}
	}
	d.t.Fatal("got no page token")
	return ""
}

// An agent in whose address, ids and cursors the credential stands gets the same requests as one in
// whose they do not, and the credential is not in the session.
func TestWhatIsMaskedIsSentAsItCame(t *testing.T) {
	t.Parallel()
	for _, binding := range []string{"JSONRPC", "HTTP+JSON"} {
		t.Run(binding, func(t *testing.T) {
			t.Parallel()
			plain, secret := newKeyholder(t, "ordinary-text-7", binding), newKeyholder(t, "the-bearer/text-8", binding)
			plain.use(t, "another-bearer-9").finish()
			d := secret.use(t, secret.text)
			if want, got := plain.requests(), secret.requests(); !slices.Equal(got, want) || len(want) < 6 {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			if left := d.finishAndRead(); strings.Contains(left, secret.text) {
				t.Error("the credential is in the session")
			}
		})
	}
}
