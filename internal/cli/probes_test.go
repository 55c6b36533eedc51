package cli

import (
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"parley/a2a"
)

// An agent that never ends its answer ends the probe, and the failure does not say that the user did.
func TestAProbeThatTakesTooLongBlamesTheAgent(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]func(*asked, http.ResponseWriter){
		"silent": func(q *asked, _ http.ResponseWriter) { <-q.req.Context().Done() },
		"endless": func(q *asked, w http.ResponseWriter) {
			for q.req.Context().Err() == nil {
				_, _ = w.Write([]byte(" "))
				_ = http.NewResponseController(w).Flush()
				time.Sleep(time.Millisecond)
			}
		},
	} {
		s := newStub(t, plainCard, answer)
		null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer null.Close()
		a := &app{ctx: t.Context(), streams: Streams{In: null, Out: null, Err: null}, after: time.After}
		op, err := a.within(t.Context()).begin(&callFlags{ref: s.URL, output: "text", poll: defaultPoll})
		if err != nil {
			t.Fatal(err)
		}
		defer op.end()
		if err := op.open(); err != nil {
			t.Fatal(err)
		}
		op.answer.noted = true
		sig, err := op.limited(op.probes()[0].start(), 50*time.Millisecond)
		if err != nil || sig.Class != a2a.ClassTimeout || !strings.Contains(sig.Sentence, "no complete answer within 50 ms") {
			t.Errorf("%s: got %+v, %v, want that the agent did not answer in time", name, sig, err)
		}
	}
}
