package markdown

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// document returns Markdown in an agent's style, at least size bytes long.
func document(size int) string {
	rnd := rand.New(rand.NewPCG(7, 7))
	words := strings.Fields(`the agent plans a **direct** flight to London and *compares* fares with ` +
		"`fare_id`" + ` before it [books](https://travel.example/book) anything, since prices change often`)
	sentence := func(n int) string {
		out := make([]string, n)
		for i := range out {
			out[i] = words[rnd.IntN(len(words))]
		}
		return strings.Join(out, " ")
	}
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "## Section %d\n\n%s.\n\n%s.\n\n", i, sentence(40), sentence(60))
		for range 4 {
			fmt.Fprintf(&b, "- %s\n", sentence(12))
		}
		fmt.Fprintf(&b, "\n```go\n%s```\n\n", strings.Repeat("func f(n int) string { return fmt.Sprint(n, \"x\") } // note\n", 4))
		fmt.Fprintf(&b, "| Flight | Departs | Seats |\n|---|---|--:|\n%s\n", strings.Repeat("| OS 411 | 10 Oct 07:25 | 9 |\n", 3))
		fmt.Fprintf(&b, "> %s\n\n", sentence(20))
	}
	return b.String()
}

// The lower bound of [BenchmarkStream]: the whole text at once.
func BenchmarkBatch(b *testing.B) {
	for _, size := range sizes {
		b.Run(size.name, func(b *testing.B) {
			text := document(size.bytes)
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				batch(text, 78, true)
			}
		})
	}
}

var sizes = []struct {
	name  string
	bytes int
}{{"100kB", 100 << 10}, {"1MB", 1 << 20}}

// BenchmarkStream appends a text in chunks of 200 bytes, each followed by a Job and a call of
// Lines. It reports the cost of a chunk in the first tenth and in the last.
func BenchmarkStream(b *testing.B) {
	for _, size := range sizes {
		b.Run(size.name, func(b *testing.B) {
			text := document(size.bytes)
			b.SetBytes(int64(len(text)))
			chunks := (len(text) + chunkSize - 1) / chunkSize
			var first, last time.Duration
			for b.Loop() {
				s, n := still(), 0
				for chunk := range slices.Chunk([]byte(text), chunkSize) {
					began := time.Now()
					s.Append(chunk)
					settle(s, 78)
					s.Lines(78)
					switch took := time.Since(began); {
					case n < chunks/10:
						first += took
					case n >= chunks-chunks/10:
						last += took
					}
					n++
				}
				s.Close()
				settle(s, 78)
				s.Lines(78)
			}
			counted := float64(b.N * (chunks / 10))
			b.ReportMetric(float64(first.Nanoseconds())/counted, "first-ns")
			b.ReportMetric(float64(last.Nanoseconds())/counted, "last-ns")
		})
	}
}

const chunkSize = 200

// BenchmarkOpenBlock appends the last tenth of a text of 1 MB that is one open block, at the
// rate of a fast model: each chunk is followed by a Job, if one is offered, and a call of
// Lines. It reports the share of the time that is spent computing.
func BenchmarkOpenBlock(b *testing.B) {
	const every = 20 * time.Millisecond
	for _, block := range openBlocks {
		b.Run(block.name, func(b *testing.B) {
			text := []byte(block.head + strings.Repeat(block.line, (1<<20)/len(block.line)))
			var computed, took time.Duration
			for b.Loop() {
				at, began := &clock{t: time.Unix(1, 0)}, time.Now()
				s := New(dark(), func() time.Time { return at.t.Add(time.Since(began)) })
				chunk := func(p []byte) {
					began = time.Now()
					s.Append(p)
					if job, ok := s.Job(78); ok {
						s.Apply(job.Run())
					}
					s.Lines(78)
					cost := time.Since(began)
					computed += cost
					took += max(cost, every)
					at.t = at.t.Add(max(cost, every))
				}
				before := len(text) / 10 * 9
				chunk(text[:before])
				computed, took = 0, 0
				for p := range slices.Chunk(text[before:], chunkSize) {
					chunk(p)
				}
			}
			b.ReportMetric(100*computed.Seconds()/took.Seconds(), "share-%")
		})
	}
}

// openBlocks are texts whose first block never ends.
var openBlocks = []struct{ name, head, line string }{
	{"code", "```go\n", "func f(n int) string { return fmt.Sprint(n, \"x\") } // note\n"},
	{"table", "| Flight | Departs | Seats |\n|---|---|--:|\n", "| OS 411 | 10 Oct 07:25 | *9* |\n"},
	{"list", "", "- the *agent* plans a direct flight to London and compares fares\n"},
	{"paragraph", "", "the *agent* plans a direct flight to London and compares fares "},
	{"paragraph-of-lines", "", "the *agent* plans a direct flight to London and compares fares\n"},
}

// The cost per chunk for the goroutine that draws.
func BenchmarkAppendAndLines(b *testing.B) {
	s := still()
	s.Append([]byte(document(100 << 10)))
	settle(s, 78)
	s.Lines(78)
	chunk := []byte("a few words more, ")
	b.ReportAllocs()
	for b.Loop() {
		s.Append(chunk)
		s.Lines(78)
		if s.Len()%(1<<20) < len(chunk) {
			s.Append([]byte("\n\n"))
			settle(s, 78)
		}
	}
}

func BenchmarkLinesUnchanged(b *testing.B) {
	s := still()
	s.Append([]byte(document(100 << 10)))
	settle(s, 78)
	b.ReportAllocs()
	for b.Loop() {
		s.Lines(78)
	}
}
