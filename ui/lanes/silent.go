package lanes

import (
	"cmp"
	"slices"
)

// silent are the lanes of which the newest exchange stalls, the longest silence first. They stand above the
// others. Their order is compared once a second, so that rows do not move between two frames of a second.
type silent struct {
	lanes   []*lane
	second  int64 // in which they were compared
	version int   // grows when they change
}

// sortSilent compares the lanes that stall with those that stand above the others.
func (p *Pane) sortSilent() {
	s := &p.silent
	second := p.now.Unix()
	if second == s.second {
		return
	}
	s.second = second
	var now []*part
	for _, x := range p.session.open {
		if x.s.Stall(p.now) > 0 && x == x.lane.last() && x.lane.fold == nil {
			now = append(now, x)
		}
	}
	slices.SortStableFunc(now, func(a, b *part) int { return cmp.Compare(b.silence(p.now), a.silence(p.now)) })
	lanes := make([]*lane, len(now))
	for i, x := range now {
		lanes[i] = x.lane
	}
	if !slices.Equal(lanes, s.lanes) {
		s.lanes, s.version = lanes, s.version+1
	}
}
