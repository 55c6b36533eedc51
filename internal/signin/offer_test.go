package signin

import (
	"slices"
	"strings"
	"testing"

	"parley/a2a"
	"parley/a2a/challenge"
)

// An agent's card, its skills and its refusal say what to offer; the rest may be entered anyway.
func TestOffersAreThoseOfTheCardAndTheRefusal(t *testing.T) {
	need := func(names ...string) (r a2a.SecurityRequirement) {
		for _, n := range names {
			r = append(r, a2a.SchemeScopes{Scheme: n})
		}
		return r
	}
	card := &a2a.Card{
		SecuritySchemes: []a2a.SecurityScheme{
			{Key: "k", Type: "apiKey", In: "header", Name: "X-Desk"}, {Key: "b", Type: "http", Scheme: "Basic"}, {Key: "d", Type: "http", Scheme: "Digest"},
			{Key: "i", Type: "openIdConnect"}, {Key: "m", Type: "mutualTLS"},
		},
		Security: []a2a.SecurityRequirement{need("d"), need("k", "b"), need("i"), need("m")},
		Skills:   []a2a.Skill{{Name: "Book\x1b[2J", Security: []a2a.SecurityRequirement{need("b")}}, {Name: "Look"}},
	}
	bearer := []challenge.Challenge{{Scheme: "bearer", Params: map[string]string{}}}
	for name, c := range map[string]struct {
		card    *a2a.Card
		refusal []challenge.Challenge
		want    string
	}{
		"nothing":     {nil, nil, "bearer token (3); name and password (3)"},
		"a challenge": {nil, []challenge.Challenge{{Scheme: "Basic", Params: map[string]string{}}}, "name and password (2); bearer token (3)"},
		"a card": {card, nil, "API key in the header X-Desk and name and password (0); OpenID Connect, sign in with a browser (0); OpenID Connect, enter a code on any device (0); " +
			"OpenID Connect, with a client's secret (0); name and password (1); http Digest (0); client certificate (--cert FILE) (0); bearer token (3)"},
		"both": {card, bearer, "OpenID Connect, sign in with a browser (0); OpenID Connect, enter a code on any device (0); OpenID Connect, with a client's secret (0); " +
			"API key in the header X-Desk and name and password (0); name and password (1); http Digest (0); client certificate (--cert FILE) (0); bearer token (3)"},
		"a challenge that the card forgets": {card, []challenge.Challenge{{Scheme: "DPoP", Params: map[string]string{}}}, "API key in the header X-Desk and name and password (0); " +
			"OpenID Connect, sign in with a browser (0); OpenID Connect, enter a code on any device (0); OpenID Connect, with a client's secret (0); name and password (1); " +
			"http Digest (0); client certificate (--cert FILE) (0); http DPoP (2); bearer token (3)"},
	} {
		var got []string
		for _, o := range Offers(c.card, c.refusal) {
			got = append(got, o.Way.Words()+" ("+string('0'+rune(o.Source))+")")
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s: got\n%s, want\n%s", name, strings.Join(got, "; "), c.want)
		}
	}
	skills := slices.DeleteFunc(Offers(card, nil), func(o Offer) bool { return o.Source != FromSkill })
	if len(skills) != 1 || skills[0].Skill != "Book [2J" {
		t.Errorf("got %+v, want the way of the skill", skills)
	}
}

func TestAChallengeIsExplained(t *testing.T) {
	for header, want := range map[string]string{
		`Bearer realm="desk", scope="read", error="invalid_token", error_description="it is old"`: "a bearer token for “desk” with the scopes read; it says that the token has expired, was revoked, or is not for this agent (it is old)",
		`Basic realm="x"`: "a name and a password for “x”",
		`DPoP`:            "credentials of the scheme DPoP",
		"Bearer error=\"\x1b[2J\", realm=\"" + strings.Repeat("y", 5000) + "\"": "a bearer token for “" + strings.Repeat("y", 200) + "…”; it says that it refused them: [2J",
		`Bearer error="insufficient_scope"`:                                     "a bearer token; it says that the token does not allow this",
	} {
		all := challenge.Of(map[string][]string{"Www-Authenticate": {header}})
		if got := Explain(all[0]); got != want {
			t.Errorf("%.40q: got %q, want %q", header, got, want)
		}
	}
}

// The credentials of a card of A2A 0.1 are a text, which may be JSON with the addresses of a server.
func TestCredentialsOf01NameAServer(t *testing.T) {
	for text, want := range map[string]string{
		`{"tokenUrl":"https://login.example/t"}`: "OAuth2:client-credentials[] OAuth2:bearer[]",
		`{"authorizationUrl":"https://login.example/a","tokenUrl":"https://login.example/t","scopes":["read"]}`:         "OAuth2:code[read] OAuth2:client-credentials[read] OAuth2:bearer[read]",
		`{"token_endpoint":"https://l.example/t","device_authorization_endpoint":"https://l.example/d","scopes":"a b"}`: "OAuth2:device[a b] OAuth2:client-credentials[a b] OAuth2:bearer[a b]",
		`{"issuer":"https://login.example","scopes":{"a":"what a does"}}`:                                               "OAuth2:code[] OAuth2:device[] OAuth2:client-credentials[] OAuth2:bearer[]",
		`{"note":"ask Ann"}`: "OAuth2:bearer[]",
		`[1]`:                "OAuth2:bearer[]",
		``:                   "OAuth2:bearer[]",
	} {
		card := &a2a.Card{SecuritySchemes: []a2a.SecurityScheme{{Key: "OAuth2", Type: "legacy", Scheme: "OAuth2", Credentials: text, CredentialsJSON: []byte(text)}}}
		if got := words(Ways(card)); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
	key := a2a.SecurityScheme{Type: "legacy", Scheme: "apiKey", CredentialsJSON: []byte(`{"in":"header","name":"X-Desk"}`)}
	if ways := Ways(&a2a.Card{SecuritySchemes: []a2a.SecurityScheme{key}}); len(ways) != 1 || ways[0].Words() != "API key in the header X-Desk" {
		t.Errorf("got %+v, want where the key goes", ways)
	}
}
