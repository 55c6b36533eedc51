package wire

import (
	"regexp"

	"parley/a2a"
	"parley/session/log"
	"parley/ui/canvas"
)

// A slice of a scan ends after so many records, or bytes, so that there is progress to
// be seen and nothing to be waited for once nobody wants it any more.
const (
	sliceRecords = 20_000
	sliceBytes   = 16 << 20
)

// A stretch is a run of records, both ends included.
type stretch struct{ from, to a2a.RecordID }

func (s stretch) len() int { return int(s.to-s.from) + 1 }

// A scan knows which records are yet to be searched. One slice is searched at a time.
type scan struct {
	left  []stretch // in the order in which they are searched
	known a2a.RecordID
	seq   int  // of the text that is looked for
	busy  bool // a slice is being searched
}

// start begins a scan of the first known records at one of them, which comes first.
func (s *scan) start(from a2a.RecordID, known int) {
	s.stop()
	s.known = a2a.RecordID(known)
	from = max(from, 1)
	s.want(stretch{from, s.known})
	s.want(stretch{1, from - 1})
}

// stop forgets what is left. What a slice that is under way finds is not wanted.
func (s *scan) stop() {
	s.left, s.busy = nil, false
	s.seq++
}

func (s *scan) want(run stretch) {
	if run.from <= run.to {
		s.left = append(s.left, run)
	}
}

// grown adds records that came since.
func (s *scan) grown(known int) {
	last := a2a.RecordID(known)
	s.want(stretch{s.known + 1, last})
	s.known = last
}

// progress returns how many records were searched, and how many there are.
func (s *scan) progress() (done, all int) {
	done = int(s.known)
	for _, run := range s.left {
		done -= run.len()
	}
	return done, int(s.known)
}

// pending reports whether any of the records from one to another is yet to be searched.
func (s *scan) pending(from, to a2a.RecordID) bool {
	for _, run := range s.left {
		if run.from <= to && from <= run.to {
			return true
		}
	}
	return false
}

// nearest returns the next of hits behind a record, or before it, around the end of the
// log if need be; 0 if there is none. It is sure only if what is not searched yet cannot
// hold a nearer one.
func (s *scan) nearest(hits *set, from a2a.RecordID, dir int) (id a2a.RecordID, wrapped, sure bool) {
	if dir > 0 {
		if id = hits.next(from); id != 0 {
			return id, false, !s.pending(from+1, id)
		}
		id = hits.next(0)
		return id, true, !s.pending(from+1, s.known) && !s.pending(1, min(id-1, from))
	}
	if id = hits.prev(from); id != 0 {
		return id, false, !s.pending(id, from-1)
	}
	id = hits.prev(s.known + 1)
	return id, true, !s.pending(1, from-1) && !s.pending(max(id, from), s.known)
}

// job returns the work on the next slice, false while there is none or one is under way.
// What is found is added to hits.
func (s *scan) job(view log.LogView, has func(*log.Item) bool, hits *set) (Job, bool) {
	if s.busy || len(s.left) == 0 {
		return nil, false
	}
	s.busy = true
	run, seq := s.left[0], s.seq
	return func() func() bool {
		found, end := through(view, run, has)
		return func() bool {
			if seq != s.seq {
				return false
			}
			s.busy = false
			for _, id := range found {
				hits.add(id)
			}
			if s.left[0].from = end + 1; end >= s.left[0].to {
				s.left = s.left[1:]
			}
			return true
		}
	}, true
}

// through returns which records of one slice of a run have something, and the last that it
// looked at.
func through(view log.LogView, run stretch, has func(*log.Item) bool) (found []a2a.RecordID, end a2a.RecordID) {
	bytes, items := 0, view.Scan()
	for end = run.from; ; end++ {
		it := items.At(end)
		if has(it) {
			found = append(found, end)
		}
		bytes += len(it.Record.Raw)
		if end == run.to || bytes > sliceBytes || end-run.from >= sliceRecords {
			return found, end
		}
	}
}

// pattern returns a finder of what a regular expression matches, in any case.
func pattern(expr string) canvas.Finder {
	re, err := regexp.Compile("(?i)" + expr)
	if err != nil {
		return nil
	}
	return func(text []byte) (from, to int) {
		at := re.FindIndex(text)
		if at == nil {
			return -1, -1
		}
		return at[0], at[1]
	}
}
