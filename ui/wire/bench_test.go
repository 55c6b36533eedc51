package wire

import (
	"bytes"
	"testing"

	"parley/a2a"
	"parley/internal/tape"
	"parley/session/log"
	"parley/themes"
	"parley/ui/styles"
)

// long returns a tape with a stream of n events.
func long(n int) *tape.Tape {
	f := tape.New()
	f.Put(0, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Head: &a2a.Head{Method: "POST", URL: "http://h/"}})
	data := chunk("a", "essay.md", `{"text":"some words of an essay "}`)
	item := log.Item{Update: a2a.Decode(f.Call, a2a.Input{Body: []byte(data), Stream: true})}
	for i := range n {
		item.Record = a2a.Record{ID: a2a.RecordID(i + 2), Exchange: 1, Kind: a2a.KindEvent, Dir: a2a.In, Time: f.Now, Raw: []byte("data: " + data + "\n\n"), Data: []byte(data)}
		f.State.Apply(item)
	}
	return f
}

func benchPane(f *tape.Tape) *Pane {
	p := New(styles.New(themes.Dark(), styles.Unicode()))
	p.SetSize(100, 60)
	p.SetLog(f.State.Log)
	p.Lines()
	return p
}

// BenchmarkAppend100k measures a new record and a frame of 60 rows after it, with 100,000
// records in the log.
func BenchmarkAppend100k(b *testing.B) {
	f := long(100_000)
	p := benchPane(f)
	b.ReportAllocs()
	for b.Loop() {
		p.AddRecords(f.Event(1, `{"result":{}}`))
		p.Lines()
	}
}

// BenchmarkFloorApply measures what the session alone takes for the same record.
func BenchmarkFloorApply(b *testing.B) {
	f := long(100_000)
	b.ReportAllocs()
	for b.Loop() {
		f.Event(1, `{"result":{}}`)
	}
}

func BenchmarkScrollFrame100k(b *testing.B) {
	p := benchPane(long(100_000))
	p.Select(50_000)
	down := true
	b.ReportAllocs()
	for b.Loop() {
		if down = !down; down {
			p.rows.move(-30)
		} else {
			p.rows.move(30)
		}
		p.Lines()
	}
}

// BenchmarkFilterKey100k measures the wait after a key in the filter of 100,000 records; the
// rest is matched in the background.
func BenchmarkFilterKey100k(b *testing.B) {
	p := benchPane(long(100_000))
	for _, text := range []string{"quack", "/no such (text|word)/", "essay", "state:completed", "size>10k or gap>1h"} {
		b.Run(text, func(b *testing.B) {
			for b.Loop() {
				p.setFilter(text)
				p.Lines()
				p.setFilter("")
			}
		})
	}
}

// BenchmarkFilter100k measures the matching of all records, beside a search for exact bytes in
// all bodies.
func BenchmarkFilter100k(b *testing.B) {
	p := benchPane(long(100_000))
	b.Run("floor", func(b *testing.B) {
		items := p.rows.log.View().Scan()
		var bodies [][]byte
		for id := a2a.RecordID(1); items.At(id) != nil; id++ {
			bodies = append(bodies, bytes.Clone(items.At(id).Record.Raw))
		}
		for b.Loop() {
			for i := range bodies {
				if bytes.Contains(bodies[i], []byte("quack")) {
					b.Fatal("\"quack\" is in a body, want no match")
				}
			}
		}
	})
	for _, text := range []string{"quack", "/no such (text|word)/", "essay", "state:completed"} {
		b.Run(text, func(b *testing.B) {
			for b.Loop() {
				p.setFilter(text)
				pump(p, 1000)
				p.setFilter("")
			}
		})
	}
}

// BenchmarkFold100k measures folding and unfolding a stream of 100,000 records, each with a
// frame.
func BenchmarkFold100k(b *testing.B) {
	p := benchPane(long(100_000))
	p.Select(50_000)
	b.ReportAllocs()
	for b.Loop() {
		press(p, "space")
		p.Lines()
	}
}

// BenchmarkFoldAll100k measures the same for all of 20,000 exchanges.
func BenchmarkFoldAll100k(b *testing.B) {
	f := tape.New()
	for range 20_000 {
		f.Put(0, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Head: &a2a.Head{Method: "POST", URL: "http://h/"}})
		for range 4 {
			f.Event(1, `{"result":{}}`)
		}
	}
	p := benchPane(f)
	p.Select(50_000)
	b.ReportAllocs()
	for b.Loop() {
		press(p, "-")
		p.Lines()
		press(p, "+")
		p.Lines()
	}
}

// BenchmarkSearchKey100k measures the wait after a key in the search of 100,000 records.
func BenchmarkSearchKey100k(b *testing.B) {
	p := benchPane(long(100_000))
	press(p, "ctrl+f")
	for b.Loop() {
		press(p, "q")
		p.Jobs()
		p.Lines()
		press(p, "backspace")
	}
}

// BenchmarkSearch100k measures a whole search without a match. [BenchmarkFilter100k] has its
// floor.
func BenchmarkSearch100k(b *testing.B) {
	for _, text := range []string{"quack", "/no such (text|word)/", "essay"} {
		b.Run(text, func(b *testing.B) {
			p := benchPane(long(100_000))
			for b.Loop() {
				find(p, text)
				settle(p)
				press(p, "esc")
			}
		})
	}
}
