package a2a

import (
	"encoding/base64"
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func TestNamesSayThatAValueIsASecret(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"X-Api-Key", "api_key", "apikey", "ApiKey", "X-Pass", "X-Sig", "X-Otp", "X-Csrf", "X-XSRF-Token", "access_token", "accessToken", "accesstoken",
		"X-Amz-Security-Token", "X-Amz-Signature", "X-Goog-Signature", "X-Client-Secret-Old", "Ocp-Apim-Subscription-Key", "x-functions-key", "session",
		"ticket", "Mcp-Session-Id", "sid", "X-Auth", "X-Api-Key-Id", "client_assertion", "X-Hub-Signature-256", "pwd", "PASSWORD", "JSESSIONID", "clientsecret",
	} {
		if !secretName(name) {
			t.Errorf("secretName(%q) = false, want true", name)
		}
	}
	for _, name := range []string{
		"pageToken", "page_token", "pagetoken", "nextPageToken", "next_page_token", "nexttoken", "token_usage", "max_tokens", "maxTokens", "tokens", "tokenType",
		"authorizationUrl", "WWW-Authenticate", "Idempotency-Key", "Content-Type", "X-Request-Id", "Surrogate-Key", "public_key", "monkey", "keyboard",
		"passenger", "design", "spin", "compass", "pinned", "contextId", "assistant_id", "historyLength", "Sec-Websocket-Key", "X-Ratelimit-Remaining-Tokens", "",
	} {
		if secretName(name) {
			t.Errorf("secretName(%q) = true, want false", name)
		}
	}
}

func TestMembersOfJSONAreSecretByTheirWholeName(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"password":"p"}`:                            `{"password":"•••"}`,
		`{"clientSecret" : "a\"b\\","n":1}`:           `{"clientSecret" : "•••","n":1}`,
		`{"Client-Secret":"x","CLIENT_SECRET":"y"}`:   `{"Client-Secret":"•••","CLIENT_SECRET":"•••"}`,
		`{"a":{"Authorization":"Basic eDp5"}}`:        `{"a":{"Authorization":"•••"}}`,
		`{"access_token":12345,"n":1}`:                `{"access_token":"•••","n":1}`,
		`{"text":"{\"api_key\": \"k\",\"n\":1}"}`:     `{"text":"{\"api_key\": \"•••\",\"n\":1}"}`,
		`{"text":"{\"secret\":-1.5e3,\"n\":1}"}`:      `{"text":"{\"secret\":\"•••\",\"n\":1}"}`,
		`{"pinCode":"4711","x":{"pinCode":"4712"}}`:   `{"pinCode":"•••","x":{"pinCode":"•••"}}`,
		`{"password":"torn`:                           `{"password":"•••`,
		`{"password":null,"secret":{},"cookie":[""]}`: "",
		`{"password":""}`:                             "",
		`{"pageToken":"a","nextPageToken":"b","token_usage":"c","max_tokens":5,"token":"d","tokens":"e"}`: "",
		`{"authorizationUrl":"https://a","tokenUrl":"https://b","passwordHint":"h","secretary":"s"}`:      "",
		`{"flows":{"password":{"tokenUrl":"https://b"}},"security":[{"apiKey":[]}]}`:                      "",
		`{"required":["password","secret"],"type":"apiKey","name":"password"}`:                            "",
		`{"text":"say \"password\": it is"}`:                                                              "",
		`{"passwd":"of no interest","refresh_token":"r"}`:                                                 `{"passwd":"of no interest","refresh_token":"•••"}`,
	} {
		m := newMasker(nil)
		m.vault.name([]string{"pin_code", "!passwd"})
		got, gone := m.body(OpSend, []byte(in))
		if want == "" {
			want = in
		}
		if string(got) != want || (len(gone) == 0) != (want == in) {
			t.Errorf("%s\n got %s\nwant %s", in, got, want)
		}
		if json.Valid([]byte(in)) && !json.Valid(got) {
			t.Errorf("masked body is not valid JSON: %s", got)
		}
		if s := string(restoreSecrets(got, gone)); s != in {
			t.Errorf("got unmasked body %s, want %s", s, in)
		}
	}
}

// echoes maps names to ways in which an agent may repeat a value.
var echoes = map[string]func(string) string{
	"plain":                func(s string) string { return s },
	"base64":               func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
	"base64 of a sentence": func(s string) string { return base64.StdEncoding.EncodeToString([]byte("it is " + s + ".")) },
	"base64url":            func(s string) string { return base64.URLEncoding.EncodeToString([]byte("x" + s)) },
	"query":                url.QueryEscape,
	"path":                 url.PathEscape,
	"lower case":           func(s string) string { return lowerEscapes(url.QueryEscape(s)) },
	"component":            func(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") },
	"every escape":         func(s string) string { return percentEncode(s, "") },
	"HTML":                 html.EscapeString,
	"JSON":                 func(s string) string { return inJSON(s, true) },
	"JSON in JSON":         func(s string) string { return inJSON(inJSON(s, false), false) },
	"JSON in JSON, HTML":   func(s string) string { return inJSON(inJSON(s, true), true) },
	"ASCII":                asciiJSON,
	"ASCII in JSON":        func(s string) string { return inJSON(asciiJSON(s), false) },
	"solidus":              func(s string) string { return strings.ReplaceAll(inJSON(s, false), "/", `\/`) },
	"all escaped": func(s string) string {
		var b strings.Builder
		for _, r := range s {
			b.WriteString(`\u` + string("0123456789abcdef"[r>>12&15]) + string("0123456789abcdef"[r>>8&15]) + string("0123456789abcdef"[r>>4&15]) + string("0123456789abcdef"[r&15]))
		}
		return b.String()
	},
}

func TestValuesAreMaskedHoweverTheyComeBack(t *testing.T) {
	t.Parallel()
	for _, secret := range []string{"eight888", `p"w/d+ä&b=c d`, `bearer/0ne+x&y`, "longer-token_value.1234567890", "a<b>c'd\"e\\f/g"} {
		m := newMasker(nil)
		m.know(secret)
		for name, spell := range echoes {
			for _, place := range []string{"%s", `{"text":"you sent %s!","n":1}`, `data: {"a":["%s"]}`} {
				body := strings.Replace(place, "%s", spell(secret), 1)
				got, gone := m.body(OpSend, []byte(body))
				if strings.Contains(string(got), spell(secret)) || len(gone) != 1 {
					t.Errorf("%s of %q: got body %s with %d redactions, want 1", name, secret, got, len(gone))
				}
				if string(restoreSecrets(got, gone)) != body {
					t.Errorf("%s of %q: cannot unmask %q", name, secret, got)
				}
			}
		}
	}
	m := newMasker(nil)
	m.know("seven77")
	if got, gone := m.body(OpSend, []byte(`{"text":"seven77"}`)); len(gone) > 0 {
		t.Errorf("got %s, want a value of seven characters left in the text", got)
	}
}

func TestSecretsInHeadersAreTakenApart(t *testing.T) {
	t.Parallel()
	pair := base64.StdEncoding.EncodeToString([]byte("ann:the-password"))
	for name, tt := range map[string]struct{ name, value, secret string }{
		"bearer": {"Authorization", "Bearer token-token", "token-token"}, "pair": {"Authorization", "Basic " + pair, "ann:the-password"},
		"password": {"Proxy-Authorization", "basic " + pair, "the-password"}, "cookie": {"Cookie", "a=1; session=crumbs-crumbs", "crumbs-crumbs"},
		"key": {"X-Key", "whole-value", "whole-value"},
	} {
		m := newMasker(nil)
		m.know(headerValues(tt.name, tt.value)...)
		if got, _ := m.body(OpSend, []byte("it is "+tt.secret)); strings.Contains(string(got), tt.secret) {
			t.Errorf("%s: got %s, want the secret masked", name, got)
		}
	}
}

func TestReferencesAreShownWithoutTheirValues(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"https://me:pw@h/p?a=1&ticket=2#frag=3": "https://me:•••@h/p?a=•••&ticket=•••#frag=•••",
		"https://token@h":                       "https://•••@h",
		"https://h/?a2a-version=1.0&x=y":        "https://h/?a2a-version=1.0&x=•••",
		"localhost:9999":                        "localhost:9999",
		"./card.json":                           "./card.json",
		"https://h/p#part":                      "https://h/p#part",
		"https://h/p#installing-it-2.1":         "https://h/p#installing-it-2.1",
		"https://h/p#s3cret-t0ken":              "https://h/p#•••",
		"https://h/p#123456789&state=5":         "https://h/p#•••&state=•••",
		"https://h/#/cb?access_token=5&x-y=6":   "https://h/#/cb?access_token=•••&x-y=•••",
		"https://h/p#":                          "https://h/p#",
		"mqtts://h/ns#agent-s3cret":             "mqtts://h/ns#agent-s3cret",
		"https://h/hf_" + random[:34]:           "https://h/•••",
	} {
		if got := MaskReference(in); got != want {
			t.Errorf("MaskReference(%q) = %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{
		"https://h/?code=1&session=2&ticket=3&page=4": "https://h/?code=•••&session=•••&ticket=•••&page=4",
		"https://h/#access_token=1&state=2":           "https://h/#access_token=•••&state=2",
	} {
		if got := MaskURL(in); got != want {
			t.Errorf("MaskURL(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestTheHashOfARedactionIsKeyed(t *testing.T) {
	t.Parallel()
	hash := func(vault *Secrets, value string) string {
		m := newMasker(nil)
		m.vault = vault
		_, gone := m.header(http.Header{"Authorization": {value}})
		return gone[0].Hash
	}
	var a, b Secrets
	first, again := hash(&a, "one"), hash(&a, "one")
	if first != again || first == hash(&a, "two") {
		t.Errorf("got hashes %q and %q of the same secret and %q of another, want only the first two equal", first, again, hash(&a, "two"))
	}
	if hash(&a, "one") == hash(&b, "one") || hash(&a, "one") == "" {
		t.Errorf("got hashes %q and %q of two runs, want two different ones", hash(&a, "one"), hash(&b, "one"))
	}
}
