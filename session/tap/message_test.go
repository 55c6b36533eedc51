package tap

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// ends returns how many bytes of a text belong to its message, given in pieces, and whether it is whole.
func endOf(take func([]byte) (int, bool), text string, size int) (n int, whole bool) {
	for rest := text; rest != "" && !whole; {
		piece := rest[:min(size, len(rest))]
		k, over := take([]byte(piece))
		n, whole, rest = n+k, over, rest[len(piece):]
		if k < len(piece) && !over {
			return -1, false // the rest would be lost
		}
	}
	return n, whole
}

func TestTheEndOfARequestIsFoundInAnyPieces(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		`{"a":1}`: 7, "{\"a\":1}\n{\"b\":2}\n": 7, " \r\n\t{}x": 6, "\xef\xbb\xbf{}": 5, `{"a":"}\"}\\"}..`: 14, `{"a":[{"b":{}},[1]],"c":"]"}`: 28,
		`[{"a":[1]},{"b":2}]`: 10, `[ {"a":1}`: 9, `[]`: 2, `[1,2`: 2, "hello": 1, `"x"`: 1, "17": 1,
		`{"a":1`: -1, `[`: -1, `{"a":"}`: -1, ``: -1, "  ": -1, `{"a":"\`: -1,
	} {
		for size := 1; size <= len(text)+1; size++ {
			n, whole := endOf(new(jsonMessage).take, text, size)
			if whole != (want >= 0) || whole && n != want || !whole && n != len(text) {
				t.Errorf("%q in pieces of %d: got %d, %v; want %d", text, size, n, whole, want)
			}
		}
	}
	for text, want := range map[string]int{
		"\x00\x00\x00\x00\x03abc": 8, "\x00\x00\x00\x00\x03abcd": 8, "\x01\x00\x00\x00\x00": 5, "\x00\x00\x00\x00\x00\x00": 5,
		"\x00\xff\xff\xff\xff": 5, // longer than anything that is changed
		"\x00\x00\x00\x00":     -1, "\x00\x00\x00\x00\x03ab": -1, "": -1,
	} {
		for size := 1; size <= len(text)+1; size++ {
			n, whole := endOf(new(grpcMessage).take, text, size)
			if whole != (want >= 0) || whole && n != want || !whole && n != len(text) {
				t.Errorf("%q in pieces of %d: got %d, %v; want %d", text, size, n, whole, want)
			}
		}
	}
}

func TestMessagesOfARequestAreCounted(t *testing.T) {
	t.Parallel()
	const text = "\x00\x00\x00\x00\x03abc\x00\x00\x00\x00\x00\x00\x00\x00\x00\x04ab"
	for size := 1; size <= len(text); size++ {
		var m grpcMessages
		for rest := text; rest != ""; {
			piece := rest[:min(size, len(rest))]
			m.count([]byte(piece))
			rest = rest[len(piece):]
		}
		if m.begun != 3 || m.first != 8 || m.bytes != len(text) {
			t.Errorf("in pieces of %d: got %d messages, %d bytes of the first and %d of all", size, m.begun, m.first, m.bytes)
		}
	}
}

// The end is where a decoder of JSON finds it.
func FuzzEndOfARequest(f *testing.F) {
	for _, seed := range []string{`{"a":"\"}"}x`, `[{"a":1},2]`, `{"a":[{}]`, "\xef\xbb\xbf{}"} {
		f.Add(seed, 3)
	}
	f.Fuzz(func(t *testing.T, text string, size int) {
		n, whole := endOf(new(jsonMessage).take, text, max(size, 1))
		d := json.NewDecoder(strings.NewReader(text))
		var value json.RawMessage
		if d.Decode(&value) != nil || len(value) == 0 || value[0] != '{' {
			return
		}
		if end := int(d.InputOffset()); !whole || n != end {
			t.Errorf("got %d bytes of %q, whole %v; want %d", n, text, whole, end)
		}
		if !bytes.Contains([]byte(text[:n]), value) {
			t.Errorf("got %q, want all of %q", text[:n], value)
		}
	})
}
