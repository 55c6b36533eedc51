package a2a

import "encoding/json"

// dialectV01 is A2A 0.1.0: the client makes the task's id, and the same id again
// continues the task (specification 0.1.0 §7).
var dialectV01 = Dialect{
	name: V01,
	methods: map[Op]string{
		OpSend:      "tasks/send",
		OpStream:    "tasks/sendSubscribe",
		OpGet:       "tasks/get",
		OpCancel:    "tasks/cancel",
		OpSubscribe: "tasks/resubscribe",
		OpPushSet:   "tasks/pushNotification/set",
		OpPushGet:   "tasks/pushNotification/get",
	},
	errors: map[int64]string{
		-32004: "OperationNotSupportedError",
		-32006: "StreamingNotSupportedError",
		-32007: "AuthenticationRequiredError",
		-32008: "AuthorizationFailedError",
		-32009: "InvalidTaskStateError",
		-32010: "RateLimitExceededError",
		-32011: "ResourceUnavailableError",
	},
	params: paramsV01,
}

type sendV01 struct {
	ID               string          `json:"id"`
	SessionID        string          `json:"sessionId,omitempty"`
	Message          messageV0       `json:"message"`
	PushNotification *pushV0         `json:"pushNotification,omitempty"`
	HistoryLength    *int            `json:"historyLength,omitempty"`
	Metadata         json.RawMessage `json:"metadata,omitempty"`
}

type pushSetV01 struct {
	ID     string  `json:"id"`
	Config *pushV0 `json:"pushNotificationConfig"` // null clears it
}

func paramsV01(op Op, req *Request) (any, error) {
	id, err := req.needTask()
	if err != nil {
		return nil, err
	}
	switch op {
	case OpSend, OpStream:
		if err := req.checkMessage(); err != nil {
			return nil, err
		}
		return sendV01{
			ID:               id,
			SessionID:        req.contextID(),
			Message:          messageV01(req.Message),
			PushNotification: pushV01(req.Config.Push),
			HistoryLength:    req.Config.HistoryLength,
			Metadata:         object(req.Config.Metadata),
		}, nil
	case OpPushSet:
		return pushSetV01{ID: id, Config: pushV01(req.Push)}, nil
	default: // get, cancel, subscribe, push get and probes name a task and no more
		return taskV0{ID: id, HistoryLength: req.HistoryLength, Metadata: object(req.Metadata)}, nil
	}
}

// messageV01 drops the ids, references and extensions that 0.1 does not have.
func messageV01(m *Message) messageV0 {
	w := messageV0{Role: m.sender().String(), Metadata: object(m.Metadata)}
	for i := range m.Parts {
		p := partV0Of(&m.Parts[i], true)
		p.Type, p.Kind = p.Kind, ""
		w.Parts = append(w.Parts, p)
	}
	return w
}

func pushV01(c *PushConfig) *pushV0 {
	w := pushV0Of(c)
	if w != nil {
		w.ID = ""
	}
	return w
}
