package a2a

import (
	"hash/maphash"
	"strings"
)

// ledger remembers which messages of one task were reported, because servers repeat them: in
// the status, in the history, and in every snapshot.
type ledger struct {
	byID map[string]uint64 // the fingerprint of the newest message with each messageId
	// counts has the number of messages without an id, by their content. In a history only occurrences
	// beyond those already reported are new.
	counts map[string]int
}

func (f *Fold) ledger(taskID string) *ledger {
	l := f.ledgers[taskID]
	if l == nil {
		l = &ledger{byID: map[string]uint64{}, counts: map[string]int{}}
		f.ledgers[taskID] = l
	}
	return l
}

// say reports the message of an event. If its id is known, it replaces the earlier message if
// its content differs and is ignored otherwise: some agents send growing text as ever longer
// messages with one id.
func (l *ledger) say(f *Fold, taskID string, m *Message) {
	if m.IDMade {
		l.counts[m.ID]++
		f.emit(Delta{Kind: DeltaMessage, TaskID: taskID, Key: m.ID, Message: m})
		return
	}
	l.tell(f, taskID, m, false)
}

func (l *ledger) tell(f *Fold, taskID string, m *Message, history bool) {
	known, replaced := l.byID[m.ID]
	now := f.fingerprint(m)
	if replaced && known == now {
		return
	}
	l.byID[strings.Clone(m.ID)] = now // a part of the text would keep all of it
	f.emit(Delta{Kind: DeltaMessage, TaskID: taskID, Key: m.ID, Message: m, History: history, ReplacedMessage: replaced})
}

// recall reports what is new in a history.
func (l *ledger) recall(f *Fold, taskID string, history []Message) {
	var met map[string]int // messages without an id met so far in this history
	for i := range history {
		m := &history[i]
		if !m.IDMade {
			l.tell(f, taskID, m, true)
			continue
		}
		if met == nil {
			met = map[string]int{}
		}
		met[m.ID]++
		if met[m.ID] > l.counts[m.ID] {
			l.counts[m.ID] = met[m.ID]
			f.emit(Delta{Kind: DeltaMessage, TaskID: taskID, Key: m.ID, Message: m, History: true})
		}
	}
}

// fingerprint is the same number for messages that show the same, however their text is divided into parts.
func (f *Fold) fingerprint(m *Message) uint64 {
	var h maphash.Hash
	h.SetSeed(f.seed)
	text := 0
	for i := range m.Parts {
		p := &m.Parts[i]
		if p.Kind == PartText {
			text += len(p.Text)
			_, _ = h.WriteString(p.Text)
			continue
		}
		maphash.WriteComparable(&h, [...]int{text, int(p.Kind), len(p.Data), len(p.Content)})
		maphash.WriteComparable(&h, [...]string{p.Encoded, p.URL, p.Filename})
		_, _ = h.Write(p.Data)
		_, _ = h.Write(p.Content)
		if p.Kind == PartUnknown {
			_, _ = h.Write(p.Raw)
		}
		text = 0
	}
	maphash.WriteComparable(&h, text)
	maphash.WriteComparable(&h, m.Role)
	return h.Sum64()
}
