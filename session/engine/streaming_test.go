package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"parley/a2a"
	"parley/a2a/grpc/grpctest"
	"parley/session/model"
	"parley/session/problem"
	"parley/session/sessiontest"
)

// A denial says that something is not supported, as a dialect or an SDK does.
type denial struct {
	dialect a2a.DialectName
	code    int    // of the error
	status  int    // of HTTP
	reason  string // of an ErrorInfo, empty for none
	bare    bool   // the status has no body
}

// A refuser is an agent that refuses some messages.
type refuser struct {
	denial
	// refuses decides: whether a stream was asked for, whether the message names a task that
	// exists, and how many messages came before.
	refuses func(stream, names bool, before int) bool
	state   string // of its tasks

	mu    sync.Mutex
	asked []string // "stream", "send" or "get"
	tasks map[string]bool
	url   string
}

// count notes a call, and reports whether it is refused.
func (f *refuser) count(what string, names bool) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	before := 0
	for _, other := range f.asked {
		if other != "get" {
			before++
		}
	}
	f.asked = append(f.asked, what)
	return what != "get" && f.refuses(what == "stream", names, before)
}

// messages returns how the messages came.
func (f *refuser) messages() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return strings.Join(slices.DeleteFunc(slices.Clone(f.asked), func(what string) bool { return what == "get" }), " ")
}

// names reports whether an id is that of a task that exists; one of 0.1 exists from then on.
func (f *refuser) names(id string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	known := id == "t1" || f.tasks[id]
	if f.tasks == nil {
		f.tasks = map[string]bool{}
	}
	f.tasks[id] = f.dialect == a2a.V01
	return known
}

// task is a task of the agent as its dialect writes it.
func (f *refuser) task(id string) string {
	word := a2a.Word(a2a.ParseState(f.state), f.dialect)
	switch f.dialect {
	case a2a.V01:
		return `{"id":"` + id + `","sessionId":"c1","final":true,"status":{"state":"` + word + `"}}`
	case a2a.V03:
		return `{"kind":"task","id":"t1","contextId":"c1","status":{"state":"` + word + `"}}`
	default:
		return `{"id":"t1","contextId":"c1","status":{"state":"` + word + `","message":{"messageId":"q","role":"ROLE_AGENT","contextId":"c1","parts":[{"text":"?"}]}}}`
	}
}

func (f *refuser) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, "/.well-known/") {
		_, _ = io.WriteString(w, f.card())
		return
	}
	var q struct {
		ID     json.RawMessage
		Method string
		Params struct {
			ID      string
			Message map[string]any
		}
		Message map[string]any
	}
	body, _ := io.ReadAll(r.Body)
	_ = json.Unmarshal(body, &q)
	rest := f.dialect == a2a.V10REST || f.dialect == a2a.V03REST
	message := q.Params.Message
	if rest {
		q.Method, message = r.URL.Path, q.Message
	}
	id, _ := message["taskId"].(string)
	if f.dialect == a2a.V01 {
		id = q.Params.ID
	}
	what := "send"
	switch {
	case strings.Contains(q.Method, "tream") || strings.HasSuffix(q.Method, "Subscribe"):
		what = "stream"
	case strings.HasPrefix(q.Method, "Get") || strings.HasSuffix(q.Method, "/get") || r.Method == http.MethodGet:
		what = "get"
	}
	switch result := f.task(id); {
	case f.count(what, f.names(id)):
		f.fail(w, q.ID)
	case what == "stream":
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: %s\n\n", f.result(q.ID, result, true))
	default:
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, f.result(q.ID, result, what != "get"))
	}
}

// result puts a task into the wrapper and the envelope of the dialect.
func (f *refuser) result(id json.RawMessage, task string, wrapped bool) string {
	if wrapped && (f.dialect == a2a.V10 || f.dialect == a2a.V10REST || f.dialect == a2a.V03REST) {
		task = `{"task":` + task + `}`
	}
	if f.dialect == a2a.V10REST || f.dialect == a2a.V03REST {
		return task
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, task)
}

func (f *refuser) fail(w http.ResponseWriter, id json.RawMessage) {
	details := ""
	if f.reason != "" {
		details = `[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"` + f.reason + `","domain":"a2a-protocol.org"}]`
	}
	w.Header().Set("Content-Type", "application/json")
	switch {
	case f.bare:
		w.WriteHeader(f.status)
	case f.dialect == a2a.V10REST || f.dialect == a2a.V03REST:
		w.WriteHeader(f.status)
		if details != "" {
			fmt.Fprintf(w, `{"error":{"code":%d,"status":"FAILED_PRECONDITION","message":"no","details":%s}}`, f.status, details)
		} else {
			_, _ = io.WriteString(w, `{"message":"no"}`)
		}
	case details != "":
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"no","data":%s}}`, id, f.code, details)
	default:
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"no"}}`, id, f.code)
	}
}

// card declares streaming.
func (f *refuser) card() string {
	const rest = `"capabilities":{"streaming":true},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[{"id":"s","name":"S","description":"d","tags":["t"]}]}`
	switch f.dialect {
	case a2a.V01:
		return `{"name":"Refuser","version":"1","url":"` + f.url + `","protocolVersion":"0.1.0",` + rest
	case a2a.V03, a2a.V03REST:
		transport := map[bool]string{true: "HTTP+JSON", false: "JSONRPC"}[f.dialect == a2a.V03REST]
		return `{"name":"Refuser","description":"d","version":"1","protocolVersion":"0.3.0","url":"` + f.url + `","preferredTransport":"` + transport + `",` + rest
	default:
		binding := map[a2a.DialectName]string{a2a.V10: "JSONRPC", a2a.V10REST: "HTTP+JSON", a2a.V10GRPC: "GRPC"}[f.dialect]
		return `{"name":"Refuser","description":"d","version":"1","supportedInterfaces":[{"url":"` + f.url + `","protocolBinding":"` + binding + `","protocolVersion":"1.0"}],` + rest
	}
}

// answer is the agent over gRPC.
func (f *refuser) answer(c *grpctest.Call) error {
	method := c.Path[strings.LastIndexByte(c.Path, '/')+1:]
	if method == "GetExtendedAgentCard" {
		return c.Answer(f.card())
	}
	what := map[string]string{"SendMessage": "send", "SendStreamingMessage": "stream"}[method]
	switch {
	case what == "":
		f.count("get", false)
		return c.Answer(f.task("t1"))
	case f.count(what, bytes.Contains(c.Request, []byte("t1"))):
		s := status.New(codes.Unimplemented, "no")
		if f.reason != "" {
			s, _ = s.WithDetails(&errdetails.ErrorInfo{Reason: f.reason, Domain: "a2a-protocol.org"})
		}
		return s.Err()
	}
	return c.Answer(`{"task":` + f.task("t1") + `}`)
}

// start starts the agent, and returns what opens it.
func (f *refuser) start(t *testing.T) string {
	if f.dialect == a2a.V10GRPC {
		server := grpctest.Start(t, f.answer)
		f.url = "grpc://" + server.Address
		return f.url
	}
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	f.url = server.URL
	return f.url
}

// unsupported are the ways to say that something is not supported.
var unsupported = map[string]denial{
	"1.0":                         {dialect: a2a.V10, code: -32004},
	"1.0 by a reason":             {dialect: a2a.V10, code: -32000, reason: "UNSUPPORTED_OPERATION"},
	"0.3":                         {dialect: a2a.V03, code: -32004},
	"0.1":                         {dialect: a2a.V01, code: -32004},
	"1.0 over HTTP+JSON":          {dialect: a2a.V10REST, status: http.StatusBadRequest, reason: "UNSUPPORTED_OPERATION"},
	"1.0 over HTTP+JSON, as 501":  {dialect: a2a.V10REST, status: http.StatusNotImplemented, reason: "UNSUPPORTED_OPERATION"},
	"0.3 over HTTP+JSON":          {dialect: a2a.V03REST, status: http.StatusNotImplemented},
	"0.3 over HTTP+JSON, no body": {dialect: a2a.V03REST, status: http.StatusNotImplemented, bare: true},
	"1.0 over gRPC":               {dialect: a2a.V10GRPC},
	"1.0 over gRPC, by a reason":  {dialect: a2a.V10GRPC, reason: "UNSUPPORTED_OPERATION"},
}

// refused opens such an agent in a new session.
func refused(t *testing.T, as denial, state string, refuses func(stream, names bool, before int) bool) (*harness, *refuser, a2a.AgentID) {
	f := &refuser{denial: as, state: state, refuses: refuses}
	d := newHarness(t, withGRPC)
	return d, f, d.openAgent(f.start(t))
}

// taskOf returns the task of a turn, nil if it has none.
func taskOf(turn *model.Turn) *model.Task {
	for _, b := range turn.Blocks {
		if b.Task != nil {
			return b.Task
		}
	}
	return nil
}

// blames counts the findings that an agent refuses streaming.
func (d *harness) blames() (n int) {
	for id := a2a.RecordID(1); int(id) <= d.state.Log.Len(); id++ {
		for _, f := range d.state.Log.At(id).Findings {
			if f.Rule == "CARD-019" {
				n++
			}
		}
	}
	return n
}

// A message to a task that is over is refused once, and not because of the stream.
func TestAMessageToATaskThatIsOverIsSentOnce(t *testing.T) {
	t.Parallel()
	for name, as := range unsupported {
		for _, knows := range []string{"", "streamed", "plain"} {
			t.Run(name+" "+knows, func(t *testing.T) {
				d, f, agent := refused(t, as, "completed", func(_, names bool, _ int) bool { return names })
				target, want, said := model.Target{Agent: agent, TaskID: "t1"}, "stream", "The task may be over: "
				if knows != "" {
					o := model.SendOptions{}
					if want = "stream stream"; knows == "plain" {
						o.Stream, want = a2a.False, "send stream"
					}
					turn, sig := d.sendText(model.Target{Agent: agent}, "hello", o)
					if sig.Sentence != "" || taskOf(turn) == nil {
						t.Fatalf("got turn end %q, want a task\n%s", sig.Sentence, d.log())
					}
					target.TaskID, target.Conversation, said = taskOf(turn).ID, turn.Conversation.ID, "The task is over: "
				}
				turn, sig := d.sendText(target, "and more", model.SendOptions{})
				pr := sessiontest.Problems(turn)
				if f.messages() != want || len(pr) != 1 || pr[0].Class == problem.ClassFallback || !as.bare && d.countReturnedDrafts(turn) != 1 || d.blames() != 0 {
					t.Errorf("got messages %q, problems %+v, %d drafts back, %d findings; want %q, one problem, one draft and none\n%s",
						f.messages(), pr, d.countReturnedDrafts(turn), d.blames(), want, d.log())
				}
				if !as.bare && (!strings.Contains(pr[0].Sentence, said) || !strings.Contains(pr[0].Sentence, "as a new task.") || pr[0].Sentence != sig.Sentence) {
					t.Errorf("got %q and turn end %q, want both to say %q and what to do", pr[0].Sentence, sig.Sentence, said)
				}
				d.finish()
			})
		}
	}
}

// An agent that refuses to stream gets a new message once more without a stream, and answers to
// its questions without one.
func TestAnAgentThatRefusesToStreamGetsPlainMessages(t *testing.T) {
	t.Parallel()
	for name, as := range unsupported {
		t.Run(name, func(t *testing.T) {
			d, f, agent := refused(t, as, "input-required", func(stream, _ bool, _ int) bool { return stream })
			turn, sig := d.sendText(model.Target{Agent: agent}, "hello", model.SendOptions{})
			if pr := sessiontest.Problems(turn); sig.Sentence != "" || f.messages() != "stream send" || len(pr) != 1 || pr[0].Class != problem.ClassFallback || d.countReturnedDrafts(turn) != 0 {
				t.Fatalf("got turn end %q, messages %q, problems %+v; want one more message without a stream\n%s", sig.Sentence, f.messages(), pr, d.log())
			}
			if !as.bare && d.blames() != 1 {
				t.Errorf("got %d findings that it refuses streaming, want one", d.blames())
			}
			turn, sig = d.sendText(model.Target{Agent: agent, Conversation: turn.Conversation.ID, TaskID: taskOf(turn).ID}, "tomorrow", model.SendOptions{})
			if sig.Sentence != "" || f.messages() != "stream send send" || len(sessiontest.Problems(turn)) != 0 {
				t.Errorf("got turn end %q, messages %q, want the answer without a stream\n%s", sig.Sentence, f.messages(), d.log())
			}
			d.finish()
		})
	}
}

// An agent that has streamed can stream: what it refuses later is something else.
func TestAnAgentThatHasStreamedDoesNotRefuseStreams(t *testing.T) {
	t.Parallel()
	for name, as := range unsupported {
		t.Run(name, func(t *testing.T) {
			d, f, agent := refused(t, as, "completed", func(_, _ bool, before int) bool { return before > 0 })
			d.sendText(model.Target{Agent: agent}, "hello", model.SendOptions{})
			turn, _ := d.sendText(model.Target{Agent: agent}, "something else", model.SendOptions{})
			if pr := sessiontest.Problems(turn); f.messages() != "stream stream" || len(pr) != 1 || pr[0].Class == problem.ClassFallback || !as.bare && d.countReturnedDrafts(turn) != 1 || d.blames() != 0 {
				t.Errorf("got messages %q, problems %+v, %d drafts back, %d findings; want two streams, one problem, one draft and none\n%s",
					f.messages(), pr, d.countReturnedDrafts(turn), d.blames(), d.log())
			}
			d.finish()
		})
	}
}
