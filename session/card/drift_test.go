package card

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"parley/a2a"
)

// read reads a card as it came from an address.
func read(t testing.TB, text, from string) *a2a.Card {
	t.Helper()
	cards, _, err := a2a.ParseCard([]byte(text), from)
	if err != nil {
		t.Fatalf("got %v, want a card: %s", err, text)
	}
	return cards[0]
}

const driftCard = `{"name":"Desk","description":"d","version":"1","provider":{"organization":"Us","url":"https://us.example/a"},
"supportedInterfaces":[{"url":"https://h/a","protocolBinding":"JSONRPC","protocolVersion":"1.0"},{"url":"https://h/b","protocolBinding":"HTTP+JSON","protocolVersion":"1.0"}],
"securitySchemes":{"key":{"apiKeySecurityScheme":{"location":"header","name":"X-Key","description":"a key"}}},"securityRequirements":[{"schemes":{"key":{"list":[]}}}],
"capabilities":{"streaming":false},"skills":[{"id":"a","name":"Book","tags":["x"]},{"id":"b","name":"Cancel","tags":[]}],
"signatures":[{"protected":"SIGNER","signature":"c2ln"}]}`

func signedBy(kid string) string {
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, `{"alg":"ES256","kid":%q}`, kid))
}

// Every member that differs is named with its severity, and what asks the user comes first.
func TestDriftNamesMembersWithTheirSeverity(t *testing.T) {
	base := strings.Replace(driftCard, "SIGNER", signedBy("k1"), 1)
	tests := []struct{ name, old, new, want string }{
		{"name", `"Desk"`, `"Bureau"`, `other /name is now "Bureau"; it was "Desk"`},
		{"description of a scheme", `"a key"`, `"another key"`, `other /securitySchemes/key/apiKeySecurityScheme/description`},
		{"place of a key", `"location":"header"`, `"location":"query"`, `security /securitySchemes/key/apiKeySecurityScheme/location is now "query"; it was "header"`},
		{"requirement", `"securityRequirements":[{"schemes":{"key":{"list":[]}}}]`, `"securityRequirements":[]`, `security /securityRequirements/0 is gone`},
		{"snake case", `"securityRequirements":`, `"security_requirements":[{"schemes":{"other":{"list":[]}}}],"x":`, `security /security_requirements is new`},
		{"requirement of a skill", `"name":"Cancel"`, `"name":"Cancel","securityRequirements":[{"schemes":{"key":{"list":["admin"]}}}]`, `security /skills/1/securityRequirements is new`},
		{"endpoint", `https://h/a`, `https://evil/a`, `address /supportedInterfaces/0/url is now "https://evil/a"; it was "https://h/a"`},
		{"a new interface", `"supportedInterfaces":[`, `"supportedInterfaces":[{"url":"https://evil/","protocolBinding":"JSONRPC","protocolVersion":"1.0"},`, `address /supportedInterfaces/0 is new`},
		{"binding", `"HTTP+JSON"`, `"GRPC"`, `address /supportedInterfaces/1/protocolBinding is now "GRPC"; it was "HTTP+JSON"`},
		{"version of an interface", `"JSONRPC","protocolVersion":"1.0"`, `"JSONRPC","protocolVersion":"1.1"`, `other /supportedInterfaces/0/protocolVersion`},
		{"tenant", `"protocolBinding":"JSONRPC"`, `"protocolBinding":"JSONRPC","tenant":"t"`, `address /supportedInterfaces/0/tenant is new: "t"`},
		{"order of interfaces", `{"url":"https://h/a","protocolBinding":"JSONRPC","protocolVersion":"1.0"},{"url":"https://h/b","protocolBinding":"HTTP+JSON","protocolVersion":"1.0"}`,
			`{"url":"https://h/b","protocolBinding":"HTTP+JSON","protocolVersion":"1.0"},{"url":"https://h/a","protocolBinding":"JSONRPC","protocolVersion":"1.0"}`, `address /supportedInterfaces is now`},
		{"host of the provider", `https://us.example/a`, `https://them.example/a`, `address /provider/url`},
		{"page of the provider", `https://us.example/a`, `https://us.example/b`, `other /provider/url`},
		{"another signer", signedBy("k1"), signedBy("k2"), `security The card is now signed with ES256 key "k2"; it was signed with ES256 key "k1".`},
		{"no signature", `"signatures":[{"protected":"` + signedBy("k1") + `","signature":"c2ln"}]`, `"x":1`, `security The card is no longer signed; it was signed with ES256 key "k1".`},
		{"a member twice", `"capabilities"`, `"supportedInterfaces":[{"url":"https://evil/","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],"capabilities"`, `address /supportedInterfaces`},
		{"an inserted skill", `"skills":[`, `"skills":[{"id":"new","name":"New","tags":[]},`, `other /skills/0 is new`},
	}
	const from = "https://h/.well-known/agent-card.json"
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if !strings.Contains(base, tt.old) {
				t.Fatalf("the card has no %s", tt.old)
			}
			now := strings.Replace(base, tt.old, tt.new, 1)
			now = strings.Replace(now, `"streaming":false`, `"streaming":true`, 1) // what is listed comes last
			got := Drift(read(t, base, from), read(t, now, from), nil)
			if len(got) == 0 {
				t.Fatal("got no difference")
			}
			if text := got[0].Severity.String() + " " + got[0].Sentence(); !strings.Contains(text, tt.want) && !strings.Contains(said(got), tt.want) {
				t.Errorf("got %s, want %s first", said(got), tt.want)
			}
			if asks := !strings.HasPrefix(tt.want, "other"); asks != (Asking(got) > 0) || asks != got[0].Severity.Asks() {
				t.Errorf("got %d differences that ask, want some: %v\n%s", Asking(got), asks, said(got))
			}
			if len(got) > 4 {
				t.Errorf("got %d differences, want those that were made:\n%s", len(got), said(got))
			}
		})
	}
}

func said(list []Difference) string {
	var b strings.Builder
	for i := range list {
		fmt.Fprintf(&b, "%s %s\n", list[i].Severity, list[i].Sentence())
	}
	return b.String()
}

// A card that says the same is the same, and one of another origin is not.
func TestDriftOfEqualCards(t *testing.T) {
	one := read(t, driftCard, "https://h/card.json")
	other := strings.Replace(driftCard, `"description":"d","version":"1"`, `"version":"1","description":"d"`, 1)
	other = strings.Replace(other, `{"id":"a","name":"Book","tags":["x"]},{"id":"b","name":"Cancel","tags":[]}`, `{"id":"b","tags":[],"name":"Cancel"},{"id":"a","name":"Book","tags":["x"]}`, 1)
	if got := Drift(one, read(t, other, "https://h/.well-known/agent-card.json"), nil); len(got) != 0 {
		t.Errorf("got %s, want no differences: only the order changed", said(got))
	}
	got := Drift(one, read(t, driftCard, "https://evil/card.json"), nil)
	if len(got) != 1 || got[0].Severity != Address || !strings.HasPrefix(got[0].Sentence(), "the origin of the card is now") {
		t.Errorf("got %s, want another origin", said(got))
	}
}

// However many members a hostile card has, what asks is neither lost nor behind others.
func TestDriftOfHostileCards(t *testing.T) {
	var members strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&members, `"a%d":"%s",`, i, strings.Repeat("x", 500))
	}
	now := strings.Replace(strings.Replace(driftCard, "{", "{"+members.String(), 1), "https://h/a", "https://evil/a", 1)
	got := Drift(read(t, driftCard, ""), read(t, now, ""), nil)
	if len(got) != maxDifferences || got[0].Pointer != "/supportedInterfaces/0/url" {
		t.Errorf("got %d differences, the first %+v; want %d, the URL first", len(got), got[0], maxDifferences)
	}
	for _, d := range got {
		if len(d.New) > maxValue+10 {
			t.Fatalf("got a value of %d bytes, want it cut", len(d.New))
		}
	}
	long := strings.Replace(driftCard, `"d"`, `"`+strings.Repeat("d", maxDrift)+`"`, 1)
	if got := Drift(read(t, driftCard, ""), read(t, long, ""), nil); len(got) != 1 || got[0].Severity != Other {
		t.Errorf("got %s, want one sentence about a card that is too long", said(got))
	}
	evil := strings.Replace(long, "https://h/a", "https://evil/a", 1)
	if got := Drift(read(t, driftCard, ""), read(t, evil, ""), nil); Asking(got) == 0 {
		t.Errorf("got %s, want the new address of a card that is too long", said(got))
	}
}

func FuzzDrift(f *testing.F) {
	f.Add(driftCard, driftCard)
	f.Add(driftCard, strings.Replace(driftCard, "https://h", "http://[::1", -1))
	f.Add(`{"name":"a","url":"/"}`, `{"name":"a","url":null,"skills":[1,{"id":2}],"provider":3}`)
	f.Fuzz(func(t *testing.T, a, b string) {
		one, _, err := a2a.ParseCard([]byte(a), "https://h/")
		if err != nil {
			return
		}
		two, _, err := a2a.ParseCard([]byte(b), "https://h/")
		if err != nil {
			return
		}
		for i, d := range Drift(one[0], two[0], nil) {
			if d.Sentence() == "" || i > maxDifferences {
				t.Fatalf("got difference %d %+v", i, d)
			}
		}
		if got := Drift(one[0], one[0], nil); len(got) != 0 {
			t.Fatalf("got %s, want no difference of a card to itself", said(got))
		}
	})
}
