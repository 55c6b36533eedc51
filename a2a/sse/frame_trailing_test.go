package sse

import (
	"strings"
	"testing"
)

// A frame over several lines without field names is read as one frame even if its JSON is
// invalid further on.
func TestABrokenFrameOverSeveralLinesIsWhole(t *testing.T) {
	for raw, want := range map[string]string{
		"data: {\n  \"a\": 1,\n}\n\n":            "{\n  \"a\": 1,\n}",
		"data: [1,\n2,,\n3]\n\n":                 "[1,\n2,,\n3]",
		"data: {\"a\":1}\nnote this\n\n":         `{"a":1}`,
		"data: hello\nthere\n\n":                 "hello",
		"data: {\ndata:  \"a\": 1,\ndata: }\n\n": "{\n \"a\": 1,\n}",
	} {
		f, err := NewDecoder(strings.NewReader(raw)).Next()
		if err != nil || string(f.Data) != want {
			t.Errorf("%q: got data %q, %v, want %q", raw, f.Data, err, want)
		}
	}
}
