package records

import (
	"net/http"
	"testing"

	"parley/a2a"
)

func TestARawRequestIsAsHTTPHasIt(t *testing.T) {
	r := &a2a.Record{
		Head: &a2a.Head{Method: "POST", URL: "http://h/x", Header: http.Header{"X-B": {"2"}, "Content-Type": {"application/json"}, "X-A": {"1", "3"}}},
		Raw:  []byte(`{"id":1}`),
	}
	for _, c := range []struct {
		name string
		sent a2a.HeadBytes
		want string
	}{
		{"no head as it was sent", "", "POST http://h/x HTTP/1.1\r\nContent-Type: application/json\r\nX-A: 1\r\nX-A: 3\r\nX-B: 2\r\n\r\n" + `{"id":1}`},
		{"a head as it was sent", "POST /x HTTP/1.1\r\nhost: h\r\n\r\n", "POST /x HTTP/1.1\r\nhost: h\r\n\r\n" + `{"id":1}`},
	} {
		if got := rawRequest(r, c.sent); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
