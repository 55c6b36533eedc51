package lint

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"strings"

	"parley/a2a"
	"parley/a2a/jsontok"
)

// messageRules are about messages at any place.
var messageRules = [...]rule{
	{
		id: "MSG-001", severity: a2a.Error, in: knownDialects, section: "0.1 §6.4, 0.3 §6.4, 1.0 §4.1.4",
		checks: "A message has a list of at least one part", fix: "Send at least one part",
		at: atCall, run: asDecoded,
	},
	{
		id: "MSG-002", severity: a2a.Error, in: knownDialects, section: "0.1 §6.4, 0.3 §6.4, 1.0 §4.1.4",
		checks: "A message has a role, in the dialect's spelling", fix: "Set the role, as the dialect writes it",
		at: atMessage, run: roleWord,
	},
	{
		id: "MSG-003", severity: a2a.Error, in: knownDialects, section: "0.2 §6.4, 0.3 §6.4, 1.0 §4.1.4",
		checks: "A message has a messageId of its own", fix: "Give every message its own id",
		at: atMessage, run: ownID,
	},
	{
		id: "MSG-004", severity: a2a.Error, in: v02v03 | v10, section: "0.2 §6.4, 0.3 §6.4, 1.0 A.2.1",
		checks: "“kind” of a message is “message”; in 1.0 it is absent", fix: "Set “kind” to “message”, or omit it in 1.0",
		at: atMessage, run: messageKind,
	},
	{
		id: "MSG-005", severity: a2a.Warning, in: since02,
		checks: "The members of the message are inside “message”", fix: "Move it into “message”",
		at: atCall, run: outsideMessage,
	},
	{
		id: "MSG-006", severity: a2a.Error, in: knownDialects, section: "0.1 §6.4, 0.3 §6.4, 1.0 §4.1.5",
		checks: "The agent sends the agent's role, and the client the user's", fix: "Set the role of the sender",
		at: atMessage, run: roleOfSpeaker,
	},
	{
		id: "MSG-007", severity: a2a.Error, in: since02, section: "1.0 §3.4.3",
		checks: "taskId and contextId of a message are those of its task", fix: "Send the ids of one task and its context",
		at: atMessage, run: idsOfTask,
	},
	{
		id: "MSG-008", severity: a2a.Warning, in: v10, section: "1.0 §4.1.4",
		checks: "A message of the agent has a contextId", fix: "Set contextId in every message of the agent",
		at: atMessage, run: inContext,
	},
	{
		id: "MSG-009", severity: a2a.Warning, in: v10, section: "1.0 §4.6",
		checks: "The agent's message uses only requested extensions", fix: "Use only extensions that A2A-Extensions of the request names",
		at: atMessage, run: extensionsAsked,
	},
}

// asDecoded applies the decoder's findings about received messages to the message that is sent,
// for the rules of messages and parts.
func asDecoded(p *pass, n jsontok.Node) {
	if get(n, "message").Kind() != jsontok.Object {
		return
	}
	for _, f := range p.reading().Findings {
		if strings.HasPrefix(f.Rule, "MSG-") || strings.HasPrefix(f.Rule, "PART-") {
			p.take(f)
		}
	}
}

// reading returns the decoder's reading of a request with a message.
func (p *pass) reading() *a2a.Update {
	if p.sent == nil {
		u := a2a.Decode(p.call, a2a.Input{Body: p.r.Payload()})
		p.sent = &u
	}
	return p.sent
}

// inHistory reports whether a message is part of a history.
func inHistory(n jsontok.Node) bool { return n.Parent().Kind() == jsontok.Array }

// speaker is the party that a role means: 'u', 'a', or 0 for an unknown word.
func speaker(role jsontok.Node) byte {
	switch {
	case role.Is("user"), role.Is("ROLE_USER"):
		return 'u'
	case role.Is("agent"), role.Is("ROLE_AGENT"):
		return 'a'
	}
	switch word := strings.TrimPrefix(strings.ToLower(role.Text()), "role_"); word {
	case "user", "agent":
		return word[0]
	}
	return 0
}

func roleWord(p *pass, n jsontok.Node) {
	role := get(n, "role")
	if speaker(role) == 0 {
		return // the decoder checks it
	}
	long := role.Is("ROLE_USER") || role.Is("ROLE_AGENT")
	short := role.Is("user") || role.Is("agent")
	switch {
	case p.in&v10 != 0 && !long:
		p.note(role, "The role is written “"+clip(role.Text())+"”; 1.0 writes ROLE_USER and ROLE_AGENT")
	case p.in&proto03 != 0 && !long && !short:
		p.note(role, "The role is written “"+clip(role.Text())+"”; 0.3 over HTTP+JSON writes ROLE_USER and ROLE_AGENT")
	case p.in&(v10|proto03) == 0 && !short:
		p.note(role, "The role is written “"+clip(role.Text())+"”; before 1.0 it is “user” or “agent”")
	}
}

// messageState is what is remembered of a message by its id.
type messageState struct {
	by   byte
	sum  uint32 // of the content of one that was sent
	task string // of one that came
}

// sumOf returns a checksum of a value.
func sumOf(n jsontok.Node) uint32 { return crc32.ChecksumIEEE(n.Raw()) }

// sentSum returns a checksum of the content of the message in a request. The dialects write the same
// parts in different ways.
func (p *pass) sentSum() uint32 {
	sum := crc32.NewIEEE()
	for i := range p.reading().Events {
		m := p.reading().Events[i].Message
		if m == nil {
			continue
		}
		for k := range m.Parts {
			for _, field := range fieldsOf(&m.Parts[k]) {
				_, _ = fmt.Fprintf(sum, "%d:", len(field)) // a hash takes everything
				_, _ = io.WriteString(sum, field)
			}
		}
	}
	return sum.Sum32()
}

// fieldsOf returns what a part says in any dialect; of a kind that no dialect has, the part as it is
// written.
func fieldsOf(part *a2a.Part) []string {
	switch part.Kind {
	case a2a.PartText, a2a.PartBytes, a2a.PartURL, a2a.PartData:
	default:
		return []string{string(part.Raw)}
	}
	content := part.Encoded
	if decoded, err := part.Bytes(); err == nil {
		content = string(decoded)
	}
	return []string{part.Text, content, part.URL, string(part.Data), part.Filename, part.MediaType, string(part.Metadata)}
}

// ownID finds an id that two messages share. Agents repeat messages, and let them grow, within
// a task; otherwise an id identifies one message.
func ownID(p *pass, n jsontok.Node) {
	id := either(n, "messageId", "message_id")
	if !id.IsText() || len(id.Raw()) == len(`""`) || len(id.Raw()) > maxID {
		return // the decoder checks it, or it is unknown
	}
	now := messageState{by: speaker(get(n, "role"))}
	if p.out() {
		now.sum = p.sentSum()
	} else if p.ev != nil {
		now.task = p.ev.TaskID
	}
	text := id.Text()
	before, known := p.agent.messages.get(text)
	if !known {
		p.agent.messages.put(text, now)
		return
	}
	if inHistory(n) || p.out() && p.keepsIDs() {
		return
	}
	switch {
	case before.by != now.by && before.by != 0 && now.by != 0:
		p.noteAs(a2a.Warning, id, "Messages of the user and of the agent have the messageId “"+clip(text)+"”")
	case p.out() && before.sum != now.sum:
		p.noteAs(a2a.Warning, id, "Another message was sent with the messageId “"+clip(text)+"”")
	case !p.out() && before.task != now.task && before.task != "" && now.task != "":
		p.noteAs(a2a.Warning, id, "Messages of two tasks have the messageId “"+clip(text)+"”")
	}
}

func messageKind(p *pass, n jsontok.Node) {
	kind := n.Get("kind")
	switch {
	case p.in&v10 != 0:
		if kind.Exists() {
			p.note(kind, "The message has a “kind”, which 1.0 does not define")
		}
	case !kind.Exists():
		p.note(n, "The message has no “kind”")
	case !kind.Is("message"):
		p.note(kind, "“kind” of the message is not “message”")
	}
}

func outsideMessage(p *pass, n jsontok.Node) {
	p.noteEach(n, "%s is beside the message, not in it", "messageId", "parts", "role")
}

func roleOfSpeaker(p *pass, n jsontok.Node) {
	role := get(n, "role")
	switch by := speaker(role); {
	case p.out() && by == 'a':
		p.note(role, "A request has the agent's role")
	case !p.out() && by == 'u' && !inHistory(n):
		p.note(role, "The agent's message has the user's role")
	}
}

func idsOfTask(p *pass, n jsontok.Node) {
	task, context := get(n, "taskId"), get(n, "contextId")
	switch {
	case p.out():
		if t, ok := p.agent.tasks.get(task.Text()); ok && context.Exists() && t.contextID != "" && !context.Is(t.contextID) {
			p.note(context, "The context is not that of task "+clip(task.Text())+", which is "+clip(t.contextID))
		}
	case p.ev == nil || p.ev.Kind == a2a.EventMessage || p.ev.Kind == a2a.EventTaskList || inHistory(n):
	case task.Exists() && p.ev.TaskID != "" && task.Text() != p.ev.TaskID:
		p.note(task, "The message names task "+clip(task.Text())+", its event "+clip(p.ev.TaskID))
	case context.Exists() && p.ev.ContextID != "" && context.Text() != p.ev.ContextID:
		p.note(context, "The message names context "+clip(context.Text())+", its event "+clip(p.ev.ContextID))
	}
}

func inContext(p *pass, n jsontok.Node) {
	if !p.out() && !inHistory(n) && len(bytes.Trim(get(n, "contextId").Raw(), `"`)) == 0 {
		p.note(n, "The agent's message has no contextId")
	}
}

func extensionsAsked(p *pass, n jsontok.Node) {
	if p.out() || inHistory(n) || !p.x.whole() {
		return
	}
	for e := range get(n, "extensions").Elems() {
		if uri := e.Text(); uri != "" && !p.x.asks.extensions[uri] {
			p.note(e, "The message uses the extension "+clip(uri)+", which was not requested")
		}
	}
}
