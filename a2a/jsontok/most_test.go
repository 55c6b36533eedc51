package jsontok

import (
	"strings"
	"testing"
)

// A body of nothing but short values has an index of bounded size: what stands before the
// bound is there, and the error says where it is.
func TestTheIndexOfABodyHasABound(t *testing.T) {
	for _, body := range []string{"[" + strings.Repeat("1,", maxTokens+100) + "1]", "[" + strings.Repeat(`{"a":0},`, maxTokens) + "1]"} {
		var d Doc
		err, ok := d.Parse([]byte(body)).(*SyntaxError)
		if !ok || err.Cut || !strings.Contains(err.Msg, "1,000,000 values") || err.Offset >= len(body) {
			t.Fatalf("the error is %v", err)
		}
		if d.Len() < maxTokens || d.Len() > maxTokens+1 || cap(d.tokens) > maxTokens+64 {
			t.Errorf("%d tokens in room for %d", d.Len(), cap(d.tokens))
		}
		if d.Root().Kind() != Array || !d.Token(0).Torn {
			t.Errorf("the root is %v", d.Token(0))
		}
	}
	var d Doc
	if err := d.Parse([]byte("[" + strings.Repeat("1,", maxTokens-3) + "1]")); err != nil {
		t.Errorf("fewer values: %v", err)
	}
}
