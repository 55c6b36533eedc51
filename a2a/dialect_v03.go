package a2a

// dialectV02 is A2A 0.2.0 to 0.2.6. It has the shapes of 0.3; the extended card
// is a plain HTTP GET there and no JSON-RPC method (specification 0.2.6 §7).
var dialectV02 = Dialect{
	name:       V02,
	methods:    methodsV03("GET /../agent/authenticatedExtendedCard"), // specification 0.2.6 §7.10
	errors:     map[int64]string{-32006: "InvalidAgentResponseError"},
	extensions: "X-A2A-Extensions",
	params: func(op Op, req *Request) (any, error) {
		params, err := paramsV03(op, req)
		send, ok := params.(sendParams)
		if !ok || send.Configuration == nil {
			return params, err
		}
		if req.Config.Default && *send.Configuration == (configuration{Blocking: send.Configuration.Blocking}) {
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
	name:    V03,
	methods: methodsV03("agent/getAuthenticatedExtendedCard"),
	errors: map[int64]string{
		-32006: "InvalidAgentResponseError",
		-32007: "AuthenticatedExtendedCardNotConfiguredError",
	},
	params:     paramsV03,
	extensions: "X-A2A-Extensions",
}

// methodsV03 returns the methods of 0.2 and 0.3, which differ in that of the extended card.
func methodsV03(extendedCard string) map[Op]string {
	return map[Op]string{
		OpSend:         "message/send",
		OpStream:       "message/stream",
		OpGet:          "tasks/get",
		OpCancel:       "tasks/cancel",
		OpSubscribe:    "tasks/resubscribe",
		OpPushSet:      "tasks/pushNotificationConfig/set",
		OpPushGet:      "tasks/pushNotificationConfig/get",
		OpPushList:     "tasks/pushNotificationConfig/list",
		OpPushDelete:   "tasks/pushNotificationConfig/delete",
		OpExtendedCard: extendedCard,
	}
}

type pushSetV03 struct {
	TaskID string  `json:"taskId"`
	Config *pushV0 `json:"pushNotificationConfig"`
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
	w := taskV0{ID: id, Metadata: object(req.Metadata)}
	switch op {
	case OpPushSet:
		return pushSetV03{TaskID: id, Config: pushV0Of(req.Push)}, nil
	case OpPushGet, OpPushDelete:
		w.ConfigID = req.PushID
	case OpGet, OpProbe:
		w.HistoryLength = req.HistoryLength
	}
	return w, nil
}

func sendParamsV03(op Op, req *Request) (any, error) {
	conf := configuration{PushV0: pushV0Of(req.Config.Push)}
	if modes := req.Config.AcceptedOutputModes; modes != nil {
		conf.AcceptedOutputModes = &modes
	}
	return req.send(op, conf, messageV0Of)
}
