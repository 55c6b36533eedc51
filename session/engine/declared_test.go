package engine

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/session/sessiontest"
)

// A pathAgent is an agent that answers by path: a test decides what each request gets.
type pathAgent struct {
	*httptest.Server

	card   string
	answer func(w http.ResponseWriter, r *http.Request, method string)

	mu    sync.Mutex
	asked []string // every request but those for the card
}

func newPathAgent(t *testing.T, card string, answer func(w http.ResponseWriter, r *http.Request, method string)) *pathAgent {
	t.Helper()
	f := &pathAgent{card: card, answer: answer}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/agent-card.json") && r.Method == http.MethodGet {
			_, _ = io.WriteString(w, strings.ReplaceAll(f.card, "{{url}}", f.URL))
			return
		}
		body, _ := io.ReadAll(r.Body)
		_, method, _ := strings.Cut(string(body), `"method":"`)
		method, _, _ = strings.Cut(method, `"`)
		path := r.URL.Path
		if before, id, ok := strings.Cut(path, "/tasks/id-"); ok && !strings.Contains(id, "/") { // of a probe
			path = before + "/tasks/…"
		}
		f.mu.Lock()
		f.asked = append(f.asked, strings.TrimSpace(r.Method+" "+path+" "+method))
		f.mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		f.answer(w, r, method)
	}))
	t.Cleanup(f.Close)
	return f
}

// requests returns the requests so far.
func (f *pathAgent) requests() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.asked)
}

// oneInterface is a card of a version with one interface.
func oneInterface(version, binding, url string) string {
	const common = `"name":"Desk","description":"d","version":"1","capabilities":{},"skills":[],"defaultInputModes":[],"defaultOutputModes":[]`
	if version == "1.0" {
		return fmt.Sprintf(`{%s,"supportedInterfaces":[{"url":%q,"protocolBinding":%q,"protocolVersion":"1.0"}]}`, common, url, binding)
	}
	return fmt.Sprintf(`{%s,"url":%q,"preferredTransport":%q,"protocolVersion":"0.3.0"}`, common, url, binding)
}

// jsonAnswer writes an answer of JSON-RPC.
func jsonAnswer(w http.ResponseWriter, member string) {
	_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":null,`+member+`}`)
}

func refuse(w http.ResponseWriter, status int, body string) {
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

func TestTheDeclaredEndpointIsTriedAsItStands(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, version, binding, path string
		at                           string // where the agent answers
		want                         []string
		guess                        bool
	}{
		{"where it answers, 0.3", "0.3", "JSONRPC", "/x/v1/message:stream", "/x/v1/message:stream", []string{"POST /x/v1/message:stream message/send"}, false},
		{"where it answers, 1.0", "1.0", "JSONRPC", "/x/message:send", "/x/message:send", []string{"POST /x/message:send SendMessage"}, false},
		{"where nothing answers, 0.3", "0.3", "JSONRPC", "/x/v1/message:send", "/x",
			[]string{"POST /x/v1/message:send message/send", "POST /x/v1/message:send GetTask", "GET /x/v1/message:send/tasks/…", "GET /x/v1/message:send/v1/tasks/…", "POST /x message/send"}, true},
		{"where nothing answers, 1.0", "1.0", "JSONRPC", "/x/v1/message:send", "/x",
			[]string{"POST /x/v1/message:send SendMessage", "POST /x/v1/message:send GetTask", "GET /x/v1/message:send/tasks/…", "GET /x/v1/message:send/v1/tasks/…", "POST /x SendMessage"}, true},
		{"at the place of a card", "0.3", "JSONRPC", "/x/.well-known/agent-card.json", "/x/", []string{"POST /x/ message/send"}, false},
		{"over HTTP+JSON", "1.0", "HTTP+JSON", "/x/message:send", "/x/message:send", []string{"POST /x/message:send"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newPathAgent(t, oneInterface(c.version, c.binding, "{{url}}"+c.path), func(w http.ResponseWriter, r *http.Request, method string) {
				switch {
				case r.URL.Path != c.at:
					refuse(w, http.StatusNotFound, `{"detail":"Not Found"}`)
				case c.binding == "HTTP+JSON":
					_, _ = io.WriteString(w, `{"message":{"messageId":"r1","role":"ROLE_AGENT","contextId":"c","parts":[{"text":"hi"}]}}`)
				case method == "SendMessage":
					jsonAnswer(w, reply10)
				default:
					jsonAnswer(w, reply03)
				}
			})
			d := newHarness(t, nil)
			id := d.openAgent(f.URL)
			turn, sig := d.sendText(model.Target{Agent: id}, "hello", model.SendOptions{})
			if sig.Sentence != "" || !slices.Equal(f.requests(), c.want) {
				t.Fatalf("got turn end %q, requests %q; want no failure, %q\n%s", sig.Sentence, f.requests(), c.want, d.log())
			}
			guessed := false
			for _, pr := range sessiontest.Problems(turn) {
				guessed = guessed || strings.Contains(pr.Sentence, ", a guess,")
			}
			p := d.state.Agent(id).Profile
			if at := p.Reason("endpoint"); guessed != c.guess || (at.Confidence == a2a.Guess) != c.guess {
				t.Errorf("got guess told %v, evidence %+v; want a guess %v", guessed, at, c.guess)
			}
			d.finish()
		})
	}
}

// A pin of the dialect, or of binding and endpoint, leaves no other way: whatever the agent answers, one
// request is all that it gets.
func TestAPinStopsEveryTryAndEveryProbe(t *testing.T) {
	t.Parallel()
	refusals := map[string]func(w http.ResponseWriter){
		"404":        func(w http.ResponseWriter) { refuse(w, 404, "nothing") },
		"405":        func(w http.ResponseWriter) { refuse(w, 405, "") },
		"415":        func(w http.ResponseWriter) { refuse(w, 415, "") },
		"no method":  func(w http.ResponseWriter) { jsonAnswer(w, `"error":{"code":-32601,"message":"Method not found"}`) },
		"no request": func(w http.ResponseWriter) { jsonAnswer(w, `"error":{"code":-32600,"message":"Invalid Request"}`) },
		"another version": func(w http.ResponseWriter) {
			jsonAnswer(w, `"error":{"code":-32009,"message":"Expected version '0.3'","data":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"VERSION_NOT_SUPPORTED"}]}`)
		},
	}
	two := strings.Replace(oneInterface("0.3", "JSONRPC", "{{url}}/rpc"), `"skills"`, `"additionalInterfaces":[{"url":"{{url}}/rest","transport":"HTTP+JSON"},{"url":"{{url}}/other","transport":"JSONRPC"}],"skills"`, 1)
	doubtful := strings.Replace(two, `,"protocolVersion":"0.3.0"`, "", 1)
	for name, refusal := range refusals {
		for pinned, c := range map[string]struct {
			card string
			pins func(url string) a2a.Pins
		}{
			"dialect":                          {two, func(string) a2a.Pins { return a2a.Pins{Dialect: a2a.V03} }},
			"dialect of another card":          {two, func(string) a2a.Pins { return a2a.Pins{Dialect: a2a.V10} }},
			"dialect of a card without one":    {doubtful, func(string) a2a.Pins { return a2a.Pins{Dialect: a2a.V03} }},
			"dialect without a card":           {"", func(string) a2a.Pins { return a2a.Pins{Dialect: a2a.V10} }},
			"binding and endpoint of the card": {two, func(url string) a2a.Pins { return a2a.Pins{Binding: a2a.BindingJSONRPC, Endpoint: url + "/rpc"} }},
		} {
			t.Run(pinned+", "+name, func(t *testing.T) {
				f := newPathAgent(t, c.card, func(w http.ResponseWriter, _ *http.Request, _ string) { refusal(w) })
				if c.card == "" {
					f.card = "no card"
				}
				d := newHarness(t, func(o *options) {
					o.Client = func(string) a2a.Options { return a2a.Options{Pins: c.pins(f.URL)} }
				})
				id := d.openAgent(f.URL)
				posts := func() (n int) {
					for _, r := range f.requests() {
						if strings.HasPrefix(r, "POST ") || strings.Contains(r, "/tasks/") {
							n++
						}
					}
					return n
				}
				if posts() != 0 {
					t.Errorf("got requests %q when the agent was opened, want no probe", f.requests())
				}
				_, sig := d.sendText(model.Target{Agent: id}, "hello", model.SendOptions{})
				if posts() != 1 || sig.Sentence == "" {
					t.Errorf("got turn end %q after %q, want a failure after one request", sig.Sentence, f.requests())
				}
				d.finish()
			})
		}
	}
}

// Where a binding is pinned, probes find out the dialect, and ask over that binding alone.
func TestOnlyAPinnedBindingIsProbed(t *testing.T) {
	t.Parallel()
	for binding, foreign := range map[a2a.Binding]string{a2a.BindingREST: "POST /rpc", a2a.BindingJSONRPC: "GET /rpc"} {
		f := newPathAgent(t, "no card", func(w http.ResponseWriter, _ *http.Request, _ string) { refuse(w, 404, "nothing") })
		d := newHarness(t, nil)
		id := d.Open(f.URL + "/other")
		d.waitForSignal(log.SignalOpened)
		d.Pin(id, a2a.Pins{Binding: binding, Endpoint: f.URL + "/rpc"})
		d.until("the probes' note", func(it log.Item) bool {
			return it.Record.Note != nil && it.Record.Note.Type == log.NoteProfile && it.Record.Note.Attrs[log.AttrAttempts] != ""
		})
		probes := slices.DeleteFunc(f.requests(), func(r string) bool { return !strings.Contains(r, " /rpc") })
		if len(probes) == 0 || slices.ContainsFunc(probes, func(r string) bool { return strings.HasPrefix(r, foreign) }) {
			t.Errorf("%s: got probes %q, want some, over the pinned binding alone", binding, probes)
		}
		d.finish()
	}
}

// restRefusal is the refusal of a version over HTTP+JSON.
const restRefusal = `{"error":{"code":400,"status":"UNIMPLEMENTED","message":"A2A version '0.3' is not supported by this handler. Expected version '1.0'.","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"VERSION_NOT_SUPPORTED","domain":"a2a-protocol.org"}]}}`

// The answer to a guess is told below the answer in the way that the card declares.
func TestTheRefusalOfAGuessIsToldAsOne(t *testing.T) {
	t.Parallel()
	f := newPathAgent(t, oneInterface("1.0", "HTTP+JSON", "{{url}}/desk"), func(w http.ResponseWriter, r *http.Request, _ string) {
		if !strings.HasPrefix(r.URL.Path, "/desk/v1/") {
			refuse(w, http.StatusNotFound, `{"detail":"Not Found"}`)
			return
		}
		refuse(w, http.StatusBadRequest, restRefusal)
	})
	d := newHarness(t, nil)
	id := d.openAgent(f.URL + "/desk")
	turn, sig := d.sendText(model.Target{Agent: id}, "hello", model.SendOptions{})
	if want := []string{"POST /desk/message:send", "POST /desk GetTask", "GET /desk/tasks/…", "GET /desk/v1/tasks/…", "POST /desk/v1/message:send"}; !slices.Equal(f.requests(), want) {
		t.Errorf("got requests %q, want %q", f.requests(), want)
	}
	last := 0
	for _, part := range []string{"The agent answers below " + f.URL + "/desk/v1: the URL in the card lacks the prefix /v1.", "--endpoint " + f.URL + "/desk/v1 ",
		"Nothing exists at " + f.URL + "/desk/message:send", "check the URL in the card, " + f.URL + "/desk, to which Parley added",
		"a guess, which was answered: “", "Expected version '1.0'”."} {
		at := strings.Index(sig.Sentence, part)
		if at < last {
			t.Errorf("got %q, want %q in it, after what comes before", sig.Sentence, part)
		}
		last = max(at, last)
	}
	if pr := sessiontest.Problems(turn); len(pr) != 1 || pr[0].Sentence != sig.Sentence || d.countReturnedDrafts(turn) != 1 {
		t.Errorf("got problems %+v, draft returned %d times; want the sentence of the turn's end, once", pr, d.countReturnedDrafts(turn))
	}
	if p := d.state.Agent(id).Profile; p.Dialect != a2a.V10 || len(p.Warnings) != 0 || p.Endpoint != f.URL+"/desk" {
		t.Errorf("got profile %+v, want 1.0 as the card says, without a warning", p)
	}
	d.finish()
}

// An agent that answers a guess is used for that message. If the prefix of the paths explains the answer,
// the card's version is right, and its URL is told as wrong.
func TestACardIsRightAboutItsVersionWhereThePrefixIsWrong(t *testing.T) {
	t.Parallel()
	const shared = `{"task":{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_COMPLETED"},"artifacts":[{"artifactId":"a","parts":[{"text":"hi"}]}]}}`
	const only03 = `{"message":{"messageId":"r1","role":"ROLE_AGENT","contextId":"c","content":[{"text":"hi"}]}}`
	for _, c := range []struct {
		name, version, declared, below, answer string
		want                                   a2a.DialectName
		says                                   string
	}{
		{"the URL lacks it", "1.0", "/desk", "/desk/v1/", shared, a2a.V10, "lacks the prefix /v1"},
		{"the URL has it twice", "0.3", "/desk/v1", "/desk/v1/m", shared, a2a.V03, "has the prefix /v1, which A2A 0.3 adds itself"},
		{"the answer is of 0.3", "1.0", "/desk", "/desk/v1/", only03, a2a.V03, "The card says A2A 1.0 but the agent speaks 0.3"},
		{"the version is wrong", "0.3", "/desk", "/desk/m", shared, a2a.V10, "The card says A2A 0.3 but the agent speaks 1.0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newPathAgent(t, oneInterface(c.version, "HTTP+JSON", "{{url}}"+c.declared), func(w http.ResponseWriter, r *http.Request, _ string) {
				if !strings.HasPrefix(r.URL.Path, c.below) {
					refuse(w, http.StatusNotFound, `{"detail":"Not Found"}`)
					return
				}
				_, _ = io.WriteString(w, c.answer)
			})
			d := newHarness(t, nil)
			id := d.openAgent(f.URL + c.declared)
			for range 2 {
				if _, sig := d.sendText(model.Target{Agent: id}, "hello", model.SendOptions{}); sig.Sentence != "" {
					t.Errorf("got turn end %q, want no failure\n%s", sig.Sentence, d.log())
				}
			}
			p := d.state.Agent(id).Profile
			said := strings.Join(p.Warnings, "\n")
			if p.Dialect != c.want || strings.Count(said, c.says) != 1 || strings.Count(said, "but the agent speaks") > strings.Count(c.says, "but the agent speaks") {
				t.Errorf("got dialect %s, warnings %q; want %s and one %q", p.Dialect, p.Warnings, c.want, c.says)
			}
			d.finish()
		})
	}
}

// A task that nobody knows is told as unknown, however the agent was asked, beside the warning.
func TestAnUnknownTaskIsToldWhereThePrefixIsWrong(t *testing.T) {
	t.Parallel()
	f := newPathAgent(t, oneInterface("1.0", "HTTP+JSON", "{{url}}/desk"), func(w http.ResponseWriter, r *http.Request, _ string) {
		if !strings.HasPrefix(r.URL.Path, "/desk/v1/") {
			refuse(w, http.StatusNotFound, `{"detail":"Not Found"}`)
			return
		}
		refuse(w, http.StatusNotFound, `{"error":{"code":404,"status":"NOT_FOUND","message":"no such task","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"TASK_NOT_FOUND","domain":"a2a-protocol.org"}]}}`)
	})
	d := newHarness(t, nil)
	id := d.openAgent(f.URL + "/desk")
	turn := d.Get(id, "t1", 0, nil)
	sig := d.waitForTurnEnd(turn)
	p := d.state.Agent(id).Profile
	for _, pr := range sessiontest.Problems(d.state.Turn(turn)) {
		if !strings.Contains(pr.Sentence, "no such task") {
			t.Errorf("got problem %q, want the unknown task", pr.Sentence)
		}
	}
	if !strings.Contains(sig.Sentence, "no such task") || p.Dialect != a2a.V10 || !strings.Contains(strings.Join(p.Warnings, "\n"), "lacks the prefix /v1") {
		t.Errorf("got turn end %q, profile %+v; want the unknown task, 1.0 and a warning", sig.Sentence, p)
	}
	d.finish()
}

// A refusal that asks for the version which was sent says that the version did not arrive: nothing else is
// tried, and nothing is probed.
func TestADroppedVersionIsToldAsDropped(t *testing.T) {
	t.Parallel()
	const reason = `"data":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"VERSION_NOT_SUPPORTED"%s}]`
	named := fmt.Sprintf(reason, `,"metadata":{"supportedVersions":["1.0"]}`)
	other := fmt.Sprintf(reason, `,"metadata":{"supportedVersions":["0.3"]}`)
	for _, c := range []struct {
		name, message, data string
		dropped             bool
	}{
		{"expected", "A2A version '0.3' is not supported by this handler. Expected version '1.0'.", fmt.Sprintf(reason, ""), true},
		{"listed", "no", named, true},
		{"refuses another", "Unsupported A2A version: 0.3", fmt.Sprintf(reason, ""), true},
		{"offers another", "Version 1.0 is not supported", other, false},
		{"names none", "no", fmt.Sprintf(reason, ""), false},
		{"describes itself", "This is an agent of A2A 0.3.0.", fmt.Sprintf(reason, ""), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newPathAgent(t, oneInterface("1.0", "JSONRPC", "{{url}}/rpc"), func(w http.ResponseWriter, _ *http.Request, method string) {
				if method == "message/send" {
					jsonAnswer(w, reply03)
					return
				}
				jsonAnswer(w, fmt.Sprintf(`"error":{"code":-32009,"message":%q,%s}`, c.message, c.data))
			})
			d := newHarness(t, nil)
			_, sig := d.sendText(model.Target{Agent: d.openAgent(f.URL)}, "hello", model.SendOptions{})
			said := strings.Contains(sig.Sentence, "Something on the way drops the header")
			if said != c.dropped || c.dropped && (len(f.requests()) != 1 || !strings.Contains(sig.Sentence, c.message)) {
				t.Errorf("got turn end %q after %q; want it dropped %v, and then after one request", sig.Sentence, f.requests(), c.dropped)
			}
			d.finish()
		})
	}
}

// Probes that follow a refusal are named, in the conversation too, and look for no gateway behind a card.
func TestProbesAfterARefusalAreNamed(t *testing.T) {
	t.Parallel()
	f := newPathAgent(t, oneInterface("1.0", "JSONRPC", "{{url}}/rpc"), func(w http.ResponseWriter, _ *http.Request, _ string) { refuse(w, 404, "nothing") })
	d := newHarness(t, nil)
	id := d.openAgent(f.URL)
	turn, sig := d.sendText(model.Target{Agent: id}, "hello", model.SendOptions{})
	const want = "Parley also probed the endpoint: none of 3 probes got the answer of an agent."
	if pr := sessiontest.Problems(turn); !strings.Contains(sig.Sentence, want) || len(pr) != 1 || pr[0].Sentence != sig.Sentence {
		t.Errorf("got turn end %q, problems %+v; want both to say %q", sig.Sentence, pr, want)
	}
	if got := f.requests(); len(got) != 4 || slices.ContainsFunc(got, func(r string) bool { return strings.Contains(r, "agentCards") }) {
		t.Errorf("got requests %q, want the message and three probes, none for a gateway", got)
	}
	d.finish()
}

// A message that gets the answer of a path at which nothing is, and whose probe an agent answers at the same
// URL, blames neither the URL nor the card.
func TestAProbeClearsTheURL(t *testing.T) {
	t.Parallel()
	for status, page := range map[int]string{404: "<title>Gone: for now</title>", 405: "", 403: ""} {
		f := newPathAgent(t, oneInterface("1.0", "JSONRPC", "{{url}}/rpc"), func(w http.ResponseWriter, _ *http.Request, method string) {
			if method == "GetTask" {
				jsonAnswer(w, noSuchTask)
				return
			}
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(status)
			fmt.Fprint(w, page)
		})
		d := newHarness(t, nil)
		turn, sig := d.sendText(model.Target{Agent: d.openAgent(f.URL)}, "hello", model.SendOptions{})
		cleared := strings.Contains(sig.Sentence, "/rpc answered the request with "+strconv.Itoa(status)) &&
			strings.Contains(sig.Sentence, "and a probe right after it as A2A: the URL is right, and something on the way may have refused the request.")
		if cleared != (status != 403) || cleared && (strings.Contains(sig.Sentence, "check") || strings.Contains(sig.Sentence, "Nothing exists")) {
			t.Errorf("%d: got turn end %q", status, sig.Sentence)
		}
		if page != "" && !strings.Contains(sig.Sentence, "with a web page titled “Gone: for now”") {
			t.Errorf("%d: got turn end %q without the title of the page", status, sig.Sentence)
		}
		if pr := sessiontest.Problems(turn); len(pr) != 1 || pr[0].Sentence != sig.Sentence {
			t.Errorf("%d: got problems %+v, want that of the turn", status, pr)
		}
		if n := len(f.requests()); status != 403 && n != 2 {
			t.Errorf("%d: got requests %q, want the message once and one probe", status, f.requests())
		}
		d.finish()
	}
}

// Evidence names the record of the answer, not that of the request.
func TestEvidenceNamesTheAnswer(t *testing.T) {
	t.Parallel()
	l := newLoner(t, strings.Replace(card03, "0.3.0", "1.0", 1), map[string]string{"tasks/get": noSuchTask, "message/send": reply03})
	d := newHarness(t, nil)
	id := d.openAgent(l.URL)
	d.sendText(model.Target{Agent: id}, "hello", model.SendOptions{})
	kinds := map[a2a.RecordID]a2a.RecordKind{}
	for i := range d.items {
		if d.items[i].Signal == nil {
			kinds[d.items[i].Record.ID] = d.items[i].Record.Kind
		}
	}
	n := 0
	for _, ev := range d.state.Agent(id).Profile.Evidence {
		if ev.Record != 0 && ev.Field == "dialect" {
			n++
			if kinds[ev.Record] != a2a.KindBody {
				t.Errorf("got %+v in a record of kind %s, want a body", ev, kinds[ev.Record])
			}
		}
	}
	if n == 0 {
		t.Error("got no evidence with a record, want some")
	}
	d.finish()
}

// A card of a version that nobody speaks is told with that version and with those that Parley speaks,
// whether probes find another one or not. Advice stands only where it can help.
func TestAVersionThatParleyDoesNotSpeakIsNamed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		says map[string]string
		want string
	}{
		{"and the agent speaks 1.0", speaks10, "The card says A2A 9.9, which is none of 0.1 – 1.0, but the agent speaks 1.0"},
		{"and the agent answers no probe", map[string]string{}, "“Liar” says A2A 9.9. Parley speaks 0.1 – 1.0, and probes in these versions were not answered as an agent does"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newLoner(t, strings.Replace(card03, "0.3.0", "9.9", 1), c.says)
			d := newHarness(t, nil)
			id := d.Open(l.URL)
			d.waitForSignal(log.SignalOpened)
			p := d.state.Agent(id).Profile
			if said := strings.Join(append(p.Warnings, p.Problem), "\n"); !strings.Contains(said, c.want) || strings.Contains(said, "pin the dialect") {
				t.Errorf("got %q, want %q and no advice to pin a dialect", said, c.want)
			}
			d.finish()
		})
	}
}

// The refusal of a version names the pin that may be its reason, with the flag that set it.
func TestARefusedVersionNamesThePin(t *testing.T) {
	t.Parallel()
	for _, pinned := range []bool{true, false} {
		l := newLoner(t, card03, map[string]string{"tasks/get": noSuchTask, "message/send": `"error":{"code":-32009,"message":"not this one"}`})
		d := newHarness(t, func(o *options) {
			if pinned {
				o.Client = func(string) a2a.Options { return a2a.Options{Pins: a2a.Pins{Dialect: a2a.V03}} }
			}
		})
		_, sig := d.sendText(model.Target{Agent: d.openAgent(l.URL)}, "hello", model.SendOptions{Stream: a2a.False})
		if strings.Contains(sig.Sentence, "You pinned the dialect (0.3 over JSON-RPC), so Parley tried no other way: unpin it in the finder, or omit --dialect.") != pinned {
			t.Errorf("pinned %v: got turn end %q", pinned, sig.Sentence)
		}
		d.finish()
	}
}
