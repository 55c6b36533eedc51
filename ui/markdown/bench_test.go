package markdown

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// document returns Markdown as agents write it, at least size bytes long.
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

// The floor: the whole text at once.
func BenchmarkBatch100kB(b *testing.B) {
	text := document(100 << 10)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		batch(text, 78, true)
	}
}

// Every chunk is followed by a Job and a look at the rows.
func BenchmarkStream100kBIn200B(b *testing.B) {
	text := document(100 << 10)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		s := still()
		for rest := text; rest != ""; {
			n := min(200, len(rest))
			s.Append([]byte(rest[:n]))
			rest = rest[n:]
			settle(s, 78)
			s.Lines(78)
		}
		s.Close()
		settle(s, 78)
		s.Lines(78)
	}
}

// What the goroutine that draws pays per chunk.
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

func BenchmarkOpenFence100kBIn200B(b *testing.B) {
	text := "```go\n" + strings.Repeat("func f(n int) string { return fmt.Sprint(n) } // note\n", 2000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		s := still()
		for rest := text; rest != ""; {
			n := min(200, len(rest))
			s.Append([]byte(rest[:n]))
			rest = rest[n:]
			settle(s, 78)
			s.Lines(78)
		}
	}
}
