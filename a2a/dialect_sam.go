package a2a

import "encoding/json"

// dialectSAMDoc is the wire that the documentation of Solace Agent Mesh describes and its
// releases do not speak: the method of 0.1, a message like that of 0.2, members in snake_case,
// parts without a discriminator. It is used when the user names it and when probes recognise
// it.
var dialectSAMDoc = Dialect{
	name: SAMDoc,
	methods: map[Op]string{
		OpSend:   "tasks/send",
		OpStream: "tasks/send-streaming",
		OpCancel: "tasks/cancel",
	},
	params: paramsSAMDoc,
}

// dialectSAMBroker is what agents of the mesh speak on a broker: the objects of 0.3 with three
// methods. There is no way to ask for a task, and to subscribe is to wait for what the agent
// publishes about it.
var dialectSAMBroker = Dialect{
	name: SAMBroker,
	methods: map[Op]string{
		OpSend:      "message/send",
		OpStream:    "message/stream",
		OpCancel:    "tasks/cancel",
		OpSubscribe: "SUBSCRIBE gateway/status/{task}",
	},
	errors: dialectV03.errors,
	params: func(op Op, req *Request) (any, error) {
		params, err := paramsV03(op, req)
		if send, ok := params.(sendParams); ok {
			send.Configuration = nil // agents do not read it
			return send, err
		}
		return params, err
	},
}

type messageSAM struct {
	Role      string          `json:"role"`
	Parts     []partSAM       `json:"parts"`
	MessageID string          `json:"message_id,omitempty"`
	TaskID    string          `json:"task_id,omitempty"`
	ContextID string          `json:"context_id,omitempty"`
	Kind      string          `json:"kind"`
	Metadata  json.RawMessage `json:"metadata,omitempty"`
}

type partSAM struct {
	Text     *string         `json:"text,omitempty"`
	Data     json.RawMessage `json:"data,omitempty"`
	File     *fileSAM        `json:"file,omitempty"`
	Metadata json.RawMessage `json:"metadata,omitempty"`
}

type fileSAM struct {
	URI      string  `json:"uri,omitempty"`
	Bytes    *string `json:"bytes,omitempty"`
	Name     string  `json:"name,omitempty"`
	MimeType string  `json:"mime_type,omitempty"`
}

// paramsSAMDoc omits the configuration of a send, for which there is no member.
func paramsSAMDoc(op Op, req *Request) (any, error) {
	if op == OpCancel {
		id, err := req.needTask()
		return taskV0{ID: id}, err
	}
	w, err := req.send(op, configuration{}, messageSAMOf)
	w.Configuration = nil
	return w, err
}

func messageSAMOf(m *Message) any {
	w := messageSAM{
		Role: m.sender().String(), MessageID: m.ID, TaskID: m.TaskID, ContextID: m.ContextID,
		Kind: "message", Metadata: object(m.Metadata),
	}
	for i := range m.Parts {
		w.Parts = append(w.Parts, partSAMOf(&m.Parts[i]))
	}
	return w
}

func partSAMOf(p *Part) partSAM {
	v0 := partV0Of(p, true)
	w := partSAM{Text: v0.Text, Data: v0.Data, Metadata: v0.Metadata}
	if f := v0.File; f != nil {
		w.File = &fileSAM{URI: f.URI, Bytes: f.Bytes, Name: f.Name, MimeType: f.MimeType}
	}
	return w
}

// dialectSAMHTTP is the HTTP gateway of Solace Agent Mesh: bodies of 0.3 over JSON-RPC, each
// posted to its own path, and a stream that needs a separate request.
var dialectSAMHTTP = Dialect{
	name: SAMHTTP,
	methods: map[Op]string{
		OpSend:      "message/send",
		OpStream:    "message/stream",
		OpCancel:    "tasks/cancel",
		OpSubscribe: "GET /api/v1/sse/subscribe/{task}",
		OpArtifact:  "GET /api/v1/artifacts/{artifact}",
	},
	errors:     dialectV03.errors,
	extensions: dialectV03.extensions,
	params: func(op Op, req *Request) (any, error) {
		if op == OpSubscribe || op == OpArtifact {
			return nil, nil
		}
		return paramsV03(op, req)
	},
}
