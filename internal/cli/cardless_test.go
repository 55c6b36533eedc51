package cli

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A cardless agent of A2A 1.0 answers messages; the test chooses the answer at the URLs of a
// card.
func cardless(t *testing.T, card http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			card(w, r)
			return
		}
		body, _ := io.ReadAll(r.Body)
		q := asked{ID: []byte(`""`)}
		if _, id, found := strings.Cut(string(body), `"id":`); found {
			id, _, _ = strings.Cut(id, ",")
			q.ID = []byte(id)
		}
		switch {
		case strings.Contains(string(body), `"SendMessage"`):
			q.result(w, `{"message":{"messageId":"m","contextId":"c","role":"ROLE_AGENT","parts":[{"text":"hello"}]}}`)
		case strings.Contains(string(body), `"GetTask"`):
			q.fail(w, -32001, "no such task")
		default:
			q.fail(w, -32601, "no such method")
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// The commands report the answer at the URL of the card, whether they need a card or not.
func TestWhyThereIsNoCardIsToldAsItWas(t *testing.T) {
	t.Parallel()
	answer := func(status int, kind, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}
	}
	for name, c := range map[string]struct {
		card http.HandlerFunc
		code int
		err  string // the code of the failure
		says string
		not  string // what must not be printed
	}{
		"404":      {answer(404, "text/plain", "no"), 3, codeCardNotFound, "There is no agent card here: every address that was tried answers that there is none.", "cannot deliver"},
		"500":      {answer(500, "text/plain", "boom"), 3, codeCardNotFound, "The agent cannot deliver its card now: ", "no agent card"},
		"503":      {answer(503, "text/html", "<html>later</html>"), 3, codeCardNotFound, "The agent cannot deliver its card now: ", "no agent card"},
		"a page":   {answer(200, "text/html", "<html><title>Hi</title></html>"), 3, codeCardNotFound, "There is no agent card here: http", "this is not an A2A endpoint"},
		"empty":    {answer(200, "application/json", ""), 3, codeCardNotFound, "There is no agent card here: ", "check the agent's log"},
		"other":    {answer(200, "application/json", `{"hello":"world"}`), 1, codeCardInvalid, "This JSON is not an agent card: ", "There is no agent card"},
		"a list":   {answer(200, "application/json", `[1,2]`), 1, codeCardInvalid, "This JSON is not an agent card: ", "There is no agent card"},
		"torn":     {answer(200, "application/json", `{"name":"x","supp`), 1, codeCardInvalid, "The card is not valid JSON at byte 17", "There is no agent card"},
		"401":      {answer(401, "text/plain", "who"), 4, codeCredentialsMissing, "requires credentials (401 Unauthorized", "no agent card"},
		"403":      {answer(403, "text/plain", "no"), 4, codeCredentialsMissing, "does not allow this (403 Forbidden: “no”)", "no agent card"},
		"too long": {answer(200, "application/json", `{"name":"`+strings.Repeat("x", 2000)), 1, codeCardInvalid, "sends an agent card of more than 1 kB; Parley stopped reading there. --max-card raises the limit.", "There is no agent card"},
	} {
		s := cardless(t, c.card)
		for _, validate := range []bool{false, true} {
			r := parley(t, "card", "get", s.URL, fmt.Sprintf("--validate=%v", validate), "--max-card", "1000")
			first, _, _ := strings.Cut(strings.TrimPrefix(r.err, "Finding: "), "\nCode: ")
			if r.code != c.code || !strings.Contains(r.err, "\nCode: "+c.err+"\n") || !strings.Contains(first, c.says) || strings.Contains(first, c.not) {
				t.Errorf("%s: got exit %d, want %d %s with %q and not %q\n%s", name, r.code, c.code, c.err, c.says, c.not, r.err)
			}
			if strings.Contains(r.err, "Warning: ") || r.out != "" {
				t.Errorf("%s: got the reason twice:\n%s%s", name, r.out, r.err)
			}
		}
		r := parley(t, "send", "-a", s.URL, "hi", "--stream", "--max-card", "1000")
		if answers := c.code != 4 && name != "too long"; answers != (r.code == 0) || answers != strings.Contains(r.out, "hello") {
			t.Errorf("%s: send: got exit %d\n%s%s", name, r.code, r.out, r.err)
		}
		if strings.Contains(r.err, "the card says") || strings.Contains(r.err, "The card says") || strings.Contains(r.err, "the card does not") {
			t.Errorf("%s: got words about a card that does not exist:\n%s", name, r.err)
		}
		if strings.Contains(r.err, "Answer with a task") {
			t.Errorf("%s: got the task as an answer of the card's URL:\n%s", name, r.err)
		}
	}
}

// A card behind a redirect is used if its origin was named, and its URL is printed; every command that
// reads a card names both ends of another redirect.
func TestACardBehindARedirectIsTheCard(t *testing.T) {
	t.Parallel()
	real := newStub(t, plainCard, done)
	there := strings.Replace(real.URL, "127.0.0.1", "localhost", 1)
	s := cardless(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, there+"/.well-known/agent-card.json", http.StatusFound)
	})
	r := parley(t, "card", "get", s.URL, "--allow-origin", there)
	if r.code != 0 || !strings.Contains(r.out, "Name: Stub\n") || !strings.Contains(r.out, "Found at: http://localhost:") {
		t.Errorf("got exit %d, want the card with its URL\n%s%s", r.code, r.out, r.err)
	}
	before := len(real.seen)
	for _, args := range [][]string{{"card", "get", s.URL}, {"doctor", s.URL}, {"check", s.URL}, {"catalog", s.URL + "/.well-known/ai-catalog.json"}} {
		r := parley(t, args...)
		says := " answered 302 Found and names " + there + "/.well-known/agent-card.json, which is another origin; nothing was sent there."
		advice := "If the agent has moved there, open that address, or add --allow-origin " + there + "."
		if all := r.out + r.err; r.code == 0 || !strings.Contains(all, s.URL+"/.well-known/") || !strings.Contains(all, says) || !strings.Contains(all, advice) || strings.Contains(all, "--debug") {
			t.Errorf("%q: got exit %d, want a failure with %q and %q\n%s", args, r.code, says, advice, all)
		}
	}
	if len(real.seen) != before {
		t.Errorf("got %d requests at the other origin, want none", len(real.seen)-before)
	}
}

// A message that is redirected elsewhere is not sent there, and its fate is known.
func TestAMessageIsNotRedirectedElsewhere(t *testing.T) {
	t.Parallel()
	other := newStub(t, plainCard, done)
	for _, status := range []int{http.StatusFound, http.StatusTemporaryRedirect, http.StatusPermanentRedirect} {
		s := newStub(t, plainCard, func(_ *asked, w http.ResponseWriter) {
			w.Header().Set("Location", other.URL+"/rpc")
			w.WriteHeader(status)
		})
		r := parley(t, "send", "x", "-a", s.URL)
		if r.code != 1 || !strings.Contains(r.err, " and names "+other.URL+"/rpc, which is another origin; nothing was sent there.") || strings.Contains(r.err, "unknown whether") {
			t.Errorf("%d: got exit %d, want 1 with both ends\n%s%s", status, r.code, r.out, r.err)
		}
		if len(other.seen) > 0 {
			t.Fatalf("%d: got %q at the other origin, want nothing", status, other.seen[0].Method)
		}
	}
}

// A refusal without credentials is reported as missing credentials, however the agent expresses
// it.
func TestTheExtendedCardWithoutCredentials(t *testing.T) {
	t.Parallel()
	declared := strings.Replace(plainCard, `"capabilities":{}`, `"capabilities":{"extendedAgentCard":true},"securitySchemes":{"b":{"httpAuthSecurityScheme":{"scheme":"Bearer"}}}`, 1)
	for name, c := range map[string]struct {
		answer func(*asked, http.ResponseWriter)
		exit   int
		code   string
		says   []string
	}{
		"401":        {func(_ *asked, w http.ResponseWriter) { w.WriteHeader(401) }, 4, codeCredentialsMissing, []string{"requires credentials, and none are set", "--bearer"}},
		"403":        {func(_ *asked, w http.ResponseWriter) { w.WriteHeader(403) }, 4, codeCredentialsMissing, []string{"requires credentials, and none are set", "--bearer"}},
		"-31401":     {func(q *asked, w http.ResponseWriter) { q.fail(w, -31401, "who?") }, 4, codeCredentialsMissing, []string{"requires credentials, and none are set", "--bearer"}},
		"not set up": {func(q *asked, w http.ResponseWriter) { q.fail(w, -32007, "none") }, 1, "ExtendedAgentCardNotConfiguredError", []string{"No credentials are set", "--bearer"}},
	} {
		s := newStub(t, declared, c.answer)
		r := parley(t, "card", "get", s.URL, "--extended")
		if r.code != c.exit || !strings.Contains(r.err, "Code: "+c.code+"\n") || r.out != "" {
			t.Errorf("%s: got exit %d, want %d %s\n%s%s", name, r.code, c.exit, c.code, r.out, r.err)
		}
		for _, words := range c.says {
			if !strings.Contains(r.err, words) {
				t.Errorf("%s: got no %q:\n%s", name, words, r.err)
			}
		}
		if strings.Count(r.err, "its card declares") > 1 {
			t.Errorf("%s: got the reason twice:\n%s", name, r.err)
		}
		r = parley(t, "card", "get", s.URL, "--extended", "--bearer", "refused-by-all")
		if want := codeAuthFailed; name != "not set up" && (r.code != 4 || !strings.Contains(r.err, "Code: "+want+"\n")) {
			t.Errorf("%s with credentials: got exit %d, want 4 %s\n%s", name, r.code, want, r.err)
		} else if strings.Contains(strings.ToLower(r.err), "no credentials") {
			t.Errorf("%s with credentials: got words about missing ones\n%s", name, r.err)
		}
	}
}
