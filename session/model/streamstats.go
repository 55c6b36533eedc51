package model

import (
	"slices"
	"time"

	"parley/a2a"
)

// RecentSeconds is how many seconds [StreamStats.Recent] covers.
const RecentSeconds = 16

// openStream begins to count a stream.
func (s *State) openStream(x *exchange, r *a2a.Record, ch *Change) {
	if x.streams || x.turn == nil {
		return
	}
	x.streams, x.growing = true, map[*Artifact]bool{}
	c := x.turn.Conversation
	c.Streams++
	c.Stats = StreamStats{Exchange: x.id, Open: true, Start: r.Time, Last: r.Time}
	ch.Agents = true
}

// count counts an event of a stream.
func (s *State) count(x *exchange, r *a2a.Record, ch *Change) {
	s.openStream(x, r, ch)
	if x.turn == nil {
		return
	}
	if st := &x.turn.Conversation.Stats; st.Exchange == x.id {
		st.add(r.Time, len(r.Raw))
	}
}

func (st *StreamStats) add(at time.Time, size int) {
	st.Events++
	st.Bytes += int64(size)
	st.Last = at
	second := max(int64(at.Sub(st.Start)/time.Second), st.second)
	if len(st.Recent) == 0 || second-st.second >= RecentSeconds {
		st.Recent, st.second = make([]int, 1, RecentSeconds+1), second
	}
	for ; st.second < second; st.second++ {
		st.Recent = append(st.Recent, 0)
		if len(st.Recent) > RecentSeconds {
			st.Recent = slices.Delete(st.Recent, 0, 1)
		}
	}
	st.Recent[len(st.Recent)-1]++
}

// closeStream ends the count of a stream, which can no longer append to artifacts.
func (s *State) closeStream(x *exchange, r *a2a.Record, end *a2a.End, ch *Change) {
	if !x.streams {
		return
	}
	c := x.turn.Conversation
	c.Streams--
	x.turn.Stalled = nil
	if c.Stats.Exchange == x.id {
		c.Stats.Open = false
		c.Stats.Bytes += int64(len(r.Raw))
		c.Stats.End = end
	}
	for a := range x.growing {
		a.stream(-1)
		s.touch(a.place)
	}
	ch.Agents = true
}

// StreamStats counts what the newest stream of a conversation carried. An event is a record of
// kind [a2a.KindEvent], so that the count equals the number of the stream's rows in the wire;
// Bytes is the length of the response's body.
type StreamStats struct {
	Exchange a2a.ExchangeID
	Open     bool
	Events   int
	Bytes    int64
	// Start is when the response's head came, Last when its newest event came.
	Start, Last time.Time
	End         *a2a.End
	// Recent holds event counts of the latest seconds since Start, oldest first,
	// at most [RecentSeconds], for a sparkline.
	Recent []int

	second int64 // offset from Start of the end of the last element of Recent
}
