package a2a

import (
	"net/url"
	"strconv"
)

// dialectV10REST is A2A 1.0 over HTTP+JSON (specification 1.0 §11). Of a task to
// subscribe to, the protocol buffer says GET and two tables of the text say POST.
var dialectV10REST = Dialect{
	name:    V10REST,
	methods: methodsREST("/{tenant}", "/extendedAgentCard"),
	errors:  dialectV10.errors,
	headers: dialectV10.headers,
	params:  bodyV10,
	query:   queryREST(V10, "statusTimestampAfter"),
	media:   mediaA2A,

	extensions: dialectV10.extensions,
}

// bodyV10 returns the parameters in the body of a POST, besides those in its path. They repeat
// the tenant, as the text requires of every request (specification 1.0 §8.3.2).
func bodyV10(op Op, req *Request) (any, error) {
	switch op {
	case OpSend, OpStream:
		return sendParamsV10(op, req)
	case OpCancel:
		return taskV10{Tenant: req.Tenant, Metadata: object(req.Metadata)}, nil
	case OpPushSet:
		w := pushV1Of(req.Push)
		w.Tenant, w.TaskID = req.Tenant, ""
		return w, nil
	default:
		return nil, nil
	}
}

// methodsREST returns the verbs and paths of HTTP+JSON, which begin with a prefix.
func methodsREST(prefix, extendedCard string) map[Op]string {
	task := prefix + "/tasks/{task}"
	configs := task + "/pushNotificationConfigs"
	return map[Op]string{
		OpSend:         "POST " + prefix + "/message:send",
		OpStream:       "POST " + prefix + "/message:stream",
		OpGet:          "GET " + task,
		OpList:         "GET " + prefix + "/tasks",
		OpCancel:       "POST " + task + ":cancel",
		OpSubscribe:    "GET " + task + ":subscribe",
		OpPushSet:      "POST " + configs,
		OpPushGet:      "GET " + configs + "/{config}",
		OpPushList:     "GET " + configs,
		OpPushDelete:   "DELETE " + configs + "/{config}",
		OpExtendedCard: "GET " + prefix + extendedCard,
	}
}

// queryREST returns what makes the query of a GET: names in camelCase, states in the words of a
// version, and that version's name for the time after which a listed task changed.
func queryREST(version DialectName, changedAfter string) func(op Op, req *Request) url.Values {
	return func(op Op, req *Request) url.Values {
		q, list := url.Values{}, &req.List
		set := func(name, value string) {
			if value != "" {
				q.Set(name, value)
			}
		}
		if req.HistoryLength != nil && (op == OpGet || op == OpList) {
			q.Set("historyLength", strconv.Itoa(*req.HistoryLength))
		}
		if op == OpList || op == OpPushList {
			if list.PageSize > 0 {
				q.Set("pageSize", strconv.Itoa(list.PageSize))
			}
			set("pageToken", list.PageToken)
		}
		if op == OpList {
			set("contextId", list.ContextID)
			set(changedAfter, list.StatusTimestampAfter)
			if list.State != StateUnknown {
				q.Set("status", Word(list.State, version))
			}
			if list.IncludeArtifacts != Absent {
				q.Set("includeArtifacts", strconv.FormatBool(list.IncludeArtifacts == True))
			}
		}
		return q
	}
}

// dialectV03REST is A2A 0.3.0 over HTTP+JSON. Its objects are those of the
// protocol buffer in JSON and not those of JSON-RPC (specification 0.3.0
// §3.2.3); the list of tasks stands in the text only.
var dialectV03REST = Dialect{
	name:       V03REST,
	methods:    methodsREST("/v1", "/card"),
	errors:     dialectV03.errors,
	params:     bodyP03,
	query:      queryREST(V03REST, "lastUpdatedAfter"),
	extensions: dialectV03.extensions,
	otherwise: func(op Op, req *Request) (any, error) {
		w, err := sendP03Of(op, req)
		m, _ := w.Message.(messageP03)
		m.Parts, m.Content = m.Content, nil
		w.Message = m
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
