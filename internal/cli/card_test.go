package cli

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/a2a/a2atest"
)

func TestACardIsFoundByEveryKindOfReference(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, nil)
	file := filepath.Join(t.TempDir(), "card.json")
	card := strings.ReplaceAll(plainCard, "%s", s.URL)
	if err := os.WriteFile(file, []byte(card), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, ref := range []string{s.URL, strings.TrimPrefix(s.URL, "http://"), s.URL + "/.well-known/agent-card.json",
		file, "file://" + filepath.ToSlash(file), "-"} {
		for _, args := range [][]string{{"card", "get", "-a", ref}, {"card", "get", ref}, {"card", "get", "--agent-card=" + ref}} {
			r := commandLine{args: args, stdin: card}.run(t)
			if r.code != 0 || !strings.HasPrefix(r.out, "Name: Stub\n") || !strings.Contains(r.out, "Interface: JSON-RPC, A2A 1.0, "+s.URL+"/rpc\n") {
				t.Errorf("%q: got exit %d, want the card\n%s%s", args, r.code, r.out, r.err)
			}
		}
	}
}

func TestACardShowsWhatItDeclares(t *testing.T) {
	t.Parallel()
	d := demos(t)
	r := parley(t, "card", "get", d["Travel Desk"])
	for _, want := range []string{
		"Name: Travel Desk\n", "Description:\n  A small travel desk", "Streaming: yes\n", "Push notifications: yes\n", "Extended card: yes\n",
		"Spoken: A2A 1.0, JSON-RPC, ", "Input modes: text/plain, application/json\n", "Security scheme: bearer, http, Bearer, JWT\n",
		"Security scheme: key, apiKey, in header X-API-Key\n", "Skill: weather\nSkill name: Look out of the window\n",
	} {
		if !strings.Contains(r.out, want) {
			t.Errorf("got no %q in\n%s", want, r.out)
		}
	}
	if strings.Contains(r.out, "Skill example") {
		t.Error("got examples without --verbose")
	}
	if r = parley(t, "card", "get", d["Travel Desk"], "--verbose"); !strings.Contains(r.out, "Skill example: What is the weather in Oslo?\n") {
		t.Errorf("got no examples with --verbose:\n%s", r.out)
	}
}

func TestACardIsOneDocumentOfA2A10(t *testing.T) {
	t.Parallel()
	d := demos(t)
	for _, name := range []string{"Travel Desk", "Scribe", "Old Clerk", "Saboteur"} {
		r := parley(t, "card", "get", d[name], "-o", "json")
		doc := document(t, r.out)
		if r.code != 0 || at(doc, "name") != name || at(doc, "supportedInterfaces", 0, "url") == nil {
			t.Errorf("%s: got exit %d, want the card as JSON\n%s", name, r.code, r.out)
		}
		if r = parley(t, "card", "get", d[name], "-o", "json", "--stream"); len(documents(t, r.out)) != 1 {
			t.Errorf("%s: got more than one line", name)
		}
	}
}

func TestACardIsValidated(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, card string
		score      string
		findings   int
		problems   []string
	}{
		{"valid", plainCard, "99", 1, nil},
		{"of 1.0", `{"name":"x","supportedInterfaces":[{"url":"ftp://h"}],"skills":[{"id":"a"},7]}`, "", 0,
			[]string{"error CARD-001: The card has no", "“description”", "/supportedInterfaces/0: The interface has no “protocolBinding”", "/skills/1: The skill is a number, not an object", "error CARD-003 /supportedInterfaces/0/url: The endpoint's URL is not http(s)", "score 0 of 100"}},
		{"of 0.3", `{"name":"x","description":"d","version":"1","url":"%s","protocolVersion":"0.3.0","capabilities":{},"skills":[{"id":"a","name":"n"}]}`, "", 0,
			[]string{"“defaultInputModes”", "/skills/0: The skill has no “description”, “tags”", "score 55 of 100"}},
		{"of 0.1", `{"name":"x","version":"1","url":"%s","authentication":{"schemes":["Bearer"]},"capabilities":{},"skills":[{"id":"a","name":"n"}]}`, "100", 0, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStub(t, c.card, nil)
			r := parley(t, "card", "get", s.URL, "--validate")
			if len(c.problems) == 0 {
				if r.code != 0 || !strings.HasPrefix(r.out, "Valid: yes\nScore: "+c.score+" of 100\n") || strings.Count(r.out, "\nFinding: ") != c.findings {
					t.Errorf("got exit %d, want score %s and %d findings\n%s%s", r.code, c.score, c.findings, r.out, r.err)
				}
				return
			}
			if r.code != 1 || !strings.Contains(r.out, "Name: x\n") || !strings.Contains(r.err, "Code: A2ACLI_ERR_CARD_INVALID\n") {
				t.Errorf("got exit %d, want 1 and CARD_INVALID\n%s%s", r.code, r.out, r.err)
			}
			for _, p := range c.problems {
				if !strings.Contains(r.err, p) {
					t.Errorf("got no %q in %s", p, r.err)
				}
			}
			if r = parley(t, "card", "get", s.URL, "--validate", "-o", "json"); at(document(t, r.out), "error", "code") != "A2ACLI_ERR_CARD_INVALID" {
				t.Errorf("got %s, want CARD_INVALID", r.out)
			}
		})
	}
}

func TestTheExtendedCard(t *testing.T) {
	t.Parallel()
	declared := strings.Replace(plainCard, `"capabilities":{}`, `"capabilities":{"extendedAgentCard":true},"securitySchemes":{"token":{"httpAuthSecurityScheme":{"scheme":"Bearer"}}}`, 1)
	s := newStub(t, declared, func(q *asked, w http.ResponseWriter) {
		if q.header.Get("Authorization") != "Bearer secret-of-mine" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		q.result(w, strings.ReplaceAll(strings.Replace(plainCard, `"Stub"`, `"Stub for friends"`, 1), "%s", "http://127.0.0.1:1"))
	})
	r := parley(t, "card", "get", s.URL, "--extended", "--bearer", "secret-of-mine", "-o", "json")
	if r.code != 0 || at(document(t, r.out), "name") != "Stub for friends" {
		t.Errorf("got exit %d, want the extended card\n%s%s", r.code, r.out, r.err)
	}
	s.only(t, "GetExtendedAgentCard")
	if r = parley(t, "card", "get", s.URL, "--extended"); r.code != 4 || !strings.Contains(r.err, "A2ACLI_ERR_CREDENTIALS_MISSING") {
		t.Errorf("without credentials: got exit %d, want 4\n%s", r.code, r.err)
	}
	unsaid := newStub(t, strings.Replace(plainCard, `"capabilities":{}`, `"capabilities":{"extendedAgentCard":true}`, 1), func(q *asked, w http.ResponseWriter) {
		if q.header.Get("Authorization") != "" {
			t.Error("the extended card was requested with a credential that the public card does not declare")
		}
		w.WriteHeader(http.StatusUnauthorized)
	})
	if r = parley(t, "card", "get", unsaid.URL, "--extended", "--bearer", "secret-of-mine"); r.code != 4 || !strings.Contains(r.err, "because the public card declares no scheme for it") {
		t.Errorf("no scheme: got exit %d, want 4 and why\n%s", r.code, r.err)
	}
	plain := newStub(t, plainCard, nil)
	if r = parley(t, "card", "get", plain.URL, "--extended"); r.code != 1 || len(plain.asked("GetExtendedAgentCard")) != 0 {
		t.Errorf("no extended card: got exit %d, want 1 without a request\n%s", r.code, r.err)
	}
}

func TestVersionAndTransportAreChosen(t *testing.T) {
	t.Parallel()
	both := `{"name":"Stub","description":"d","version":"1","url":"%s/old","protocolVersion":"0.3.0","preferredTransport":"JSONRPC",
		"supportedInterfaces":[{"url":"https://h.example/own","protocolBinding":"urn:own","protocolVersion":"1.0"},{"url":"%s/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],
		"capabilities":{},"defaultInputModes":[],"defaultOutputModes":[],"skills":[{"id":"s","name":"s","description":"d","tags":["t"]}]}`
	s := newStub(t, both, func(q *asked, w http.ResponseWriter) {
		if q.url == "/old" {
			q.result(w, `{"kind":"task","id":"t1","contextId":"c1","status":{"state":"completed"}}`)
			return
		}
		q.result(w, task(completed))
	})
	for _, c := range []struct {
		args        []string
		method, url string
		says        string
	}{
		{nil, "SendMessage", "/rpc", ""},
		{[]string{"--a2a-version", "1.0"}, "SendMessage", "/rpc", ""},
		{[]string{"--a2a-version", "0.3"}, "message/send", "/old", "speaks A2A 0.3"},
		{[]string{"--transport", "JSONRPC", "--transport", "GRPC"}, "SendMessage", "/rpc", ""},
		{[]string{"--transport", "grpc,JSONRPC"}, "SendMessage", "/rpc", ""},
		{[]string{"--transport", "HTTP+JSON"}, "SendMessage", "/rpc", ""},
	} {
		before := len(s.asked(c.method))
		r := parley(t, append([]string{"send", "-a", s.URL, "x", "-o", "json"}, c.args...)...)
		all := s.asked(c.method)
		if r.code != 0 || len(all) != before+1 || all[before].url != c.url || !strings.Contains(r.err, c.says) || c.says == "" && r.err != "" {
			t.Errorf("%q: got exit %d and %d calls of %s, want 0 and 1\n%s%s", c.args, r.code, len(all)-before, c.method, r.out, r.err)
		}
		if at(document(t, r.out), "task", "status", "state") != "TASK_STATE_COMPLETED" {
			t.Errorf("%q: got output that is not in the shape of 1.0\n%s", c.args, r.out)
		}
	}
}

func TestTheAuthenticationOf01IsRequired(t *testing.T) {
	t.Parallel()
	s := newStub(t, `{"name":"x","version":"1","url":"%s","authentication":{"schemes":["Bearer"]},"capabilities":{},"skills":[{"id":"a","name":"n"}]}`, nil)
	if r := parley(t, "card", "get", s.URL); !strings.Contains(r.out, "Security scheme: Bearer, required, Bearer\n") {
		t.Errorf("got exit %d, want the scheme marked as required\n%s%s", r.code, r.out, r.err)
	}
}

// TestACardThatCannotBeDeliveredIsNotMissing queries an agent that fails at every URL of a
// card.
func TestACardThatCannotBeDeliveredIsNotMissing(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "oops", http.StatusInternalServerError) }))
	defer s.Close()
	r := parley(t, "card", "get", s.URL)
	if r.code != 3 || !strings.Contains(r.err, "500 Internal Server Error") || strings.Contains(r.err, "no agent card") {
		t.Errorf("got exit %d, want 3 with the HTTP status\n%s", r.code, r.err)
	}
}

// The score of a card, and whether it is valid, follow from the findings of the rules, and every command says the
// same; ui tests the sheet of the card with the same cards.
func TestEveryCommandJudgesACardAlike(t *testing.T) {
	t.Parallel()
	for _, c := range a2atest.FaultyCards() {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			s := notFoundStub(t, c.Card)
			front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Cache-Control", "max-age=60") // or HTTP-011 has a finding
				w.Header().Set("ETag", `"1"`)
				s.ServeHTTP(w, r)
			}))
			t.Cleanup(front.Close)
			s.card = strings.ReplaceAll(c.Card, "%s", front.URL)
			score, code := fmt.Sprintf("core %d of 100", c.Score), 1
			if c.Valid {
				score, code = fmt.Sprintf("Score: %d of 100\n", c.Score), 0
			}
			got := parley(t, "card", "get", front.URL, "--validate")
			if got.code != code || !strings.Contains(got.out+got.err, score) || c.Rule != "" && !strings.Contains(got.out, c.Rule+" "+c.At+": ") {
				t.Errorf("card get: got exit %d, want %d, %q and %s\n%s%s", got.code, code, score, c.Rule, got.out, got.err)
			}
			score, failed := fmt.Sprintf("core %d of 100", c.Score), "Ok: rules: "
			if !c.Valid {
				failed = "Warning: rules: "
			}
			got = parley(t, "doctor", front.URL)
			if !strings.Contains(got.out, failed) || !strings.Contains(got.out, score) {
				t.Errorf("doctor: got exit %d, want %q and %q\n%s%s", got.code, failed, score, got.out, got.err)
			}
			got = parley(t, "check", front.URL, "--fail-on", "finding:error")
			check := "Ok: the card is valid: s" + score
			if !c.Valid {
				check = "Failed: the card is valid: The card is not valid: error " + c.Rule + " " + c.At + ": "
			}
			if !strings.Contains(got.out, check) || strings.Contains(got.out, "Rules: 0 with errors") != c.Valid || !c.Valid && got.code != 10 {
				t.Errorf("check: got exit %d, want %q\n%s%s", got.code, check, got.out, got.err)
			}
		})
	}
}
