package a2a

import (
	"cmp"
	"encoding/json"
	"time"

	"parley/a2a/longtext"
)

// The shapes of A2A 1.0 (specification 1.0 §4). They serve two readers: agents
// of 1.0, and programs that read what the command line prints, which is always
// 1.0 whatever the agent speaks.

type messageV1 struct {
	MessageID  string          `json:"messageId,omitempty"`
	ContextID  string          `json:"contextId,omitempty"`
	TaskID     string          `json:"taskId,omitempty"`
	Role       string          `json:"role,omitempty"`
	Parts      []any           `json:"parts"`
	Metadata   json.RawMessage `json:"metadata,omitempty"`
	Extensions []string        `json:"extensions,omitempty"`
	References []string        `json:"referenceTaskIds,omitempty"`
}

type partV1 struct {
	Text      *string         `json:"text,omitempty"`
	Raw       *string         `json:"raw,omitempty"`
	URL       *string         `json:"url,omitempty"`
	Data      json.RawMessage `json:"data,omitempty"`
	Metadata  json.RawMessage `json:"metadata,omitempty"`
	Filename  string          `json:"filename,omitempty"`
	MediaType string          `json:"mediaType,omitempty"`
}

type statusV1 struct {
	State     string     `json:"state"`
	Message   *messageV1 `json:"message,omitempty"`
	Timestamp string     `json:"timestamp,omitempty"`
}

type artifactV1 struct {
	ArtifactID  string          `json:"artifactId"`
	Name        string          `json:"name,omitempty"`
	Description string          `json:"description,omitempty"`
	Parts       []any           `json:"parts"`
	Metadata    json.RawMessage `json:"metadata,omitempty"`
	Extensions  []string        `json:"extensions,omitempty"`
}

type taskV1 struct {
	ID        string          `json:"id"`
	ContextID string          `json:"contextId,omitempty"`
	Status    statusV1        `json:"status"`
	Artifacts []artifactV1    `json:"artifacts,omitempty"`
	History   []messageV1     `json:"history,omitempty"`
	Metadata  json.RawMessage `json:"metadata,omitempty"`
}

type statusUpdateV1 struct {
	TaskID    string          `json:"taskId"`
	ContextID string          `json:"contextId,omitempty"`
	Status    statusV1        `json:"status"`
	Metadata  json.RawMessage `json:"metadata,omitempty"`
}

type artifactUpdateV1 struct {
	TaskID    string          `json:"taskId"`
	ContextID string          `json:"contextId,omitempty"`
	Artifact  artifactV1      `json:"artifact"`
	Append    bool            `json:"append,omitempty"`
	LastChunk bool            `json:"lastChunk,omitempty"`
	Metadata  json.RawMessage `json:"metadata,omitempty"`
}

// streamV1 is StreamResponse (specification 1.0 §3.2.3); one member is set.
type streamV1 struct {
	Task           json.RawMessage   `json:"task,omitempty"`
	Message        json.RawMessage   `json:"message,omitempty"`
	StatusUpdate   *statusUpdateV1   `json:"statusUpdate,omitempty"`
	ArtifactUpdate *artifactUpdateV1 `json:"artifactUpdate,omitempty"`
}

type pushV1 struct {
	Tenant         string  `json:"tenant,omitempty"`
	ID             string  `json:"id,omitempty"`
	TaskID         string  `json:"taskId,omitempty"`
	URL            string  `json:"url"`
	Token          string  `json:"token,omitempty"`
	Authentication *authV1 `json:"authentication,omitempty"`
}

type authV1 struct {
	Scheme      string `json:"scheme"`
	Credentials string `json:"credentials,omitempty"`
}

// EncodeV1Event returns a task, message, status or artifact event as the stream response of A2A
// 1.0: an object with one member named task, message, statusUpdate or artifactUpdate. An event
// that arrived in that shape is returned unchanged, with its unknown members. Other kinds of
// event have no such shape and give nil.
func EncodeV1Event(ev *Event) json.RawMessage {
	if ev.v1 && ev.wrapped {
		return ev.Raw
	}
	var w streamV1
	var long longtext.Texts
	switch ev.Kind {
	case EventTask:
		w.Task = EncodeV1Task(ev.Task)
	case EventMessage:
		w.Message = EncodeV1Message(ev.Message)
	case EventStatus:
		w.StatusUpdate = &statusUpdateV1{
			TaskID: ev.TaskID, ContextID: ev.ContextID, Status: statusV1Of(ev.Status, &long), Metadata: object(ev.Metadata),
		}
	case EventArtifact:
		w.ArtifactUpdate = &artifactUpdateV1{
			TaskID: ev.TaskID, ContextID: ev.ContextID, Artifact: artifactV1Of(ev.Artifact, &long),
			Append: ev.Append, LastChunk: ev.LastChunk, Metadata: object(ev.Metadata),
		}
	default:
		return nil
	}
	return long.Insert(marshalV1(w))
}

// EncodeV1Task returns the task in the shape of A2A 1.0, unchanged if it arrived in that shape.
func EncodeV1Task(t *Task) json.RawMessage {
	if t.v1 {
		return t.Raw
	}
	var long longtext.Texts
	w := taskV1{ID: t.ID, ContextID: t.ContextID, Status: statusV1Of(&t.Status, &long), Metadata: object(t.Metadata)}
	for i := range t.Artifacts {
		w.Artifacts = append(w.Artifacts, artifactV1Of(&t.Artifacts[i], &long))
	}
	for i := range t.History {
		w.History = append(w.History, messageV1Of(&t.History[i], &long))
	}
	return long.Insert(marshalV1(w))
}

// EncodeV1Message returns the message in the shape of A2A 1.0, unchanged if it arrived in that
// shape.
func EncodeV1Message(m *Message) json.RawMessage {
	if m.v1 {
		return m.Raw
	}
	var long longtext.Texts
	return long.Insert(marshalV1(messageV1Of(m, &long)))
}

// marshalV1 encodes what cannot fail, except that a part built here may hold
// malformed JSON as its data.
func marshalV1(v any) json.RawMessage {
	raw, _ := marshal(v) // nil after an error
	return raw
}

// messageV1Of keeps long texts out of the message, unless long is nil.
func messageV1Of(m *Message, long *longtext.Texts) messageV1 {
	return messageV1{
		MessageID:  m.ID,
		ContextID:  m.ContextID,
		TaskID:     m.TaskID,
		Role:       roleP(m),
		Parts:      partsV1Of(m.Parts, long),
		Metadata:   object(m.Metadata),
		Extensions: m.Extensions,
		References: m.ReferenceTaskIDs,
	}
}

func partsV1Of(parts []Part, long *longtext.Texts) []any {
	w := make([]any, 0, len(parts))
	for i := range parts {
		w = append(w, partV1Of(&parts[i], long))
	}
	return w
}

// partV1Of returns a part of an unknown kind unchanged.
func partV1Of(p *Part, long *longtext.Texts) any {
	w := partV1{Metadata: object(p.Metadata), Filename: p.Filename, MediaType: p.MediaType}
	switch p.Kind {
	case PartText:
		w.Text = new(long.Keep(p.Text))
	case PartBytes:
		w.Raw = new(long.Keep(p.base64Text()))
	case PartURL:
		w.URL = &p.URL
	case PartData:
		w.Data = orNull(p.Data)
	default:
		return orNull(p.Raw)
	}
	return w
}

func statusV1Of(s *Status, long *longtext.Texts) statusV1 {
	w := statusV1{State: Word(s.State, V10), Timestamp: s.TimestampText}
	if s.State == StateOther {
		w.State = s.Word
	}
	if s.Message != nil {
		w.Message = new(messageV1Of(s.Message, long))
	}
	if !s.Time.IsZero() {
		w.Timestamp = s.Time.UTC().Format(time.RFC3339Nano)
	}
	return w
}

// artifactV1Of uses the key of an artifact of 0.1, which has no id, as its id.
func artifactV1Of(a *Artifact, long *longtext.Texts) artifactV1 {
	return artifactV1{
		ArtifactID:  cmp.Or(a.ID, a.Key),
		Name:        a.Name,
		Description: a.Description,
		Parts:       partsV1Of(a.Parts, long),
		Metadata:    object(a.Metadata),
		Extensions:  a.Extensions,
	}
}

// EncodeV1PushConfig returns a push configuration in the shape of A2A 1.0.
func EncodeV1PushConfig(c *PushConfig) json.RawMessage { return marshalV1(pushV1Of(c)) }

// pushV1Of keeps the first authentication scheme, because 1.0 has room for only one.
func pushV1Of(c *PushConfig) *pushV1 {
	if c == nil {
		return nil
	}
	w := &pushV1{ID: c.ID, TaskID: c.TaskID, URL: c.URL, Token: c.Token}
	if len(c.Schemes) > 0 || c.Credentials != "" {
		w.Authentication = &authV1{Credentials: c.Credentials}
		if len(c.Schemes) > 0 {
			w.Authentication.Scheme = c.Schemes[0]
		}
	}
	return w
}
