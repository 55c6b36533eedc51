package redact

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"parley/a2a"
)

func compile(t testing.TB, patterns ...string) *Patterns {
	t.Helper()
	p, err := Compile(patterns)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestBodiesAreMasked(t *testing.T) {
	p := compile(t, `4111[ -]?1111`, `anna@example\.org`, `"ssn":\s*"[^"]*"`, `näher`, "two\nlines")
	for in, want := range map[string]string{
		`{"a":"x 4111 1111 y"}`:                          `{"a":"x ••• y"}`,
		`{"a":"\u0034111\u00201111"}`:                    `{"a":"•••"}`,
		`{"a":41111111,"b":1}`:                           `{"a":"•••","b":1}`,
		`{"ssn": "078-05-1120", "b":"c"}`:                `{"ssn": "•••", "b":"c"}`,
		`{"anna@example.org":{"n\u00e4her":"naeher"}}`:   `{"•••":{"•••":"naeher"}}`,
		`{"a":"two\nlines","b":"two\\nlines"}`:           `{"a":"•••","b":"two\\nlines"}`,
		`{"a":"YW5uYUBleGFtcGxlLm9yZw=="}`:               `{"a":"•••"}`,
		`plain 41111111, anna@example.org`:               `plain •••, •••`,
		`{"a":"4111-1111`:                                `{"a":"•••`,
		`{"a":"nothing","b":[1,true,null],"c":"\"x\""}`:  `{"a":"nothing","b":[1,true,null],"c":"\"x\""}`,
		"\xff\xfe 41111111":                              "\xff\xfe •••",
		`{"emoji":"\ud83d\ude00 41111111 \ud83d\ude00"}`: `{"emoji":"\ud83d\ude00 ••• \ud83d\ude00"}`,
	} {
		r := a2a.Record{Kind: a2a.KindBody, Raw: []byte(in)}
		p.Record(&r)
		if string(r.Raw) != want {
			t.Errorf("%s: got %s, want %s", in, r.Raw, want)
		}
		for _, gone := range r.Redactions {
			if got := string(r.Raw[gone.Offset : gone.Offset+gone.Length]); got != a2a.Mask {
				t.Errorf("%s: got a redaction of %q, want the mask", in, got)
			}
		}
		if (len(r.Redactions) > 0) != (in != want) {
			t.Errorf("%s: got redactions %v, want one for each mask", in, r.Redactions)
		}
	}
}

func TestFramesAndHeadsAreMasked(t *testing.T) {
	p := compile(t, `topsecret`, `a b`)
	r := a2a.Record{
		ID: 1, Exchange: 1, Kind: a2a.KindEvent, SSE: &a2a.SSEFields{ID: "topsecret-1"}, Call: &a2a.Call{Endpoint: "http://h/topsecret"},
		Raw:        []byte("id: topsecret-1\r\ndata: {\"a\":\"•••\",\r\ndata: \"b\":\"top\\u0073ecret\"}\r\n\r\n"),
		Redactions: []a2a.Redaction{{Name: "token", Offset: 29, Length: 9, Hash: "x"}},
		Head: &a2a.Head{URL: "http://h/p%20x/a%20b?q=tops%65cret&r=1", Header: http.Header{"X": {"topsecret"}},
			Wire: "GET /a%20b HTTP/1.1\r\nX: topsecret\r\n\r\n"},
		Coding: &a2a.ContentCoding{Bytes: []byte("zip")},
		Note:   &a2a.Note{Attrs: map[string]string{"sentence": "topsecret", "profile": `{"a":"topsecret"}`}},
		End:    &a2a.End{Sentence: "topsecret", Trailer: &a2a.Head{Header: http.Header{"Y": {"topsecret"}}}},
	}
	p.Record(&r)
	all, _ := json.Marshal(r)
	if text := strings.ToLower(string(all) + string(r.Raw)); strings.Contains(text, "topsecret") || strings.Contains(text, "a%20b") || strings.Contains(string(r.Raw), "u0073") {
		t.Errorf("got %s\n%s, want no secret", all, r.Raw)
	}
	if want := "id: •••-1\r\ndata: {\"a\":\"•••\",\r\ndata: \"b\":\"•••\"}\r\n\r\n"; string(r.Raw) != want {
		t.Errorf("got %q, want %q", r.Raw, want)
	}
	if r.Coding.Bytes != nil || r.Coding.LossReason == "" {
		t.Errorf("got coding %+v, want it without its bytes", r.Coding)
	}
	for _, gone := range r.Redactions {
		if gone.Length > 0 && string(r.Raw[gone.Offset:gone.Offset+gone.Length]) != a2a.Mask {
			t.Errorf("got redaction %+v, want one of a mask in %q", gone, r.Raw)
		}
	}
}

func TestABinaryMessageLosesItsBytes(t *testing.T) {
	r := a2a.Record{Kind: a2a.KindBody, Raw: []byte(`{"a":"topsecret"}`), Binary: &a2a.Binary{Kind: "x", Bytes: []byte("topsecret")}}
	compile(t, "topsecret").Record(&r)
	if r.Binary.Bytes != nil || !r.Binary.Rebuilt || string(r.Raw) != `{"a":"•••"}` {
		t.Errorf("got %+v and %s, want the masked rendering alone", r.Binary, r.Raw)
	}
}

func TestBadPatternsAreRefused(t *testing.T) {
	for pattern, says := range map[string]string{"(": "is no regular expression", "a*": "matches the empty text"} {
		if _, err := Compile([]string{pattern}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: got %v, want %q", pattern, err, says)
		}
	}
}

// FuzzBody checks that JSON stays JSON, and that nothing matches any more.
func FuzzBody(f *testing.F) {
	for _, seed := range []string{`{"a":"secret"}`, `{"a":"s\u0065cret","b":[7,"secret"]}`, "data: {\"x\":\"secret\"}\n\n", "secret:0", `"`, `{"a":"\`, "1000000000000000000000000000"} {
		f.Add([]byte(seed), false)
		f.Add([]byte(seed), true)
	}
	p := compile(f, "secret", "7+")
	f.Fuzz(func(t *testing.T, b []byte, frame bool) {
		masked, _ := p.bytes(b, frame, nil)
		if !frame && json.Valid(b) {
			var v any
			d := json.NewDecoder(bytes.NewReader(masked))
			d.UseNumber() // a float has other digits
			if err := d.Decode(&v); err != nil || !json.Valid(masked) {
				t.Fatalf("%q became %q: %v", b, masked, err)
			}
			if text, _ := json.Marshal(v); strings.Contains(string(text), "secret") || strings.Contains(string(text), "7") && !strings.Contains(string(text), `\u`) {
				t.Fatalf("%q became %q, want all masked", b, masked)
			}
		}
		if strings.Contains(string(masked), "secret") {
			t.Fatalf("%q became %q, want all masked", b, masked)
		}
	})
}

func TestClaimsAndClientsAreMasked(t *testing.T) {
	p := compile(t, `corp\.example`)
	token := &a2a.TokenClaims{Issuer: "https://id.corp.example", Audience: []string{"https://b.corp.example/a2a"}}
	call := &a2a.Call{Tapped: &a2a.Tapped{Tap: "b", Client: "corp.example/1.0"}}
	r := a2a.Record{ID: 1, Exchange: 1, Kind: a2a.KindRequest, Call: call,
		Redactions: []a2a.Redaction{{Name: "header Authorization", Credential: &a2a.Credential{Scheme: "bearer", Token: token}}}}
	p.Record(&r)
	got := r.Redactions[0].Credential.Token
	if got.Issuer != "https://id.•••" || got.Audience[0] != "https://b.•••/a2a" || r.Call.Tapped.Client != "•••/1.0" {
		t.Errorf("got %+v and %+v, want masks in both", got, r.Call.Tapped)
	}
	if token.Issuer != "https://id.corp.example" || token.Audience[0] != "https://b.corp.example/a2a" {
		t.Errorf("got %+v, want the original unchanged", token)
	}
}
