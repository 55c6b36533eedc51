package cli

import (
	"cmp"
	"fmt"
	"strings"

	"parley/a2a"
)

// none replaces an identifier that the agent did not give.
const none = "(none)"

// ids writes what the next command needs to know about a task.
func (p *page) ids(taskID, contextID string, st *a2a.Status) {
	p.field("Task", orNone(taskID))
	p.field("Context", orNone(contextID))
	p.field("State", stateWord(st))
}

func orNone(s string) string {
	if strings.TrimSpace(s) == "" {
		return none
	}
	return s
}

// stateWord is a state for users, or the agent's own word for one that no dialect defines.
func stateWord(st *a2a.Status) string {
	switch {
	case st.State == a2a.StateOther:
		return orNone(line(st.Word))
	case st.State == a2a.StateUnknown && st.Word == "":
		return none // no status said it
	case st.State == a2a.StateUnknown && !strings.EqualFold(st.Word, "unknown"):
		return "unspecified" // which 1.0 distinguishes from the state unknown of earlier versions
	}
	return st.State.String()
}

// task writes a whole task: first its content, then what the next command needs.
func (p *page) task(t *a2a.Task, history bool) {
	if p.verbose {
		p.field("Since", t.Status.TimestampText)
		p.metadata("Task metadata", t.Metadata)
	}
	if history {
		p.history(t)
	}
	for i := range t.Artifacts {
		p.artifact(&t.Artifacts[i])
	}
	if t.Status.Message != nil {
		p.message("Message", t.Status.Message)
	}
	p.ids(t.ID, t.ContextID, &t.Status)
}

// history writes the messages in a task's history.
func (p *page) history(t *a2a.Task) {
	for i := range t.History {
		p.message("History", &t.History[i])
	}
}

// message writes a message with its author, under a label that names its place.
func (p *page) message(label string, m *a2a.Message) {
	p.field(label, cmp.Or(m.Role.String(), "agent"))
	if p.verbose {
		if !m.IDMade {
			p.field("Message id", m.ID)
		}
		p.list("Refers to", m.ReferenceTaskIDs)
		p.list("Extensions", m.Extensions)
		p.metadata("Message metadata", m.Metadata)
	}
	p.parts(m.Parts)
}

func (p *page) artifact(a *a2a.Artifact) {
	p.artifactHead(a, a.Key)
	p.parts(a.Parts)
}

func (p *page) artifactHead(a *a2a.Artifact, otherwise string) {
	p.field("Artifact", orNone(cmp.Or(a.Name, otherwise, a.Key)))
	if p.verbose {
		p.field("Artifact id", a.ID)
		p.field("Description", a.Description)
		p.list("Extensions", a.Extensions)
		p.metadata("Artifact metadata", a.Metadata)
	}
}

// parts writes parts in their order. Adjacent texts are one block unless everything is shown.
func (p *page) parts(parts []a2a.Part) {
	if p.verbose {
		for i := range parts {
			p.part(&parts[i], fmt.Sprintf("%d of %d", i+1, len(parts)))
		}
		return
	}
	for i := 0; i < len(parts); {
		if parts[i].Kind != a2a.PartText {
			p.content(&parts[i])
			i++
			continue
		}
		from := i
		for i < len(parts) && parts[i].Kind == a2a.PartText {
			i++
		}
		texts := a2a.Message{Parts: parts[from:i]}
		p.block("Text", texts.Text())
	}
}

// part writes a part with everything that belongs to it.
func (p *page) part(part *a2a.Part, number string) {
	words := []string{number, part.Kind.String()}
	if part.MediaType != "" {
		words = append(words, part.MediaType)
	}
	p.list("Part", words)
	p.metadata("Part metadata", part.Metadata)
	p.content(part)
}

func (p *page) content(part *a2a.Part) {
	switch part.Kind {
	case a2a.PartText:
		p.block("Text", part.Text)
	case a2a.PartData:
		p.json("Data", part.Data)
	case a2a.PartBytes:
		p.file(part, fmt.Sprintf("%d bytes", part.Size()))
	case a2a.PartURL:
		p.file(part, part.URL)
	default:
		p.json("Unknown part", part.Raw)
	}
}

// file reports a file by name, media type, and size or address.
func (p *page) file(part *a2a.Part, what string) {
	name, media := cmp.Or(part.Filename, "(unnamed)"), cmp.Or(part.MediaType, "unknown type")
	p.field("File", line(name)+", "+line(media)+", "+line(what))
}

// metadata writes a JSON object of metadata.
func (p *page) metadata(label string, raw []byte) {
	if len(raw) > 0 && string(raw) != "{}" {
		p.json(label, raw)
	}
}

// event writes one event of a stream, in the form of the whole object. known is the name of its
// artifact in earlier events, empty for a new one.
func (p *page) event(ev *a2a.Event, known string) {
	switch ev.Kind {
	case a2a.EventTask:
		p.task(ev.Task, false)
	case a2a.EventStatus:
		if ev.Status.Message != nil {
			p.message("Message", ev.Status.Message)
		}
		p.ids(ev.TaskID, ev.ContextID, ev.Status)
	case a2a.EventMessage:
		p.message("Message", ev.Message)
		if ev.TaskID == "" {
			p.field("Context", orNone(ev.ContextID))
		}
	case a2a.EventArtifact:
		p.change(ev, known)
		p.parts(ev.Artifact.Parts)
	}
}

// change writes the heading of an artifact in a stream.
func (p *page) change(ev *a2a.Event, known string) {
	p.artifactHead(ev.Artifact, known)
	switch {
	case ev.Append:
		p.field("Change", "append")
	case known != "":
		p.field("Change", "replace")
	}
}
