package wire

import (
	"parley/a2a"
	"parley/session/log"
	"parley/ui/looks"
	"parley/ui/styles"
)

// paint returns the colour of a row, by what its record means. The row's words say the same.
func (p *Pane) paint(it *log.Item) styles.Paint {
	r, st := &it.Record, p.st
	switch {
	case r.End != nil && r.End.Class == a2a.ClassSevered:
		return st.Dim // the user cut it
	case failed(it):
		return st.Failed
	case it.Fate > log.FateTaken, r.Kind == a2a.KindNote, r.Kind == a2a.KindHead, r.Kind == a2a.KindEnd:
		return st.Dim
	}
	for i := range it.Update.Events {
		switch ev := &it.Update.Events[i]; {
		case ev.Status != nil:
			_, paint := looks.Past(p.st, ev.Status.State)
			return paint
		case ev.Kind == a2a.EventTask && ev.Task != nil:
			_, paint := looks.Past(p.st, ev.Task.Status.State)
			return paint
		case ev.Kind == a2a.EventNotA2A, ev.Kind == a2a.EventEmpty:
			return st.Dim
		}
	}
	return st.Text
}

// failed reports whether a record describes a failure.
func failed(it *log.Item) bool {
	r := &it.Record
	if it.Update.Err != nil || r.Kind == a2a.KindHead && r.Head != nil && r.Head.Status >= 400 ||
		it.Fate == log.FateRefused || r.End != nil && r.End.Reason != a2a.Ended && r.End.Reason != a2a.Cancelled {
		return true
	}
	for i := range it.Update.Events {
		if it.Update.Events[i].Kind == a2a.EventError {
			return true
		}
	}
	return false
}
