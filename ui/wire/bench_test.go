package wire

import (
	"testing"

	"parley/a2a"
	"parley/session"
	"parley/themes"
	"parley/ui/styles"
)

// long is a stream of n events.
func long(n int) *tape {
	f := newTape()
	f.put(0, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Head: &a2a.Head{Method: "POST", URL: "http://h/"}})
	data := chunk("a", "essay.md", `{"text":"some words of an essay "}`)
	item := session.Item{Update: a2a.Decode(f.call, a2a.Input{Body: []byte(data), Stream: true})}
	for i := range n {
		item.Record = a2a.Record{ID: a2a.RecordID(i + 2), Exchange: 1, Kind: a2a.KindEvent, Dir: a2a.In, Time: f.now, Raw: []byte("data: " + data + "\n\n"), Data: []byte(data)}
		f.state.Apply(item)
	}
	return f
}

func benchPane(f *tape) *Pane {
	p := New(styles.New(themes.Dark(), styles.Unicode()))
	p.SetSize(100, 60)
	p.SetLog(f.state.Log)
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
		p.Added(f.event(1, `{"result":{}}`))
		p.Lines()
	}
}

// BenchmarkFloorApply is what the session alone takes for the same record.
func BenchmarkFloorApply(b *testing.B) {
	f := long(100_000)
	b.ReportAllocs()
	for b.Loop() {
		f.event(1, `{"result":{}}`)
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

func BenchmarkFilter100k(b *testing.B) {
	p := benchPane(long(100_000))
	for b.Loop() {
		p.setFilter("no such text")
		p.setFilter("")
	}
}
