package controltest

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"parley/a2a"
	"parley/session/engine"
	"parley/session/model"
	"parley/ui/control"
	"parley/ui/looks"
)

// An Engine records calls and does nothing. Its fields say what it returns. A test that needs
// more embeds it.
type Engine struct {
	Calls    []string         // calls, in order
	Sent     []SentMessage    // by Send
	Requests []a2a.RawRequest // by SendRaw
	Shown    []a2a.AgentID    // agents that were on the screen

	// The last numbers that it returned.

	Conversations a2a.ConversationID
	Turns         a2a.TurnID
	agents        a2a.AgentID
	files         a2a.TurnID
	ids           int

	Catalogs     map[string]a2a.Catalog // by reference
	Pinned       a2a.Pins
	WebhookURL   string // the URL of Parley's webhooks
	ListenErr    error  // the error of PushListen
	TrustsAll    bool   // credentials are sent with downloads
	Paused       bool   // streams are paused
	FaultRefusal string // why faults are refused
}

var _ control.Engine = (*Engine)(nil)

// A SentMessage is a message as the engine got it.
type SentMessage struct {
	*a2a.Message
	To      model.Target
	Options model.SendOptions
}

// record records a call.
func (e *Engine) record(format string, args ...any) {
	e.Calls = append(e.Calls, fmt.Sprintf(format, args...))
}

// CallsOf returns the calls that begin with a word, without it.
func (e *Engine) CallsOf(word string) (out []string) {
	for _, call := range e.Calls {
		if rest, ok := strings.CutPrefix(call, word+" "); ok {
			out = append(out, rest)
		}
	}
	return out
}

// Last returns the message that was sent last, an empty one if there is none.
func (e *Engine) Last() SentMessage {
	if len(e.Sent) == 0 {
		return SentMessage{Message: &a2a.Message{}}
	}
	return e.Sent[len(e.Sent)-1]
}

func (e *Engine) Refusal() string { return "" }

func (e *Engine) Open(ref string) a2a.AgentID {
	e.agents++
	e.record("open %s", ref)
	return e.agents
}

func (e *Engine) OpenChoice(id a2a.AgentID, index int) { e.record("open choice %d of %d", index, id) }
func (e *Engine) Reopen(id a2a.AgentID)                { e.record("reopen %d", id) }
func (e *Engine) SearchCard(id a2a.AgentID)            { e.record("search card of %d", id) }
func (e *Engine) ProbeDialect(id a2a.AgentID)          { e.record("probe %d", id) }
func (e *Engine) Dismiss(id a2a.AgentID)               { e.record("dismiss %d", id) }
func (e *Engine) Restore(id a2a.AgentID)               { e.record("restore %d", id) }
func (e *Engine) SetShownAgent(id a2a.AgentID)         { e.Shown = append(e.Shown, id) }
func (e *Engine) PublicCard(id a2a.AgentID)            { e.record("public card of %d", id) }

func (e *Engine) SetConversationName(id a2a.AgentID, conv a2a.ConversationID, name string) {
	e.record("conversation %d %d %q", id, conv, name)
}
func (e *Engine) SetAgentName(id a2a.AgentID, name string) { e.record("name %d %q", id, name) }

func (e *Engine) Pins(a2a.AgentID) a2a.Pins { return e.Pinned }

func (e *Engine) Pin(id a2a.AgentID, p a2a.Pins) {
	e.Pinned = p
	e.record("pin %d", id)
}

func (e *Engine) RefreshCredentials(id a2a.AgentID) { e.record("refresh credentials of %d", id) }

func (e *Engine) SetExtensions(id a2a.AgentID, uris []string) {
	e.record("extend %d %s", id, strings.Join(uris, " "))
}

// ReadCatalog returns the catalog of a reference.
func (e *Engine) ReadCatalog(_ context.Context, ref string) a2a.Catalog {
	if c, ok := e.Catalogs[ref]; ok {
		return c
	}
	return a2a.Catalog{Ref: ref, Sentence: "There is no catalog.", Class: a2a.ClassNoCard}
}

// ExtendedCard records a call.
func (e *Engine) ExtendedCard(id a2a.AgentID) a2a.TurnID {
	e.record("extended card of %d", id)
	return 1
}

func (e *Engine) NewConversation(a2a.AgentID) a2a.ConversationID {
	e.Conversations++
	return e.Conversations
}

func (e *Engine) Send(to model.Target, m *a2a.Message, o model.SendOptions) a2a.TurnID {
	e.Turns++
	how := ""
	if o.Secret {
		how = "secretly "
	}
	e.record("send %q %sto agent %d conversation %d task %q context %q", m.Text(), how, to.Agent, to.Conversation, to.TaskID, to.ContextID)
	copied := *m
	e.Sent = append(e.Sent, SentMessage{&copied, to, o})
	return e.Turns
}

func (e *Engine) Stop(id a2a.TurnID)      { e.record("stop %d", id) }
func (e *Engine) Mask(text string) string { return a2a.MaskText(text) }

func (e *Engine) DownloadArtifact(id a2a.AgentID, uri string) a2a.TurnID {
	e.record("artifact %d %s", id, uri)
	return 9
}

// firstFile is the turn of the first file that is downloaded.
const firstFile = 91

func (e *Engine) DownloadFile(_ a2a.AgentID, uri string, besides ...string) a2a.TurnID {
	e.record("file %s", strings.Join(append([]string{uri}, besides...), " "))
	e.files++
	return firstFile + e.files - 1
}

func (e *Engine) Trusts(a2a.AgentID, string) bool { return e.TrustsAll }

func (e *Engine) Get(_ a2a.AgentID, task string, conv a2a.ConversationID, history *int) a2a.TurnID {
	most := -1
	if history != nil {
		most = *history
	}
	e.record("get %s in %d, %d messages", looks.ShortID(task), conv, most)
	return 1
}

func (e *Engine) Await(_ a2a.AgentID, task string, conv a2a.ConversationID, _ *int) a2a.TurnID {
	e.record("poll %s in %d", looks.ShortID(task), conv)
	return 1
}

func (e *Engine) Subscribe(_ a2a.AgentID, task string, conv a2a.ConversationID, _ bool) a2a.TurnID {
	e.record("subscribe to %s in %d", looks.ShortID(task), conv)
	return 1
}

func (e *Engine) List(agent a2a.AgentID, f a2a.ListFilter, _ *int) a2a.TurnID {
	e.record("list of agent %d, %s, ctx %q, page %q", agent, f.State, f.ContextID, f.PageToken)
	return 1
}

func (e *Engine) Cancel(_ a2a.AgentID, task string, _ a2a.ConversationID) a2a.TurnID {
	e.Turns++
	e.record("cancel %s", task)
	return e.Turns
}

func (e *Engine) MergeArtifacts(_ a2a.AgentID, task string) { e.record("merge %s", task) }

func (e *Engine) SetTaskMetadata(id a2a.AgentID, metadata json.RawMessage) {
	e.record("annotate %d %s", id, metadata)
}

func (e *Engine) StartAuthPoll(_ a2a.AgentID, task string) bool {
	e.record("start auth poll of %s", task)
	return true
}
func (e *Engine) StopAuthPoll(_ a2a.AgentID, task string) { e.record("stop auth poll of %s", task) }
func (e *Engine) HurryAuthPolls()                         { e.record("hurry") }

func (e *Engine) Webhooks() string { return e.WebhookURL }

func (e *Engine) PushListen(_ a2a.AgentID, task string) (a2a.TurnID, error) {
	e.record("listen for %s", looks.ShortID(task))
	return 1, e.ListenErr
}

func (e *Engine) PushSet(_ a2a.AgentID, task string, c a2a.PushConfig) a2a.TurnID {
	e.record("set %s %s token %q %v %q", looks.ShortID(task), c.URL, c.Token, c.Schemes, c.Credentials)
	return 1
}

func (e *Engine) PushGet(_ a2a.AgentID, task, id string) a2a.TurnID {
	e.record("get %s %s", looks.ShortID(task), id)
	return 1
}

func (e *Engine) PushList(_ a2a.AgentID, task string, _ a2a.ListFilter) a2a.TurnID {
	e.record("list %s", looks.ShortID(task))
	return 1
}

func (e *Engine) PushDelete(_ a2a.AgentID, task, id string) a2a.TurnID {
	e.record("delete %s %s", looks.ShortID(task), id)
	return 1
}

func (e *Engine) Presets(id a2a.AgentID) []model.Preset {
	return []model.Preset{
		{Op: a2a.OpGet, Name: "GetTask", Request: a2a.RawRequest{URL: fmt.Sprintf("http://agent%d.example/get", id), Body: []byte(`{"jsonrpc":"2.0","id":"1","method":"GetTask"}`)}},
		{Op: a2a.OpList, Name: "ListTasks", Request: a2a.RawRequest{URL: "http://agent.example/list"}},
	}
}

func (e *Engine) NewID() string {
	e.ids++
	return fmt.Sprintf("fresh-%d", e.ids)
}

func (e *Engine) SendRaw(id a2a.AgentID, conv a2a.ConversationID, r a2a.RawRequest) a2a.TurnID {
	e.Requests = append(e.Requests, r)
	e.record("raw %d %d %s", id, conv, r.URL)
	return 1_000
}

func (e *Engine) InjectFault(x a2a.ExchangeID, f engine.Fault) string {
	e.record("fault %d %s %d", x, f.Kind, f.After)
	return e.FaultRefusal
}

func (e *Engine) ReadingPaused(a2a.ExchangeID) bool { return e.Paused }
