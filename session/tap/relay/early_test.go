package relay

import (
	"context"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"testing"
)

// An agent may send informational heads without an end, also while the client leaves.
func TestAClientLeavesAmongInformationalHeads(t *testing.T) {
	t.Parallel()
	agent := startHTTP2(t, nil, func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			w.WriteHeader(http.StatusEarlyHints)
		}
	})
	const times = 20
	n := newNotebook(nil)
	r := startRelay(t, agent, Options{Observer: n})
	client := clientOf(t, nil)
	for range times {
		ctx, cancel := context.WithCancel(t.Context())
		seen := 0
		trace := &httptrace.ClientTrace{Got1xxResponse: func(int, textproto.MIMEHeader) error {
			if seen++; seen == 3 {
				cancel()
			}
			return nil
		}}
		req, _ := http.NewRequestWithContext(httptrace.WithClientTrace(ctx, trace), "GET", r.URL(), nil)
		if _, err := client.RoundTrip(req); err == nil {
			t.Error("got a response, want none")
		}
		cancel()
	}
	for _, p := range n.ended(times) {
		if p.end.Cause != ClientBroke {
			t.Errorf("got %+v, want that the client left", p.end)
		}
	}
}
