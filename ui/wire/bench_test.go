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

// long is a stream of n events.
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

// BenchmarkAppend100k is what a record costs the pane and a frame of 60 rows after
// each, with 100,000 records already there.
func BenchmarkAppend100k(b *testing.B) {
	f := long(100_000)
	p := benchPane(f)
	b.ReportAllocs()
	for b.Loop() {
		p.Added(f.Event(1, `{"result":{}}`))
		p.Lines()
	}
}

// BenchmarkFloorApply is what the session alone takes for the same record.
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

// BenchmarkFilterKey100k is what the user waits for when a key changes the filter of
// 100,000 records: the rest is found in the background.
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

// BenchmarkFilter100k is all the work until every record was looked at, beside one search
// for exact bytes in all bodies.
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

// BenchmarkFold100k is a fold of a stream of 100,000 records and a frame, and the same
// back again.
func BenchmarkFold100k(b *testing.B) {
	p := benchPane(long(100_000))
	p.Select(50_000)
	b.ReportAllocs()
	for b.Loop() {
		press(p, "space")
		p.Lines()
	}
}

// BenchmarkFoldAll100k is the same for all of 20,000 exchanges at once.
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

// BenchmarkSearchKey100k is what the user waits for when they type a letter of a search
// in 100,000 records.
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

// BenchmarkSearch100k is all the work of a search that finds nothing. Its floor is that
// of [BenchmarkFilter100k].
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
