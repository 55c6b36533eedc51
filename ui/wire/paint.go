package wire

import (
	"parley/a2a"
	"parley/session"
	"parley/ui/styles"
)

// paint colours a row by what its record means. The words say the same.
func (p *Pane) paint(it *session.Item) styles.Paint {
	r, st := &it.Record, p.st
	switch {
	case failed(it):
		return st.Failed
	case r.Kind == a2a.KindNote, r.Kind == a2a.KindHead, r.Kind == a2a.KindEnd:
		return st.Dim
	}
	for i := range it.Update.Events {
		switch ev := &it.Update.Events[i]; {
		case ev.Status != nil:
			return p.stateLook(ev.Status.State).paint
		case ev.Kind == a2a.EventTask && ev.Task != nil:
			return p.stateLook(ev.Task.Status.State).paint
		case ev.Kind == a2a.EventNotA2A, ev.Kind == a2a.EventEmpty:
			return st.Dim
		}
	}
	return st.Text
}

// failed reports whether a record tells of something that did not work.
func failed(it *session.Item) bool {
	r := &it.Record
	if it.Update.Err != nil || r.Kind == a2a.KindHead && r.Head != nil && r.Head.Status >= 400 ||
		r.End != nil && r.End.Reason != a2a.Ended && r.End.Reason != a2a.Cancelled {
		return true
	}
	for i := range it.Update.Events {
		if it.Update.Events[i].Kind == a2a.EventError {
			return true
		}
	}
	return false
}

// A look is how a task's state is drawn.
type look struct {
	glyph styles.Glyph
	paint styles.Paint
}

func (p *Pane) stateLook(s a2a.State) look {
	st := p.st
	switch s {
	case a2a.StateSubmitted:
		return look{styles.Idle, st.Agent}
	case a2a.StateWorking:
		return look{styles.Online, st.Agent}
	case a2a.StateCompleted:
		return look{styles.Done, st.OK}
	case a2a.StateFailed, a2a.StateRejected:
		return look{styles.Failed, st.Failed}
	case a2a.StateCanceled:
		return look{styles.Canceled, st.Dim}
	case a2a.StateInputRequired, a2a.StateAuthRequired:
		return look{styles.Waiting, st.Waiting}
	default:
		return look{styles.Unknown, st.Text}
	}
}
