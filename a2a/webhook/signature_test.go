package webhook

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
)

// A signature that proves who calls stands for the token; one that does not changes nothing, and
// what somebody trusted did not sign is rejected.
func TestASignatureMayStandForTheToken(t *testing.T) {
	const jwt = "eyJhbGciOiJFUzI1NiJ9.e30.c2ln"
	var judged atomic.Int32
	judge := func(_ *Hook, header http.Header, body []byte) Judgement {
		judged.Add(1)
		switch {
		case strings.Contains(string(body), "forged"):
			return Judgement{Verdict: "broken", Why: "It is forged.", Forged: true}
		case strings.Contains(string(body), "known"):
			return Judgement{Verdict: "verified", Proves: true}
		case strings.Contains(header.Get("Authorization")+header.Get("X-A2A-Notification-Token"), "eyJ"):
			return Judgement{Verdict: "not verifiable", Why: "The key is not at hand."}
		}
		return Judgement{}
	}
	for _, authorize := range []bool{false, true} {
		p := newPost(t, func(o *Options) { o.Judge = judge })
		plain := newPost(t, nil)
		h := p.Register(authorize)
		other := plain.Register(authorize)
		token := "X-A2A-Notification-Token: " + h.Token
		signed, inToken := "Authorization: Bearer "+jwt, "X-A2A-Notification-Token: "+jwt
		wrong := Token
		if authorize {
			wrong = Authorization
		}
		for _, c := range []struct {
			name   string
			body   string
			header []string
			want   Verdict
			judged int32
			says   string
		}{
			{"the token", "{}", []string{token}, Accepted, 1, ""},
			{"nothing", "{}", nil, Token, 0, ""},
			{"a signature of somebody known", "known", []string{signed}, Accepted, 1, "verified"},
			{"the same in place of the token", "known", []string{inToken}, Accepted, 1, "verified"},
			{"a signature of somebody unknown", "{}", []string{signed}, wrong, 1, "not verifiable"},
			{"the same in place of the token", "{}", []string{inToken}, Token, 1, "not verifiable"},
			{"forged", "forged", []string{signed}, wrong, 1, "broken"},
			{"forged with the token", "forged", []string{token}, Signature, 1, "broken"},
			{"a wrong token beside a signature", "known", []string{signed, "X-A2A-Notification-Token: wrong"}, Token, 0, ""},
			{"no body", " ", []string{signed}, wrong, 0, ""},
		} {
			judged.Store(0)
			status, _, _ := p.send(http.MethodPost, h.URL, c.body, c.header...)
			got := p.call()
			if got.Verdict != c.want || status != c.want.Status() || got.Signature.Verdict != c.says || judged.Load() != c.judged {
				t.Errorf("%s (authorize %v): got %q, status %d, %+v, judged %d times; want %q, %q, %d", c.name, authorize, got.Verdict, status, got.Signature, judged.Load(), c.want, c.says, c.judged)
			}
		}
		status, _, _ := plain.send(http.MethodPost, other.URL, "known", signed)
		if got := plain.call(); status != http.StatusUnauthorized || got.Verdict == Accepted {
			t.Errorf("without a judge: got %d, %q, want that nothing stands for the token", status, got.Verdict)
		}
	}
}
