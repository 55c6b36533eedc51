package a2a

import "encoding/json"

// sendParams are the parameters of a send in all dialects but 0.1.
type sendParams struct {
	Tenant        string          `json:"tenant,omitempty"` // 1.0
	Message       any             `json:"message"`
	Configuration *configuration  `json:"configuration,omitempty"`
	Metadata      json.RawMessage `json:"metadata,omitempty"`
}

// configuration has the members of every dialect; each sets its own.
type configuration struct {
	AcceptedOutputModes *[]string `json:"acceptedOutputModes,omitempty"`
	PushV1              *pushV1   `json:"taskPushNotificationConfig,omitempty"` // 1.0
	PushP03             *pushV0   `json:"pushNotification,omitempty"`           // 0.3 over HTTP+JSON
	HistoryLength       *int      `json:"historyLength,omitempty"`
	PushV0              *pushV0   `json:"pushNotificationConfig,omitempty"` // 0.2 and 0.3
	// One of these is always written on a send, because servers disagree on what its absence
	// means. Both are nil on streams, where they mean nothing.
	Blocking          *bool `json:"blocking,omitempty"`          // before 1.0
	ReturnImmediately *bool `json:"returnImmediately,omitempty"` // 1.0
}

// send returns the parameters of a send with the message in a dialect's shape, and completes the
// configuration with the members that dialects share.
func (r *Request) send(op Op, conf configuration, shape func(*Message) any) (sendParams, error) {
	if err := r.checkMessage(); err != nil {
		return sendParams{}, err
	}
	m := *r.Message
	m.TaskID, m.ContextID = r.taskID(), r.contextID()
	conf.HistoryLength = r.Config.HistoryLength
	if modes := r.Config.AcceptedOutputModes; len(modes) > 0 {
		conf.AcceptedOutputModes = &modes
	}
	if op == OpSend && conf.ReturnImmediately == nil {
		conf.Blocking = &r.Config.Wait
	}
	w := sendParams{Message: shape(&m), Metadata: object(r.Config.Metadata)}
	if conf != (configuration{}) {
		w.Configuration = &conf
	}
	return w, nil
}
