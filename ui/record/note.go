package record

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/card"
	"parley/session/log"
)

// noteWords say what a note of a type without a sentence of its own records.
var noteWords = map[string]string{
	log.NoteOpening:      "Parley looks for the agent's card.",
	log.NoteOpened:       "Parley read the agent's card.",
	log.NoteNamed:        "You named the agent.",
	log.NoteClosed:       "You closed the agent.",
	log.NoteReopened:     "You reopened the agent.",
	log.NoteUnsent:       "The message was not sent.",
	log.NoteProfile:      "Parley speaks to the agent in another way from here on.",
	log.NoteMerge:        "You merged the artifacts of a task.",
	log.NoteExtensions:   "Requests ask for these extensions from here on.",
	log.NoteExtendedCard: "The extended card replaces the public card.",
	log.NotePublicCard:   "Parley uses the public card again.",
	log.NoteVerdict:      "The agent reacted to an injected fault.",
	log.NoteOutcome:      "This is what the turn came to.",
	log.NoteMissing:      "A record is missing in the recording.",
}

// noteField describes an attribute of a note.
type noteField struct {
	attr, label string
	// list reads the values of an attribute that is JSON; nil for a single value.
	list func(text string) ([]string, bool)
}

// noteFields are the attributes of notes in the order in which they are shown. Others follow under
// their own names.
var noteFields = []noteField{
	{attr: log.AttrRef, label: "address"},
	{attr: log.AttrTap, label: "tap"},
	{attr: log.AttrTapAddress, label: "tap at"},
	{attr: log.AttrName, label: "name"},
	{attr: log.AttrText, label: "message"},
	{attr: log.AttrTask, label: "task"},
	{attr: log.AttrFault, label: "fault"},
	{attr: log.AttrKind, label: "outcome"},
	{attr: log.AttrDelivery, label: "delivery"},
	{attr: log.AttrTried, label: "attempts"},
	{attr: log.AttrChanges, label: "changed", list: changeSentences},
	{attr: log.AttrSince, label: "since"},
	{attr: log.AttrExtensions, label: "extension", list: stringList},
	{attr: log.AttrWarnings, label: "warning", list: stringList},
	{attr: log.AttrCautions, label: "caution", list: stringList},
	{attr: log.AttrClass, label: "class"},
	{attr: log.AttrAgent, label: "agent"},
	{attr: log.AttrAgents, label: "agents"},
	{attr: log.AttrConversation, label: "conversation"},
	{attr: log.AttrTurn, label: "turn"},
	{attr: log.AttrIndex, label: "card"},
	{attr: log.AttrRecord, label: "record"},
	{attr: log.AttrExchange, label: "request"},
}

// note adds a note: one sentence, then its attributes as named values.
func (w *writer) note(n *a2a.Note) {
	if n == nil {
		w.line(w.st.Faint, 0, "an empty note")
		return
	}
	sentence := n.Attrs[log.AttrSentence]
	words := noteWords[n.Type]
	if n.Type == log.NoteOpened && n.Attrs[log.AttrRecord] == "" && n.Attrs[log.AttrAttempts] != "" {
		words = "Parley found no card of the agent."
	}
	w.line(w.st.Text, 0, cmp.Or(sentence, words, n.Type))
	w.blank()
	rest := maps.Clone(n.Attrs)
	delete(rest, log.AttrSentence)
	if w.profile(rest[log.AttrProfile]) {
		delete(rest, log.AttrProfile)
	}
	if w.attempts(rest[log.AttrAttempts]) {
		delete(rest, log.AttrAttempts)
	}
	for i := range noteFields {
		f := &noteFields[i]
		w.noteField(f, rest[f.attr])
		delete(rest, f.attr)
	}
	for _, name := range slices.Sorted(maps.Keys(rest)) {
		w.field(name, rest[name], "")
	}
}

// noteField adds an attribute. One that should be a list and is none is shown as it is.
func (w *writer) noteField(f *noteField, text string) {
	if f.list != nil {
		if values, ok := f.list(text); ok {
			for _, v := range values {
				w.field(f.label, v, "")
			}
			return
		}
	}
	if f.attr == log.AttrRecord || f.attr == log.AttrExchange {
		id, _ := strconv.ParseUint(text, 10, 64) // on an error 0, which is no record
		w.entry.record = a2a.RecordID(id)
	}
	w.field(f.label, text, "")
	w.entry = entry{}
}

// stringList reads a JSON array of strings.
func stringList(text string) (values []string, ok bool) {
	return values, json.Unmarshal([]byte(text), &values) == nil
}

// changeSentences reads the changes of a card.
func changeSentences(text string) (values []string, ok bool) {
	var changes []card.Change
	if json.Unmarshal([]byte(text), &changes) != nil {
		return nil, false
	}
	for _, c := range changes {
		values = append(values, c.Sentence)
	}
	return values, true
}

// profile adds how Parley speaks to an agent, with the reasons. It reports whether text is a
// profile.
func (w *writer) profile(text string) bool {
	var p a2a.Profile
	if json.Unmarshal([]byte(text), &p) != nil {
		return false
	}
	w.field("problem", p.Problem, "")
	if p.Dialect != a2a.Unknown {
		w.field("speaks", "A2A "+p.Dialect.Number()+" over "+p.Binding.String(), "")
	}
	w.field("to", p.Endpoint, "")
	w.field("tenant", p.Tenant, "")
	w.field("gateway agent", p.Agent, "")
	if p.Streaming {
		w.field("streaming", "yes", "")
	}
	for _, ev := range p.Evidence {
		w.entry.record = ev.Record
		w.field("because", ev.Reason, "")
		w.entry = entry{}
	}
	if n := len(p.Alternatives); n > 0 {
		w.field("else", units.Plural(n, "other way"), "")
	}
	return true
}
