package a2a

import (
	"bytes"
	"math"
)

// packAfter is how many parts an artifact holds unpacked while it grows, packFew how many it may
// hold when its task is over. A part of a few words takes five times their size and more, and its
// Raw keeps a whole event in memory.
const (
	packAfter = 16
	packFew   = 3
)

// packLess is the length from which a text is not packed, because that would only copy it.
const packLess = 64 << 10

// A run is consecutive text parts that differ only in their text; or one part of another kind,
// or a long one, which has no ends.
type run struct {
	like Part // without Text, if there are ends
	text []byte
	ends []uint32 // of each part in text
}

// pack combines the parts into runs once there are many of them.
func (a *artifactFold) pack() {
	if len(a.Parts) < packAfter || a.behind || a.loose {
		return
	}
	shared := len(a.runs) == 0 // see whole
	a.combine()
	if shared || cap(a.Parts) > 2*packAfter {
		a.Parts = make([]Part, 0, packAfter)
		return
	}
	clear(a.Parts)
	a.Parts = a.Parts[:0]
}

// settle packs what no further chunk will pack when the task is over, and leaves no room for more.
// It does so once: an agent may go on sending after every end of a task.
func (t *taskFold) settle() {
	if t.settled || !t.task.Status.State.Terminal() {
		return
	}
	t.settled = true
	for _, a := range t.artifacts {
		a.known = nil
		if len(a.Parts) <= packFew && a.runs == nil || a.behind || a.loose {
			continue
		}
		a.combine()
		a.Parts = nil
		for i := range a.runs {
			r := &a.runs[i]
			r.text, r.ends = exact(r.text, 0), exact(r.ends, 0)
		}
	}
	t.frames.sums = exact(t.frames.sums, 1) // that of the frame with the end follows
}

// exact returns a slice with room for so many more elements.
func exact[T any](s []T, more int) []T {
	if cap(s) <= len(s)+more {
		return s
	}
	return append(make([]T, 0, len(s)+more), s...)
}

// combine moves the parts to the runs.
func (a *artifactFold) combine() {
	for i := range a.Parts {
		a.put(&a.Parts[i])
	}
}

// put adds a part to the runs.
func (a *artifactFold) put(p *Part) {
	n := len(a.runs)
	if p.Kind != PartText || len(p.Text) >= packLess {
		a.runs = append(a.runs, run{like: *p})
		return
	}
	if n == 0 || !a.runs[n-1].takes(p) {
		like := *p
		like.Text, like.Raw, like.Metadata = "", nil, bytes.Clone(p.Metadata)
		a.runs = append(a.runs, run{like: like})
		n++
	}
	r := &a.runs[n-1]
	r.text = append(r.text, p.Text...)
	r.ends = append(r.ends, uint32(len(r.text)))
}

// takes reports whether a part of text belongs to the run.
func (r *run) takes(p *Part) bool {
	return len(r.ends) > 0 && len(r.text)+len(p.Text) <= math.MaxUint32 && r.like.MediaType == p.MediaType && r.like.Filename == p.Filename &&
		r.like.Encoded == p.Encoded && r.like.URL == p.URL && r.like.DoubleEncoded == p.DoubleEncoded &&
		bytes.Equal(r.like.Metadata, p.Metadata) && bytes.Equal(r.like.Data, p.Data) && r.like.Content == nil && p.Content == nil
}

// whole returns all parts. Packed text parts have no Raw.
func (a *artifactFold) whole() []Part {
	if len(a.runs) == 0 {
		return a.Parts
	}
	n := len(a.Parts)
	for i := range a.runs {
		n += max(len(a.runs[i].ends), 1)
	}
	parts := make([]Part, 0, n)
	for i := range a.runs {
		r := &a.runs[i]
		if len(r.ends) == 0 {
			parts = append(parts, r.like)
			continue
		}
		text, from := string(r.text), uint32(0)
		for _, end := range r.ends {
			p := r.like
			p.Text, from = text[from:end], end
			parts = append(parts, p)
		}
	}
	return append(parts, a.Parts...)
}

// unpack moves everything into Parts, so that the parts can be compared.
func (a *artifactFold) unpack() { a.Parts, a.runs = a.whole(), nil }

// artifact returns the artifact with all its parts.
func (a *artifactFold) artifact() Artifact {
	out := a.Artifact
	out.Parts = a.whole()
	return out
}
