package relay

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// A request that the agent does not read holds up no other one of the same connection, whether its message
// is whole, too long, or not waited for.
func TestAStreamThatNobodyReadsHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	const most = 64 << 10
	same := func(b []byte) []byte { return b }
	for name, plan := range map[string]Plan{
		"nothing":      {},
		"a message":    {EditRequest: same, Message: func(b []byte) (int, bool) { return min(len(b), 1), len(b) > 0 }},
		"the body":     {EditRequest: same},
		"the decision": {EditRequest: same, ChooseFault: func([]byte) Fault { return Fault{} }},
	} {
		t.Run(name, func(t *testing.T) { streamBesideAStuckOne(t, plan, Limits{Edit: most}) })
	}
}

func streamBesideAStuckOne(t *testing.T, plan Plan, limits Limits) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	agent := &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/stuck" {
				<-r.Context().Done()
				return
			}
			n, err := io.Copy(io.Discard, r.Body)
			fmt.Fprint(w, n, err)
		}),
		Protocols: protocols, ErrorLog: log.New(io.Discard, "", 0),
		HTTP2: &http.HTTP2Config{MaxReceiveBufferPerStream: streamBuffer, MaxReceiveBufferPerConnection: 64 * streamBuffer},
	}
	t.Cleanup(func() { agent.Close() })
	go agent.Serve(l)
	r := startRelay(t, l.Addr().String(), Options{Limits: limits, Observer: newNotebook(func(Head) Plan { return plan })})
	client := clientOf(t, nil)
	full := make(chan struct{})
	tell := sync.OnceFunc(func() { close(full) })
	body := &endless{enough: func(read int64) {
		if read >= 2*streamBuffer { // what the agent and the relay take
			tell()
		}
	}}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // only a failure takes so long
	stuck, _ := http.NewRequestWithContext(ctx, "POST", r.URL()+"/stuck", body)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = client.RoundTrip(stuck)
	}()
	<-full
	req, _ := http.NewRequestWithContext(ctx, "POST", r.URL()+"/other", strings.NewReader(strings.Repeat("x", 300_000)))
	resp, err := client.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := io.ReadAll(resp.Body); string(b) != "300000 <nil>" {
		t.Errorf("got %q, %v, want the whole request at the agent", b, err)
	}
	resp.Body.Close()
	cancel()
	<-done
}
