package record

import (
	"strings"
	"testing"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/internal/tape"
)

// The verdict on the signature of a delivery stands beside what the signature says of itself.
func TestTheVerdictOnADeliveryIsShown(t *testing.T) {
	const evil = "\x1b[2J\u202e"
	for _, c := range []struct {
		facts a2a.DeliveryFacts
		want  []string
	}{
		{a2a.DeliveryFacts{Signed: "ES256, key k1"}, []string{"ES256, key k1  not verified"}},
		{a2a.DeliveryFacts{Signed: "ES256, key k1", Verdict: "verified"}, []string{"ES256, key k1  verified"}},
		{a2a.DeliveryFacts{Signed: "ES256" + evil, Verdict: "broken", VerdictReason: "Its token was made for another body." + evil}, []string{"broken", "Its token was made for another body."}},
	} {
		f := tape.New()
		f.Call = &a2a.Call{Op: a2a.OpDelivery, Delivery: &c.facts}
		f.Put(0, a2a.Record{Kind: a2a.KindDelivery, Dir: a2a.In, Raw: []byte("{}"), Head: &a2a.Head{Method: "POST", URL: "http://x/push/k", Proto: "HTTP/1.1"}})
		f.Put(1, a2a.Record{Kind: a2a.KindEnd, Dir: a2a.Out, Head: &a2a.Head{Status: 200, Proto: "HTTP/1.1"}, End: &a2a.End{Reason: a2a.Ended}})
		text := screen(openView(f, 2, 90, 30))
		for _, w := range c.want {
			if !strings.Contains(text, w) {
				t.Errorf("got no %q in\n%s", w, text)
			}
		}
		panetest.Sanitized(t, strings.Split(text, "\n"))
	}
}
