package serve

import (
	"bytes"
	"slices"
	"strings"

	"parley/a2a"
	"parley/a2a/jsonrpc"
	"parley/a2a/jsontok"
)

// A swap is what is replaced in recorded bytes.
type swap struct {
	rpcFrom, rpcTo string            // ids of JSON-RPC as JSON text
	ids            map[string]string // of tasks, contexts, messages and configurations
	urlFrom, urlTo string            // of a webhook
}

// part returns the bytes of an event or a body with the ids of this run.
func (s *swap) part(x *exchange, r *a2a.Record, lines bool) []byte {
	switch {
	case r.Binary != nil:
		return s.message(x, r)
	case r.Kind == a2a.KindEvent && !lines:
		return s.frame(r.Raw)
	default:
		return jsontok.Apply(r.Raw, s.edits(r.Raw))
	}
}

// message replaces ids in a message that is not JSON. Without any, its bytes are as they were.
func (s *swap) message(x *exchange, r *a2a.Record) []byte {
	if x.format == nil || r.Binary.Bytes != nil && len(s.ids) == 0 && s.urlFrom == "" {
		return r.Binary.Bytes
	}
	text := x.rendering(r)
	edits := s.edits(text)
	if len(edits) == 0 && r.Binary.Bytes != nil {
		return r.Binary.Bytes
	}
	built, err := x.format.Rebuild(r.Binary.Kind, jsontok.Apply(text, edits))
	if err != nil {
		return r.Binary.Bytes
	}
	return built.Bytes
}

// A stretch is where bytes of the data of a frame are in the frame.
type stretch struct{ data, raw, size int }

// frame replaces ids in the data lines of a frame of an event stream.
func (s *swap) frame(raw []byte) []byte {
	data, stretches := dataOf(raw)
	edits := s.edits(data)
	for i := range edits {
		e := &edits[i]
		at, _ := slices.BinarySearchFunc(stretches, e.From, func(st stretch, from int) int {
			if st.data+st.size <= from {
				return -1
			}
			return 1
		})
		if at == len(stretches) {
			return raw // no string goes over a line
		}
		by := stretches[at].raw - stretches[at].data
		e.From, e.To = e.From+by, e.To+by
	}
	return jsontok.Apply(raw, edits)
}

// dataOf returns the joined values of the data lines of a frame, and where they are.
func dataOf(raw []byte) (data []byte, stretches []stretch) {
	for at := 0; at < len(raw); {
		end := bytes.IndexAny(raw[at:], "\r\n")
		next := at + end + 1
		if end < 0 {
			end, next = len(raw)-at, len(raw)
		}
		line := raw[at : at+end]
		line = bytes.TrimPrefix(line, []byte("\xEF\xBB\xBF"))
		if value, ok := bytes.CutPrefix(line, []byte("data:")); ok {
			value = bytes.TrimPrefix(value, []byte(" "))
			if len(stretches) > 0 {
				data = append(data, '\n')
			}
			stretches = append(stretches, stretch{len(data), at + end - len(value), len(value)})
			data = append(data, value...)
		}
		at = next
	}
	return data, stretches
}

// edits returns what to replace in JSON, which may be broken.
func (s *swap) edits(src []byte) []jsontok.Edit {
	if len(s.ids) == 0 && s.urlFrom == "" && s.rpcFrom == "" {
		return nil
	}
	var doc jsontok.Doc
	_ = doc.Parse(src) // up to the break
	var edits []jsontok.Edit
	root := doc.Root()
	envelopes := []jsontok.Node{root}
	if root.Kind() == jsontok.Array {
		envelopes = slices.Collect(root.Elems())
	}
	for _, e := range envelopes {
		if id := e.Get("id"); s.rpcFrom != "" && e.GetAny("jsonrpc", "result", "error").Exists() {
			if with := s.rpcID(string(id.Raw())); with != "" {
				edits = append(edits, jsontok.Edit{From: id.Offset(), To: id.End(), With: []byte(with)})
			}
		}
	}
	for i := range doc.Len() {
		t := doc.Token(i)
		if t.Kind != jsontok.String || t.Key || t.Torn {
			continue
		}
		n := doc.Node(i)
		if with, ok := s.value(&doc, t, n, i); ok && !slices.ContainsFunc(edits, func(e jsontok.Edit) bool { return e.From == t.Off }) {
			edits = append(edits, jsontok.Edit{From: t.Off, To: t.End, With: with})
		}
	}
	return edits
}

// rpcID returns the id of JSON-RPC in place of a recorded one, empty if that stays: it was not that
// of the request. An agent that answers a number with a string does so again.
func (s *swap) rpcID(recorded string) string {
	from, to := jsonrpc.ParseID(s.rpcFrom), jsonrpc.ParseID(s.rpcTo)
	switch {
	case recorded == "" || !from.Equal(jsonrpc.ParseID(recorded)) || to.Missing():
		return ""
	case recorded != s.rpcFrom && strings.HasPrefix(recorded, `"`) && !strings.HasPrefix(s.rpcFrom, `"`):
		return `"` + to.Text() + `"`
	default:
		return s.rpcTo
	}
}

// idMembers are the members that have the id of a task, a context, a message or a configuration.
var idMembers = []string{
	"id", "taskId", "task_id", "contextId", "context_id", "sessionId", "messageId", "message_id",
	"referenceTaskIds", "reference_task_ids", "pushNotificationConfigId",
}

// value returns the JSON in place of a string.
func (s *swap) value(doc *jsontok.Doc, t jsontok.Token, n jsontok.Node, i int) (with []byte, ok bool) {
	name := ""
	if i > 0 && doc.Token(i-1).Key {
		name = doc.Node(i - 1).Text()
	} else if t.Parent > 0 && doc.Token(t.Parent-1).Key { // an element of a list
		name = doc.Node(t.Parent - 1).Text()
	}
	text := n.Text()
	if name == "url" && s.urlFrom != "" && text == s.urlFrom {
		return jsontok.Quote(s.urlTo), true
	}
	if name != "name" && name != "parent" {
		own, found := s.ids[text]
		return jsontok.Quote(own), found && slices.Contains(idMembers, name)
	}
	words, changed := strings.Split(text, "/"), false // tasks/1/pushNotificationConfigs/2
	if len(words) < 2 || words[0] != "tasks" {
		return nil, false
	}
	for i := 1; i < len(words); i += 2 {
		if own, found := s.ids[words[i]]; found {
			words[i], changed = own, true
		}
	}
	return jsontok.Quote(strings.Join(words, "/")), changed
}
