package a2atest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// A message is what scenes and the checks need of a message. Members of any type are read, so
// that the fault can name the one that is wrong.
type message struct {
	MessageID json.RawMessage   `json:"messageId"`
	TaskID    json.RawMessage   `json:"taskId"`
	ContextID json.RawMessage   `json:"contextId"`
	Role      json.RawMessage   `json:"role"`
	Parts     []json.RawMessage `json:"parts"`
}

// readMessage reads the message of a request that asks for work, and says which member does not
// follow the dialect, empty if all do.
func (c *call) readMessage(raw json.RawMessage, d *dialect) (wrong string) {
	var m message
	if !isObject(raw) {
		return "message"
	}
	if json.Unmarshal(raw, &m) != nil || len(m.Parts) == 0 {
		return "message.parts"
	}
	if wrong := m.check(d); wrong != "" {
		return wrong
	}
	var compact bytes.Buffer
	if json.Compact(&compact, raw) != nil {
		return "message"
	}
	c.message = compact.Bytes()
	if !d.clientIDs {
		c.taskID = stringOf(m.TaskID)
	}
	c.contextID = cmp.Or(stringOf(m.ContextID), c.contextID)
	var texts, data []string
	for _, raw := range m.Parts {
		part := membersOf(raw)
		if text := stringOf(part["text"]); text != "" {
			texts = append(texts, text)
		}
		if value := part["data"]; len(value) > 0 {
			data = append(data, string(value))
		}
	}
	c.text = strings.TrimSpace(cmp.Or(strings.Join(texts, "\n"), strings.Join(data, "\n")))
	return ""
}

// check says which member of a message does not follow the dialect, empty if all do.
func (m *message) check(d *dialect) (wrong string) {
	switch {
	case !d.clientIDs && stringOf(m.MessageID) == "":
		return "message.messageId"
	case !slices.Contains(d.roles, stringOf(m.Role)):
		return "message.role"
	case !isStringOrAbsent(m.TaskID):
		return "message.taskId"
	case !isStringOrAbsent(m.ContextID):
		return "message.contextId"
	}
	for _, raw := range m.Parts {
		part, contents := membersOf(raw), 0
		for _, name := range d.contents {
			if value, ok := part[name]; ok && (name != "text" || isString(value)) {
				contents++
			}
		}
		if contents != 1 {
			return "message.parts"
		}
	}
	return ""
}

// membersOf returns the members of a JSON object, nil for any other value.
func membersOf(raw json.RawMessage) (members map[string]json.RawMessage) {
	_ = json.Unmarshal(raw, &members) // nil is the answer for what is no object
	return members
}

// stringOf returns the value of a JSON string, empty for any other value.
func stringOf(raw json.RawMessage) (s string) {
	_ = json.Unmarshal(raw, &s) // empty is the answer for what is no string
	return s
}

func isObject(raw json.RawMessage) bool { return bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) }

func isString(raw json.RawMessage) bool { return bytes.HasPrefix(raw, []byte(`"`)) }

func isStringOrAbsent(raw json.RawMessage) bool {
	return len(raw) == 0 || string(raw) == "null" || isString(raw)
}
