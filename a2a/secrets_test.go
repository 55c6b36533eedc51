package a2a

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// newConfidingMasker returns a masker that knows secret answers, each in a message of its own.
func newConfidingMasker(answers ...string) *masker {
	m := newMasker(nil)
	m.vault = &Secrets{}
	for i, a := range answers {
		m.vault.Confide(&Message{ID: "m-" + string(rune('0'+i)), Parts: []Part{TextPart(a)}})
	}
	return m
}

func TestASecretAnswerIsMaskedHoweverItComesBack(t *testing.T) {
	t.Parallel()
	const answer = `hun"ter&22`
	tests := []struct{ name, in, want string }{
		{"in a sentence", `{"text":"You said hun\"ter&22."}`, `{"text":"You said •••."}`},
		{"escaped in another way", `{"text":"hu\u006e\u0022ter\u002622"}`, `{"text":"•••"}`},
		{"in JSON in a text", `{"text":"{\"pw\":\"hun\\\"ter\\u002622\"}"}`, `{"text":"{\"pw\":\"•••\"}"}`},
		{"as a name", `{"data":{"hun\"ter&22":1}}`, `{"data":{"•••":1}}`},
		{"in a link", `{"url":"https://a.example/?p=hun%22ter%2622&x=1"}`, `{"url":"https://a.example/?p=•••₁&x=1"}`},
		{"in a web page", `<p>hun&#34;ter&amp;22</p>`, `<p>•••</p>`},
		{"in two parts", `{"parts":[{"text":"is hun\""},{"text":"ter&22 ok"}]}`, `{"parts":[{"text":"is •••"},{"text":"••• ok"}]}`},
		{"in many parts", `{"parts":[{"text":"hun"},{"text":"\"te"},{"text":"r&22"}]}`, `{"parts":[{"text":"•••"},{"text":"•••"},{"text":"•••"}]}`},
		{"in an error", `{"error":{"message":"bad: hun\"ter&22"}}`, `{"error":{"message":"bad: •••"}}`},
		{"torn", `{"text":"so hun\"ter&22 is`, `{"text":"so ••• is`},
		{"in a file", `{"bytes":"` + base64.StdEncoding.EncodeToString([]byte("pw: "+answer)) + `"}`, `{"bytes":"4oCi4oCi4oCi"}`},
		{"in base64", `{"text":"` + base64.StdEncoding.EncodeToString([]byte(answer+"xx")) + `"}`, `{"text":"•••eA=="}`},
		{"not there", `{"text":"hunter"}`, `{"text":"hunter"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, gone := newConfidingMasker(answer).body(OpGet, []byte(tt.in))
			if tt.name == "in base64" {
				tt.want = string(got)
				if !bytes.Contains(got, []byte(Mask)) {
					t.Errorf("got %s, want a mask in it", tt.in)
				}
			}
			if string(got) != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			for _, g := range gone {
				if g.Hash != "" || g.Size != 0 {
					t.Errorf("got redaction %+v, want it without hash and size of the secret answer", g)
				}
			}
			if json.Valid([]byte(tt.in)) && !json.Valid(got) {
				t.Errorf("got invalid JSON %s of valid %s", got, tt.in)
			}
		})
	}
}

func TestAShortAnswerIsMaskedWhereItStandsAlone(t *testing.T) {
	t.Parallel()
	const id = `"id":"0a1b2c3d-4711-4711-8899-aabbccddeeff"`
	tests := []struct{ name, in, want string }{
		{"a word", `{"text":"PIN 4711, thanks"}`, `{"text":"PIN •••, thanks"}`},
		{"a number", `{"data":{"pin":4711,"at":[4711]}}`, `{"data":{"pin":"•••","at":["•••"]}}`},
		{"in a number", `{"text":"order 147110"}`, `{"text":"order 147110"}`},
		{"in an id", `{` + id + `,"timestamp":"4711-01-01T00:00:00Z"}`, `{` + id + `,"timestamp":"4711-01-01T00:00:00Z"}`},
		{"part of a number", `{"data":{"pin":47110}}`, `{"data":{"pin":47110}}`},
		{"the protocol's numbers", `{"index":4711,"code":4711}`, `{"index":4711,"code":4711}`},
		{"between texts", `{"parts":[{"text":"4711"},{"text":"is it"}]}`, `{"parts":[{"text":"•••"},{"text":"is it"}]}`},
	}
	for _, tt := range tests {
		if got, _ := newConfidingMasker("4711").body(OpGet, []byte(tt.in)); string(got) != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
	raw, data, _ := newConfidingMasker("4711123456").frame(OpStream, []byte("data: {\"a\":14711123456}\n\n"), []byte(`{"a":14711123456}`), nil)
	if string(raw) != "data: {\"a\":\"•••\"}\n\n" || string(data) != `{"a":"•••"}` {
		t.Errorf("long number: got %s and %s, want a mask", raw, data)
	}
	if got, _ := newConfidingMasker("42").body(OpGet, []byte(`{"parts":[{"text":"42"},{"text":"in 42 days"}]}`)); string(got) != `{"parts":[{"text":"•••"},{"text":"in 42 days"}]}` {
		t.Errorf("two characters: got %s, want only the text of its own masked", got)
	}
}

func TestAnAnswerThatIsNoSecretMasksOnlyItself(t *testing.T) {
	t.Parallel()
	m := newConfidingMasker("Done!", "completed")
	in := `{"status":{"state":"completed","message":{"messageId":"m-9","parts":[{"text":"Done! It is completed."}]}}}`
	if got, _ := m.body(OpGet, []byte(in)); string(got) != in {
		t.Errorf("got %s, want no change", got)
	}
	in = `{"history":[{"messageId":"m-0","role":"user","parts":[{"kind":"text","text":"Done!"},{"data":{"a":["b",1,true]}}]}]}`
	want := `{"history":[{"messageId":"m-0","role":"user","parts":[{"kind":"text","text":"•••"},{"data":{"a":["•••","•••",true]}}]}]}`
	if got, _ := m.body(OpGet, []byte(in)); string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestTheMessageItselfIsMaskedWhateverItSays(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ in, want string }{
		{`{"method":"SendMessage","params":{"message":{"role":"ROLE_USER","parts":[{"text":"no"}],"metadata":{"a":"no"}}}}`,
			`{"method":"SendMessage","params":{"message":{"role":"ROLE_USER","parts":[{"text":"•••"}],"metadata":{"a":"•••"}}}}`},
		{`{"params":{"message":{"role":"user","parts":[{"kind":"text","text":"no","metadata":{"n":1,"b":true}},{"kind":"file","file":{"name":"key.pem","uri":"u"}}],"metadata":{"a":{"b":["x",2]}}},"metadata":{"c":"x"}}}`,
			`{"params":{"message":{"role":"user","parts":[{"kind":"text","text":"•••","metadata":{"n":"•••","b":true}},{"kind":"file","file":{"name":"•••","uri":"•••₁"}}],"metadata":{"a":{"b":["•••","•••"]}}},"metadata":{"c":"x"}}}`},
		{`{"message":{"content":[{"file":{"fileWithBytes":"bm8=","name":"n"}},{"data":{"data":{"pin":1}}}]},"metadata":{"message":{"parts":[{"text":"x"}]}}}`,
			`{"message":{"content":[{"file":{"fileWithBytes":"4oCi4oCi4oCi","name":"•••"}},{"data":{"data":{"pin":"•••"}}}]},"metadata":{"message":{"parts":[{"text":"x"}]}}}`},
	} {
		got, gone := newMasker(nil).request(OpSend, []byte(tt.in), true)
		if string(got) != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
		if whole, missing := Unmask(&Record{Kind: KindRequest, Head: &Head{}, Raw: got, Redactions: gone}); string(whole.Body) != tt.in || missing != nil {
			t.Errorf("got unmasked body %s, want %s", whole.Body, tt.in)
		}
	}
}

func TestASecretIsMaskedInTheChunksThatDivideIt(t *testing.T) {
	t.Parallel()
	frame := func(artifact, text string) string {
		b, _ := json.Marshal(map[string]any{"result": map[string]any{"artifactId": artifact, "parts": []any{map[string]any{"text": text}}}})
		return string(b)
	}
	tests := []struct {
		name   string
		chunks []string
		want   string
	}{
		{"two chunks", []string{"pw swordfi", "sh-99 ok"}, "pw •••|••• ok"},
		{"three chunks", []string{"sword", "fis", "h-99"}, "•••|•••|•••"},
		{"letter by letter", strings.Split("a swordfish-99.", ""), "a| |s|w|" + strings.Repeat("•••|", 10) + "."},
		{"an ordinary word", []string{"a swo", "llen eye"}, "a •••|llen eye"},
		{"two letters", []string{"a sw", "an"}, "a sw|an"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, e := newConfidingMasker("swordfish-99"), &echo{}
			var got []string
			for i, c := range tt.chunks {
				data := frame("a", c)
				raw, clean, _ := m.frame(OpStream, []byte("id: "+string(rune('0'+i))+"\ndata: "+data+"\n\n"), []byte(data), e)
				if !bytes.Contains(raw, clean) {
					t.Errorf("got raw frame %s, want it to contain data %s", raw, clean)
				}
				var v struct{ Result struct{ Parts []Part } }
				_ = json.Unmarshal(clean, &v)
				got = append(got, v.Result.Parts[0].Text)
				other := frame("b", "swo ")
				if _, clean, _ := m.frame(OpStream, []byte("data: "+other+"\n\n"), []byte(other), e); string(clean) != other {
					t.Errorf("another artifact: got %s, want %s", clean, other)
				}
			}
			if s := strings.Join(got, "|"); s != tt.want {
				t.Errorf("got  %s\nwant %s", s, tt.want)
			}
		})
	}
}

func TestAFrameOfManyLinesIsMaskedWhereItStands(t *testing.T) {
	t.Parallel()
	m := newConfidingMasker("swordfish-99")
	data := "{\"text\":\n\"sword\\u0066ish-99\"}"
	raw := ": swordfish-99\r\nid: swordfish-99\r\ndata: {\"text\":\r\ndata:\"sword\\u0066ish-99\"}\r\n\r\n"
	gotRaw, gotData, _ := m.frame(OpStream, []byte(raw), []byte(data), nil)
	if want := "{\"text\":\n\"•••\"}"; string(gotData) != want {
		t.Errorf("got data %q, want %q", gotData, want)
	}
	if want := ": •••\r\nid: •••₁\r\ndata: {\"text\":\r\ndata:\"•••\"}\r\n\r\n"; string(gotRaw) != want {
		t.Errorf("got raw %q, want %q", gotRaw, want)
	}
	gotRaw, gotData, _ = m.frame(OpStream, []byte("{\"text\":\n\"sword\\u0066ish-99\"}\n\n"), []byte("{\"text\":\n\"sword\\u0066ish-99\" }"), nil)
	if want := "data: {\"text\":\ndata: \"•••\" }\n\n"; string(gotRaw) != want || strings.Contains(string(gotData), "fish") {
		t.Errorf("lines without fields: got raw %q, data %q, want raw %q", gotRaw, gotData, want)
	}
}

func TestHeadsAndSentencesHoldNoSecretAnswer(t *testing.T) {
	t.Parallel()
	m := newConfidingMasker("swordfish-99", "4711")
	h, gone := m.header(http.Header{"X-Echo": {"a swordfish-99"}, "Location": {"/p?q=swordfish-99"}, "Content-Length": {"4711"}, "X-Pin": {"4711"}})
	if got := h.Get("X-Echo") + h.Get("Location") + h.Get("Content-Length") + h.Get("X-Pin"); got != "a •••/p?q=•••₁4711•••" || len(gone) != 3 {
		t.Errorf("got headers %s with %d redactions, want 3", got, len(gone))
	}
	if got := m.text("malformed HTTP response \"swordfish-99\""); got != "malformed HTTP response \"•••\"" {
		t.Errorf("got text %q, want the secret masked", got)
	}
}

func TestSpansThatOverlapAreMaskedAsOne(t *testing.T) {
	t.Parallel()
	m := newConfidingMasker("abcdefgh", "efghijkl")
	if got, _ := m.body(OpGet, []byte(`{"text":"abcdefghijkl."}`)); string(got) != `{"text":"•••."}` {
		t.Errorf("got %s, want one mask", got)
	}
}

func FuzzSecretsLeaveJSONWhole(f *testing.F) {
	f.Add("swordfish-99", `{"text":"swordfish-99","data":{"a":4711}}`)
	f.Add("4711", `{"text":"\u0034711","data":{"a":4711}}`)
	f.Add(`a"b\c`, `{"result":{"parts":[{"text":"a\"b"},{"text":"\\c"}]}}`)
	f.Fuzz(func(t *testing.T, secret, body string) {
		m := newConfidingMasker(secret)
		got, gone := m.body(OpGet, []byte(body))
		if string(restoreSecrets(got, gone)) != body {
			t.Errorf("cannot restore %q from %q", body, got)
		}
		if json.Valid([]byte(body)) && !json.Valid(got) {
			t.Errorf("got invalid JSON %q of valid %q", got, body)
		}
		raw := "data: " + body + "\n\n"
		m.frame(OpStream, []byte(raw), []byte(body), &echo{})
		if len(secret) >= 12 && !commonplace(secret) && strings.TrimSpace(secret) == secret && !strings.Contains(Mask, secret) && bytes.Contains(got, []byte(secret)) {
			t.Errorf("secret %q is in %q", secret, got)
		}
	})
}
