package a2a

import (
	"bytes"
	"encoding/json"
)

// A SendMember is an option of a send besides its message.
type SendMember uint8

// The members of a send.
const (
	MemberOutputModes   SendMember = iota // [SendConfig.AcceptedOutputModes]
	MemberHistoryLength                   // [SendConfig.HistoryLength]
	MemberWait                            // [SendConfig.Wait], without a stream
	MemberMetadata                        // [SendConfig.Metadata]
)

// SendMember returns the dialect's name of a send option, as a path below its parameters such
// as configuration.blocking; empty if it has none, and the option is then not sent
// (specification 0.1.0 §6.1, 0.3.0 §7.1.2, 1.0 §3.2.2).
func (d *Dialect) SendMember(m SendMember) string {
	switch {
	case m == MemberMetadata:
		return "metadata"
	case d.name == SAMDoc, d.name == SAMBroker:
		return ""
	case d.name == V01:
		if m == MemberHistoryLength {
			return "historyLength"
		}
		return ""
	}
	switch m {
	case MemberOutputModes:
		return "configuration.acceptedOutputModes"
	case MemberHistoryLength:
		return "configuration.historyLength"
	}
	if v, _ := d.name.version(); v == V10 {
		return "configuration.returnImmediately"
	}
	return "configuration.blocking"
}

// Annotates reports whether requests of an operation on a task have a member for
// [Request.Metadata].
func (d *Dialect) Annotates(op Op) bool {
	if !d.Supports(op) {
		return false
	}
	body, _, err := d.Encode(Request{Call: &Call{Op: op}, TaskID: "t", PushID: "p", Metadata: json.RawMessage(`{"m":1}`)}, "1")
	return err == nil && bytes.Contains(body, []byte(`"metadata":{"m":1}`))
}
