package chat

import (
	"fmt"
	"strings"
	"testing"

	"parley/a2a"
)

// essay returns Markdown of about n bytes.
func essay(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "## Section %d\n\nThe tide *comes* and goes, and `code` stays. %s\n\n- one\n- two\n\n", i, strings.Repeat("More words follow. ", 12))
	}
	return b.String()
}

func BenchmarkAppendChunkAndLines(b *testing.B) {
	for _, size := range []int{1_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("%dkB", size/1000), func(b *testing.B) {
			conv, art := streaming()
			p := open(dark(), conv, 100, 60)
			chunk(conv, art, 100, essay(size))
			settle(b, p)
			record := a2a.RecordID(101)
			for b.Loop() {
				record++
				chunk(conv, art, record, "a few more words of the text that grows. ")
				p.Lines()
			}
		})
	}
}

func BenchmarkUnchangedLines(b *testing.B) {
	p := open(dark(), travel(), 100, 60)
	settle(b, p)
	p.Lines()
	b.ReportAllocs()
	for b.Loop() {
		p.Lines()
	}
}

func BenchmarkScroll(b *testing.B) {
	for _, turns := range []int{100, 10_000} {
		b.Run(fmt.Sprint(turns), func(b *testing.B) {
			p := open(dark(), long(turns), 100, 60)
			p.Lines()
			dir := -1
			for i := 0; b.Loop(); i++ {
				if i%40 == 0 {
					dir = -dir
				}
				p.list.ScrollBy(dir)
				p.dirty = true
				p.Lines()
			}
		})
	}
}

func BenchmarkNewTurn(b *testing.B) {
	for _, turns := range []int{100, 10_000} {
		b.Run(fmt.Sprint(turns), func(b *testing.B) {
			conv := long(turns)
			p := open(dark(), conv, 100, 60)
			p.Lines()
			for i := turns; b.Loop(); i++ {
				conv.Version++
				conv.Turns[turns-1].Version++
				p.Lines()
			}
		})
	}
}
