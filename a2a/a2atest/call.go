package a2atest

import (
	"bytes"
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

// envelope holds the members that any dialect's request can have.
type envelope struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
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
	} `json:"params"`
}

// readCall reads the members of a request body that the engine needs. If they cannot be read,
// it returns the fault to answer with.
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
	c.contextID = cmp.Or(e.Params.ContextID, e.Params.SessionID)
	if d.clientIDs || !c.asks {
		c.taskID = cmp.Or(e.Params.TaskID, e.Params.ID) // if both exist, the id is a webhook's
	}
	c.history = cmp.Or(e.Params.HistoryLength, e.Params.Configuration.HistoryLength)
	if blocking := e.Params.Configuration.Blocking; blocking != nil {
		c.waits = *blocking
	}
	c.readPush(d, &e, body)
	if c.method == d.list {
		var of struct{ Params listFilter }
		if json.Unmarshal(body, &of) != nil {
			return c, &invalidParams
		}
		c.list = of.Params
	}
	c.waits = c.waits && !e.Params.Configuration.ReturnImmediately
	if len(e.Params.Message) > 0 && !c.readMessage(e.Params.Message, d) {
		return c, &invalidParams
	}
	return c, nil
}

// readPush reads the webhook members of a request.
func (c *call) readPush(d *dialect, e *envelope, body []byte) {
	if c.webhookID = e.Params.ConfigID; d.flat {
		c.webhookID = e.Params.ID
	}
	for _, raw := range []json.RawMessage{e.Params.PushConfig, e.Params.Push, e.Params.Configuration.Push, e.Params.Configuration.TaskPush} {
		if len(raw) > 0 {
			c.webhook = raw
		}
	}
	if d.flat && c.method == d.push.set {
		var whole struct{ Params json.RawMessage }
		_ = json.Unmarshal(body, &whole) // it was read before
		c.webhook = whole.Params
	}
}

func (c *call) readMessage(raw []byte, d *dialect) bool {
	var m struct {
		TaskID    string `json:"taskId"`
		ContextID string `json:"contextId"`
		Parts     []struct {
			Text string          `json:"text"`
			Data json.RawMessage `json:"data"`
		} `json:"parts"`
	}
	if json.Unmarshal(raw, &m) != nil {
		return false
	}
	var compact bytes.Buffer
	if json.Compact(&compact, raw) != nil {
		return false
	}
	c.message = compact.Bytes()
	if !d.clientIDs {
		c.taskID = m.TaskID
	}
	c.contextID = cmp.Or(m.ContextID, c.contextID)
	var texts, data []string
	for _, part := range m.Parts {
		if part.Text != "" {
			texts = append(texts, part.Text)
		}
		if len(part.Data) > 0 {
			data = append(data, string(part.Data))
		}
	}
	c.text = strings.TrimSpace(cmp.Or(strings.Join(texts, "\n"), strings.Join(data, "\n")))
	return true
}
