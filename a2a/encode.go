package a2a

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
)

// An EncodeError says why something cannot be sent in a dialect.
type EncodeError struct{ Sentence string }

// Error returns the sentence.
func (e *EncodeError) Error() string { return e.Sentence }

func encodeErrorf(format string, args ...any) error {
	return &EncodeError{Sentence: fmt.Sprintf(format, args...)}
}

// marshal encodes without HTML escaping, so that the wire shows the text that
// was typed, and without a final newline.
func marshal(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, encodeErrorf("A JSON value in the message is malformed (%v); correct it and send again", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// base64Text returns the content of an inline part as standard base64; content that an agent
// sent stays as it came.
func (p *Part) base64Text() string {
	if p.Encoded == "" || p.DoubleEncoded {
		if content, err := p.Bytes(); err == nil {
			return base64.StdEncoding.EncodeToString(content)
		}
	}
	return p.Encoded
}

// sender returns the author of a message. The decoder always sets one; a message built here
// without a role is the user's.
func (m *Message) sender() Role {
	if m.Role == RoleUnspecified {
		return RoleUser
	}
	return m.Role
}

// object returns raw if it is a JSON object with members, otherwise nil: an empty metadata
// object says nothing.
func object(raw json.RawMessage) json.RawMessage {
	t := bytes.TrimSpace(raw)
	if len(t) < 2 || t[0] != '{' || len(bytes.TrimSpace(t[1:len(t)-1])) == 0 {
		return nil
	}
	return t
}

// isObject reports whether raw is a JSON object, empty ones included.
func isObject(raw json.RawMessage) bool {
	t := bytes.TrimSpace(raw)
	return len(t) > 0 && t[0] == '{'
}

// withMember returns the object raw, which may be nil, with one more member.
func withMember(raw json.RawMessage, name string, value string) json.RawMessage {
	var b bytes.Buffer
	fmt.Fprintf(&b, "{%q:%s", name, value)
	if raw = object(raw); raw != nil {
		b.WriteByte(',')
		b.Write(raw[1:])
	} else {
		b.WriteByte('}')
	}
	return b.Bytes()
}

// taskID and contextID of a request: the caller's choice wins over the message's.
func (r *Request) taskID() string {
	if r.TaskID == "" && r.Message != nil {
		return r.Message.TaskID
	}
	return r.TaskID
}

func (r *Request) contextID() string {
	if r.ContextID == "" && r.Message != nil {
		return r.Message.ContextID
	}
	return r.ContextID
}

// needTask returns the task's id, or an error if it is missing.
func (r *Request) needTask() (string, error) {
	id := r.taskID()
	if id == "" {
		return "", encodeErrorf("The request names no task; choose a task first")
	}
	return id, nil
}

// checkMessage refuses messages that no dialect can carry.
func (r *Request) checkMessage() error {
	switch {
	case r.Message == nil:
		return encodeErrorf("There is no message to send")
	case len(r.Message.Parts) == 0:
		return encodeErrorf("The message is empty; A2A requires at least one part")
	}
	for i := range r.Message.Parts {
		if r.Message.Parts[i].Kind == PartUnknown {
			return encodeErrorf("A2A does not define the kind of part %d of the message; remove the part to send", i+1)
		}
	}
	return nil
}
