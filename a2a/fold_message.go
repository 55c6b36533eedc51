package a2a

// ledger remembers which messages of one task were reported, because servers repeat them: in
// the status, in the history, and in every snapshot.
type ledger struct {
	byID map[string]*Message // the newest content of each messageId
	// counts has the number of messages without an id, by their content. In a history only occurrences
	// beyond those already reported are new.
	counts map[string]int
}

func (f *Fold) ledger(taskID string) *ledger {
	l := f.ledgers[taskID]
	if l == nil {
		l = &ledger{byID: map[string]*Message{}, counts: map[string]int{}}
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
	known := l.byID[m.ID]
	if known != nil && known.Role == m.Role && samePartList(known.Parts, m.Parts) {
		return
	}
	l.byID[m.ID] = m
	f.emit(Delta{
		Kind: DeltaMessage, TaskID: taskID, Key: m.ID, Message: m, History: history, ReplacedMessage: known != nil,
	})
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

// samePartList reports whether two lists show the same.
func samePartList(a, b []Part) bool {
	rest, ok := continues(a, b)
	return ok && len(rest) == 0
}
