package compare

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/model"
	"parley/session/problem"
	"parley/session/task"
)

const (
	maxText  = 256 << 10 // bytes of one answer that are compared
	maxLines = 4000      // lines of one answer that are compared
	maxHash  = 1 << 20   // the largest file whose content is compared
	minID    = 6         // shorter ids may be words, and so may those without a digit
)

// A writer writes an answer as lines that can be compared: without its ids and times, and
// without the boundaries of its chunks.
type writer struct {
	out       strings.Builder
	ids       ids
	ignore    Pointers
	lines     int
	cut       bool
	messages  int // that were written, of the answer
	artifacts int
	pathless  bool // the states are compared by themselves
}

// write returns the text of an answer, and whether that is only its beginning.
func write(a *answer, ignore Pointers, pathless bool) (text string, cut bool) {
	w := &writer{ids: a.ids, ignore: ignore, pathless: pathless}
	for _, b := range a.blocks {
		w.block(b)
	}
	return w.out.String(), w.cut
}

// The patterns of ids and times that an agent makes anew for each answer. They are compiled when
// answers are compared for the first time, and not at every start.
var (
	uuid = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`)
	})
	date = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?([.,]\d+)?(Z|[+-]\d\d:?\d\d)?`)
	})
)

// stable returns a text without its ids and times.
func stable(all ids, text string) string {
	return date().ReplaceAllString(uuid().ReplaceAllString(all.replace(text), "<id>"), "<time>")
}

// line writes the lines of a text with an indent.
func (w *writer) line(indent, text string) {
	if room := maxText - w.out.Len(); len(text) > room {
		text, w.cut = strings.ToValidUTF8(text[:max(0, room)], ""), true
	}
	text = stable(w.ids, text)
	for l := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		if w.lines == maxLines {
			w.cut = true
			return
		}
		w.lines++
		w.out.WriteString(indent + strings.TrimSuffix(l, "\r") + "\n")
	}
}

// block writes the course of a task, or a message without one.
func (w *writer) block(b *model.Block) {
	states := statesOf(b)
	if len(states) > 0 && !w.pathless {
		w.line("", "states: "+strings.Join(states, ", "))
	}
	for i := range b.Entries {
		w.entry(&b.Entries[i])
	}
	for _, x := range b.Extras {
		w.json("", x.Of.String()+" metadata", x.Data, x.Of.String()+"Metadata")
	}
	if b.Task != nil {
		w.json("", "task metadata", b.Task.Metadata, "metadata")
	}
}

// statesOf returns the states through which a block went.
func statesOf(b *model.Block) (states []string) {
	for i := range b.Entries {
		if e := &b.Entries[i]; e.Kind == model.EntryState {
			word := task.StateWord(e.State.State, e.State.Word)
			if n := len(states); n == 0 || states[n-1] != word {
				states = append(states, word)
			}
		}
	}
	return states
}

// entry writes a message, an artifact or an error.
func (w *writer) entry(e *model.Entry) {
	switch {
	case e.Replaced:
	case e.Kind == model.EntryMessage && e.Message != nil:
		w.message(e.Message)
	case e.Kind == model.EntryArtifact && e.Artifact != nil:
		w.artifact(e.Artifact)
	case e.Kind == model.EntryProblem && e.Problem != nil:
		w.line("", "error: "+said(e.Problem))
	case e.Kind == model.EntryUnknown:
		w.json("", "unknown event", e.Raw, "event")
	}
}

// said returns what a problem says in every binding: without the code, which depends on it.
func said(p *problem.Problem) string {
	if err := p.Err; err != nil {
		return strings.TrimPrefix(err.Name+": "+err.Message, ": ")
	}
	return p.Sentence
}

// message writes a message of the agent.
func (w *writer) message(m *a2a.Message) {
	at := []string{"messages", strconv.Itoa(w.messages)}
	w.messages++
	w.line("", "message")
	for i := range m.Parts {
		w.part(&m.Parts[i], pointer(at, "parts", strconv.Itoa(i))...)
	}
	w.json("  ", "metadata", m.Metadata, pointer(at, "metadata")...)
}

// artifact writes an artifact: its text as a whole, and the other parts where they stand in it.
func (w *writer) artifact(a *model.Artifact) {
	at := []string{"artifacts", strconv.Itoa(w.artifacts)}
	w.artifacts++
	w.line("", strings.TrimSpace("artifact "+a.Name))
	if a.Description != "" && !w.ignore.Has(pointer(at, "description")) {
		w.line("  ", "description: "+a.Description)
	}
	for i, p := range piecesOf(a) {
		of := pointer(at, "parts", strconv.Itoa(i))
		if p.part != nil {
			w.part(p.part, of...)
		} else if !w.ignore.Has(pointer(of, "text")) {
			w.line("  ", string(p.text[:min(len(p.text), maxText+1)]))
		}
	}
	w.json("  ", "metadata", a.Metadata, pointer(at, "metadata")...)
	for _, x := range a.Extras {
		w.json("  ", x.Of.String()+" metadata", x.Data, pointer(at, x.Of.String()+"Metadata")...)
	}
}

// A piece is a text of an artifact, or a part that is none.
type piece struct {
	text []byte
	part *a2a.Part
}

// piecesOf returns the pieces of an artifact in order; text without another part in between is
// one piece, in however many chunks it came.
func piecesOf(a *model.Artifact) (all []piece) {
	from := 0
	text := func(to int) {
		if to > from {
			all = append(all, piece{text: a.Text[from:to]})
		}
		from = max(from, to)
	}
	for i := range a.Parts {
		text(min(a.Parts[i].Offset, len(a.Text)))
		all = append(all, piece{part: &a.Parts[i].Part})
	}
	text(len(a.Text))
	return all
}

// part writes a part that stands at a place of the answer.
func (w *writer) part(p *a2a.Part, at ...string) {
	if w.ignore.Has(at) {
		return
	}
	switch p.Kind {
	case a2a.PartText:
		if !w.ignore.Has(pointer(at, "text")) {
			w.line("  ", p.Text)
		}
	case a2a.PartData:
		w.json("  ", "data", p.Data, pointer(at, "data")...)
	case a2a.PartBytes:
		w.line("  ", strings.Join(strings.Fields("file "+p.Filename+" "+p.MediaType+" "+units.Bytes(p.Size())+" "+sum(p)), " "))
	default:
		w.line("  ", strings.Join(strings.Fields("file "+p.Filename+" "+p.MediaType+" "+p.URL), " "))
	}
	w.json("  ", "part metadata", p.Metadata, pointer(at, "metadata")...)
}

// sum returns the beginning of the checksum of a file, empty for a large one.
func sum(p *a2a.Part) string {
	if p.Size() > maxHash {
		return ""
	}
	content, err := p.Bytes()
	if err != nil {
		return "unreadable"
	}
	return fmt.Sprintf("sha256 %.4x", sha256.Sum256(content))
}

// json writes a value with sorted members, one per line, that stands at a place of the answer;
// nothing if it is empty or ignored.
func (w *writer) json(indent, name string, raw json.RawMessage, at ...string) {
	if len(raw) == 0 || w.ignore.Has(at) {
		return
	}
	text := string(raw[:min(len(raw), maxText+1)])
	if len(raw) <= maxText {
		text = w.sortJSON(raw, at)
	}
	w.line(indent, name+":")
	w.line(indent+"  ", text)
}

// sortJSON returns JSON indented, with sorted members and without those that are ignored; the
// text itself if it is not valid.
func (w *writer) sortJSON(raw []byte, at []string) string {
	v, ok := parse(raw)
	if !ok {
		return string(raw)
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if e.Encode(w.ignore.strip(v, at)) != nil {
		return string(raw)
	}
	return out.String()
}

// parse returns a JSON value with one spelling of each number, false if it is not valid.
func parse(raw []byte) (any, bool) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil, false
	}
	return numbers(v), true
}

// numbers spells the numbers of a JSON value in one way: a binding may write 1 as 1.0.
func numbers(v any) any {
	const exact = 1 << 53
	switch v := v.(type) {
	case json.Number:
		if f, err := v.Float64(); err == nil && math.Abs(f) < exact {
			return json.Number(strconv.FormatFloat(f, 'g', -1, 64))
		}
	case []any:
		for i := range v {
			v[i] = numbers(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = numbers(v[k])
		}
	}
	return v
}
