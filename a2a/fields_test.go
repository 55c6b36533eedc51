package a2a

import (
	"net/http"
	"slices"
	"testing"
)

func TestFieldsKeepTheirOrderOnTheWire(t *testing.T) {
	t.Parallel()
	header := http.Header{":qos": {"1"}, "b": {"1", "2"}, "a": {"3"}, "c": {"4"}}
	for _, c := range []struct{ order, want []string }{
		{nil, []string{":qos=1", "a=3", "b=1", "b=2", "c=4"}},
		{[]string{"c", "b", "a", "b"}, []string{":qos=1", "c=4", "b=1", "a=3", "b=2"}},
		{[]string{"b", "none", "b", "b"}, []string{":qos=1", "a=3", "c=4", "b=1", "b=2"}}, // of a broken session file
		{[]string{"b"}, []string{":qos=1", "a=3", "c=4", "b=1", "b=2"}},
	} {
		h := Head{Header: header, Order: c.order}
		var got []string
		for name, i := range h.Fields() {
			got = append(got, name+"="+h.Header[name][i])
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("order %q: got %q, want %q", c.order, got, c.want)
		}
		for range h.Fields() {
			break // at the first one
		}
	}
}
