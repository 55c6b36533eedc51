package card

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"parley/a2a"
)

// Every security change is named, first, in both directions, however much else changes.
func TestChangesOfSecurityComeFirst(t *testing.T) {
	base := func() *a2a.Card {
		return &a2a.Card{
			Name: "Desk", Description: "d", Version: "1", SourceURL: "https://h/card.json",
			Interfaces: []a2a.Interface{
				{URL: "https://h/a", Binding: a2a.BindingJSONRPC, Version: "1.0"},
				{URL: "https://h/b", Binding: a2a.BindingREST, Version: "1.0"},
			},
			SecuritySchemes: []a2a.SecurityScheme{{Key: "bearer", Type: "http", Scheme: "Bearer"},
				{Key: "sso", Type: "oauth2", Flows: []a2a.OAuthFlow{{Type: "clientCredentials", TokenURL: "https://h/token"}}}},
			Security:   []a2a.SecurityRequirement{{{Scheme: "bearer"}}},
			Signatures: []a2a.Signature{{Protected: signedBy("k1"), Signature: "c2ln"}},
			Skills:     []a2a.Skill{{ID: "a", Name: "Book"}},
		}
	}
	tests := []struct {
		name   string
		change func(*a2a.Card)
		want   string // of the first sentence

	}{
		{"requirement gone", func(c *a2a.Card) { c.Security = nil }, "no longer requires credentials; it required bearer."},
		{"requirement changed", func(c *a2a.Card) { c.Security[0][0].Scheme = "sso" }, "now requires sso; it required bearer."},
		{"scopes", func(c *a2a.Card) { c.Security[0][0].Scopes = []string{"admin"} }, "now requires bearer (admin)"},
		{"an alternative without credentials", func(c *a2a.Card) { c.Security = append(c.Security, a2a.SecurityRequirement{}) }, "bearer or no credentials"},
		{"requirement of a skill", func(c *a2a.Card) { c.Skills[0].Security = c.Security }, "The skill Book now requires bearer."},
		{"scheme gone", func(c *a2a.Card) { c.SecuritySchemes = c.SecuritySchemes[:1] }, "The security scheme sso (oauth2"},
		{"scheme of another type", func(c *a2a.Card) {
			c.SecuritySchemes[0] = a2a.SecurityScheme{Key: "bearer", Type: "apiKey", In: "query", Name: "k"}
		},
			"bearer is now apiKey in query named k; it was http Bearer."},
		{"token server", func(c *a2a.Card) { c.SecuritySchemes[1].Flows[0].TokenURL = "https://evil/token" }, "https://evil/token"},
		{"endpoint", func(c *a2a.Card) { c.Interfaces[0].URL = "https://h/c" }, "There is a new interface: JSON-RPC at https://h/c."},
		{"origin of an endpoint", func(c *a2a.Card) { c.Interfaces[1].URL, c.Interfaces[0].URL = "https://evil/a", "https://h/c" }, "https://evil/a, at a new origin."},
		{"order of endpoints", func(c *a2a.Card) { slices.Reverse(c.Interfaces) }, "The preferred interface is now HTTP+JSON at https://h/b"},
		{"version of an endpoint", func(c *a2a.Card) { c.Interfaces[0].Version = "0.3" }, "now speaks 0.3; it spoke 1.0."},
		{"protocol version", func(c *a2a.Card) { c.ProtocolVersion = "0.3.0" }, `protocol version is now "0.3.0"`},
		{"signatures gone", func(c *a2a.Card) { c.Signatures = nil }, `The card is no longer signed; it was signed with ES256 key "k1".`},
		{"another key", func(c *a2a.Card) { c.Signatures[0].Protected = signedBy("k2") }, `The card is now signed with ES256 key "k2"; it was signed with ES256 key "k1".`},
		{"no signature left", func(c *a2a.Card) { c.Signatures[0].Signature = "" }, "The card is now signed with an unreadable signature"},
		{"the card comes from elsewhere", func(c *a2a.Card) { c.SourceURL = "https://evil/card.json" }, `origin of the card is now "https://evil"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			now := base()
			now.Name, now.Description, now.Version = "Other", "other", "2"
			now.Skills = append(now.Skills, a2a.Skill{Name: "New"})
			tt.change(now)
			for _, got := range [][]Change{Changes(base(), now), kept(t, base(), now)} {
				if len(got) < 5 || !strings.Contains(got[0].Sentence, tt.want) || !got[0].Security {
					t.Fatalf("got changes %+v, want a security change with %q first", got, tt.want)
				}
				if n := CountSecurity(got); slices.ContainsFunc(got[n:], func(c Change) bool { return c.Security }) || n == 0 {
					t.Errorf("got security changes behind others: %+v", got)
				}
			}
			if back := Changes(now, base()); len(back) < 5 || !back[0].Security {
				t.Errorf("got changes %+v in the opposite direction, want at least 5, a security change first", back)
			}
		})
	}
	if got := Changes(base(), base()); got != nil {
		t.Errorf("got changes %+v for the same card, want none", got)
	}
}

// kept compares with a card whose snapshot was written to a file meanwhile.
func kept(t *testing.T, old, now *a2a.Card) []Change {
	t.Helper()
	data, err := json.Marshal(NewSnapshot(old))
	if err != nil {
		t.Fatal(err)
	}
	var before Snapshot
	if err := json.Unmarshal(data, &before); err != nil {
		t.Fatal(err)
	}
	return Compare(before, NewSnapshot(now))
}

func TestASnapshotHoldsNoSecretsAndNoOrder(t *testing.T) {
	card := &a2a.Card{
		Name: "Desk", Raw: []byte(`{"a":1,"b":2}`), SourceURL: "https://user:hunter2hunter2@h/card?key=hunter2hunter2",
		Interfaces:      []a2a.Interface{{URL: "https://user:hunter2hunter2@h/a?api_key=hunter2hunter2", Binding: a2a.BindingJSONRPC}},
		SecuritySchemes: []a2a.SecurityScheme{{Key: "k", Type: "legacy", Credentials: "hunter2hunter2", OpenIDConnectURL: "https://u:hunter2hunter2@h/"}},
	}
	data, err := json.Marshal(NewSnapshot(card))
	if err != nil || strings.Contains(string(data), "hunter2") {
		t.Errorf("snapshot contains the password or is not JSON (%v): %s", err, data)
	}
	other := *card
	other.Raw = []byte(`{ "b": 2, "a": 1 }`)
	if got := Changes(card, &other); got != nil {
		t.Errorf("got changes %+v for another order of members, want none", got)
	}
}
