package wire

import (
	"regexp"

	"parley/a2a"
	"parley/session/log"
	"parley/ui/canvas"
)

// These limits bound one slice of a scan, so that its progress is visible and a scan that
// nobody needs any more ends soon.
const (
	sliceRecords = 20_000
	sliceBytes   = 16 << 20
)

// A recordRange is a range of records, both ends included.
type recordRange struct{ from, to a2a.RecordID }

func (s recordRange) len() int { return int(s.to-s.from) + 1 }

// A scan is the progress of a search over the log. At most one slice is searched at a time.
type scan struct {
	ranges []recordRange // in the order of the search
	end    a2a.RecordID
	seq    int  // counts searches, to drop results of an earlier one
	busy   bool // a slice is being searched
}

// start begins to scan the first known records, with the part after from first.
func (s *scan) start(from a2a.RecordID, known int) {
	s.stop()
	s.end = a2a.RecordID(known)
	from = max(from, 1)
	s.add(recordRange{from, s.end})
	s.add(recordRange{1, from - 1})
}

// stop cancels the scan; the result of a running slice is dropped.
func (s *scan) stop() {
	s.ranges, s.busy = nil, false
	s.seq++
}

func (s *scan) add(run recordRange) {
	if run.from <= run.to {
		s.ranges = append(s.ranges, run)
	}
}

// extend adds new records to the scan.
func (s *scan) extend(known int) {
	last := a2a.RecordID(known)
	s.add(recordRange{s.end + 1, last})
	s.end = last
}

// progress returns how many records are scanned, and how many there are.
func (s *scan) progress() (done, all int) {
	done = int(s.end)
	for _, run := range s.ranges {
		done -= run.len()
	}
	return done, int(s.end)
}

// pending reports whether a record between from and to is not scanned yet.
func (s *scan) pending(from, to a2a.RecordID) bool {
	for _, run := range s.ranges {
		if run.from <= to && from <= run.to {
			return true
		}
	}
	return false
}

// nearest returns the next hit after a record, or before it if dir is negative, and whether it
// is past an end of the log; 0 if there is none. sure is false while a record that is not
// scanned yet could be nearer.
func (s *scan) nearest(hits *set, from a2a.RecordID, dir int) (id a2a.RecordID, wrapped, sure bool) {
	if dir > 0 {
		if id = hits.next(from); id != 0 {
			return id, false, !s.pending(from+1, id)
		}
		id = hits.next(0)
		return id, true, !s.pending(from+1, s.end) && !s.pending(1, min(id-1, from))
	}
	if id = hits.prev(from); id != 0 {
		return id, false, !s.pending(id, from-1)
	}
	id = hits.prev(s.end + 1)
	return id, true, !s.pending(1, from-1) && !s.pending(max(id, from), s.end)
}

// job returns the work on the next slice, nil if there is none or one is running. Applying its
// result adds the matches to hits.
func (s *scan) job(view log.LogView, has func(*log.Item) bool, hits *set) Job {
	if s.busy || len(s.ranges) == 0 {
		return nil
	}
	s.busy = true
	run, seq := s.ranges[0], s.seq
	return func() func() bool {
		found, end := searchSlice(view, run, has)
		return func() bool {
			if seq != s.seq {
				return false
			}
			s.busy = false
			for _, id := range found {
				hits.add(id)
			}
			if s.ranges[0].from = end + 1; end >= s.ranges[0].to {
				s.ranges = s.ranges[1:]
			}
			return true
		}
	}
}

// searchSlice returns the matches in one slice of a run, and the slice's last record.
func searchSlice(view log.LogView, run recordRange, has func(*log.Item) bool) (found []a2a.RecordID, end a2a.RecordID) {
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

// pattern returns a case-insensitive finder for a regular expression.
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
