package cli

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const secret = "s3cr3t-t0ken-0f-mine"

// secretsOnly checks that a secret was sent to the agent and printed nowhere.
func secretsOnly(t *testing.T, name string, r result, more ...string) {
	t.Helper()
	for _, text := range append(more, r.out, r.err) {
		if strings.Contains(text, secret) {
			t.Errorf("%s: got the secret:\n%s", name, text)
		}
	}
}

func TestSecretsAreSentAndNeverShown(t *testing.T) {
	t.Parallel()
	keyed := func(where string) string {
		return strings.Replace(plainCard, `"skills"`, `"securitySchemes":{"k":{"apiKeySecurityScheme":{"location":"`+where+`","name":"access"}}},"skills"`, 1)
	}
	header := func(name string) func(*asked) string { return func(q *asked) string { return q.header.Get(name) } }
	for _, c := range []struct {
		name, card string
		args, env  []string
		got        func(*asked) string
		want       string
	}{
		{"--bearer", plainCard, []string{"--bearer", secret}, nil, header("Authorization"), "Bearer " + secret},
		{"A2ACLI_BEARER", plainCard, nil, []string{"A2ACLI_BEARER=" + secret}, header("Authorization"), "Bearer " + secret},
		{"PARLEY_BEARER", plainCard, nil, []string{"PARLEY_BEARER=" + secret, "A2ACLI_BEARER=other"}, header("Authorization"), "Bearer " + secret},
		{"flag before environment", plainCard, []string{"--bearer", secret}, []string{"A2ACLI_BEARER=other"}, header("Authorization"), "Bearer " + secret},
		{"--api-key that the card does not ask for", plainCard, []string{"--api-key", secret}, nil, header("X-API-Key"), ""},
		{"A2ACLI_API_KEY in a header", keyed("header"), nil, []string{"A2ACLI_API_KEY=" + secret}, header("Access"), secret},
		{"in a query", keyed("query"), []string{"--api-key", secret}, nil, func(q *asked) string { return q.req.URL.Query().Get("access") }, secret},
		{"in a cookie", keyed("cookie"), []string{"--api-key", secret}, nil, header("Cookie"), "access=" + secret},
		{"--svc-param by name", plainCard, []string{"--svc-param", "x-auth:" + secret}, nil, header("X-Auth"), secret},
		{"--svc-param of any name", plainCard, []string{"--svc-param", "x-thing:" + secret}, nil, header("X-Thing"), secret},
		{"--svc-param by value", plainCard, []string{"--svc-param", "x-odd: Bearer " + secret}, nil, header("X-Odd"), "Bearer " + secret},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, answer := range []func(*asked, http.ResponseWriter){
				done,
				func(_ *asked, w http.ResponseWriter) { w.WriteHeader(401) },
				func(q *asked, w http.ResponseWriter) { q.fail(w, -32602, "you sent "+secret) },
				func(_ *asked, w http.ResponseWriter) { http.Error(w, "echo "+secret, 500) },
			} {
				s := newStub(t, c.card, answer)
				for _, format := range []string{"text", "json"} {
					record := filepath.Join(t.TempDir(), "run.jsonl")
					args := append([]string{"send", "-a", s.URL, "x", "--debug", "--verbose", "-o", format, "--record", record}, c.args...)
					r := commandLine{args: args, env: c.env}.run(t)
					journal, err := os.ReadFile(record)
					if err != nil || len(journal) == 0 {
						t.Fatalf("got no recording: %v", err)
					}
					secretsOnly(t, c.name, r, string(journal))
					if !strings.Contains(r.err, "-> SendMessage") {
						t.Errorf("--debug printed no requests:\n%s", r.err)
					}
				}
				if q := s.asked("SendMessage"); len(q) != 2 || c.got(&q[0]) != c.want {
					t.Errorf("the agent got %v, want %q", q, c.want)
				}
			}
		})
	}
}

func TestSecretsInUsageErrorsAreNotRepeated(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"send", "--baerer=" + secret, "x"}, {"send", "-bearer=" + secret}, {"send", "-a", "h", "--svc-param", secret, "x"},
		{"send", "-a", "h", "--timeout", secret, "x"}, {"send", "---" + secret}, {"send", "-a", "http://u:" + secret + "@h", "x"},
	} {
		r := parley(t, args...)
		if r.code == 0 {
			t.Errorf("%q: got exit 0, want a failure", args)
		}
		secretsOnly(t, strings.Join(args, " "), r)
	}
	s := newStub(t, plainCard, done)
	r := parley(t, "send", "-a", s.URL+"?token="+secret, "x", "--debug")
	secretsOnly(t, "the query of a reference", r)
}

func TestCredentialsStayWithTheOriginThatWasNamed(t *testing.T) {
	t.Parallel()
	other := newStub(t, plainCard, done)
	card := strings.ReplaceAll(plainCard, "%s", other.URL)
	s := newStub(t, card, done)
	for _, credentials := range [][]string{{"--bearer", secret}, {"--api-key", secret}, {"--svc-param", "x-token:" + secret}} {
		args := append([]string{"send", "-a", s.URL, "x"}, credentials...)
		failures(t, args, "A2ACLI_ERR_AUTH_FAILED", 4, "--allow-origin "+other.URL)
		if r := parley(t, args...); !strings.Contains(r.err, s.URL) || len(other.asked("SendMessage")) != 0 {
			t.Fatalf("got a message at the other origin, or an error without both origins: %s", r.err)
		}
	}
	r := parley(t, "send", "-a", s.URL, "x", "--bearer", secret, "--allow-origin", other.URL)
	if r.code != 0 || other.only(t, "SendMessage").header.Get("Authorization") != "Bearer "+secret {
		t.Errorf("got exit %d, want 0 and the token: %s", r.code, r.err)
	}
	if r = parley(t, "send", "-a", s.URL, "x"); r.code != 0 {
		t.Errorf("without credentials: got exit %d, want 0: %s", r.code, r.err)
	}
}

func TestInsecureIsNeverSilent(t *testing.T) {
	t.Parallel()
	plain := newStub(t, plainCard, done)
	for _, c := range []struct {
		args []string
		says string
	}{
		{nil, "the answer may come from anyone"},
		{[]string{"--bearer", secret}, "the credentials go to whoever answers"},
	} {
		r := parley(t, append([]string{"send", "-a", plain.URL, "x", "--insecure"}, c.args...)...)
		if r.code != 0 || !strings.Contains(r.err, "Warning: TLS certificates are not verified") || !strings.Contains(r.err, c.says) {
			t.Errorf("got exit %d, want 0 and %q: %s", r.code, c.says, r.err)
		}
		if !strings.Contains(r.out, "--insecure") {
			t.Errorf("got no --insecure in the next command: %s", r.out)
		}
	}
	tls := newStub(t, plainCard, done)
	secure := newTLS(t, tls)
	if r := parley(t, "card", "get", secure); r.code != 3 {
		t.Errorf("unknown certificate: got exit %d, want 3", r.code)
	}
	if r := parley(t, "card", "get", secure, "--insecure"); r.code != 0 {
		t.Errorf("with --insecure: got exit %d, want 0: %s", r.code, r.err)
	}
}

func TestASecretMessageIsSentAndNeverShown(t *testing.T) {
	t.Parallel()
	for _, answer := range []func(*asked, http.ResponseWriter){
		done,
		func(q *asked, w http.ResponseWriter) {
			q.result(w, strings.ReplaceAll(task(completed), "t1", "t1 "+secret))
		},
		func(q *asked, w http.ResponseWriter) { q.fail(w, -32602, "you sent "+secret) },
	} {
		s := newStub(t, plainCard, answer)
		for _, format := range []string{"text", "json"} {
			record := filepath.Join(t.TempDir(), "run.jsonl")
			r := parley(t, "send", "-a", s.URL, secret, "--secret", "--debug", "--verbose", "-o", format, "--record", record)
			journal, err := os.ReadFile(record)
			if err != nil || len(journal) == 0 {
				t.Fatalf("got no recording: %v", err)
			}
			secretsOnly(t, "--secret", r, string(journal))
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, q := range s.seen {
			if q.Method != "SendMessage" {
				continue
			}
			if got := at(q.Params, "message", "parts", 0, "text"); got != secret {
				t.Errorf("the agent got %v, want the secret", got)
			}
		}
	}
}
