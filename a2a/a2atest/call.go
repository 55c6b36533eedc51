package a2atest

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
)

// A Request is what an agent received, for tests to check.
type Request struct {
	Method string // of HTTP
	Path   string
	RPC    string // method of JSON-RPC, empty if the body has none
	Header http.Header
	Body   []byte
}

// A call is a request as scenes see it.
type call struct {
	id        []byte // of JSON-RPC, as sent
	method    string // of JSON-RPC, or of HTTP with the path
	taskID    string
	contextID string
	text      string
	message   []byte
	// asks is set for the calls that start or continue work.
	asks bool
	// history is how many messages are requested at most, nil for all.
	history *int
	// webhook is a push configuration, in a send or to be registered, and webhookID names
	// one.
	webhook   json.RawMessage
	webhookID string
	// list is the filter of a request for tasks.
	list listFilter
	// waits is false when a plain send asks for an immediate answer.
	waits bool
	// extensions are those of the agent's that the request asks for, and bearer is set when it
	// has a token.
	extensions []string
	bearer     bool
}

// readHead reads the head of a request.
func (c *call) readHead(h http.Header, s *Script) {
	for _, line := range h.Values(s.dialect.extensions) {
		for uri := range strings.SplitSeq(line, ",") {
			if uri = strings.TrimSpace(uri); slices.Contains(s.knows, uri) {
				c.extensions = append(c.extensions, uri)
			}
		}
	}
	scheme, token, _ := strings.Cut(h.Get("Authorization"), " ")
	c.bearer = strings.EqualFold(scheme, "bearer") && token != ""
}

// An envelope is the outside of every request.
type envelope struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// params holds the members that the parameters of any dialect can have.
type params struct {
	ID            string          `json:"id"`
	ConfigID      string          `json:"pushNotificationConfigId"`
	Push          json.RawMessage `json:"pushNotification"`
	PushConfig    json.RawMessage `json:"pushNotificationConfig"`
	TaskID        string          `json:"taskId"`
	SessionID     string          `json:"sessionId"`
	ContextID     string          `json:"contextId"`
	HistoryLength *int            `json:"historyLength"`
	Message       json.RawMessage `json:"message"`
	Configuration struct {
		Blocking          *bool `json:"blocking"`
		ReturnImmediately bool  `json:"returnImmediately"`
		HistoryLength     *int  `json:"historyLength"`

		Push     json.RawMessage `json:"pushNotificationConfig"`
		TaskPush json.RawMessage `json:"taskPushNotificationConfig"`
	} `json:"configuration"`
}

// readCall reads the members of a request body that the engine needs. If they cannot be read,
// or do not follow the dialect, it returns the fault to answer with.
func readCall(d *dialect, body []byte) (*call, *fault) {
	c := &call{id: []byte("null"), waits: true}
	if !json.Valid(body) {
		return c, &parseError
	}
	var e envelope
	err := json.Unmarshal(body, &e)
	if len(e.ID) > 0 {
		c.id = e.ID
	}
	if err != nil || e.Method == "" {
		return c, &invalidRequest
	}
	c.method = e.Method
	c.asks = c.method == d.send || c.method == d.stream
	var p params
	if len(e.Params) > 0 && json.Unmarshal(e.Params, &p) != nil {
		return c, &invalidParams
	}
	c.contextID = cmp.Or(p.ContextID, p.SessionID)
	if d.clientIDs || !c.asks {
		c.taskID = cmp.Or(p.TaskID, p.ID) // if both exist, the id is a webhook's
	}
	c.history = cmp.Or(p.HistoryLength, p.Configuration.HistoryLength)
	if blocking := p.Configuration.Blocking; blocking != nil {
		c.waits = *blocking
	}
	c.readPush(d, &p, e.Params)
	if c.method == d.list && len(e.Params) > 0 && json.Unmarshal(e.Params, &c.list) != nil {
		return c, &invalidParams
	}
	c.waits = c.waits && !p.Configuration.ReturnImmediately
	if wrong := c.checkParams(d, &p); wrong != "" {
		return c, invalid(wrong)
	}
	return c, nil
}

// checkParams reads the message, and says which parameter is missing or is not what the dialect
// demands, empty if all are right.
func (c *call) checkParams(d *dialect, p *params) (wrong string) {
	switch {
	case slices.Contains(d.aboutTask, c.method) && c.taskID == "", c.asks && d.clientIDs && c.taskID == "":
		return "id"
	case c.asks:
		return c.readMessage(p.Message, d)
	}
	return ""
}

// readPush reads the webhook members of a request.
func (c *call) readPush(d *dialect, p *params, whole json.RawMessage) {
	if c.webhookID = p.ConfigID; d.flat {
		c.webhookID = p.ID
	}
	for _, raw := range []json.RawMessage{p.PushConfig, p.Push, p.Configuration.Push, p.Configuration.TaskPush} {
		if len(raw) > 0 {
			c.webhook = raw
		}
	}
	if d.flat && c.method == d.push.set {
		c.webhook = whole
	}
}
