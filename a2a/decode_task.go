package a2a

import (
	"bytes"
	"cmp"
	"strings"

	"parley/a2a/jsontok"
)

// task reads a task of any dialect.
func (d *decoder) task(n jsontok.Node, t *Task) {
	t.Raw = n.Raw()
	if get(n, "kind").Exists() {
		d.features |= sawKind
	}
	id := get(n, "id")
	if !id.Exists() {
		id = d.either(n, "taskId", "task_id")
	}
	t.ID, t.ContextID = d.id(id), d.contextID(n)
	t.Metadata = metadata(get(n, "metadata"))
	status := get(n, "status")
	d.status(status, &t.Status)
	if t.ID == "" {
		d.note("TASK-001", Error, n, "The task has no id", "Give every task an id")
	}
	if artifacts := get(n, "artifacts"); artifacts.Kind() == jsontok.Array {
		t.Artifacts = make([]Artifact, 0, artifacts.Len())
		for e := range artifacts.Elems() {
			if e.Kind() == jsontok.Object {
				t.Artifacts = append(t.Artifacts, Artifact{})
				d.artifact(e, &t.Artifacts[len(t.Artifacts)-1])
			}
		}
	}
	if history := get(n, "history"); history.Kind() == jsontok.Array {
		d.history(history, t)
	}
}

// contextID reads the conversation's id: contextId, or sessionId in 0.1.
func (d *decoder) contextID(n jsontok.Node) string {
	if v := d.either(n, "contextId", "context_id"); v.Exists() {
		return word(v)
	}
	v := get(n, "sessionId")
	if v.Exists() {
		d.features |= sawSession
	}
	return word(v)
}

// history reads a task's messages. A message that occurs twice, byte for byte, is read once.
func (d *decoder) history(n jsontok.Node, t *Task) {
	t.History = make([]Message, 0, n.Len())
	seen := make(map[string]int, n.Len()) // positions of the messageIds in t.History
	for e := range n.Elems() {
		if e.Kind() != jsontok.Object {
			d.note("MSG-001", Error, e, "The history contains something that is not a message", "Omit it")
			continue
		}
		var m Message
		d.message(e, &m)
		if i, twice := seen[m.ID]; twice && !m.IDMade {
			d.note("MSG-003", Warning, e, "The history contains the messageId “"+clip(m.ID)+"” twice", "Give every message its own id")
			if bytes.Equal(t.History[i].Raw, m.Raw) {
				continue
			}
		}
		seen[m.ID] = len(t.History)
		t.History = append(t.History, m)
	}
}

// status reads a status: an object, or just the state where one was meant.
func (d *decoder) status(n jsontok.Node, s *Status) {
	if n.Kind() == jsontok.String || n.Kind() == jsontok.Number {
		d.note("TASK-001", Error, n, "The status is a word, not an object", "Write the state as status.state")
		d.state(n, s)
		return
	}
	d.state(get(n, "state"), s)
	m := get(n, "message")
	if !m.Exists() {
		m = get(n, "update") // its name in the protocol buffer of 0.3
	}
	switch m.Kind() {
	case jsontok.Object:
		s.Message = new(Message)
		d.message(m, s.Message)
	case jsontok.String:
		d.note("MSG-001", Error, m, "The status message is text, not a message object", "Send a message with parts")
		s.Message = &Message{Role: RoleAgent, Parts: []Part{TextPart(m.Text())}, Raw: m.Raw()}
		makeID(s.Message)
	}
	d.timestamp(get(n, "timestamp"), s)
}

func (d *decoder) state(n jsontok.Node, s *Status) {
	if !n.Exists() {
		return
	}
	s.Word = word(n)
	var exact bool
	s.State, exact = parseKebab(s.Word)
	if !exact {
		s.State = ParseState(s.Word)
	}
	s.Lost = isLost(s, d.call.Dialect)
	switch {
	case n.Kind() == jsontok.Number:
		d.features |= sawOther
		d.note("STAT-002", Warning, n, "The state is written as the number "+clip(s.Word), "Write the state as a word")
	case s.State == StateOther:
		d.note("STAT-001", Error, n, "No A2A version has the state “"+clip(s.Word)+"”", "Use a state of the specification")
	case !exact:
		d.note("STAT-001", Error, n, "The state is spelled “"+clip(s.Word)+"”", "Write "+Word(s.State, d.call.Dialect))
	}
	d.spelling(s.Word, "TASK_STATE_")
	if s.Word == "TASK_STATE_CANCELLED" {
		d.features |= sawProto03
	}
}

// isLost reports whether a status says, in its dialect, that the task's state can no longer be
// known. A missing or unspecified state does not count.
func isLost(s *Status, d DialectName) bool {
	return (d == V01 || d == V02) && s.State == StateUnknown && strings.EqualFold(s.Word, stateNames[StateUnknown])
}

// spelling remembers whether a word of an enumeration is that of the protocol
// buffers.
func (d *decoder) spelling(word, prefix string) {
	if len(word) > len(prefix) && word[:len(prefix)] == prefix {
		d.features |= sawProtoWord
	} else if word != "" {
		d.features |= sawPlainWord
	}
}

// artifact reads an artifact of any dialect.
func (d *decoder) artifact(n jsontok.Node, a *Artifact) {
	a.Raw, d.at.artifact = n.Raw(), stretchOf(n)
	a.ID = word(d.either(n, "artifactId", "artifact_id"))
	a.Name = word(get(n, "name"))
	a.Description = word(get(n, "description"))
	a.Extensions = words(get(n, "extensions"))
	a.Metadata = metadata(get(n, "metadata"))
	parts := get(n, "parts")
	if parts.Exists() {
		a.Parts = d.parts(parts)
	} else {
		d.withoutParts(n, a)
	}
	d.artifactKey(n, a)
	if lastChunk := d.either(n, "lastChunk", "last_chunk"); lastChunk.Exists() {
		d.features |= sawIndex
		a.Sealed = truth(lastChunk)
	}
	if get(n, "append").Exists() {
		d.features |= sawIndex
	}
}

// artifactKey chooses the key of an artifact inside its task. Before 0.2 that is its index,
// whose default is 0; artifacts without id and index are identified by their name.
func (d *decoder) artifactKey(n jsontok.Node, a *Artifact) {
	if index := get(n, "index"); index.Exists() {
		a.Index = word(index)
		if a.ID == "" {
			d.features |= sawIndex
			if v, ok := index.Int(); !ok || v < 0 {
				d.note("ART-008", Error, index, "The artifact's index is not a non-negative integer", "Number artifacts from 0")
			}
		}
	}
	switch {
	case a.ID != "":
		a.Key = a.ID
	case a.Index != "":
		a.Key = "#" + a.Index
	case a.Name != "" && d.call.Dialect != V01:
		a.Key = "~" + a.Name
	default:
		a.Key = "#0"
	}
}

// withoutParts reads the artifacts of a mesh that describes its files instead of
// sending parts: a reference, or the content under inline_data.
func (d *decoder) withoutParts(n jsontok.Node, a *Artifact) {
	a.ID = cmp.Or(a.ID, word(get(n, "id")))
	p := Part{Filename: a.Name, MediaType: word(d.either(n, "mimeType", "mime_type")), Raw: n.Raw()}
	if inline := get(d.either(n, "inlineData", "inline_data"), "data"); inline.IsText() {
		p.Kind, p.Encoded = PartBytes, inline.Text()
		d.checkBase64(inline, p.Encoded)
	} else if uri := get(n, "uri"); uri.IsText() {
		p.Kind, p.URL = PartURL, uri.Text()
	} else {
		return
	}
	d.features |= sawOther
	a.Parts = []Part{p}
	if d.call.Dialect != SAMDoc { // its own documentation describes artifacts so
		d.note("SAM-003", Warning, n, "The artifact has no parts; Parley reads its file from the artifact's own members", "Send the file as a part")
	}
}
