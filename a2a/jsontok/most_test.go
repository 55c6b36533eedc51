package jsontok

import (
	"strings"
	"testing"
)

// The index of a body with very many short values has a maximum size. The values before the
// maximum are in it, and the error says where they end.
func TestTheIndexOfABodyHasABound(t *testing.T) {
	for _, body := range []string{"[" + strings.Repeat("1,", maxTokens+100) + "1]", "[" + strings.Repeat(`{"a":0},`, maxTokens) + "1]"} {
		var d Doc
		err, ok := d.Parse([]byte(body)).(*SyntaxError)
		if !ok || err.Cut || !strings.Contains(err.Msg, "1,000,000 values") || err.Offset >= len(body) {
			t.Fatalf("got error %v, want the limit of 1,000,000 values", err)
		}
		if d.Len() < maxTokens || d.Len() > maxTokens+1 || cap(d.tokens) > maxTokens+64 {
			t.Errorf("got %d tokens in room for %d, want about %d", d.Len(), cap(d.tokens), maxTokens)
		}
		if d.Root().Kind() != Array || !d.Token(0).Torn {
			t.Errorf("got root %v, want a torn array", d.Token(0))
		}
	}
	var d Doc
	if err := d.Parse([]byte("[" + strings.Repeat("1,", maxTokens-3) + "1]")); err != nil {
		t.Errorf("fewer values: got error %v, want none", err)
	}
}

// With a higher bound the index still grows in few steps.
func TestAHigherBoundCopiesLittle(t *testing.T) {
	body := []byte("[" + strings.Repeat("1,", 3*maxTokens) + "1]")
	d := Doc{Values: 4 * maxTokens}
	allocs := testing.AllocsPerRun(1, func() {
		d.tokens = nil
		if err := d.Parse(body); err != nil || d.Len() < 3*maxTokens {
			t.Errorf("got error %v and %d tokens, want all of them", err, d.Len())
		}
	})
	if allocs > 100 {
		t.Errorf("got %v allocations, want few", allocs)
	}
}
