package a2a

import "encoding/json"

// EncodeV1Event returns the event as a stream response of A2A 1.0.
func EncodeV1Event(ev *Event) json.RawMessage { return nil }

// EncodeV1Task returns the task in the shape of A2A 1.0.
func EncodeV1Task(t *Task) json.RawMessage { return nil }

// EncodeV1Message returns the message in the shape of A2A 1.0.
func EncodeV1Message(m *Message) json.RawMessage { return nil }

// EncodeV1Card returns the card in the shape of A2A 1.0.
func EncodeV1Card(c *Card) json.RawMessage { return nil }
