package a2a

import "encoding/json"

// dialectV02 is A2A 0.2.0 to 0.2.6. It has the shapes of 0.3; the extended card
// is a plain HTTP GET there and no JSON-RPC method (specification 0.2.6 §7).
var dialectV02 = Dialect{
	name: V02,
	methods: map[Op]string{
		OpSend:       "message/send",
		OpStream:     "message/stream",
		OpGet:        "tasks/get",
		OpCancel:     "tasks/cancel",
		OpSubscribe:  "tasks/resubscribe",
		OpPushSet:    "tasks/pushNotificationConfig/set",
		OpPushGet:    "tasks/pushNotificationConfig/get",
		OpPushList:   "tasks/pushNotificationConfig/list",
		OpPushDelete: "tasks/pushNotificationConfig/delete",

		OpExtendedCard: "GET /../agent/authenticatedExtendedCard", // specification 0.2.6 §7.10
	},
	errors:     map[int64]string{-32006: "InvalidAgentResponseError"},
	extensions: "X-A2A-Extensions",
	params: func(op Op, req *Request) (any, error) {
		params, err := paramsV03(op, req)
		send, ok := params.(sendV03)
		if !ok || send.Configuration == nil {
			return params, err
		}
		if req.Config.Default && *send.Configuration == (configurationV0{Blocking: send.Configuration.Blocking}) {
			send.Configuration = nil
		} else if send.Configuration.AcceptedOutputModes == nil {
			// It is required until 0.2.5; an empty list accepts all.
			send.Configuration.AcceptedOutputModes = &[]string{}
		}
		return send, err
	},
}

// dialectV03 is A2A 0.3.0 over JSON-RPC (specification 0.3.0 §7). No version
// header is sent: servers of 1.0 read its absence as 0.3.
var dialectV03 = Dialect{
	name: V03,
	methods: map[Op]string{
		OpSend:         "message/send",
		OpStream:       "message/stream",
		OpGet:          "tasks/get",
		OpCancel:       "tasks/cancel",
		OpSubscribe:    "tasks/resubscribe",
		OpPushSet:      "tasks/pushNotificationConfig/set",
		OpPushGet:      "tasks/pushNotificationConfig/get",
		OpPushList:     "tasks/pushNotificationConfig/list",
		OpPushDelete:   "tasks/pushNotificationConfig/delete",
		OpExtendedCard: "agent/getAuthenticatedExtendedCard",
	},
	errors: map[int64]string{
		-32006: "InvalidAgentResponseError",
		-32007: "AuthenticatedExtendedCardNotConfiguredError",
	},
	params:     paramsV03,
	extensions: "X-A2A-Extensions",
}

type sendV03 struct {
	Message       messageV0        `json:"message"`
	Configuration *configurationV0 `json:"configuration,omitempty"`
	Metadata      json.RawMessage  `json:"metadata,omitempty"`
}

type configurationV0 struct {
	AcceptedOutputModes *[]string `json:"acceptedOutputModes,omitempty"`
	HistoryLength       *int      `json:"historyLength,omitempty"`
	Push                *pushV0   `json:"pushNotificationConfig,omitempty"`
	// Blocking is always written, because servers disagree on what its absence
	// means. It is nil on streams, where it means nothing.
	Blocking *bool `json:"blocking,omitempty"`
}

type pushSetV03 struct {
	TaskID string  `json:"taskId"`
	Config *pushV0 `json:"pushNotificationConfig"`
}

type pushTaskV03 struct {
	ID       string          `json:"id"`
	ConfigID string          `json:"pushNotificationConfigId,omitempty"`
	Metadata json.RawMessage `json:"metadata,omitempty"`
}

func paramsV03(op Op, req *Request) (any, error) {
	switch op {
	case OpSend, OpStream:
		return sendParamsV03(op, req)
	case OpExtendedCard:
		return nil, nil
	}
	id, err := req.needTask()
	if err != nil {
		return nil, err
	}
	switch op {
	case OpPushSet:
		if req.Push == nil {
			return nil, encodeErrorf("There is no push configuration to set")
		}
		return pushSetV03{TaskID: id, Config: pushV0Of(req.Push)}, nil
	case OpPushList:
		return pushTaskV03{ID: id, Metadata: object(req.Metadata)}, nil
	case OpPushGet, OpPushDelete:
		return pushTaskV03{ID: id, ConfigID: req.PushID, Metadata: object(req.Metadata)}, nil
	case OpGet, OpProbe:
		return taskV0{ID: id, HistoryLength: req.HistoryLength, Metadata: object(req.Metadata)}, nil
	default:
		return taskV0{ID: id, Metadata: object(req.Metadata)}, nil
	}
}

func sendParamsV03(op Op, req *Request) (any, error) {
	if err := req.checkMessage(); err != nil {
		return nil, err
	}
	conf := configurationV0{HistoryLength: req.Config.HistoryLength, Push: pushV0Of(req.Config.Push)}
	if modes := req.Config.AcceptedOutputModes; modes != nil {
		conf.AcceptedOutputModes = &modes
	}
	if op == OpSend {
		conf.Blocking = &req.Config.Wait
	}
	w := sendV03{Message: messageV0Of(req.Message), Metadata: object(req.Config.Metadata)}
	w.Message.TaskID, w.Message.ContextID = req.taskID(), req.contextID()
	if conf != (configurationV0{}) {
		w.Configuration = &conf
	}
	return w, nil
}
