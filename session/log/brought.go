package log

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"parley/a2a"
	"parley/session/problem"
	"parley/session/task"
)

// Brought returns what the parts of a record say, from the beginning and at most most bytes of it: those of an
// artifact update, of the message of a state, of a task's last artifact, of a message, or of the message that a
// request sends. It is empty for a record that brings none. What is not text is named: data as its JSON in one
// line, a file by its name. It quotes agents and users, so it must be sanitised before it reaches a terminal.
//
// The cost depends on most, not on the record; of a large request nothing is returned.
func Brought(it *Item, most int) string {
	if it.Record.Kind == a2a.KindRequest {
		return sentText(it, most)
	}
	if len(it.Update.Events) != 1 || it.Update.Err != nil {
		return ""
	}
	switch ev := &it.Update.Events[0]; ev.Kind {
	case a2a.EventArtifact:
		if ev.Artifact != nil {
			return partsText(ev.Artifact.Parts, most)
		}
	case a2a.EventTask, a2a.EventStatus:
		if st := task.StatusOf(ev); st != nil && st.Message != nil {
			return partsText(st.Message.Parts, most)
		}
		if ev.Task != nil && len(ev.Task.Artifacts) > 0 {
			return partsText(ev.Task.Artifacts[len(ev.Task.Artifacts)-1].Parts, most)
		}
	case a2a.EventMessage:
		if ev.Message != nil {
			return partsText(ev.Message.Parts, most)
		}
	}
	return ""
}

// sentText returns what the message of a request says.
func sentText(it *Item, most int) string {
	const large = 64 << 10 // of a body that is not read again for one row
	r := &it.Record
	if r.Call == nil || !task.SendsMessage(r.Call.Op) || len(r.Raw) > large {
		return ""
	}
	u := a2a.Decode(r.Call, a2a.Input{Body: r.Raw})
	for i := range u.Events {
		if m := u.Events[i].Message; m != nil {
			return partsText(m.Parts, most)
		}
	}
	return ""
}

// partsText joins what parts say.
func partsText(parts []a2a.Part, most int) string {
	const look = 64 // there may be a million
	if len(parts) == 1 && parts[0].Kind == a2a.PartText {
		return prefix(parts[0].Text, most)
	}
	var b strings.Builder
	for i := range parts[:min(len(parts), look)] {
		switch p := &parts[i]; p.Kind {
		case a2a.PartText:
			b.WriteString(prefix(p.Text, most-b.Len()))
		case a2a.PartData:
			data := p.Data[:min(len(p.Data), most-b.Len())]
			b.Write(bytes.Join(bytes.Fields(data), []byte{' '}))
		default:
			b.WriteString(describePart(p))
		}
		if b.Len() >= most {
			break
		}
	}
	return prefix(b.String(), most)
}

// prefix returns the beginning of a text, at most most bytes of whole characters.
func prefix(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:max(most, 0)]
}

// An Extension is what a record adds to an artifact.
type Extension struct {
	Name      string // of the artifact, or its id
	Task, Key string // which name the artifact
	Append    bool   // its parts follow those that are known
	Bytes     int64  // of its parts, without their encoding on the wire
}

// Extends returns what a record adds to an artifact; ok is false unless that is its whole content.
func Extends(it *Item) (e Extension, ok bool) {
	if !ExtendsArtifact(it) {
		return Extension{}, false
	}
	ev := soleArtifact(it)
	a := ev.Artifact
	e = Extension{problem.Clip(artifactName(a, it)), ev.TaskID, a.Key, ev.Append, int64(it.text)}
	for i := range a.Parts {
		e.Bytes += a.Parts[i].PayloadSize()
	}
	return e, true
}

// Continues reports whether an extension follows another one of the same artifact.
func (e Extension) Continues(before Extension) bool {
	return e.Append && e.Task == before.Task && e.Key == before.Key
}
