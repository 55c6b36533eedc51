package a2a

import "encoding/json"

// dialectV10 is A2A 1.0 over JSON-RPC (specification 1.0 §9). Its version header
// is not optional: servers read a request without it as 0.3.
var dialectV10 = Dialect{
	name: V10,
	methods: map[Op]string{
		OpSend:         "SendMessage",
		OpStream:       "SendStreamingMessage",
		OpGet:          "GetTask",
		OpList:         "ListTasks",
		OpCancel:       "CancelTask",
		OpSubscribe:    "SubscribeToTask",
		OpPushSet:      "CreateTaskPushNotificationConfig",
		OpPushGet:      "GetTaskPushNotificationConfig",
		OpPushList:     "ListTaskPushNotificationConfigs",
		OpPushDelete:   "DeleteTaskPushNotificationConfig",
		OpExtendedCard: "GetExtendedAgentCard",
	},
	errors: map[int64]string{
		-32006: "InvalidAgentResponseError",
		-32007: "ExtendedAgentCardNotConfiguredError",
		-32008: "ExtensionSupportRequiredError",
		-32009: "VersionNotSupportedError",
	},
	headers: map[string]string{"A2A-Version": "1.0"},
	params:  paramsV10,

	extensions: "A2A-Extensions",
}

type taskV10 struct {
	Tenant        string          `json:"tenant,omitempty"`
	ID            string          `json:"id,omitempty"`
	HistoryLength *int            `json:"historyLength,omitempty"`
	Metadata      json.RawMessage `json:"metadata,omitempty"`
}

type listV10 struct {
	Tenant               string `json:"tenant,omitempty"`
	ContextID            string `json:"contextId,omitempty"`
	Status               string `json:"status,omitempty"`
	PageSize             int    `json:"pageSize,omitempty"`
	PageToken            string `json:"pageToken,omitempty"`
	HistoryLength        *int   `json:"historyLength,omitempty"`
	StatusTimestampAfter string `json:"statusTimestampAfter,omitempty"`
	IncludeArtifacts     *bool  `json:"includeArtifacts,omitempty"`
}

type pushTaskV10 struct {
	Tenant    string `json:"tenant,omitempty"`
	TaskID    string `json:"taskId"`
	ID        string `json:"id,omitempty"`
	PageSize  int    `json:"pageSize,omitempty"`
	PageToken string `json:"pageToken,omitempty"`
}

func paramsV10(op Op, req *Request) (any, error) {
	switch op {
	case OpSend, OpStream:
		return sendParamsV10(op, req)
	case OpList:
		return listParamsV10(req), nil
	case OpExtendedCard:
		// Without parameters the Go SDK fails to parse the request.
		return taskV10{Tenant: req.Tenant}, nil
	}
	id, err := req.needTask()
	if err != nil {
		return nil, err
	}
	switch op {
	case OpPushSet:
		w := pushV1Of(req.Push)
		w.Tenant, w.TaskID = req.Tenant, id
		return w, nil
	case OpPushGet, OpPushDelete:
		return pushTaskV10{Tenant: req.Tenant, TaskID: id, ID: req.PushID}, nil
	case OpPushList:
		return pushTaskV10{Tenant: req.Tenant, TaskID: id, PageSize: req.List.PageSize, PageToken: req.List.PageToken}, nil
	case OpCancel:
		return taskV10{Tenant: req.Tenant, ID: id, Metadata: object(req.Metadata)}, nil
	case OpSubscribe:
		return taskV10{Tenant: req.Tenant, ID: id}, nil
	default:
		return taskV10{Tenant: req.Tenant, ID: id, HistoryLength: req.HistoryLength}, nil
	}
}

func sendParamsV10(op Op, req *Request) (any, error) {
	conf := configuration{PushV1: pushV1Of(req.Config.Push)}
	if op == OpSend {
		conf.ReturnImmediately = new(!req.Config.Wait)
	}
	w, err := req.send(op, conf, func(m *Message) any { return messageV1Of(m, nil) })
	w.Tenant = req.Tenant
	return w, err
}

func listParamsV10(req *Request) listV10 {
	w := listV10{
		Tenant:               req.Tenant,
		ContextID:            req.List.ContextID,
		PageSize:             req.List.PageSize,
		PageToken:            req.List.PageToken,
		HistoryLength:        req.HistoryLength,
		StatusTimestampAfter: req.List.StatusTimestampAfter,
	}
	if req.List.State != StateUnknown {
		w.Status = Word(req.List.State, V10)
	}
	if req.List.IncludeArtifacts != Absent {
		w.IncludeArtifacts = new(req.List.IncludeArtifacts == True)
	}
	return w
}
