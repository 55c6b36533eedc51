package ui

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/engine"
	"parley/session/model"
	"parley/ui/looks"
)

// fakeEngine is the engine of all tests: it records calls and does nothing. Its fields say what
// it returns. A test that needs more embeds it.
type fakeEngine struct {
	calls    []string         // calls, in order
	sent     []sentMessage    // by Send
	requests []a2a.RawRequest // by SendRaw
	shown    []a2a.AgentID    // agents that were on the screen

	agents a2a.AgentID // the last numbers it returned
	convs  a2a.ConversationID
	turns  a2a.TurnID
	files  a2a.TurnID
	ids    int

	pins     a2a.Pins
	webhooks string // the URL of Parley's webhooks
	deaf     error  // the error of PushListen
	trusts   bool   // credentials are sent with downloads
	paused   bool   // streams are paused
	refuses  string // why faults are refused
}

var _ Engine = (*fakeEngine)(nil)

// A sentMessage is a message as the engine got it.
type sentMessage struct {
	*a2a.Message
	To      model.Target
	Options model.SendOptions
}

// note records a call.
func (e *fakeEngine) note(format string, args ...any) {
	e.calls = append(e.calls, fmt.Sprintf(format, args...))
}

// of returns the calls that begin with a word, without it.
func (e *fakeEngine) of(word string) (out []string) {
	for _, call := range e.calls {
		if rest, ok := strings.CutPrefix(call, word+" "); ok {
			out = append(out, rest)
		}
	}
	return out
}

// last returns the message that was sent last, an empty one if there is none.
func (e *fakeEngine) last() sentMessage {
	if len(e.sent) == 0 {
		return sentMessage{Message: &a2a.Message{}}
	}
	return e.sent[len(e.sent)-1]
}

func (e *fakeEngine) Refusal() string { return "" }

func (e *fakeEngine) Open(ref string) a2a.AgentID {
	e.agents++
	e.note("open %s", ref)
	return e.agents
}

func (e *fakeEngine) OpenChoice(id a2a.AgentID, index int) { e.note("open choice %d of %d", index, id) }
func (e *fakeEngine) Reopen(id a2a.AgentID)                { e.note("reopen %d", id) }
func (e *fakeEngine) SearchCard(id a2a.AgentID)            { e.note("search card of %d", id) }
func (e *fakeEngine) ProbeDialect(id a2a.AgentID)          { e.note("probe %d", id) }
func (e *fakeEngine) Dismiss(id a2a.AgentID)               { e.note("dismiss %d", id) }
func (e *fakeEngine) Restore(id a2a.AgentID)               { e.note("restore %d", id) }
func (e *fakeEngine) SetShownAgent(id a2a.AgentID)         { e.shown = append(e.shown, id) }
func (e *fakeEngine) PublicCard(id a2a.AgentID)            { e.note("public card of %d", id) }

func (e *fakeEngine) SetAgentName(id a2a.AgentID, name string) { e.note("name %d %q", id, name) }

func (e *fakeEngine) Pins(a2a.AgentID) a2a.Pins { return e.pins }

func (e *fakeEngine) Pin(id a2a.AgentID, p a2a.Pins) {
	e.pins = p
	e.note("pin %d", id)
}

func (e *fakeEngine) SetExtensions(id a2a.AgentID, uris []string) {
	e.note("extend %d %s", id, strings.Join(uris, " "))
}

func (e *fakeEngine) ExtendedCard(id a2a.AgentID) a2a.TurnID {
	e.note("extended card of %d", id)
	return 1
}

func (e *fakeEngine) NewConversation(a2a.AgentID) a2a.ConversationID {
	e.convs++
	return e.convs
}

func (e *fakeEngine) Send(to model.Target, m *a2a.Message, o model.SendOptions) a2a.TurnID {
	e.turns++
	how := ""
	if o.Secret {
		how = "secretly "
	}
	e.note("send %q %sto agent %d conversation %d task %q context %q", m.Text(), how, to.Agent, to.Conversation, to.TaskID, to.ContextID)
	copied := *m
	e.sent = append(e.sent, sentMessage{&copied, to, o})
	return e.turns
}

func (e *fakeEngine) Stop(id a2a.TurnID)      { e.note("stop %d", id) }
func (e *fakeEngine) Mask(text string) string { return a2a.MaskText(text) }

func (e *fakeEngine) DownloadArtifact(id a2a.AgentID, uri string) a2a.TurnID {
	e.note("artifact %d %s", id, uri)
	return 9
}

// firstFile is the turn of the first file that is downloaded.
const firstFile = 91

func (e *fakeEngine) DownloadFile(_ a2a.AgentID, uri string, besides ...string) a2a.TurnID {
	e.note("file %s", strings.Join(append([]string{uri}, besides...), " "))
	e.files++
	return firstFile + e.files - 1
}

func (e *fakeEngine) Trusts(a2a.AgentID, string) bool { return e.trusts }

func (e *fakeEngine) Get(_ a2a.AgentID, task string, conv a2a.ConversationID, history *int) a2a.TurnID {
	most := -1
	if history != nil {
		most = *history
	}
	e.note("get %s in %d, %d messages", looks.ShortID(task), conv, most)
	return 1
}

func (e *fakeEngine) Await(_ a2a.AgentID, task string, conv a2a.ConversationID, _ *int) a2a.TurnID {
	e.note("poll %s in %d", looks.ShortID(task), conv)
	return 1
}

func (e *fakeEngine) Subscribe(_ a2a.AgentID, task string, conv a2a.ConversationID) a2a.TurnID {
	e.note("subscribe to %s in %d", looks.ShortID(task), conv)
	return 1
}

func (e *fakeEngine) List(agent a2a.AgentID, f a2a.ListFilter, _ *int) a2a.TurnID {
	e.note("list of agent %d, %s, ctx %q, page %q", agent, f.State, f.ContextID, f.PageToken)
	return 1
}

func (e *fakeEngine) Cancel(_ a2a.AgentID, task string, _ a2a.ConversationID) a2a.TurnID {
	e.turns++
	e.note("cancel %s", task)
	return e.turns
}

func (e *fakeEngine) MergeArtifacts(_ a2a.AgentID, task string) { e.note("merge %s", task) }

func (e *fakeEngine) SetTaskMetadata(id a2a.AgentID, metadata json.RawMessage) {
	e.note("annotate %d %s", id, metadata)
}

func (e *fakeEngine) StartAuthPoll(_ a2a.AgentID, task string) { e.note("start auth poll of %s", task) }
func (e *fakeEngine) StopAuthPoll(_ a2a.AgentID, task string)  { e.note("stop auth poll of %s", task) }
func (e *fakeEngine) HurryAuthPolls()                          { e.note("hurry") }

func (e *fakeEngine) Webhooks() string { return e.webhooks }

func (e *fakeEngine) PushListen(_ a2a.AgentID, task string) (a2a.TurnID, error) {
	e.note("listen for %s", looks.ShortID(task))
	return 1, e.deaf
}

func (e *fakeEngine) PushSet(_ a2a.AgentID, task string, c a2a.PushConfig) a2a.TurnID {
	e.note("set %s %s token %q %v %q", looks.ShortID(task), c.URL, c.Token, c.Schemes, c.Credentials)
	return 1
}

func (e *fakeEngine) PushGet(_ a2a.AgentID, task, id string) a2a.TurnID {
	e.note("get %s %s", looks.ShortID(task), id)
	return 1
}

func (e *fakeEngine) PushList(_ a2a.AgentID, task string, _ a2a.ListFilter) a2a.TurnID {
	e.note("list %s", looks.ShortID(task))
	return 1
}

func (e *fakeEngine) PushDelete(_ a2a.AgentID, task, id string) a2a.TurnID {
	e.note("delete %s %s", looks.ShortID(task), id)
	return 1
}

func (e *fakeEngine) Presets(id a2a.AgentID) []model.Preset {
	return []model.Preset{
		{Op: a2a.OpGet, Name: "GetTask", Request: a2a.RawRequest{URL: fmt.Sprintf("http://agent%d.example/get", id), Body: []byte(`{"jsonrpc":"2.0","id":"1","method":"GetTask"}`)}},
		{Op: a2a.OpList, Name: "ListTasks", Request: a2a.RawRequest{URL: "http://agent.example/list"}},
	}
}

func (e *fakeEngine) NewID() string {
	e.ids++
	return fmt.Sprintf("fresh-%d", e.ids)
}

func (e *fakeEngine) SendRaw(id a2a.AgentID, conv a2a.ConversationID, r a2a.RawRequest) a2a.TurnID {
	e.requests = append(e.requests, r)
	e.note("raw %d %d %s", id, conv, r.URL)
	return 1_000
}

func (e *fakeEngine) InjectFault(x a2a.ExchangeID, f engine.Fault) string {
	e.note("fault %d %s %d", x, f.Kind, f.After)
	return e.refuses
}

func (e *fakeEngine) ReadingPaused(a2a.ExchangeID) bool { return e.paused }

// The engine of a recording says why it refuses, and does nothing.
func TestTheEngineOfARecordingDoesNothing(t *testing.T) {
	e := RecordingEngine()
	const says = "This is a recording; nothing can be sent."
	if got := e.Refusal(); got != says {
		t.Errorf("it says %q, want %q", got, says)
	}
	v := reflect.ValueOf(e)
	for i := range v.NumMethod() {
		name, kind := v.Type().Method(i).Name, v.Method(i).Type()
		in := make([]reflect.Value, kind.NumIn())
		for j := range in {
			in[j] = reflect.Zero(kind.In(j))
		}
		call := v.Method(i).Call
		if kind.IsVariadic() {
			call = v.Method(i).CallSlice
		}
		for _, out := range call(in) {
			speaks := out.Kind() == reflect.String || out.Kind() == reflect.Interface // which say why
			if !speaks && !out.IsZero() {
				t.Errorf("%s of a recording's engine returns %v, want the zero value", name, out)
			}
		}
	}
}
