package wire

import (
	"net/http"
	"strings"
	"testing"

	"parley/a2a"
	"parley/internal/tape"
	"parley/themes"
)

// delivered adds a delivery and its answer.
func delivered(f *tape.Tape, facts a2a.DeliveryFacts, status int, body string) {
	call := &a2a.Call{Agent: 1, Op: a2a.OpDelivery, Dialect: a2a.V10, PushID: "hook-1", Delivery: &facts}
	before := f.Call
	f.Call = call
	defer func() { f.Call = before }()
	r := a2a.Record{Kind: a2a.KindDelivery, Dir: a2a.In, Call: call, Raw: []byte(body),
		Head: &a2a.Head{Method: "POST", URL: "http://127.0.0.1:4712/push/key", Proto: "HTTP/1.1", Header: http.Header{"X-A2a-Notification-Token": {a2a.Mask}}}}
	f.Put(10, r)
	end := &a2a.End{Reason: a2a.Ended}
	if facts.RefusalReason != "" {
		end.Class, end.Sentence = facts.RefusalReason, "It did not bring the token, so it was turned away."
	}
	f.Put(3, a2a.Record{Kind: a2a.KindEnd, Dir: a2a.Out, Call: call, Head: &a2a.Head{Status: status, Proto: "HTTP/1.1"}, End: end})
}

func TestDeliveriesAreRowsOfTheirOwn(t *testing.T) {
	f := booking()
	delivered(f, a2a.DeliveryFacts{Remote: "127.0.0.1:50000"}, 200, `{"statusUpdate":{`+ids+`,"status":{"state":"TASK_STATE_COMPLETED"}}}`)
	delivered(f, a2a.DeliveryFacts{RefusalReason: "token"}, 401, `{"statusUpdate":{`+ids+`,"status":{"state":"TASK_STATE_FAILED"}}}`)
	delivered(f, a2a.DeliveryFacts{}, 200, "<html>\x1b[2J")
	p := openPane(f, themes.Mono(), 90, 40)
	has(t, p, "▸ ← delivery status completed", "← delivery · rejected", "→ answered 401", "▸ ← delivery unreadable")
	if s := screen(p); strings.Contains(s, "answered 200") {
		t.Errorf("got the rows of an accepted delivery, want it folded:\n%s", s)
	}
	p.Select(12)
	press(p, "space")
	has(t, p, "← delivery status completed", "→ answered 200", "statusUpdate")
	exact(t, p, 90, 40)
	p.Select(15)
	has(t, p, "answered 401 Unauthorized", "token", "hook-1")
	exact(t, p, 90, 40)
}
