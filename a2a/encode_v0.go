package a2a

import (
	"bytes"
	"encoding/json"
)

// The shapes that the dialects before 1.0 share over JSON-RPC
// (specification 0.3.0 §6). Members that only some of them have are left empty
// by the others.

type messageV0 struct {
	Kind       string          `json:"kind,omitempty"`
	MessageID  string          `json:"messageId,omitempty"`
	ContextID  string          `json:"contextId,omitempty"`
	TaskID     string          `json:"taskId,omitempty"`
	References []string        `json:"referenceTaskIds,omitempty"`
	Role       string          `json:"role"`
	Parts      []partV0        `json:"parts"`
	Extensions []string        `json:"extensions,omitempty"`
	Metadata   json.RawMessage `json:"metadata,omitempty"`
}

type partV0 struct {
	Type     string          `json:"type,omitempty"` // 0.1
	Kind     string          `json:"kind,omitempty"` // 0.2 and 0.3
	Text     *string         `json:"text,omitempty"`
	File     *fileV0         `json:"file,omitempty"`
	Data     json.RawMessage `json:"data,omitempty"`
	Metadata json.RawMessage `json:"metadata,omitempty"`
}

type fileV0 struct {
	Name     string  `json:"name,omitempty"`
	MimeType string  `json:"mimeType,omitempty"`
	Bytes    *string `json:"bytes,omitempty"`
	URI      string  `json:"uri,omitempty"`
}

type pushV0 struct {
	ID             string  `json:"id,omitempty"`
	URL            string  `json:"url"`
	Token          string  `json:"token,omitempty"`
	Authentication *authV0 `json:"authentication,omitempty"`
}

type authV0 struct {
	Schemes     []string `json:"schemes"`
	Credentials string   `json:"credentials,omitempty"`
}

type taskV0 struct {
	ID            string          `json:"id"`
	ConfigID      string          `json:"pushNotificationConfigId,omitempty"`
	HistoryLength *int            `json:"historyLength,omitempty"`
	Metadata      json.RawMessage `json:"metadata,omitempty"`
}

func messageV0Of(m *Message) any {
	w := messageV0{
		Kind:       "message",
		MessageID:  m.ID,
		ContextID:  m.ContextID,
		TaskID:     m.TaskID,
		References: m.ReferenceTaskIDs,
		Role:       m.sender().String(),
		Extensions: m.Extensions,
		Metadata:   object(m.Metadata),
		Parts:      make([]partV0, 0, len(m.Parts)),
	}
	for i := range m.Parts {
		w.Parts = append(w.Parts, partV0Of(&m.Parts[i], false))
	}
	return w
}

// compatMember marks a data part whose real value is wrapped in an object,
// because the schemas before 1.0 allow nothing else. The official SDKs write
// and read it.
const compatMember = "data_part_compat"

// partV0Of omits the file name and media type of text and data, which have no member before
// 1.0. A 0.1 agent accepts an array as data without a wrapper.
func partV0Of(p *Part, arrays bool) partV0 {
	w := partV0{Metadata: object(p.Metadata)}
	switch p.Kind {
	case PartText:
		w.Kind, w.Text = "text", &p.Text
	case PartBytes:
		w.Kind, w.File = "file", &fileV0{Name: p.Filename, MimeType: p.MediaType, Bytes: new(p.base64Text())}
	case PartURL:
		w.Kind, w.File = "file", &fileV0{Name: p.Filename, MimeType: p.MediaType, URI: p.URL}
	case PartData:
		w.Kind, w.Data = "data", p.Data
		isArray := bytes.HasPrefix(bytes.TrimSpace(p.Data), []byte("["))
		if !isObject(p.Data) && !(isArray && arrays) {
			w.Data = withMember(nil, "value", string(orNull(p.Data)))
			w.Metadata = withMember(p.Metadata, compatMember, "true")
		}
	}
	return w
}

func orNull(raw json.RawMessage) json.RawMessage {
	if len(bytes.TrimSpace(raw)) == 0 {
		return json.RawMessage("null")
	}
	return raw
}

func pushV0Of(c *PushConfig) *pushV0 {
	if c == nil {
		return nil
	}
	w := &pushV0{ID: c.ID, URL: c.URL, Token: c.Token}
	if len(c.Schemes) > 0 || c.Credentials != "" {
		w.Authentication = &authV0{Schemes: append([]string{}, c.Schemes...), Credentials: c.Credentials}
	}
	return w
}
