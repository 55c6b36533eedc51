package a2a

import (
	"bytes"
	"slices"
)

// maxEchoes is how many artifacts of a stream are followed at a time.
const maxEchoes = 256

// An echo follows the texts of a stream, since an agent that repeats a secret may divide it
// anywhere: a secret that begins in one chunk and ends in another is masked in both. A chunk is
// shown as soon as it comes, so that its first one or two characters may be visible before it
// is known what they begin.
type echo struct {
	ends   map[string][]byte // the ends of the texts so far, by artifact, for secret answers
	joiner joiner            // the same for credentials
}

// join finds secrets that several texts contain together: the texts of a body in order, since
// many agents give each chunk a part, after those of earlier frames.
func (s *seeker) join(e *echo) {
	if len(s.texts) == 0 || s.secrets.window == 0 {
		return
	}
	var before []byte
	if e != nil {
		before = e.ends[s.key]
	}
	all := bytes.Clone(before)
	starts := make([]int, 0, len(s.texts))
	for _, t := range s.texts {
		starts = append(starts, len(all))
		all = append(all, t.text...)
	}
	hide := func(from, to int) {
		for i, t := range s.texts {
			if a, b := max(from-starts[i], 0), min(to-starts[i], len(t.text)); a < b {
				s.mask(t.at[a], t.at[b], "")
			}
		}
	}
	if len(starts) > 1 || len(before) > 0 {
		s.secrets.find(all, true, starts, hide)
	}
	if e == nil {
		return
	}
	if n := s.secrets.startLength(all, starts); n > 0 {
		hide(len(all)-n, len(all))
	}
	if e.ends == nil || len(e.ends) >= maxEchoes {
		e.ends = map[string][]byte{}
	}
	e.ends[s.key] = bytes.Clone(all[max(0, len(all)-s.secrets.window):])
}

// A carrier is a stretch of a payload and its position in the frame that carried it.
type carrier struct{ data, raw, length int }

// carriers returns the lines that carried a payload, nil if that cannot be determined.
func carriers(raw, data []byte) []carrier {
	if at := bytes.Index(raw, data); at >= 0 && len(data) > 0 {
		return []carrier{{0, at, len(data)}}
	}
	var all []carrier
	at, next := 0, 0
	for from := 0; from < len(raw); from = next {
		end := from + bytes.IndexAny(raw[from:], "\r\n")
		if end < from {
			end = len(raw)
		}
		next = end + 1
		line, is := bytes.CutPrefix(raw[from:end], []byte("data:"))
		if !is {
			continue
		}
		line = bytes.TrimPrefix(line, []byte(" "))
		if len(all) > 0 {
			at++ // the line end between two lines of data
		}
		if at > len(data) || !bytes.HasPrefix(data[at:], line) {
			return nil
		}
		all = append(all, carrier{at, end - len(line), len(line)})
		at += len(line)
	}
	if at != len(data) {
		return nil
	}
	return all
}

// spansInFrame returns the positions of a payload's spans in its frame.
func spansInFrame(lines []carrier, spans []span) []span {
	var all []span
	for _, s := range spans {
		for _, l := range lines {
			if from, to := max(s.off, l.data), min(s.end, l.data+l.length); from < to {
				part := s
				part.off, part.end = from-l.data+l.raw, to-l.data+l.raw
				all = append(all, part)
			}
		}
	}
	return all
}

// beside returns the spans of a frame outside of its payload.
func beside(lines []carrier, spans []span) []span {
	return slices.DeleteFunc(spans, func(s span) bool {
		return slices.ContainsFunc(lines, func(l carrier) bool { return s.off < l.raw+l.length && s.end > l.raw })
	})
}

// eventFrame returns a payload as a frame.
func eventFrame(data []byte) []byte {
	var b bytes.Buffer
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		b.WriteString("data: ")
		b.Write(line)
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
	return b.Bytes()
}

// join returns the joiner of the stream's texts, nil without a stream.
func (e *echo) join() *joiner {
	if e == nil {
		return nil
	}
	return &e.joiner
}

// A streamKey names the stream of a task.
type streamKey struct {
	agent AgentID
	task  string
}

// interrupt saves the state of a stream that ended inside a possible secret, for the stream
// that continues the task.
func (s *Secrets) interrupt(key streamKey, e *echo) {
	if s == nil || key.task == "" || !e.inside() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.streams == nil || len(s.streams) >= maxEchoes {
		s.streams = map[streamKey]echo{}
	}
	s.streams[key] = *e
}

// resume returns the saved state of a task's stream, and deletes it.
func (s *Secrets) resume(key streamKey) echo {
	if s == nil || key.task == "" {
		return echo{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.streams[key]
	delete(s.streams, key)
	return e
}

// inside reports whether a followed text ends with the possible beginning of a secret.
func (e *echo) inside() bool {
	for _, end := range e.joiner.ends {
		if len(end) > 0 {
			return true
		}
	}
	return len(e.ends) > 0
}
