package record

import (
	"bytes"
	"strings"
	"testing"

	"parley/a2a"
	"parley/internal/tape"
)

// The cost of a frame depends on the window, not on the body. A job indexes a large body.
func TestHugeBodiesAreReadLazily(t *testing.T) {
	const size = 16 << 20
	for _, c := range []struct {
		name string
		body []byte
	}{
		{"one string", []byte(`{"a":"` + strings.Repeat("x", size) + `"}`)},
		{"records", []byte("[" + strings.Repeat(`{"text":"some words that stand for content","n":12345},`, size/56) + "0]")},
		{"NULs", make([]byte, size)},
		{"not UTF-8", bytes.Repeat([]byte{0xff}, size)},
		{"one line", []byte(strings.Repeat("0123456789", size/10))},
		{"nesting", []byte(strings.Repeat(`{"a":[`, 5000) + strings.Repeat(`]}`, 5000))},
	} {
		f := tape.New()
		f.Call.Op = a2a.OpGet
		id := f.Put(0, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Head: &a2a.Head{Method: "GET", URL: "http://h/"}})
		it := f.State.Log.At(id)
		it.Record.Raw = c.body // set without decoding, which other tests cover
		v := openView(f, id, 80, 40)
		exact(t, v, 80, 40)
		if job, ok := v.Job(); ok {
			v.Apply(job.Run())
		}
		v.SetFinder(func(text []byte) (int, int) { at := bytes.Index(text, []byte("needle")); return at, at + 6 })
		for tab := Pretty; tab <= Timing; tab++ {
			v.SetTab(tab)
			n := testing.AllocsPerRun(1, func() {
				for _, key := range []string{"G", "k", "v", "space", "g", "j", "x", "u"} {
					press(v, key)
					v.Lines(true)
				}
				v.Seek(false)
				v.Go(len(c.body)/2, "")
				v.Lines(true)
			})
			if n > 400_000 {
				t.Errorf("%s: tab %d makes %v allocations, want at most 400000", c.name, tab, n)
			}
			exact(t, v, 80, 40)
		}
		if got, _ := press(v, "2", "y").(Copy); len(got.Text) != len(c.body) {
			t.Errorf("%s: copied %d bytes, want %d", c.name, len(got.Text), len(c.body))
		}
	}
}

// A head may have a megabyte of one header, with a mask in each value.
func TestAHeaderOfManyValuesIsListed(t *testing.T) {
	const values = 100_000
	h := &a2a.Head{Status: 200, Header: map[string][]string{"X": nil}}
	r := a2a.Record{Kind: a2a.KindHead, Dir: a2a.In, Head: h}
	for range values {
		h.Header["X"] = append(h.Header["X"], a2a.Mask)
		r.Redactions = append(r.Redactions, a2a.Redaction{Name: "header X", Size: 7, Original: "a-value"})
	}
	f := tape.New()
	v := openView(f, f.Put(0, r), 80, 40)
	if v.Move(values); v.sheet.len() < values {
		t.Errorf("got %d rows, want at least %d", v.sheet.len(), values)
	}
	press(v, "u")
	has(t, v, "a-value  revealed")
}
