package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"parley/a2a"
	"parley/internal/signature"
)

// A driftingAgent counts what is sent to it; the test can change its card.
type driftingAgent struct {
	*httptest.Server
	card  atomic.Pointer[string]
	posts atomic.Int32
	state string // folder of the user
}

const (
	driftingCard = `{"name":"Desk","description":"one","version":"1","supportedInterfaces":[{"url":"http://HOST/","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],"capabilities":{"extendedAgentCard":true},"skills":[]}`
	anotherWord  = `"description":"two"`
	anotherPlace = `http://HOST/other`
)

func newDriftingAgent(t *testing.T) *driftingAgent {
	a := &driftingAgent{state: t.TempDir()}
	a.says()
	a.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch {
		case r.Method == http.MethodPost:
			a.posts.Add(1)
			fmt.Fprint(w, `{"jsonrpc":"2.0","id":1,"result":{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"hello"}]}}}`)
		case strings.HasSuffix(r.URL.Path, "agent-card.json"):
			fmt.Fprint(w, strings.ReplaceAll(*a.card.Load(), "HOST", r.Host))
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(a.Close)
	return a
}

// says changes the card: pairs of old and new text.
func (a *driftingAgent) says(pairs ...string) {
	text := strings.NewReplacer(pairs...).Replace(driftingCard)
	a.card.Store(&text)
}

func (a *driftingAgent) run(t *testing.T, args ...string) result {
	t.Helper()
	a.posts.Store(0)
	r := commandLine{args: args, env: []string{"XDG_STATE_HOME=" + a.state}}.run(t)
	r.err = strings.Join(strings.Fields(r.err), " ")
	return r
}

func (r *result) expect(t *testing.T, what string, code int, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(r.out+r.err, w) {
			t.Errorf("%s: got no %q", what, w)
		}
	}
	if r.code != code || t.Failed() {
		t.Errorf("%s: got exit %d, want %d\n%s\n%s", what, r.code, code, r.out, r.err)
	}
}

// Without an approved card nothing changes; with one, changes that are listed warn, and those of
// security and addresses end a command that sends, before anything is sent.
func TestACardThatWasApprovedIsComparedWithLaterOnes(t *testing.T) {
	t.Parallel()
	a := newDriftingAgent(t)
	send := func() result { return a.run(t, "send", "-a", a.URL, "hello") }
	a.says(`http://HOST/`, anotherPlace)
	r := send()
	r.expect(t, "send without an approved card", 0)
	if files, _ := filepath.Glob(filepath.Join(a.state, "parley", "approved*")); len(files) > 0 {
		t.Errorf("got %v, want that a command approves nothing", files)
	}
	r = a.run(t, "card", "diff", a.URL)
	r.expect(t, "diff without an approved card", 2, "No card of "+a.URL+" was approved.", "parley card trust "+a.URL)
	a.says()
	r = a.run(t, "card", "trust", a.URL)
	r.expect(t, "trust", 0, "Approved: the card of Desk at "+a.URL)
	r = a.run(t, "card", "get", a.URL)
	r.expect(t, "get", 0, "Approval: as you approved it on")

	a.says(`"description":"one"`, anotherWord)
	r = send()
	r.expect(t, "send with another description", 0, `Warning: the card has changed since you approved it on`, `/description is now "two"; it was "one".`)
	r = a.run(t, "card", "diff", a.URL, "--exit-code")
	r.expect(t, "diff", 1, `Other: /description is now "two"`, "Result: 1 difference")
	r = a.run(t, "card", "diff", a.URL, "--exit-code", "--only", "security,address")
	r.expect(t, "diff of what asks", 0, "Result: no differences")

	a.says(`"description":"one"`, anotherWord, `http://HOST/`, anotherPlace)
	for _, args := range [][]string{
		{"send", "-a", a.URL, "hello"}, {"send", "-a", a.URL, "hello", "--stream", "--bearer", "s3cret"}, {"task", "get", "-a", a.URL, "t"}, {"task", "list", "-a", a.URL},
		{"card", "get", a.URL, "--extended", "--bearer", "s3cret"}, {"check", a.URL}, {"conformance", a.URL}, {"doctor", a.URL}, {"chat", a.URL},
	} {
		r = a.run(t, args...)
		r.expect(t, strings.Join(args, " "), 4, "The card of Desk has 1 change of security or addresses", "parley card trust "+a.URL)
		if a.posts.Load() != 0 {
			t.Errorf("%v: got %d requests, want none before the approval", args, a.posts.Load())
		}
	}
	r = a.run(t, "send", "-a", a.URL, "hello", "-o", "json")
	if code := document(t, r.out)["error"].(map[string]any)["code"]; r.code != 4 || code != codeAuthFailed {
		t.Errorf("got exit %d, code %v, want 4, %s", r.code, code, codeAuthFailed)
	}
	r = a.run(t, "card", "get", a.URL)
	r.expect(t, "get a changed card", 0, "Approval: changed since you approved it on", "2 differences")
	r = a.run(t, "card", "diff", a.URL)
	r.expect(t, "diff", 0, `Address: /supportedInterfaces/0/url is now "`+a.URL+`/other"; it was "`+a.URL+`/"`, "Result: 2 differences, of which 1 has to be approved: parley card trust "+a.URL)
	r = a.run(t, "card", "trust", a.URL)
	r.expect(t, "trust again", 0, "Address: /supportedInterfaces/0/url")
	r = send()
	r.expect(t, "send after the approval", 0)
	if a.posts.Load() == 0 || strings.Contains(r.err, "Warning: the card") {
		t.Errorf("got %d requests and %s, want an answer without warnings", a.posts.Load(), r.err)
	}
}

func TestApprovedCardsAreListedAndForgotten(t *testing.T) {
	t.Parallel()
	a := newDriftingAgent(t)
	r := a.run(t, "card", "trust", "--list")
	r.expect(t, "an empty list", 0, "no card was approved yet")
	a.run(t, "agents", "save", "desk", a.URL)
	r = a.run(t, "card", "trust", "desk", "-o", "json")
	r.expect(t, "trust by name", 0)
	if doc := document(t, r.out); doc["card"] != a.URL || doc["against"] != "nothing" {
		t.Errorf("got %v, want the card by its address", doc)
	}
	r = a.run(t, "card", "trust", "--list")
	r.expect(t, "list", 0, "Card: Desk, "+a.URL+", approved 20")
	r = a.run(t, "card", "trust", "--list", "-o", "json")
	var list []map[string]any
	if err := json.Unmarshal([]byte(r.out), &list); err != nil || len(list) != 1 || list[0]["ref"] != a.URL {
		t.Errorf("got %s, %v, want a list of one card", r.out, err)
	}
	r = a.run(t, "card", "trust", "--forget", "desk")
	r.expect(t, "forget", 0, "approved no longer")
	r = a.run(t, "card", "trust", "--forget", "desk")
	r.expect(t, "forget twice", 2, "No card of desk was approved.")
	for _, args := range [][]string{{"--forget"}, {"--list", "--forget"}, {"--list", a.URL}, {a.URL, a.URL}} {
		r := a.run(t, append([]string{"card", "trust"}, args...)...)
		r.expect(t, fmt.Sprint(args), 2)
	}
}

func TestTwoCardsAreCompared(t *testing.T) {
	t.Parallel()
	a := newDriftingAgent(t)
	file := filepath.Join(t.TempDir(), "card.json")
	text := strings.ReplaceAll(driftingCard, "HOST", "127.0.0.1:1")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r := a.run(t, "card", "diff", file, a.URL, "-o", "json", "--exit-code")
	doc := document(t, r.out)
	list := doc["differences"].([]any)
	first := list[0].(map[string]any)
	if r.code != 1 || len(list) != 1 || first["severity"] != "address" || first["pointer"] != "/supportedInterfaces/0/url" || doc["against"] != file {
		t.Errorf("got exit %d, %v, want 1 and the address", r.code, doc)
	}
	r = a.run(t, "card", "diff", file, file, "--exit-code")
	r.expect(t, "the same card", 0, "no differences")
	r = a.run(t, "card", "diff", file, a.URL, "--only", "much")
	r.expect(t, "a bad severity", 2, "--only")
	r = a.run(t, "card", "diff", file, "http://127.0.0.1:1")
	r.expect(t, "an agent that is away", 3)
}

// A damaged file and a hostile card make neither a crash nor an escape sequence.
func TestHostileCardsAndFilesOfApprovedCards(t *testing.T) {
	t.Parallel()
	a := newDriftingAgent(t)
	r := a.run(t, "card", "trust", a.URL)
	r.expect(t, "trust", 0)
	evil := `\u001b]0;title\u0007\u202e` + strings.Repeat("x", 5000)
	a.says(`"description":"one"`, `"description":"`+evil+`","`+evil+`":[{"`+evil+`":"`+evil+`"}]`, `http://HOST/`, `http://HOST/`+evil, `"Desk"`, `"`+evil+`"`)
	for _, args := range [][]string{{"card", "diff", a.URL}, {"card", "diff", a.URL, "-o", "json"}, {"send", "-a", a.URL, "hi"}, {"card", "trust", a.URL}, {"card", "trust", "--list"}, {"card", "get", a.URL}} {
		r := a.run(t, args...)
		if strings.ContainsAny(r.out+r.err, "\x1b\a\u202e") {
			t.Errorf("%v: got an unsafe character in %q", args, r.out+r.err)
		}
	}
	path := filepath.Join(a.state, "parley", "approved-cards.json")
	if err := os.WriteFile(path, []byte("{\x1b[2J"), 0o600); err != nil {
		t.Fatal(err)
	}
	a.says()
	r = a.run(t, "send", "-a", a.URL, "hello")
	r.expect(t, "send with a damaged file", 0, "not every approved card could be read", "approved-cards.json: it does not hold approved cards.")
}

// No command tells a secret of a card that it compares: neither one that looks like it, nor one that
// the user sends now and that stood in the approved card.
func TestNoCommandTellsASecretOfACardThatChanged(t *testing.T) {
	t.Parallel()
	const word = "opensesameplease" // looks like no secret
	a := newDriftingAgent(t)
	secret := func(with string) {
		a.says(`"description":"one"`, `"description":"say `+with+`, or Authorization: Bearer 0123456789`+with+`"`, `http://HOST/`, `http://HOST/`+with+`/?key=`+with,
			`"skills":[]`, `"skills":[],"authentication":{"credentials":"`+with+`"},"metadata":{"client_secret":"`+with+`"},"securitySchemes":{"k":{"apiKeySecurityScheme":{"location":"header","name":"X-Key","example":"`+with+`"}}}`)
	}
	before := filepath.Join(t.TempDir(), "before.json")
	secret(word)
	writeTo(t, strings.ReplaceAll(*a.card.Load(), "HOST", "127.0.0.1:1"), before)
	a.run(t, "send", "-a", a.URL, "hello")
	a.run(t, "card", "trust", a.URL)
	a.says()
	key := []string{"--api-key", word}
	for _, args := range [][]string{
		{"send", "-a", a.URL, "hello"}, {"send", "-a", a.URL, "hello", "-o", "json"}, {"task", "get", "-a", a.URL, "t"}, {"check", a.URL}, {"doctor", a.URL},
		{"card", "get", a.URL}, {"card", "diff", a.URL}, {"card", "diff", a.URL, "-o", "json"}, {"card", "diff", before, a.URL}, {"card", "diff", a.URL, before}, {"card", "trust", a.URL},
	} {
		if args[0] == "card" && args[1] == "trust" {
			secret("another-" + word)
		}
		r := a.run(t, append(args, key...)...)
		if said := r.out + r.err; strings.Contains(said, word) || strings.Contains(said, "0123456789") {
			t.Errorf("parley %v: got the secret:\n%s", args, said)
		}
	}
	fresh := newDriftingAgent(t)
	fresh.says(`http://HOST/`, `http://HOST/`+word+`/`)
	fresh.run(t, "send", "-a", fresh.URL, "hello")
	fresh.says()
	r := fresh.run(t, "send", "-a", fresh.URL, "hello", "--api-key", word)
	if !strings.Contains(r.err, "the agent's card has changed since") || strings.Contains(r.err, word) {
		t.Errorf("got %s, want a warning of another address without the secret", r.err)
	}
}

// A broken signature names the first member that differs from the approved card.
func TestABrokenSignatureNamesTheMemberThatDiffers(t *testing.T) {
	t.Parallel()
	a := newSignedAgent(t)
	env := []string{"XDG_STATE_HOME=" + t.TempDir()}
	run := func(args ...string) result { return commandLine{args: args, env: env}.run(t) }
	if r := run("card", "trust", a.card.URL); r.code != 0 {
		t.Fatalf("got exit %d: %s", r.code, r.err)
	}
	a.change = func(card string) string { return strings.Replace(card, `"name":"Signed"`, `"name":"Forged"`, 1) }
	r := run("card", "get", a.card.URL, "--card-key", a.file)
	if want := "the first member that differs from the card that you approved is /name."; r.code != 1 || !strings.Contains(r.out, "broken") || !strings.Contains(r.err, want) {
		t.Errorf("got exit %d, want 1 and %q\n%s%s", r.code, want, r.out, r.err)
	}
}

// A card that is signed anew at each request has not changed, with or without an approved one.
func TestACardThatIsSignedAnewHasNotChanged(t *testing.T) {
	t.Parallel()
	a := newSignedAgent(t)
	env := []string{"XDG_STATE_HOME=" + t.TempDir()}
	run := func(args ...string) string {
		r := commandLine{args: args, env: env}.run(t)
		return strings.Join(strings.Fields(r.out+" "+r.err), " ")
	}
	quiet := func(when string, args ...string) {
		t.Helper()
		if said := run(args...); strings.Contains(said, "has changed") || strings.Contains(said, "signed with") || strings.Contains(said, "since it was approved") {
			t.Errorf("%s: parley %v: got %s, want nothing about a change", when, args, said)
		}
	}
	for range 2 {
		quiet("without an approved card", "send", "-a", a.card.URL, "x")
	}
	if said := run("card", "trust", a.card.URL); !strings.Contains(said, "Approved: the card of Signed") {
		t.Fatalf("got %s, want the card approved", said)
	}
	for _, args := range [][]string{{"send", "-a", a.card.URL, "x"}, {"task", "get", "-a", a.card.URL, "t"}, {"check", a.card.URL}, {"card", "get", a.card.URL}, {"card", "trust", a.card.URL}} {
		quiet("with an approved card", args...)
	}
	if r := (commandLine{args: []string{"card", "diff", a.card.URL, "--exit-code"}, env: env}).run(t); r.code != 0 || !strings.Contains(r.out, "no differences") {
		t.Errorf("got exit %d and %s, want no differences", r.code, r.out)
	}
	a.change = func(card string) string { return strings.Replace(card, `"signatures"`, `"x"`, 1) }
	const gone = "The card is no longer signed; it was signed with ES256 key"
	for _, args := range [][]string{{"send", "-a", a.card.URL, "x"}, {"card", "diff", a.card.URL}} {
		if said := run(args...); strings.Count(said, gone) != 1 || strings.Contains(said, "has changed since") {
			t.Errorf("parley %v: got %s, want once, and in one way, that the signature is gone", args, said)
		}
	}
	fresh := newSignedAgent(t)
	run("send", "-a", fresh.card.URL, "x")
	fresh.change = a.change
	if said := run("send", "-a", fresh.card.URL, "x"); strings.Count(said, gone) != 1 {
		t.Errorf("got %s, want once that the signature is gone", said)
	}
}

// A card whose signature breaks is held, although the key in it is the same.
func TestACardWhoseSignatureBreaksIsHeld(t *testing.T) {
	t.Parallel()
	signed := newSignedAgent(t)
	get := func() *a2a.Card {
		t.Helper()
		answer, err := http.Get(signed.card.URL + "/agent-card.json")
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		cards, _, failure := a2a.ParseCard(text, signed.card.URL)
		if failure != nil {
			t.Fatal(failure)
		}
		return cards[0]
	}
	set, err := os.ReadFile(signed.file)
	if err != nil {
		t.Fatal(err)
	}
	keys := signature.NewKeys(now)
	if err := keys.Add("keys", set); err != nil {
		t.Fatal(err)
	}
	a := &app{ctx: t.Context(), env: environment{"XDG_STATE_HOME=" + t.TempDir()}}
	kept := &storage{approved: a.baselines()}
	hold := kept.hold(func() *signature.Keys { return keys })
	for range 3 {
		if why := hold(signed.card.URL, 0, get()); why != "" {
			t.Fatalf("got %q for a card that is signed anew, want that the agent is used", why)
		}
	}
	if list, _ := kept.approved.Baselines(); len(list) != 1 {
		t.Fatalf("got %d approved cards, want 1", len(list))
	}
	signed.change = func(card string) string { return strings.Replace(card, `"description":""`, `"description":"ours"`, 1) }
	if why := hold(signed.card.URL, 0, get()); !strings.Contains(why, "1 change of security or addresses") {
		t.Errorf("got %q for a card that was changed after it was signed, want that the agent is held", why)
	}
	if why := kept.hold(func() *signature.Keys { return nil })(signed.card.URL, 0, get()); why != "" {
		t.Errorf("got %q without keys, want that the agent is used", why)
	}
	if err := kept.approved.Approve(signed.card.URL, 0, get()); err != nil {
		t.Fatal(err)
	}
	if why := hold(signed.card.URL, 0, get()); why != "" {
		t.Errorf("got %q for a broken card that the user approved, want that the agent is used", why)
	}
}

// The workbench approves the first card of an agent, but not one whose signature is broken, and
// holds an agent whose card has changed.
func TestTheWorkbenchApprovesFirstCards(t *testing.T) {
	t.Parallel()
	read := func(text string) *a2a.Card {
		t.Helper()
		cards, _, failure := a2a.ParseCard([]byte(text), "https://desk.example/card.json")
		if failure != nil {
			t.Fatal(failure)
		}
		return cards[0]
	}
	a := &app{ctx: t.Context(), env: environment{"XDG_STATE_HOME=" + t.TempDir()}}
	signed := newSignedAgent(t)
	signed.change = func(card string) string { return strings.Replace(card, `"name":"Signed"`, `"name":"Forged"`, 1) }
	answer, err := http.Get(signed.card.URL + "/agent-card.json")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	forged, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	set, err := os.ReadFile(signed.file)
	if err != nil {
		t.Fatal(err)
	}
	keys := signature.NewKeys(now)
	if err := keys.Add("keys", set); err != nil {
		t.Fatal(err)
	}
	kept := &storage{approved: a.baselines()}
	hold := kept.hold(func() *signature.Keys { return keys })
	if why := hold("https://forged.example", 0, read(string(forged))); why != "" {
		t.Errorf("got %q for a first card, want that the agent is used", why)
	}
	if list, _ := kept.approved.Baselines(); len(list) != 0 {
		t.Errorf("got %d approved cards, want that a broken signature approves none", len(list))
	}
	const card = `{"name":"Desk","url":"https://desk.example/rpc","version":"1","skills":[]}`
	for _, c := range []struct{ text, says string }{
		{card, ""}, {strings.Replace(card, `"1"`, `"2"`, 1), ""},
		{strings.Replace(card, "/rpc", "/other", 1), "The card of Desk has 1 change of security or addresses since Parley first saw it on"}, {card, ""},
	} {
		if why := hold("https://desk.example", 0, read(c.text)); !strings.Contains(why, c.says) || (why == "") != (c.says == "") {
			t.Errorf("%s: got %q, want %q", c.text, why, c.says)
		}
	}
	kept.approved = nil
	if kept.hold(nil) != nil {
		t.Error("cards are compared without a file")
	}
}

// Where the card cannot be read, the approved one names the endpoint of a message, and the user learns which was used.
func TestAnApprovedCardStandsInForOneThatCannotBeRead(t *testing.T) {
	t.Parallel()
	var down atomic.Bool
	var paths []string
	var url string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodPost:
			paths = append(paths, r.URL.Path)
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"jsonrpc":"2.0","id":1,"result":{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"hello"}]}}}`)
		case !strings.HasSuffix(r.URL.Path, "/agent-card.json"):
			http.NotFound(w, r)
		case down.Load():
			w.WriteHeader(502)
		default:
			fmt.Fprintf(w, `{"name":"Desk","description":"d","version":"1","capabilities":{},"skills":[],"supportedInterfaces":[{"url":"%s/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}]}`, url)
		}
	}))
	t.Cleanup(s.Close)
	url = s.URL
	a := &driftingAgent{Server: s, state: t.TempDir()}
	r := a.run(t, "card", "trust", s.URL)
	r.expect(t, "trust", 0)
	down.Store(true)
	r = a.run(t, "send", "-a", s.URL, "hello")
	r.expect(t, "send", 0, "answered 502 Bad Gateway, so the card cannot be read now; Parley uses the card of ", "which names "+s.URL+"/rpc.")
	for _, args := range [][]string{{"doctor", s.URL}, {"check", s.URL}, {"card", "get", s.URL}} {
		r = a.run(t, args...)
		if said := r.out + r.err; !strings.Contains(said, "card of ") || strings.Contains(said, "found by requests") || strings.Contains(said, "There is no card") || strings.Contains(said, "according to you") {
			t.Errorf("%s: got\n%s", args[0], said)
		}
	}
	paths = paths[:1] // the probes went there, too
	if len(paths) != 1 || paths[0] != "/rpc" {
		t.Errorf("got requests at %q, want one at the endpoint of the card", paths)
	}
}
