package a2a

import (
	"encoding/json"
	"net/url"
	"strconv"
)

// dialectV10REST is A2A 1.0 over HTTP+JSON (specification 1.0 §11). Of a task to
// subscribe to, the protocol buffer says GET and two tables of the text say POST.
var dialectV10REST = Dialect{
	name: V10REST,
	methods: map[Op]string{
		OpSend:         "POST /{tenant}/message:send",
		OpStream:       "POST /{tenant}/message:stream",
		OpGet:          "GET /{tenant}/tasks/{task}",
		OpList:         "GET /{tenant}/tasks",
		OpCancel:       "POST /{tenant}/tasks/{task}:cancel",
		OpSubscribe:    "GET /{tenant}/tasks/{task}:subscribe",
		OpPushSet:      "POST /{tenant}/tasks/{task}/pushNotificationConfigs",
		OpPushGet:      "GET /{tenant}/tasks/{task}/pushNotificationConfigs/{config}",
		OpPushList:     "GET /{tenant}/tasks/{task}/pushNotificationConfigs",
		OpPushDelete:   "DELETE /{tenant}/tasks/{task}/pushNotificationConfigs/{config}",
		OpExtendedCard: "GET /{tenant}/extendedAgentCard",
	},
	errors:  dialectV10.errors,
	headers: dialectV10.headers,
	params:  bodyV10,
	query:   queryV10,
	media:   mediaA2A,

	extensions: dialectV10.extensions,
}

// cancelV10 is what remains of the parameters when the path names the task.
type cancelV10 struct {
	Tenant   string          `json:"tenant,omitempty"`
	Metadata json.RawMessage `json:"metadata,omitempty"`
}

// bodyV10 returns the parameters in the body of a POST, besides those in its path. They repeat
// the tenant, as the text requires of every request (specification 1.0 §8.3.2).
func bodyV10(op Op, req *Request) (any, error) {
	switch op {
	case OpSend, OpStream:
		return sendParamsV10(op, req)
	case OpCancel:
		return cancelV10{Tenant: req.Tenant, Metadata: object(req.Metadata)}, nil
	case OpPushSet:
		if req.Push == nil {
			return nil, encodeErrorf("There is no push configuration to set")
		}
		w := pushV1Of(req.Push)
		w.Tenant, w.TaskID = req.Tenant, ""
		return w, nil
	default:
		return nil, nil
	}
}

// queryV10 returns the parameters of a GET: names in camelCase, states as words.
func queryV10(op Op, req *Request) url.Values {
	q := url.Values{}
	switch op {
	case OpGet:
		number(q, "historyLength", req.HistoryLength)
	case OpList:
		l := listParamsV10(req)
		text(q, "contextId", l.ContextID)
		text(q, "status", l.Status)
		page(q, &req.List)
		number(q, "historyLength", l.HistoryLength)
		text(q, "statusTimestampAfter", l.StatusTimestampAfter)
		included(q, req.List.IncludeArtifacts)
	case OpPushList:
		page(q, &req.List)
	}
	return q
}

func text(q url.Values, name, value string) {
	if value != "" {
		q.Set(name, value)
	}
}

func number(q url.Values, name string, value *int) {
	if value != nil {
		q.Set(name, strconv.Itoa(*value))
	}
}

func included(q url.Values, artifacts Tri) {
	if artifacts != Absent {
		q.Set("includeArtifacts", strconv.FormatBool(artifacts == True))
	}
}

func page(q url.Values, l *ListFilter) {
	if l.PageSize > 0 {
		q.Set("pageSize", strconv.Itoa(l.PageSize))
	}
	text(q, "pageToken", l.PageToken)
}

// dialectV03REST is A2A 0.3.0 over HTTP+JSON. Its objects are those of the
// protocol buffer in JSON and not those of JSON-RPC (specification 0.3.0
// §3.2.3); the list of tasks stands in the text only.
var dialectV03REST = Dialect{
	name: V03REST,
	methods: map[Op]string{
		OpSend:         "POST /v1/message:send",
		OpStream:       "POST /v1/message:stream",
		OpGet:          "GET /v1/tasks/{task}",
		OpList:         "GET /v1/tasks",
		OpCancel:       "POST /v1/tasks/{task}:cancel",
		OpSubscribe:    "GET /v1/tasks/{task}:subscribe",
		OpPushSet:      "POST /v1/tasks/{task}/pushNotificationConfigs",
		OpPushGet:      "GET /v1/tasks/{task}/pushNotificationConfigs/{config}",
		OpPushList:     "GET /v1/tasks/{task}/pushNotificationConfigs",
		OpPushDelete:   "DELETE /v1/tasks/{task}/pushNotificationConfigs/{config}",
		OpExtendedCard: "GET /v1/card",
	},
	errors:     dialectV03.errors,
	params:     bodyP03,
	query:      queryP03,
	extensions: dialectV03.extensions,
	otherwise: func(op Op, req *Request) (any, error) {
		w, err := sendP03Of(op, req)
		w.Message.Parts, w.Message.Content = w.Message.Content, nil
		return w, err
	},
}

// bodyP03 returns the body of a POST, besides the parameters in its path.
func bodyP03(op Op, req *Request) (any, error) {
	switch op {
	case OpSend, OpStream:
		return sendP03Of(op, req)
	case OpCancel:
		id, err := req.needTask()
		return cancelP03{Name: "tasks/" + id}, err
	case OpPushSet:
		return pushSetP03Of(req)
	default:
		return nil, nil
	}
}

func queryP03(op Op, req *Request) url.Values {
	q := url.Values{}
	switch op {
	case OpGet:
		number(q, "historyLength", req.HistoryLength)
	case OpList:
		text(q, "contextId", req.List.ContextID)
		if req.List.State != StateUnknown {
			q.Set("status", Word(req.List.State, V03REST))
		}
		page(q, &req.List)
		number(q, "historyLength", req.HistoryLength)
		text(q, "lastUpdatedAfter", req.List.StatusTimestampAfter) // its name before 1.0
		included(q, req.List.IncludeArtifacts)
	case OpPushList:
		page(q, &req.List)
	}
	return q
}
