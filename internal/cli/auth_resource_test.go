//go:build unix

package cli

import (
	"fmt"
	"strings"
	"testing"

	"parley/internal/signin/signintest"
)

// resourceChallenge is a refusal that names the metadata of the agent.
func (g *guardedAgent) resourceChallenge() string {
	return `Bearer resource_metadata="` + g.URL + `/.well-known/oauth-protected-resource", scope="offline_access"`
}

// The agent's card is protected, and its answer names where the authorization server is.
func TestALoginFollowsTheChallengeOfAnAgent(t *testing.T) {
	t.Parallel()
	s := signintest.Start(t)
	h := newHome(t)
	g := startGuarded(t, &guardedAgent{hides: true, check: knows(s)})
	g.challenge, g.metadata = g.resourceChallenge(), fmt.Sprintf(`{"resource":"%s/rpc","authorization_servers":[%q]}`, g.URL, s.Issuer)
	if in := h.signInWithBrowser(s, g.URL); in.code != 0 {
		t.Fatalf("got exit %d:\n%s%s", in.code, in.out, in.err)
	}
	if sent := h.run("", "send", "-a", g.URL, "hi"); sent.code != 0 {
		t.Errorf("got exit %d, want the answer:\n%s%s", sent.code, sent.out, sent.err)
	}
}

// An agent whose answer leads to the metadata of another resource gets no token for that one.
func TestALoginGetsNoTokenForAnotherResource(t *testing.T) {
	t.Parallel()
	s := signintest.Start(t)
	h := newHome(t)
	for _, resource := range []string{`"https://other.example"`, `"` + s.Issuer + `"`, `""`, `7`} {
		for _, flow := range []string{"code", "device", "client-credentials"} {
			g := startGuarded(t, &guardedAgent{hides: true, check: knows(s)})
			g.challenge, g.metadata = g.resourceChallenge(), fmt.Sprintf(`{"resource":%s,"authorization_servers":[%q]}`, resource, s.Issuer)
			got := commandLine{args: []string{"auth", "login", g.URL, "--client-id", signintest.Service, "--flow", flow}, env: h.env("PARLEY_CLIENT_SECRET=" + signintest.Secret)}.run(t)
			named := strings.Trim(resource, `"7`)
			if got.code != 4 || !strings.Contains(got.err, g.URL) || !strings.Contains(got.err, named) || strings.Contains(got.err, "\n\n") {
				t.Errorf("%s, %s: got exit %d, want 4 and a sentence that names both:\n%s%s", resource, flow, got.code, got.out, got.err)
			}
		}
	}
	if asked := s.Requests(); len(asked) != 0 {
		t.Errorf("got the requests %q at the authorization server, want none", asked)
	}
}
