package jsonview

import (
	"parley/a2a/jsontok"
	"parley/ui/canvas"
)

// mostSought is how many bytes one search reads, because it blocks the screen.
const mostSought = 8 << 20

// SetFinder marks all matches of find in drawn lines; nil marks none.
func (v *View) SetFinder(find canvas.Finder) { v.find, v.hit = find, -1 }

// Seek moves the cursor to the next match in the body's bytes after it, or to the previous one,
// and reports whether there is one within a few megabytes.
func (v *View) Seek(backwards bool) bool {
	if v.find == nil || !v.win.settle(v) || v.x.pending {
		return false
	}
	from, to := v.lineSpan()
	again := v.hit >= from && v.hit < to // a line may have several matches
	at := -1
	switch {
	case backwards && again:
		at = seekBack(v.find, v.body, v.hit)
	case backwards:
		at = seekBack(v.find, v.body, from)
	case again:
		at = seek(v.find, v.body, v.hit+1)
	default:
		at = seek(v.find, v.body, from)
	}
	if at < 0 {
		return false
	}
	v.hit = at
	v.Go(at, "")
	v.openAt(at)
	return true
}

// openAt opens the shortened text under the cursor up to the byte at offset, and moves the
// cursor to the line with it.
func (v *View) openAt(offset int) {
	i := v.win.at.row
	if i >= v.x.doc.Len() || v.x.doc.Token(i).Kind != jsontok.String || offset < v.x.doc.Token(i).Off {
		return
	}
	const most = 16 // pieces: a megabyte
	pieces := (offset-v.x.doc.Token(i).Off)/piece + 1
	if v.opened[i].format == Closed && v.openable(i) && pieces <= most {
		v.open(i, openState{AsText, pieces})
	}
	r, ok := v.inset(i).(rows)
	if v.opened[i].format != AsText || !ok {
		return
	}
	// The number of matches in this string before the found one.
	before := len(matches(v.find, v.body[v.x.doc.Token(i).Off:offset]))
	for k, line := range r.lines {
		here := len(matches(v.find, []byte(line)))
		if here > before {
			v.center(place{i, k + 1})
			return
		}
		before -= here
	}
}

// seek returns the offset of the first match at or after from, -1 if there is none within
// mostSought bytes.
func seek(find canvas.Finder, body []byte, from int) int {
	from = min(from, len(body))
	if a, b := find(body[from:min(from+mostSought, len(body))]); a >= 0 && b > a {
		return from + a
	}
	return -1
}

// seekBack returns the offset of the last match before limit, or -1. It reads growing ranges,
// so that a near match is found soon.
func seekBack(find canvas.Finder, body []byte, limit int) int {
	start := max(limit-mostSought, 0)
	for reach := 4 << 10; ; reach *= 4 {
		low := max(limit-reach, start)
		if all := matches(find, body[low:limit]); len(all) > 0 {
			return low + all[len(all)-1]
		}
		if low == start {
			return -1
		}
	}
}

// matches returns the offsets of all matches in text.
func matches(find canvas.Finder, text []byte) []int {
	var out []int
	for off := 0; off < len(text); {
		a, b := find(text[off:])
		if a < 0 || b <= a {
			break
		}
		out = append(out, off+a)
		off += b
	}
	return out
}
