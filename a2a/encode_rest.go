package a2a

import (
	"encoding/base64"
	"encoding/json"
)

// The shapes of 0.3 over HTTP+JSON: the protocol buffer of that version in JSON (specification
// 0.3.0 §3.2.3, specification/grpc/a2a.proto). It names a message's list of parts content;
// later releases with the same version number name it parts.

type messageP03 struct {
	MessageID  string          `json:"messageId,omitempty"`
	ContextID  string          `json:"contextId,omitempty"`
	TaskID     string          `json:"taskId,omitempty"`
	Role       string          `json:"role"`
	Content    []partP03       `json:"content,omitempty"`
	Parts      []partP03       `json:"parts,omitempty"`
	Metadata   json.RawMessage `json:"metadata,omitempty"`
	Extensions []string        `json:"extensions,omitempty"`
}

type partP03 struct {
	Text     *string         `json:"text,omitempty"`
	File     *fileP03        `json:"file,omitempty"`
	Data     *dataP03        `json:"data,omitempty"`
	Metadata json.RawMessage `json:"metadata,omitempty"`
}

type fileP03 struct {
	URI      string `json:"fileWithUri,omitempty"`
	Bytes    string `json:"fileWithBytes,omitempty"`
	MimeType string `json:"mimeType,omitempty"`
	Name     string `json:"name,omitempty"`
}

type dataP03 struct {
	Data json.RawMessage `json:"data"`
}

type cancelP03 struct {
	Name string `json:"name"`
}

type pushSetP03 struct {
	Parent   string        `json:"parent"`
	ConfigID string        `json:"configId,omitempty"`
	Config   pushConfigP03 `json:"config"`
}

type pushConfigP03 struct {
	Name   string  `json:"name"`
	Config *pushV0 `json:"pushNotificationConfig"`
}

func sendP03Of(op Op, req *Request) (sendParams, error) {
	return req.send(op, configuration{PushP03: pushV0Of(req.Config.Push)}, messageP03Of)
}

// messageP03Of omits the references to other tasks: the protocol buffer got them only after
// 0.3.0, and strict readers refuse them.
func messageP03Of(m *Message) any {
	w := messageP03{
		MessageID: m.ID, ContextID: m.ContextID, TaskID: m.TaskID, Role: roleP(m), Metadata: object(m.Metadata), Extensions: m.Extensions,
	}
	for i := range m.Parts {
		w.Content = append(w.Content, partP03Of(&m.Parts[i]))
	}
	return w
}

// partP03Of encodes bytes twice: the official SDKs put base64 text into a field that the
// binding encodes once more. A value that is not an object is wrapped in one, as over JSON-RPC,
// because the field accepts nothing else.
func partP03Of(p *Part) partP03 {
	w := partP03{Metadata: object(p.Metadata)}
	switch p.Kind {
	case PartText:
		w.Text = &p.Text
	case PartBytes:
		twice := base64.StdEncoding.EncodeToString([]byte(p.base64Text()))
		w.File = &fileP03{Bytes: twice, MimeType: p.MediaType, Name: p.Filename}
	case PartURL:
		w.File = &fileP03{URI: p.URL, MimeType: p.MediaType, Name: p.Filename}
	case PartData:
		v0 := partV0Of(p, false)
		w.Data, w.Metadata = &dataP03{Data: v0.Data}, v0.Metadata
	}
	return w
}

func pushSetP03Of(req *Request) (any, error) {
	id, err := req.needTask()
	if err != nil {
		return nil, err
	}
	w := pushSetP03{Parent: "tasks/" + id, ConfigID: req.Push.ID}
	w.Config = pushConfigP03{Name: w.Parent + "/pushNotificationConfigs/" + req.Push.ID, Config: pushV0Of(req.Push)}
	return w, nil
}

// roleP returns the role as the protocol buffers write it.
func roleP(m *Message) string {
	if m.sender() == RoleAgent {
		return "ROLE_AGENT"
	}
	return "ROLE_USER"
}
