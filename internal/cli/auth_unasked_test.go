//go:build unix

package cli

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/porttest"
	"parley/internal/signin/signintest"
)

// Without a terminal nothing is asked and nothing waits: status 4, with the command to run.
func TestALoginWithoutATerminalAsksNothing(t *testing.T) {
	t.Parallel()
	s := signintest.Start(t)
	h := newHome(t)
	never := func(*http.Request) bool { return false }
	oauth := startGuarded(t, &guardedAgent{schemes: oauthScheme(s.Issuer), requirements: `{"schemes":{"o":{"list":[]}}}`, check: never})
	key := startGuarded(t, &guardedAgent{schemes: `"k":{"apiKeySecurityScheme":{"location":"header","name":"X"}}`, requirements: `{"schemes":{"k":{"list":[]}}}`, check: never})
	for name, c := range map[string]struct {
		ref   string
		args  []string
		wants []string
	}{
		"a page without a browser":      {oauth.URL, []string{"--client-id", "native", "--no-browser"}, []string{"there is no terminal", " --client-id native --no-browser in a terminal"}},
		"without a client":              {oauth.URL, []string{"--no-browser"}, []string{"there is no terminal", " --no-browser in a terminal"}},
		"a browser that does not exist": {oauth.URL, []string{"--client-id", "native", "--redirect-port", porttest.Keep(t).Number}, []string{"no browser could be opened", " --client-id native in a terminal"}},
		"a key":                         {key.URL, nil, []string{"nothing was entered", "in a terminal"}},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		r := commandLine{args: append([]string{"auth", "login", c.ref}, c.args...), env: h.env("PATH=" + h.dir), dir: h.dir, ctx: ctx}.run(t) // no program opens a browser
		cancel()
		for _, want := range append(c.wants, "parley auth login "+c.ref) {
			if r.code != 4 || !strings.Contains(r.err, want) {
				t.Errorf("%s: got exit %d, want 4 and %q:\n%s%s", name, r.code, want, r.out, r.err)
			}
		}
	}
}

// Every command that an agent refuses names the command to sign in with.
func TestRefusedCommandsNameTheLogin(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	g := startGuarded(t, &guardedAgent{schemes: `"k":{"apiKeySecurityScheme":{"location":"header","name":"X"}}`, requirements: `{"schemes":{"k":{"list":[]}}}`, check: func(*http.Request) bool { return false }})
	hidden := startGuarded(t, &guardedAgent{hides: true, challenge: "Bearer", check: func(*http.Request) bool { return false }})
	for _, args := range [][]string{
		{"send", "-a", g.URL, "hi"}, {"send", "--stream", "-a", g.URL, "hi"}, {"chat", "-a", g.URL},
		{"task", "get", "-a", g.URL, "t1"}, {"task", "list", "-a", g.URL}, {"task", "cancel", "-a", g.URL, "t1"}, {"task", "subscribe", "-a", g.URL, "t1"},
		{"doctor", g.URL}, {"card", "get", hidden.URL}, {"send", "-a", hidden.URL, "hi"},
	} {
		if r := h.run("hello\n", args...); r.code != 4 || !strings.Contains(r.err, "parley auth login http://") {
			t.Errorf("%q: got exit %d, want 4 and the command to sign in:\n%s%s", args, r.code, r.out, r.err)
		}
	}
}

// A secret in the address of an agent, also behind #, is in no text and no file.
func TestASecretInAnAddressIsShownNowhere(t *testing.T) {
	t.Parallel()
	const secret = "s3cret-0f-ann"
	h := newHome(t)
	closed := startGuarded(t, &guardedAgent{schemes: `"k":{"apiKeySecurityScheme":{"location":"header","name":"X"}}`, requirements: `{"schemes":{"k":{"list":[]}}}`, check: func(*http.Request) bool { return false }})
	open := startGuarded(t, &guardedAgent{check: func(*http.Request) bool { return true }})
	digest := startGuarded(t, &guardedAgent{schemes: `"d":{"httpAuthSecurityScheme":{"scheme":"Digest"}}`, requirements: `{"schemes":{"d":{"list":[]}}}`, check: func(*http.Request) bool { return false }})
	for _, tail := range []string{"/?ticket=" + secret, "/#access_token=" + secret, "/#/cb?id_token=" + secret, "/#" + secret} {
		for _, args := range [][]string{
			{"auth", "login", closed.URL + tail}, {"auth", "login", closed.URL + tail, "--flow", "basic"}, {"auth", "login", open.URL + tail}, {"auth", "login", digest.URL + tail},
			{"auth", "logout", closed.URL + tail}, {"auth", "login", "ftp://h" + tail}, {"send", "-a", "ftp://h" + tail, "hi"},
			{"send", "-a", closed.URL + tail, "hi", "--record", "r.jsonl", "--debug"}, {"card", "get", open.URL + tail}, {"card", "diff", open.URL + tail}, {"doctor", closed.URL + tail},
		} {
			if i := slices.Index(args, "--record"); i > 0 {
				args[i+1] = filepath.Join(h.dir, "r.jsonl")
				_ = os.Remove(args[i+1])
			}
			r := h.run("", args...)
			if strings.Contains(r.out+r.err+h.files(), secret) {
				t.Errorf("%q: got the secret:\n%s%s", args, r.out, r.err)
			}
		}
	}
}
