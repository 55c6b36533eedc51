package a2a

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"strings"
	"testing"
	"time"
)

func delivery(dialect DialectName, body string, header ...string) *Delivery {
	d := &Delivery{
		Call: &Call{Agent: 1, Op: OpDelivery, Dialect: dialect, Binding: BindingJSONRPC, TaskID: "t1", Delivery: &DeliveryFacts{}},
		Time: time.Unix(1, 0), Body: []byte(body), Secrets: []string{"token-token", "credentials"},
		Head: Head{Method: "POST", URL: "http://127.0.0.1/push/key", Header: http.Header{"Content-Type": {"application/json"}}},
	}
	for _, h := range header {
		name, value, _ := strings.Cut(h, ": ")
		d.Head.Header.Add(name, value)
	}
	return d
}

func b64(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }

// signature returns a compact JSON Web Signature of a payload with an empty signature.
func signature(payload string) string {
	return b64(`{"alg":"RS256","kid":"k1","typ":"JWT"}`) + "." + b64(payload) + "." + b64("signed by nobody")
}

const statusOf1 = `{"statusUpdate":{"taskId":"t1","contextId":"c1","status":{"state":"TASK_STATE_COMPLETED"}}}`

func TestDeliveriesOfEveryDialectAreRead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		dialect DialectName
		body    string
		kind    EventKind
		state   State
	}{
		{"0.1, the specification's example", V01, `{"eventType":"taskUpdate","taskId":"t1","status":{"state":"completed","timestamp":"2024-03-15T18:30:00Z"},"summary":"done"}`, EventStatus, StateCompleted},
		{"0.1, a task", V01, `{"id":"t1","sessionId":"s","status":{"state":"working"}}`, EventTask, StateWorking},
		{"0.1, a status event", V01, `{"id":"t1","status":{"state":"working"},"final":false}`, EventStatus, StateWorking},
		{"0.2, a task", V02, `{"kind":"task","id":"t1","contextId":"c1","status":{"state":"input-required"}}`, EventTask, StateInputRequired},
		{"0.3, a task", V03, `{"kind":"task","id":"t1","contextId":"c1","status":{"state":"completed"},"artifacts":[]}`, EventTask, StateCompleted},
		{"0.3, a status event", V03, `{"kind":"status-update","taskId":"t1","contextId":"c1","final":true,"status":{"state":"failed"}}`, EventStatus, StateFailed},
		{"1.0, a status", V10, statusOf1, EventStatus, StateCompleted},
		{"1.0, a task", V10, `{"task":{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_WORKING"}}}`, EventTask, StateWorking},
		{"1.0, an artifact", V10, `{"artifactUpdate":{"taskId":"t1","contextId":"c1","artifact":{"artifactId":"a","parts":[{"text":"x"}]}}}`, EventArtifact, 0},
		{"1.0, a message", V10, `{"message":{"messageId":"m","contextId":"c1","taskId":"t1","role":"ROLE_AGENT","parts":[{"text":"x"}]}}`, EventMessage, 0},
		{"1.0 in an envelope", V10, `{"jsonrpc":"2.0","id":"x","result":` + statusOf1 + `}`, EventStatus, StateCompleted},
		{"as a call", V10, `{"jsonrpc":"2.0","id":"x","method":"push","params":` + statusOf1 + `}`, EventStatus, StateCompleted},
		{"1.0, signed", V10, signature(statusOf1), EventStatus, StateCompleted},
		{"in snake_case", V03, `{"kind":"task","id":"t1","context_id":"c1","status":{"state":"working"}}`, EventTask, StateWorking},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, u := delivery(c.dialect, c.body).Record()
			if u.Err != nil || len(u.Events) != 1 || u.Events[0].Kind != c.kind || u.Events[0].TaskID != "t1" {
				t.Fatalf("got update %+v, want one %s of t1", u, c.kind)
			}
			ev := &u.Events[0]
			st := ev.Status
			if ev.Task != nil {
				st = &ev.Task.Status
			}
			if st != nil && st.State != c.state {
				t.Errorf("got state %v, want %v", st.State, c.state)
			}
			if r.Kind != KindDelivery || r.Dir != In || string(r.Raw) != c.body {
				t.Errorf("got record %+v, want an incoming delivery with its body", r)
			}
			for _, f := range u.Findings {
				if f.Rule == "ENV-001" {
					t.Errorf("got finding %+v, want none about the envelope", f)
				}
			}
		})
	}
}

func TestWhatIsNoDeliveryIsSaidSo(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		"", "null", "{}", "[]", "7", `"x"`, "{", `{"a":1}`, "hello", "\x00\xff", `{"error":{"code":1,"message":"x"}}`,
		"eyJ.eyJ.x", signature("no json"), signature(""), b64(`{"alg":"none"}`) + ".!!.", `{"status":"completed"}`,
		strings.Repeat("[", 100_000), `{"kind":"task"}`, `{"task":null}`, `{"statusUpdate":[]}`,
	} {
		_, u := delivery(V10, body).Record()
		if u.Err == nil && len(u.Events) == 0 {
			t.Errorf("%.40q: got neither an event nor an error", body)
		}
	}
}

func TestSecretsOfADeliveryAreMasked(t *testing.T) {
	t.Parallel()
	d := delivery(V10, `{"statusUpdate":{"taskId":"t1","status":{"state":"TASK_STATE_WORKING"},"metadata":{"echo":"token-token and credentials"}}}`,
		"X-A2a-Notification-Token: token-token", "A2a-Notification-Token: token-token", "Authorization: Bearer credentials", "X-Other: it is token-token")
	d.Head.URL += "?token=token-token"
	r, u := d.Record()
	if len(u.Events) != 1 {
		t.Fatalf("got update %+v, want one event", u)
	}
	all := string(r.Raw) + r.Head.URL
	for name, values := range r.Head.Header {
		all += name + strings.Join(values, " ")
	}
	if strings.Contains(all, "token-token") || strings.Contains(all, "credentials\"") || strings.Contains(all, "Bearer cred") {
		t.Errorf("got record %s, want its secrets masked", all)
	}
	if len(r.Redactions) < 6 || d.Head.Header.Get("Authorization") != "Bearer credentials" {
		t.Errorf("got %d redactions and caller's header %v, want at least 6 and the header unchanged", len(r.Redactions), d.Head.Header)
	}
	for _, body := range []string{signature(`{"echo":"token-token"}`), "\n" + signature(`{"echo":"token-token"}`)} {
		r, _ := delivery(V10, body).Record()
		for _, part := range strings.Split(string(r.Raw), ".") {
			if plain, _ := base64.RawURLEncoding.DecodeString(part); strings.Contains(string(plain), "token-token") {
				t.Errorf("got record %s with the token in base64, want it masked", r.Raw)
			}
		}
	}
}

func TestSignaturesAreShownAndNotBelieved(t *testing.T) {
	t.Parallel()
	sum := sha256.Sum256([]byte(statusOf1))
	hash := hex.EncodeToString(sum[:])
	for _, c := range []struct{ name, body, header, want string }{
		{"none", statusOf1, "Bearer opaque", ""},
		{"no token", statusOf1, "", ""},
		{"a token", statusOf1, "Bearer " + signature(`{"iat":1}`), "RS256, key k1"},
		{"a token for this body", statusOf1, "Bearer " + signature(`{"request_body_sha256":"`+hash+`"}`), "RS256, key k1, made for this body"},
		{"a token for another body", statusOf1 + " ", "Bearer " + signature(`{"request_body_sha256":"`+hash+`"}`), "RS256, key k1, made for another body"},
		{"claims that are none", statusOf1, "Bearer " + signature("x"), "RS256, key k1"},
		{"a body", signature(statusOf1), "", "RS256, key k1"},
		{"something with dots", statusOf1, "Bearer a.b.c", ""},
		{"an enormous head", statusOf1, "Bearer " + strings.Repeat("e", 20_000) + ".b.c", ""},
	} {
		d := delivery(V01, c.body, "Authorization: "+c.header)
		if r, _ := d.Record(); r.Call.Delivery.Signed != c.want {
			t.Errorf("%s: got Signed %q, want %q", c.name, r.Call.Delivery.Signed, c.want)
		}
	}
}

func TestWhatWasTurnedAwayMeansNothing(t *testing.T) {
	t.Parallel()
	for _, facts := range []DeliveryFacts{{RefusalReason: "token"}, {Validation: true}} {
		d := delivery(V10, statusOf1)
		d.Call.Delivery = &facts
		if r, u := d.Record(); len(u.Events) > 0 || u.Err != nil || string(r.Raw) != statusOf1 {
			t.Errorf("%+v: got update %+v, want none", facts, u)
		}
	}
	if u := DecodeDelivery(&Record{Raw: []byte(statusOf1)}); len(u.Events) != 1 { // as in a recording without the call
		t.Errorf("record without a call: got update %+v, want one event", u)
	}
}

func FuzzDelivery(f *testing.F) {
	for _, body := range []string{statusOf1, signature(statusOf1), "eyJ.eyJ.x", `{"taskId":"t","status":{"state":"working"}}`, "", "null"} {
		f.Add([]byte(body), "Bearer "+signature(`{"request_body_sha256":"00"}`))
	}
	f.Fuzz(func(t *testing.T, body []byte, authorization string) {
		d := delivery(V10, string(body))
		d.Head.Header["Authorization"] = []string{authorization}
		r, u := d.Record()
		if u.Err == nil && len(u.Events) == 0 {
			t.Errorf("%q: got neither an event nor an error", body)
		}
		again := r
		again.Data = nil
		if v := DecodeDelivery(&again); len(v.Events) != len(u.Events) || string(again.Payload()) != string(r.Payload()) {
			t.Errorf("%q: got %d events from the delivery, %d from its record", body, len(u.Events), len(v.Events))
		}
	})
}
