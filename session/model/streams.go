package model

import "parley/session/problem"

// openStream notes that an exchange is a stream. Its figures are those of [log.Stream].
func (s *State) openStream(x *exchange, ch *Change) {
	x.streams, x.growing = true, map[*Artifact]bool{}
	c := x.turn.Conversation
	c.Streams++
	c.Stream = x.id
	ch.Agents = true
}

// closeStream notes the end of a stream, which can no longer append to artifacts.
func (s *State) closeStream(x *exchange, ch *Change) {
	if !x.streams {
		return
	}
	x.turn.Conversation.Streams--
	x.turn.Stalled = nil
	for a := range x.growing {
		a.stream(-1)
		if l := a.loss; a.streams == 0 && a.grows() && a.Task.Works() {
			l.cut = true
			a.lose(l, s.touch)
		}
		s.touch(a.place)
	}
	ch.Agents = true
}

// noteBreak notes in a problem which stream it interrupted, and where.
func (s *State) noteBreak(x *exchange, pr *problem.Problem) {
	if st := s.Log.Stream(x.id); x.streams && st != nil && pr.Stops() {
		pr.Stream, pr.After = x.id, st.LastEvent
	}
}
