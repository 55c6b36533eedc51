package jsontok

import (
	"bytes"
	"encoding/json"
	"slices"
)

// An Edit replaces the bytes from From to To, exclusive.
type Edit struct {
	From, To int
	With     []byte
}

// Apply returns a copy of src with the edits; src itself if there are none. An edit that begins
// inside an earlier one is left out.
func Apply(src []byte, edits []Edit) []byte {
	if len(edits) == 0 {
		return src
	}
	slices.SortFunc(edits, func(a, b Edit) int { return a.From - b.From })
	var out []byte
	at := 0
	for _, e := range edits {
		if e.From < at {
			continue
		}
		out = append(append(out, src[at:e.From]...), e.With...)
		at = e.To
	}
	return append(out, src[at:]...)
}

// Quote returns a text as JSON.
func Quote(text string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(text) // a string cannot fail
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
