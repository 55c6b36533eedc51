package task

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"parley/a2a"
)

// A Text follows what an agent says while it works. Some agents stream their text in status messages, a few
// characters in each, and nothing in A2A tells such a piece from a message of its own: the text does. It is
// the only place that decides so, for the judge of the records and for printers that keep no records.
type Text struct {
	open   bool   // the newest event was a message of text
	joined bool   // it continued the one before
	last   rune   // of its text
	kind   []byte // metadata of its part, such as that of a thought
	id     string // of the message, empty if the agent gave it none
}

// Spoken returns the text of an event that may be a piece of a growing text: the one part of a message of an
// agent that works. Ok is false for any other event.
func Spoken(ev *a2a.Event) (text string, ok bool) {
	if ev.Kind != a2a.EventStatus || ev.Status == nil || ev.Status.State != a2a.StateWorking {
		return "", false
	}
	m := ev.Status.Message
	if m == nil || m.Role == a2a.RoleUser || len(m.Parts) != 1 || m.Parts[0].Kind != a2a.PartText || m.Parts[0].Text == "" {
		return "", false
	}
	return m.Parts[0].Text, true
}

// Continues takes the next event of an exchange and reports whether its text continues the one before, without a
// break between the two. A status that says nothing comes in between without an effect. A message with the id of the
// one before replaces that.
func (t *Text) Continues(ev *a2a.Event) bool {
	text, ok := Spoken(ev)
	if !ok {
		t.open = t.open && ev.Kind == a2a.EventStatus && ev.Status != nil && ev.Status.State == a2a.StateWorking && ev.Status.Message == nil
		return false
	}
	before, m := *t, ev.Status.Message
	*t = Text{open: true, kind: m.Parts[0].Metadata}
	t.last, _ = utf8.DecodeLastRuneInString(text)
	if !m.IDMade {
		t.id = m.ID
	}
	t.joined = before.open && (t.id == "" || t.id != before.id) && bytes.Equal(before.kind, t.kind) && before.goesOn(text)
	return t.joined
}

// goesOn reports whether a text continues the newest one. Whatever begins with the end of a sentence, or with
// a space, is no message of its own; neither is what follows a space. A word alone continues a text that already
// had such pieces.
func (t *Text) goesOn(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	switch {
	case unicode.IsSpace(first), unicode.IsSpace(t.last), strings.ContainsRune(",.;:!?)]}'’”%…、。，！？：；）", first):
		return true
	case !t.joined || !IsWord(text):
		return false
	}
	begins := unicode.IsUpper(first) && (unicode.IsLetter(t.last) || unicode.IsDigit(t.last))
	return !begins
}

// IsWord reports whether a text has no space inside: it may be the first piece of a growing text.
func IsWord(text string) bool { return !strings.ContainsFunc(strings.TrimSpace(text), unicode.IsSpace) }
