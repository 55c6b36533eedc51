package bench

import (
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// endless is the length of a stream that ends when its client disconnects.
const endless = 1 << 30

// BenchmarkKey types into the text field at random moments, with and without a stream. It
// reports the time until the letter is on the screen, and the events that were applied
// meanwhile: while the user types, a stream gets less time. The floor is the same program
// without a stream.
func BenchmarkKey(b *testing.B) {
	program, url := build(b, "parley", releaseEnv), agent(b).url
	for _, load := range []struct {
		name string
		rate int
	}{{"idle", 0}, {"10k", 10_000}, {"100k", 100_000}} {
		b.Run(load.name, func(b *testing.B) {
			s := startChat(b, program, url+pacePath(load.rate, endless))
			if load.rate > 0 {
				s.press("hello\r")
				s.until("the stream", func() bool { return strings.Contains(s.header(), "live ") })
			}
			at := s.field()
			var took []time.Duration
			before, began := s.awaitRecords(), time.Now()
			for letter := byte('a'); b.Loop(); letter = 'a' + (letter-'a'+1)%26 {
				b.StopTimer()
				time.Sleep(time.Duration(rand.Int64N(int64(40 * time.Millisecond))))
				b.StartTimer()
				began := time.Now()
				s.press(string(letter))
				seen := s.until("the letter "+string(letter), func() bool { return s.row(at.y, at.x, at.x+1) == string(letter) })
				took = append(took, seen.Sub(began))
				b.StopTimer()
				s.press("\x7f") // so that there is room for the next
				s.until("the letter gone", func() bool { return s.row(at.y, at.x, at.x+1) != string(letter) })
				b.StartTimer()
			}
			percentiles(b, took)
			b.ReportMetric(float64(s.awaitRecords()-before)/time.Since(began).Seconds(), "events/s")
		})
	}
}

// awaitRecords waits until the number of records is on the screen and returns it.
func (s *screen) awaitRecords() (n int) {
	s.until("how many records there are", func() bool {
		n = s.records()
		return n > 0
	})
	return n
}

// A cell is a position on the screen.
type cell struct{ x, y int }

// field returns the position of the text field. The cursor is there only between frames.
func (s *screen) field() (at cell) {
	s.until("the text field", func() bool {
		for at.y = screenHeight - 1; at.y > 0; at.y-- {
			for at.x = 2; at.x < screenWidth; at.x++ {
				if s.row(at.y, at.x-2, at.x-1) == "❯" {
					return true
				}
			}
		}
		return false
	})
	return at
}

// stampPattern is the text of an event of a paced stream: the time of its writing.
var stampPattern = regexp.MustCompile(`\b1[0-9]{15}\b`)

// BenchmarkArrival receives events that contain the time of their writing, 20 and 10,000 per
// second, and reports their age when conversation and wire show them. Each event between two
// frames counts, as if they were evenly distributed. Both panes show an event in the same
// frame; “apart” counts the exceptions.
func BenchmarkArrival(b *testing.B) {
	program, url := build(b, "parley", releaseEnv), agent(b).url
	for _, load := range []struct {
		name string
		rate int
	}{{"20", 20}, {"10k", 10_000}} {
		b.Run(load.name, func(b *testing.B) {
			every := time.Second / time.Duration(load.rate)
			s := startChat(b, program, url+pacePath(load.rate, endless))
			s.press("hello\r")
			var newest time.Time // of the events that both panes show
			var took []time.Duration
			apart, frames := 0, 0
			next := func() (seen time.Time) {
				before := newest
				return s.until("a newer event", func() bool {
					said, recorded := s.newest(0, chatEnd), s.newest(chatEnd, screenWidth)
					if !said.After(before) && !recorded.After(before) {
						return false
					}
					frames++
					if !said.Equal(recorded) {
						apart++
						return false
					}
					newest = said
					return true
				})
			}
			next()
			for b.Loop() {
				before := newest
				seen := next()
				for i := range max(1, newest.Sub(before).Round(every)/every) {
					took = append(took, seen.Sub(newest)+i*every)
				}
			}
			percentiles(b, took)
			b.ReportMetric(100*float64(apart)/float64(frames), "apart-%")
		})
	}
}

// BenchmarkEnter presses enter at random moments and reports the time until the first byte of
// the request has reached the agent, which records it.
func BenchmarkEnter(b *testing.B) {
	program, a := build(b, "parley", releaseEnv), agent(b)
	s := startChat(b, program, a.url+pacePath(1000, 1))
	var took []time.Duration
	for b.Loop() {
		b.StopTimer()
		s.press("hello")
		var before int
		s.until("the message, in the text field", func() bool {
			before = s.records()
			return s.chatShows("❯ hello")
		})
		time.Sleep(time.Duration(rand.Int64N(int64(40 * time.Millisecond))))
		b.StartTimer()
		began := time.Now()
		s.press("\r")
		took = append(took, a.awaitRequest(b).Sub(began))
		b.StopTimer()
		s.until("the answer", func() bool { return s.records() == before+recordsOfATurn })
		b.StartTimer()
	}
	percentiles(b, took)
}

// recordsOfATurn are request, head, chunk, state, end and outcome.
const recordsOfATurn = 6

// totalPattern is the form in which the wire shows the number of records.
var totalPattern = regexp.MustCompile(`([0-9,]+) records`)

// records returns the number of records that the wire shows.
func (s *screen) records() int {
	found := totalPattern.FindStringSubmatch(s.row(2, chatEnd, screenWidth))
	if found == nil {
		return 0
	}
	n, _ := strconv.Atoi(strings.ReplaceAll(found[1], ",", ""))
	return n
}

// chatShows reports whether a row of the conversation contains a text.
func (s *screen) chatShows(text string) bool {
	for y := screenHeight - 1; y > 0; y-- {
		if strings.Contains(s.row(y, 0, chatEnd), text) {
			return true
		}
	}
	return false
}

// chatEnd is the column where the conversation ends and the wire begins.
const chatEnd = screenWidth * 6 / 10

// newest returns the time in the newest visible event between two columns.
func (s *screen) newest(from, to int) time.Time {
	for y := screenHeight - 1; y > 0; y-- {
		row := s.row(y, from, to)
		if all := stampPattern.FindAllString(row, -1); all != nil {
			us, _ := strconv.ParseInt(all[len(all)-1], 10, 64)
			return time.UnixMicro(us)
		}
	}
	return time.Time{}
}

// BenchmarkIdle reports the processor time and the output of a second in which nothing happens:
// of the workbench after a stream of 100,000 events, and of the smallest program.
func BenchmarkIdle(b *testing.B) {
	const settled = 4 * time.Second // until no work is left, and the task is no longer shown as completed just now
	idle := func(b *testing.B, s *screen) {
		time.Sleep(settled)
		pid := s.cmd.Process.Pid
		var computed, took time.Duration
		written := 0
		for b.Loop() {
			began, before, bytes := time.Now(), cpu(b, pid), s.bytes()
			time.Sleep(time.Second)
			computed += cpu(b, pid) - before
			took += time.Since(began)
			written += s.bytes() - bytes
		}
		b.ReportMetric(float64(computed.Nanoseconds())/took.Seconds(), "cpu-ns/s")
		b.ReportMetric(float64(written)/took.Seconds(), "B-written/s")
	}
	b.Run("parley-100k", func(b *testing.B) {
		s := startChat(b, build(b, "parley", releaseEnv), agent(b).url+pacePath(0, events))
		s.press("hello\r")
		s.until("the end", func() bool { return strings.Contains(s.header(), finishedStream(events+1)) })
		idle(b, s)
	})
	b.Run("floor", func(b *testing.B) {
		s := startScreen(b, build(b, "parley/test/bench/floor", releaseEnv))
		s.until("a frame", func() bool { return strings.Contains(s.header(), "conversation") })
		idle(b, s)
	})
}

// bytes returns how many bytes the program has written.
func (s *screen) bytes() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.written
}
