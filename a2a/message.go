package a2a

import (
	"encoding/json"
	"strings"
)

// Role says who wrote a message. Servers use many words for themselves, so everyone but the
// user is the agent; [Message.RoleWord] keeps the word.
type Role uint8

// The two roles of the protocol (specification 1.0 §4.1.5).
const (
	RoleUnspecified Role = iota
	RoleUser
	RoleAgent
)

// String returns the word of dialects 0.1 to 0.3: "user", "agent" or "".
func (r Role) String() string {
	switch r {
	case RoleUser:
		return "user"
	case RoleAgent:
		return "agent"
	default:
		return ""
	}
}

// A Message is one thing said by the user or the agent
// (specification 1.0 §4.1.4).
type Message struct {
	ID     string // messageId
	IDMade bool   // the wire had no messageId and the decoder made one
	// Summary is set if the message is the text “summary” beside the status in a delivery to a
	// webhook, as in the example of 0.1 (specification 0.1.0 §9.4).
	Summary bool
	Role    Role
	// RoleWord is the role as it stood on the wire, empty if absent.
	RoleWord         string
	Parts            []Part
	TaskID           string
	ContextID        string
	ReferenceTaskIDs []string
	Extensions       []string
	Metadata         json.RawMessage // a JSON object, or nil
	Raw              json.RawMessage // the whole object as received, nil when built here

	v1 bool // Raw is in the shape of 1.0
}

// Text joins the text parts in order.
func (m *Message) Text() string {
	if len(m.Parts) == 1 && m.Parts[0].Kind == PartText {
		return m.Parts[0].Text
	}
	var b strings.Builder
	for i := range m.Parts {
		if m.Parts[i].Kind == PartText {
			b.WriteString(m.Parts[i].Text)
		}
	}
	return b.String()
}

// PartKind says which content a [Part] carries.
type PartKind uint8

// The kinds of part over all dialects. PartUnknown keeps its raw JSON.
const (
	PartUnknown PartKind = iota
	PartText
	PartBytes // a file with its content inline
	PartURL   // a file by reference
	PartData  // any JSON value
)

// String returns the kind's name for users: text, file, file, data, unknown.
func (k PartKind) String() string {
	switch k {
	case PartText:
		return "text"
	case PartBytes, PartURL:
		return "file"
	case PartData:
		return "data"
	default:
		return "unknown"
	}
}

// A Part is one piece of content in a message or an artifact
// (specification 1.0 §4.1.6). Only the members of its kind are set, except
// that a part with two contents keeps both.
type Part struct {
	Kind PartKind
	Text string
	// Encoded is the base64 text as received; [Part.Bytes] decodes it on demand, so that an
	// event of many megabytes costs nothing until it is used.
	Encoded string
	// Content is set instead of Encoded on parts built here.
	Content   []byte
	URL       string
	Data      json.RawMessage
	Filename  string
	MediaType string
	Metadata  json.RawMessage
	Raw       json.RawMessage // the whole part as received, nil when built here
	// DoubleEncoded is set where the binding wraps base64 in base64 (0.3 REST).
	DoubleEncoded bool
}

// TextPart returns a part that holds text.
func TextPart(text string) Part { return Part{Kind: PartText, Text: text} }

// DataPart returns a part that holds a JSON value.
func DataPart(data json.RawMessage) Part { return Part{Kind: PartData, Data: data} }
