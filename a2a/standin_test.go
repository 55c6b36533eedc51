package a2a

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"
)

// planted returns a text with a secret inside, and the text with the secret masked.
func planted(m *masker, before, secret, after string) (sent, shown string) {
	m.know(secret)
	sent = before + secret + after
	shown, _ = m.identity(sent, "")
	return sent, shown
}

// TestARequestIsSentAsIfNothingWereMasked plants a secret in every id, cursor and address of a request,
// in every dialect: what is encoded from the masked request equals what is encoded from the original.
func TestARequestIsSentAsIfNothingWereMasked(t *testing.T) {
	t.Parallel()
	for _, dialect := range Dialects() {
		for _, op := range []Op{OpSend, OpStream, OpGet, OpList, OpCancel, OpSubscribe, OpPushSet, OpPushGet, OpPushList, OpPushDelete, OpExtendedCard, OpArtifact} {
			t.Run(fmt.Sprintf("%s %s", dialect, op), func(t *testing.T) {
				t.Parallel()
				m := newMasker(nil)
				n := 0
				var pairs []string
				field := func() (string, string) {
					n++
					sent, shown := planted(m, "a-", fmt.Sprintf("secret/%d?ü&x", n), "-9")
					pairs = append(pairs, sent, shown)
					return sent, shown
				}
				sent, shown := secretRequest(op, field)
				endpoint, shownEndpoint := planted(m, "https://agent.example/a2a/", "path-secret-1", "/rpc?x=1")
				for _, text := range pairs {
					if strings.Contains(text, "secret") == strings.Contains(text, Mask) {
						t.Fatalf("got %q, want it with a secret or with a mask", text)
					}
				}
				plain, problem, err := encoded(m, dialect, endpoint, sent)
				masked, problem2, err2 := encoded(m, dialect, shownEndpoint, shown)
				if problem != problem2 || fmt.Sprint(err) != fmt.Sprint(err2) {
					t.Fatalf("got problem %q and error %v, want %q and %v", problem2, err2, problem, err)
				}
				if masked.url != plain.url || !bytes.Equal(masked.body, plain.body) || !maps.EqualFunc(masked.header, plain.header, func(a, b []string) bool { return fmt.Sprint(a) == fmt.Sprint(b) }) {
					t.Errorf("got\n%s\n%v\n%s\nwant\n%s\n%v\n%s", masked.url, masked.header, masked.body, plain.url, plain.header, plain.body)
				}
			})
		}
	}
}

// secretRequest returns a request with a secret in each field, and the one with masks.
func secretRequest(op Op, field func() (string, string)) (sent, shown Request) {
	message := func(task, context, reference, uri string) *Message {
		return &Message{ID: "m1", Role: RoleUser, TaskID: task, ContextID: context, ReferenceTaskIDs: []string{reference},
			Parts: []Part{TextPart("hello"), {Kind: PartURL, URL: uri, MediaType: "text/plain"}}}
	}
	sent.Call, shown.Call = &Call{Op: op}, &Call{Op: op}
	sent.TaskID, shown.TaskID = field()
	sent.ContextID, shown.ContextID = field()
	sent.Tenant, shown.Tenant = field()
	sent.PushID, shown.PushID = field()
	sent.LastEventID, shown.LastEventID = field()
	sent.List.ContextID, shown.List.ContextID = field()
	sent.List.PageToken, shown.List.PageToken = field()
	sent.URI, shown.URI = "artifact://s/u/"+sent.TaskID, "artifact://s/u/"+shown.TaskID
	reference, shownReference := field()
	uri, shownURI := field()
	sent.Message = message(sent.TaskID, sent.ContextID, reference, "https://files.example/"+uri)
	shown.Message = message(shown.TaskID, shown.ContextID, shownReference, "https://files.example/"+shownURI)
	sent.Push, shown.Push = &PushConfig{ID: "p"}, &PushConfig{ID: "p"}
	sent.Push.TaskID, shown.Push.TaskID = sent.TaskID, shown.TaskID
	sent.Push.URL, shown.Push.URL = field()
	sent.Push.Token, shown.Push.Token = field()
	sent.Push.Credentials, shown.Push.Credentials = field()
	return sent, shown
}

func encoded(m *masker, dialect DialectName, endpoint string, req Request) (outgoingRequest, string, error) {
	c := NewClient(Profile{Dialect: dialect, Endpoint: endpoint, Agent: "desk"}, nil, Options{Secrets: m.vault, NewID: func() string { return "id-1" }, Trace: Trace{Now: time.Now}})
	if c.problem != "" {
		return outgoingRequest{}, c.problem, nil
	}
	req, problem := c.restored(req)
	if problem != "" {
		return outgoingRequest{}, problem, nil
	}
	out, err := c.binding.encode(req, "id-1")
	if err == nil {
		out.resume(req.LastEventID)
	}
	return out, "", err
}

// A mask whose secret is unknown is never sent, and neither is one in a text, which may go elsewhere
// than the secret came from.
func TestAMaskThatCannotBeReplacedIsNotSent(t *testing.T) {
	t.Parallel()
	for name, req := range map[string]Request{
		"task id of an earlier run": {Call: &Call{Op: OpGet}, TaskID: "t-" + Mask + "₉"},
		"mask without a number":     {Call: &Call{Op: OpGet}, TaskID: Mask},
		"text":                      {Call: &Call{Op: OpSend}, Message: &Message{Parts: []Part{TextPart("the token is " + Mask + "₁")}}},
		"data":                      {Call: &Call{Op: OpSend}, Message: &Message{Parts: []Part{DataPart(json.RawMessage(`{"a":"\u2022\u2022\u2022"}`))}}},
		"page token":                {Call: &Call{Op: OpList}, List: ListFilter{PageToken: Mask + "₂"}},
	} {
		m := newMasker(nil)
		m.vault.standIn("the-only-secret")
		_, problem, _ := encoded(m, V10, "https://agent.example", req)
		if !strings.HasPrefix(problem, "Nothing was sent: the ") || !strings.Contains(problem, Mask+" in place of a value") {
			t.Errorf("%s: got %q, want a sentence that says what was not sent", name, problem)
		}
	}
}

// An agent that writes a stand-in does not get the secret of that number.
func TestAnAgentCannotAskForASecretByItsNumber(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"id":            `{"result":{"kind":"task","id":"•••₁","contextId":"x•••₁•••y","status":{"state":"working"}}}`,
		"escaped":       `{"result":{"kind":"task","id":"\u2022\u2022\u2022\u2081","contextId":"x","status":{"state":"working"}}}`,
		"address":       `{"url":"https://evil.example/?q=•••₁","name":"https://evil.example/•••₁"}`,
		"without end":   `{"result":{"id":"•••₁`,
		"not JSON":      `•••₁`,
		"half escaped":  `{"id":"•\u2022•₁"}`,
		"upper escapes": `{"id":"\u2022\u2022\u2022\u2081"}`,
	} {
		m := newMasker(nil)
		m.vault.standIn("the-only-secret")
		shown, _ := m.body(OpGet, []byte(body))
		frame := eventFrame([]byte(body))
		_, data, _ := m.frame(OpStream, frame, []byte(body), &echo{})
		var plain any
		for _, text := range []string{string(shown), string(data)} {
			if json.Unmarshal([]byte(text), &plain) == nil {
				text = fmt.Sprint(plain)
			}
			if restored, _ := m.vault.Restore(text); strings.Contains(restored, "the-only-secret") {
				t.Errorf("%s: %s is restored as %s, which has the secret", name, text, restored)
			}
		}
	}
}

// What an agent wrote in place of an id comes back as it was written, masks included.
func TestAnIDThatLooksLikeAMaskIsSentBack(t *testing.T) {
	t.Parallel()
	m := newMasker(nil)
	m.know("the-only-secret")
	for _, id := range []string{Mask, Mask + "₁", "a" + Mask + "₁₂b", Mask + Mask, "the-only-secret" + Mask + "₁", `\u2022the-only-secret`, `\\u2022the-only-secret₁`, "••the-only-secret"} {
		quoted, _ := json.Marshal(id)
		shown, _ := m.body(OpGet, []byte(`{"result":{"id":`+string(quoted)+`}}`))
		var v struct{ Result struct{ ID string } }
		if err := json.Unmarshal(shown, &v); err != nil {
			t.Fatal(err)
		}
		if restored, ok := m.vault.Restore(v.Result.ID); restored != id || !ok || strings.Contains(v.Result.ID, "only") {
			t.Errorf("%q is shown as %q and restored as %q", id, v.Result.ID, restored)
		}
	}
}

// Equal secrets look equal, different ones different, and what a session recorded before keeps its
// numbers for itself.
func TestStandInsKeepIdentity(t *testing.T) {
	t.Parallel()
	s := &Secrets{}
	s.Reserve(7)
	a, _ := s.standIn("one")
	b, _ := s.standIn("two")
	again, _ := s.standIn("one")
	if a != Mask+"₈" || b != Mask+"₉" || again != a {
		t.Errorf("got %s, %s and %s", a, b, again)
	}
	if text, ok := s.Restore("x" + Mask + "₇"); ok || text != "x"+Mask+"₇" {
		t.Errorf("got %q, %v for a number of an earlier run", text, ok)
	}
	for n := range 2 * maxStandIns {
		s.standIn(fmt.Sprint(n))
	}
	if shown, _ := s.standIn("beyond"); shown != Mask || len(s.numbers) != maxStandIns {
		t.Errorf("got %s and %d numbers, want the mask alone and %d", shown, len(s.numbers), maxStandIns)
	}
}

func FuzzRestore(f *testing.F) {
	f.Add("task-secret-one", "•••₁")
	f.Add(`a"b\secret-one`, "•")
	f.Add(`\u2022secret-one`, `\\u2022\u2022secret-two\u2081`)
	f.Fuzz(func(t *testing.T, id, other string) {
		m := newMasker(nil)
		m.know("secret-one", "secret-two")
		m.vault.standIn("the-only-secret")
		quoted, _ := json.Marshal(map[string]string{"id": id, "taskId": other})
		var want, got struct{ ID, TaskID string }
		shown, _ := m.body(OpGet, quoted)
		if json.Unmarshal(quoted, &want) != nil || json.Unmarshal(shown, &got) != nil {
			t.Fatalf("%s is no JSON any more: %s", quoted, shown)
		}
		for _, pair := range [][2]string{{got.ID, want.ID}, {got.TaskID, want.TaskID}} {
			if restored, ok := m.vault.Restore(pair[0]); restored != pair[1] || !ok {
				t.Errorf("%q is shown as %q and restored as %q", pair[1], pair[0], restored)
			}
		}
	})
}

// A request that the user writes by hand may have stand-ins anywhere. One with another mask is not sent.
func TestStandInsOfARequestByHandAreReplaced(t *testing.T) {
	t.Parallel()
	c := NewClient(Profile{Dialect: V10, Endpoint: "https://agent.example"}, nil, Options{NewID: func() string { return "id-1" }, Trace: Trace{Now: time.Now}})
	shown, _ := c.wire.mask.vault.standIn(`a "quoted" secret`)
	for name, tt := range map[string]struct {
		body, want string
		refused    bool
	}{
		"JSON":              {`{"id":"x` + shown + `y"}`, `{"id":"xa \"quoted\" secrety"}`, false},
		"not JSON":          {shown + " " + shown, `a "quoted" secret a "quoted" secret`, false},
		"nothing masked":    {`{"id":"•"}`, `{"id":"•"}`, false},
		"an unknown number": {`{"id":"` + Mask + `₉"}`, "", true},
		"no number":         {`{"id":"` + Mask + `"}`, "", true},
	} {
		out, problem := c.rawOutgoing(t.Context(), &RawRequest{URL: "https://agent.example/" + shown, Header: http.Header{"Last-Event-Id": {shown}}, Body: []byte(tt.body)})
		switch {
		case tt.refused != (problem != "") || tt.refused && !strings.Contains(problem, "the body contains"):
			t.Errorf("%s: got problem %q, want one: %v", name, problem, tt.refused)
		case !tt.refused && (string(out.body) != tt.want || out.url != `https://agent.example/a "quoted" secret` || out.header.Get("Last-Event-ID") != `a "quoted" secret`):
			t.Errorf("%s: got %s, %s and %v, want body %s", name, out.body, out.url, out.header, tt.want)
		}
	}
}
