package record

import (
	"strings"
	"testing"
)

// BenchmarkSameFrame measures a frame without a change.
func BenchmarkSameFrame(b *testing.B) {
	v := openView(booking(), 5, 100, 50)
	b.ReportAllocs()
	for b.Loop() {
		v.Lines(true)
	}
}

// BenchmarkMoveFrame measures a move of the cursor in a body of a megabyte.
func BenchmarkMoveFrame(b *testing.B) {
	f := booking()
	v := openView(f, f.Event(1, `{"items":[`+strings.Repeat(`{"n":1},`, 120_000)+`{}]}`), 100, 50)
	v.Lines(true)
	n := 1
	b.ReportAllocs()
	for b.Loop() {
		v.Move(60 * n)
		v.Lines(true)
		n = -n
	}
}

// BenchmarkNextRecord measures the switch to another record of ordinary size.
func BenchmarkNextRecord(b *testing.B) {
	f := booking()
	v := openView(f, 5, 100, 50)
	id := 3
	b.ReportAllocs()
	for b.Loop() {
		v.Show(f.State.Log.At(3))
		if id = 8 - id; id == 5 {
			v.Show(f.State.Log.At(5))
		}
		v.Lines(true)
	}
}
