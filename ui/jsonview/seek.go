package jsonview

import (
	"parley/a2a/jsontok"
	"parley/ui/canvas"
)

// mostSought bounds how many bytes one search looks through, since nothing else
// happens meanwhile.
const mostSought = 8 << 20

// SetFinder marks what find matches in the lines that are drawn; nil marks nothing.
func (v *View) SetFinder(find canvas.Finder) { v.find, v.hit = find, -1 }

// Seek moves the cursor to the next match behind it, or, backwards, before it, and
// reports whether there is one in the next few megabytes. The bytes of the body are
// searched, as they are.
func (v *View) Seek(backwards bool) bool {
	if v.find == nil || !v.win.settle(v) || v.x.pending {
		return false
	}
	from, to := v.lineSpan()
	again := v.hit >= from && v.hit < to // a line may hold several
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

// openAt opens the text under the cursor, if it is abbreviated, as far as the byte
// at offset, and moves the cursor to the line that shows it.
func (v *View) openAt(offset int) {
	i := v.win.at.row
	if i >= v.x.doc.Len() || v.x.doc.Token(i).Kind != jsontok.String || offset < v.x.doc.Token(i).Off {
		return
	}
	const most = 16 // pieces: a megabyte
	pieces := (offset-v.x.doc.Token(i).Off)/piece + 1
	if v.opened[i].look == Closed && v.openable(i) && pieces <= most {
		v.open(i, opened{AsText, pieces})
	}
	r, ok := v.inset(i).(rows)
	if v.opened[i].look != AsText || !ok {
		return
	}
	// Of the matches in this string, that many come before the one that was found.
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

// seek returns where the first match at or behind from begins, -1 if there is none
// in the bytes that are looked through.
func seek(find canvas.Finder, body []byte, from int) int {
	from = min(from, len(body))
	if a, b := find(body[from:min(from+mostSought, len(body))]); a >= 0 && b > a {
		return from + a
	}
	return -1
}

// seekBack returns where the last match before limit begins, or -1. It looks through
// more and more of what comes before, so that what is near is found soon.
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

// matches returns where the matches in text begin.
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
