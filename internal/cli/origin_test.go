package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/engine"
)

func TestAnotherOriginIsNamedOnceBeforeTheFirstMessage(t *testing.T) {
	t.Parallel()
	other := newStub(t, plainCard, done)
	s := newStub(t, strings.ReplaceAll(plainCard, "%s", other.URL), done)
	r := parley(t, "send", "-a", s.URL, "x")
	want := "Warning: the card comes from " + s.URL + ", but messages go to another origin, " + other.URL
	if r.code != 0 || strings.Count(r.err, want) != 1 || strings.Contains(r.out, "another origin") {
		t.Errorf("got exit %d, want 0 and one warning\n%s%s", r.code, r.out, r.err)
	}
	for _, args := range [][]string{{"--allow-origin", other.URL}, {"--endpoint", other.URL + "/rpc"}} {
		if r := parley(t, append([]string{"send", "-a", s.URL, "x"}, args...)...); r.code != 0 || strings.Contains(r.err, "another origin") {
			t.Errorf("%q: got exit %d, want 0 without a warning\n%s", args, r.code, r.err)
		}
	}
	if r := parley(t, "send", "-a", other.URL, "x"); strings.Contains(r.err, "another origin") {
		t.Errorf("same origin: got a warning:\n%s", r.err)
	}
}

// A card that was read over https and names http of the same host gets no message in clear, with or without
// a token, and the advice is the address with https.
func TestACardThatLostHTTPSIsNotFollowed(t *testing.T) {
	t.Parallel()
	clear := newStub(t, plainCard, done)
	s := newStub(t, strings.ReplaceAll(plainCard, "%s", clear.URL), done)
	server, ca, _ := secured(t, s, nil)
	meant := "--endpoint " + server.URL + "/rpc."
	for _, args := range [][]string{
		{"send", "x"}, {"send", "x", "--bearer", secret}, {"send", "x", "--stream"}, {"task", "get", "t1"}, {"task", "cancel", "t1", "--bearer", secret},
		{"doctor"}, {"check"},
	} {
		line := append(args, "--cacert", ca)
		if args[0] == "doctor" || args[0] == "check" {
			line = append(line, server.URL)
		} else {
			line = append(line, "-a", server.URL)
		}
		r := parley(t, line...)
		if all := r.out + r.err; r.code == 0 || !strings.Contains(all, meant) || !strings.Contains(all, "X-Forwarded-Proto") || strings.Contains(all, "allow-origin") || strings.Contains(all, "unknown whether") {
			t.Errorf("%q: got exit %d, want a refusal that offers %s\n%s", args, r.code, meant, all)
		}
	}
	if len(clear.seen) > 0 {
		t.Errorf("got %d requests without TLS, want none", len(clear.seen))
	}
	for _, args := range [][]string{{"--endpoint", server.URL + "/rpc"}, {"--allow-origin", clear.URL}, {"--endpoint", clear.URL + "/rpc"}} {
		if r := parley(t, append([]string{"send", "x", "-a", server.URL, "--cacert", ca}, args...)...); r.code != 0 {
			t.Errorf("%q: got exit %d, want 0\n%s%s", args, r.code, r.out, r.err)
		}
	}
}

// The sheet of addresses says where credentials go by the rule of the client.
func TestCredentialsOfAResumedAgentGoWhereItWasOpened(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		ref, origin string
		want        bool
	}{
		{"agent.example", "https://agent.example", true},
		{"agent.example", "http://agent.example", false},
		{"https://agent.example/card.json", "https://agent.example", true},
		{"https://agent.example", "http://agent.example", false},
		{"localhost:4100", "http://localhost:4100", true},
		{"localhost:4100", "https://localhost:4100", false},
		{"https://agent.example", "", false},
	} {
		agent := engine.StartAgent{Saved: engine.Saved{Ref: c.ref}}
		if got := goesTo(&agent, &a2a.Options{}, c.origin); got != c.want {
			t.Errorf("%s to %s: got %v, want %v", c.ref, c.origin, got, c.want)
		}
	}
}

// Credentials that no scheme requires are sent nowhere: not with the card request, not with
// probes, not with the message.
func TestCredentialsGoWhereASchemeAsksForThem(t *testing.T) {
	t.Parallel()
	keyed := strings.Replace(plainCard, `"skills"`, `"securitySchemes":{"k":{"apiKeySecurityScheme":{"location":"header","name":"X-Desk-Key"}}},"skills"`, 1)
	// No agent of 1.0 has this card, so Parley probes it.
	guessed := `{"name":"Stub","protocolVersion":"1.0","url":"%s/rpc","securitySchemes":{"k":{"type":"apiKey","in":"header","name":"X-Desk-Key"}},"capabilities":{},"skills":[]}`
	for _, c := range []struct {
		name, card string
		args       []string
		sent       bool
		warns      string
	}{
		{"a key where the card wants it", keyed, []string{"--api-key", secret}, true, ""},
		{"a key where nobody wants it", plainCard, []string{"--api-key", secret}, false, "the API key is not sent, because the card does not say where to put it"},
		{"a token where a key is wanted", keyed, []string{"--bearer", secret}, false, "the bearer token is not sent, because the card declares only an API key in the header X-Desk-Key"},
		{"a header where a key is wanted", keyed, []string{"--svc-param", "Authorization: Bearer " + secret}, false, "the header Authorization is not sent"},
		{"a token while probing", guessed, []string{"--bearer", secret}, false, ""},
		{"a token where nothing is declared", plainCard, []string{"--bearer", secret}, true, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStub(t, c.card, done)
			r := parley(t, append([]string{"send", "-a", s.URL, "x"}, c.args...)...)
			s.mu.Lock()
			defer s.mu.Unlock()
			for i, q := range s.seen {
				if q.header.Get("X-Api-Key") != "" {
					t.Errorf("%s request: got a guessed header X-Api-Key, want none", q.Method)
				}
				card := strings.HasPrefix(q.Method, "GET")
				if !card && strings.Contains(s.seen[i].everything(), secret) != c.sent {
					t.Errorf("%s request: want the secret %v, got\n%s", q.Method, c.sent, s.seen[i].everything())
				}
				if card && c.args[0] == "--api-key" && strings.Contains(s.seen[i].everything(), secret) {
					t.Errorf("%s request: got the API key, want none", q.Method)
				}
			}
			if probed := len(s.seen) > 2; probed != (c.card == guessed) {
				t.Errorf("got probes %t, want %t", probed, c.card == guessed)
			}
			if c.warns != "" && strings.Count(r.err, c.warns) != 1 {
				t.Errorf("want %q once in\n%s", c.warns, r.err)
			}
			secretsOnly(t, c.name, r)
		})
	}
}

// A header of a saved agent is sent whatever the card declares.
func TestAHeaderOfAKeptAgentIsSentWhateverItsCardDeclares(t *testing.T) {
	t.Parallel()
	keyed := strings.Replace(plainCard, `"skills"`, `"securitySchemes":{"k":{"apiKeySecurityScheme":{"location":"header","name":"X-Desk-Key"}}},"skills"`, 1)
	s, folder := newStub(t, keyed, done), t.TempDir()
	writeTo(t, "[[agent]]\nname = 'Desk'\nref = '"+s.URL+"'\nsvc-param = ['Authorization: Bearer $DESK']\n", filepath.Join(folder, "parley"), "config.toml")
	r := commandLine{args: []string{"send", "x", "-a", "Desk"}, env: []string{"XDG_CONFIG_HOME=" + folder, "DESK=" + secret}}.run(t)
	if got := s.only(t, "SendMessage").header.Get("Authorization"); r.code != 0 || got != "Bearer "+secret || strings.Contains(r.err, "is not sent") {
		t.Errorf("got exit %d and Authorization %q, want 0 and the token\n%s", r.code, got, r.err)
	}
}
