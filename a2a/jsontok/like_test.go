package jsontok

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// splices replace the inside of a string or any other stretch.
var splices = []string{
	"", "words", "Grüße, 世界", `\n\t\"\\`, `\u00e9`, `\ud83c\udf0d`, `\ud83c`, `\u12`, `\x`, `\`, `"`, `","b":"`, `"]`, "\xff", "\x00", "\n", strings.Repeat("long ", 100), "7", "}", "{", ",",
}

// sameIndex checks that a Doc that used ParseLike equals a new one.
func sameIndex(t *testing.T, got *Doc, gotErr error, src []byte) {
	t.Helper()
	var want Doc
	wantErr := want.Parse(src)
	if !reflect.DeepEqual(gotErr, wantErr) {
		t.Fatalf("%q: got error %v, want %v", src, gotErr, wantErr)
	}
	if !slices.Equal(got.tokens, want.tokens) || !bytes.Equal(got.src, want.src) || got.bom != want.bom ||
		got.tail != want.tail || got.tailEnd != want.tailEnd || got.badAt != want.badAt || got.loneAt != want.loneAt || got.sound != want.sound {
		t.Fatalf("%q\ngot %+v\nwant %+v", src, *got, want)
	}
}

func TestABodyLikeTheOneBeforeHasTheIndexThatItHasByItself(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	bodies := append(slices.SortedFunc(maps.Values(vectors(t)), bytes.Compare), []byte(event), []byte(`{"":"","a":["","x"]}`), []byte(` "text" `), []byte("{\"a\":\"b\"}\x00\n"))
	bodies = slices.DeleteFunc(bodies, func(b []byte) bool { return len(b) == 0 || len(b) > 8<<10 })
	for range 5000 {
		body := bodies[random.IntN(len(bodies))]
		var d Doc
		for range 5 {
			src := spliced(random, body)
			err := d.ParseLike(src)
			sameIndex(t, &d, err, src)
			d.Hold()
			clear(src) // which must make no difference from here on
		}
	}
}

// spliced replaces a stretch of a body, most often inside a string.
func spliced(random *rand.Rand, body []byte) []byte {
	from := random.IntN(len(body))
	to := from + random.IntN(min(len(body)-from, 20)+1)
	var d Doc
	_ = d.Parse(body)
	if n := d.Node(random.IntN(max(d.Len(), 1))); n.IsText() && random.IntN(4) > 0 {
		from, to = n.Offset()+1, max(n.End()-1, n.Offset()+1)
	}
	return slices.Concat(body[:from], []byte(splices[random.IntN(len(splices))]), body[to:])
}

func FuzzParseLike(f *testing.F) {
	at := strings.Index(event, "Day 1")
	for _, s := range splices {
		f.Add([]byte(event), uint16(at), uint16(40), s)
	}
	f.Fuzz(func(t *testing.T, body []byte, at, length uint16, s string) {
		from := min(int(at), len(body))
		to := min(from+int(length), len(body))
		var d Doc
		for _, src := range [][]byte{body, slices.Concat(body[:from], []byte(s), body[to:]), body} {
			err := d.ParseLike(src)
			sameIndex(t, &d, err, src)
			d.Hold()
		}
	})
}

// TestABodyLikeTheOneBeforeIsNotReadAgain counts the bytes that are read.
func TestABodyLikeTheOneBeforeIsNotReadAgain(t *testing.T) {
	first := []byte(event)
	second := bytes.Replace(first, []byte("Day 1: arrive"), []byte("Day 12: leave"), 1)
	var d Doc
	_ = d.ParseLike(first)
	if d.like(bytes.Replace(first, []byte("taskId"), []byte("task"), 1)) {
		t.Error("like: got true for a body with another member name, want false")
	}
	if !d.like(second) {
		t.Error("like: got false for a body with one other string, want true")
	}
	sameIndex(t, &d, nil, second)
	d.Hold()
	n := testing.AllocsPerRun(100, func() {
		_ = d.ParseLike(first)
		d.Hold()
		_ = d.ParseLike(second)
		d.Hold()
	})
	if n > 0 {
		t.Errorf("got %v allocations for two bodies, want 0", n)
	}
}

func BenchmarkParseLike(b *testing.B) {
	first := []byte(event)
	second := bytes.Replace(first, []byte("Day 1: arrive"), []byte("Day 12: leave"), 1)
	b.Run("like", func(b *testing.B) {
		var d Doc
		for b.Loop() {
			_ = d.ParseLike(first)
			d.Hold()
			_ = d.ParseLike(second)
			d.Hold()
		}
	})
	b.Run("floor", func(b *testing.B) {
		var d Doc
		for b.Loop() {
			_ = d.Parse(first)
			_ = d.Parse(second)
		}
	})
}
