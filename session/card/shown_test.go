package card

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"parley/a2a"
)

// secretCard is a card with a secret at each place where cards have them; plant replaces every
// SECRET by another one of that look.
const secretCard = `{"name":"Desk","description":"call it with Authorization: Bearer SECRET or with X-Api-Key: SECRET","version":"1",
"documentationUrl":"https://docs.example/a?sig=SECRET","iconUrl":"https://desk:SECRET@icons.example/i.png","provider":{"organization":"Us","url":"https://SECRET@us.example/"},
"supportedInterfaces":[{"url":"https://desk.example/hooks/SECRET/rpc?k=SECRET#SECRET","protocolBinding":"JSONRPC","protocolVersion":"1.0"},{"url":"/rpc?token=SECRET","protocolBinding":"GRPC","protocolVersion":"1.0"}],
"securitySchemes":{"key":{"apiKeySecurityScheme":{"location":"header","name":"X-Key","example":"SECRET","x-value":["SECRET"]}},
 "sso":{"oauth2SecurityScheme":{"client_secret":"SECRET","clientSecret":"SECRET","flows":{"clientCredentials":{"tokenUrl":"https://id.example/token?client_secret=SECRET","scopes":{"a":"b"},"secret":"SECRET"}}}}},
"authentication":{"schemes":["Bearer"],"credentials":"SECRET"},
"capabilities":{"extensions":[{"uri":"https://x.example/ext?key=SECRET","params":{"password":"SECRET","pin":{"value":"SECRET"},"headers":{"X-Custom":"SECRET"},"header":{"name":"X-Api-Key","value":"SECRET"},"env":["SECRET"]}}]},
"skills":[{"id":"a","name":"Book","description":"a token=SECRET","examples":["curl -H 'Cookie: sid=SECRET' https://h/?x=SECRET"],"tags":["x"]}],
"metadata":{"session_token":"SECRET","signature":"SECRET"}}`

// plant returns the card with a secret.
func plant(t testing.TB, secret string) *a2a.Card {
	t.Helper()
	return read(t, strings.ReplaceAll(secretCard, "SECRET", secret), "https://desk.example/.well-known/agent-card.json")
}

// without returns the card without one of its members.
func without(t testing.TB, c *a2a.Card, name string) *a2a.Card {
	t.Helper()
	var members map[string]any
	if err := json.Unmarshal(c.Raw, &members); err != nil {
		t.Fatal(err)
	}
	delete(members, name)
	raw, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	return read(t, string(raw), c.SourceURL)
}

// told returns everything that is said of the differences between two cards: as text, as JSON, of a
// card and of its stored snapshot.
func told(t *testing.T, old, now *a2a.Card) string {
	t.Helper()
	drift := Drift(old, now, nil)
	data, err := json.Marshal(drift)
	if err != nil {
		t.Fatal(err)
	}
	text := said(drift) + string(data)
	for _, changes := range [...][]Change{Changes(old, now), kept(t, old, now)} {
		for _, c := range changes {
			text += "\n" + c.Sentence
		}
	}
	return text
}

// A secret in a card is told neither as an old value nor as a new one, wherever it stands, whether it
// is changed, added, removed, or masked in one of the cards.
func TestNoValueOfADifferenceIsASecret(t *testing.T) {
	const one, two = "Pl4nted-S3cret-One", "Pl4nted-S3cret-Two"
	old, now, masked := plant(t, one), plant(t, two), plant(t, a2a.Mask)
	pairs := map[string][2]*a2a.Card{"changed": {old, now}, "masked": {old, masked}, "unmasked": {masked, now}}
	for _, member := range []string{"description", "documentationUrl", "iconUrl", "provider", "supportedInterfaces", "securitySchemes", "authentication", "capabilities", "skills", "metadata"} {
		pairs["without "+member] = [2]*a2a.Card{old, without(t, old, member)}
		pairs["with "+member] = [2]*a2a.Card{without(t, old, member), old}
	}
	for name, pair := range pairs {
		text := told(t, pair[0], pair[1])
		for _, secret := range []string{one, two, "S3cret"} {
			if i := strings.Index(text, secret); i >= 0 {
				t.Errorf("%s: got %q", name, text[max(0, i-120):min(len(text), i+40)])
				break
			}
		}
	}
	text := told(t, old, now)
	for _, want := range []string{"https://desk.example/hooks/•••/rpc?k=•••", "/authentication/credentials has changed in a part that is not shown", `call it with Authorization: Bearer •••`} {
		if !strings.Contains(text, want) {
			t.Errorf("got no %q in\n%s", want, text)
		}
	}
}

// What is no secret stays readable, so that a user can judge a difference.
func TestADifferenceStaysReadable(t *testing.T) {
	for _, v := range []string{
		"https://desk.example/a2a/3f2504e0-4f89-41d3-9a0c-0305e82c3301/rpc", "https://desk.example/v1.0.2/agents/travel-desk-2024", "apiKey in header named X-Api-Key",
		"A token is needed; ask the help desk for a key.", "basic 2024 plan", "Bearer token", "openIdConnect", "https://desk.example:8443/TravelDesk/rpc#setup", "password reset in 3 steps",
		"grpc://desk.example:443", "mailto:a@desk.example", "urn:example:ext:v2",
	} {
		if got := shownText(v); got != v {
			t.Errorf("got %q, want %q", got, v)
		}
	}
	old := strings.NewReplacer("X-Key", "X-One", "https://h/a", "https://h/a?ticket=b").Replace(driftCard)
	got := said(Drift(read(t, driftCard, ""), read(t, old, ""), nil))
	for _, want := range []string{`name is now "X-One"; it was "X-Key"`, `/supportedInterfaces/0/url is now "https://h/a?ticket=•••"; it was "https://h/a"`} {
		if !strings.Contains(got, want) {
			t.Errorf("got %s, want %q", got, want)
		}
	}
}

// A credential of the session that stands in an approved card is masked by those who know it.
func TestSecretsOfASessionAreMaskedInDifferences(t *testing.T) {
	var secrets a2a.Secrets
	secrets.Add("open-sesame-please")
	old := strings.NewReplacer(`"description":"d"`, `"description":"say open-sesame-please"`, `https://h/a`, `https://h/open-sesame-please/a`).Replace(driftCard)
	drift := Mask(Drift(read(t, old, ""), read(t, driftCard, ""), nil), secrets.Mask)
	changes := MaskChanges(Changes(read(t, old, ""), read(t, driftCard, "")), secrets.Mask)
	if text := said(drift) + fmt.Sprint(drift, changes); strings.Contains(text, "sesame") || !strings.Contains(text, "it was \"say •••\"") {
		t.Errorf("got %s, want the secret masked", text)
	}
	if Mask(nil, secrets.Mask) != nil || MaskChanges(nil, secrets.Mask) != nil {
		t.Error("got differences of nothing")
	}
}

// A mask in a new value tells what to mask in the old one, if they are alike else.
func TestAnOldValueIsMaskedLikeTheNewOne(t *testing.T) {
	for _, c := range []struct{ old, now, want string }{
		{"https://h/abc/rpc", "https://h/•••/rpc", "https://h/•••/rpc"}, {"abc", "•••", "•••"}, {"a b c", "•••b•••", "•••b•••"},
		{"https://h/abc/rpc", "https://g/•••/rpc", "https://h/abc/rpc"}, {"ab", "a•••b•••c", "ab"}, {"a", "b", "a"}, {"aba", "ab•••ba", "aba"},
	} {
		if got := maskedLike(c.old, c.now); got != c.want {
			t.Errorf("%q like %q: got %q, want %q", c.old, c.now, got, c.want)
		}
	}
}

func BenchmarkShownText(b *testing.B) {
	text := strings.Repeat("a token of "+strings.Repeat("https://h/?a=b&c=d ", 20), 60)
	for b.Loop() {
		shownText(text)
	}
}
