package a2a

import (
	"bytes"
	"slices"

	"parley/a2a/jsontok"
)

// pushWords are the members that hold a push configuration in some dialect.
var pushWords = [...]string{
	"pushNotification", "pushNotificationConfig", "taskPushNotificationConfig",
	"push_notification", "push_notification_config", "task_push_notification_config",
}

// pushSpans finds the tokens and credentials of push configurations
// (specification 0.1 to 0.3 §6.8 f., 1.0 §4.3). Bodies that cannot hold one are not
// parsed.
func (m *masker) pushSpans(op Op, body []byte) []span {
	pushOp := op == OpPushSet || op == OpPushGet || op == OpPushList
	if !pushOp && !bytes.Contains(body, []byte("ushNotification")) && !bytes.Contains(body, []byte("ush_notification")) {
		return nil
	}
	if !bytes.Contains(body, []byte(`token"`)) && !bytes.Contains(body, []byte(`credentials"`)) {
		return nil
	}
	var doc jsontok.Doc
	_ = doc.Parse(body) // an incomplete body is masked as far as it goes
	f := pushFinder{all: pushOp}
	f.envelope(doc.Root())
	return f.spans
}

// A pushFinder searches only the places where a push configuration can be: a member named token
// somewhere in a message belongs to the agent.
type pushFinder struct {
	all   bool // every params and result is a configuration or a list of them
	spans []span
}

func (f *pushFinder) envelope(root jsontok.Node) {
	for e := range root.Elems() {
		f.holder(e)
	}
	f.holder(root)
	for name, value := range root.Members() {
		if name == "params" || name == "result" {
			f.holder(value)
			for e := range value.Elems() {
				f.holder(e)
			}
		}
	}
}

// holder visits an object that may be or contain a configuration.
func (f *pushFinder) holder(n jsontok.Node) {
	if f.all {
		f.config(n)
	}
	for name, value := range n.Members() {
		switch {
		case slices.Contains(pushWords[:], name):
			f.config(value)
		case name == "configuration":
			f.holder(value)
		case name == "configs":
			for e := range value.Elems() {
				f.holder(e)
			}
		}
	}
}

func (f *pushFinder) config(n jsontok.Node) {
	for name, value := range n.Members() {
		switch name {
		case "token":
			f.mask(value, "push token")
		case "authentication":
			for name, value := range value.Members() {
				if name == "credentials" {
					f.mask(value, "push credentials")
				}
			}
		}
	}
}

// mask marks the inside of a string; a value of another kind is not a secret. A string that the
// end of the body cuts has no closing quote.
func (f *pushFinder) mask(n jsontok.Node, name string) {
	if !n.IsText() {
		return
	}
	s := span{off: n.Offset() + 1, end: n.End(), name: name}
	if raw := n.Raw(); len(raw) > 1 && raw[len(raw)-1] == '"' {
		s.end--
	}
	if s.end > s.off {
		f.spans = append(f.spans, s)
	}
}
