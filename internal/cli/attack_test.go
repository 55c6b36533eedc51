package cli

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// A listener records everything that it receives, and may serve an answer.
type listener struct {
	*httptest.Server
	mu      sync.Mutex
	arrived strings.Builder
	serve   http.HandlerFunc
}

func newListener(t *testing.T) *listener {
	l := &listener{}
	l.Server = httptest.NewServer(l)
	t.Cleanup(l.Close)
	return l
}

func (l *listener) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	l.mu.Lock()
	fmt.Fprintf(&l.arrived, "%s %s %s\n", r.Method, r.Host, r.URL)
	_ = r.Header.Write(&l.arrived)
	fmt.Fprintf(&l.arrived, "%s\n\n", body)
	l.mu.Unlock()
	if l.serve != nil {
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		l.serve(w, r)
	}
}

func (l *listener) got() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.arrived.String()
}

// Whatever an agent answers, its credentials go nowhere else: not after a redirect to another
// port, host or scheme, and not because a card or a message names a URL.
func TestWhateverAnAgentAnswersCredentialsStayWithIt(t *testing.T) {
	t.Parallel()
	supplied := []string{"bearer-t0ken-1", "header-value-2", "query-value-3", "api-key-value-4"}
	for name, attack := range map[string]struct {
		card, rpc func(agent, other string) string // the target of redirects; empty for none
		endpoint  func(agent, other string) string // in the card
		status    int
	}{
		"the card moves":                       {card: func(_, other string) string { return other + "/.well-known/agent-card.json?query=query-value-3" }},
		"the card moves to another host":       {card: func(_, other string) string { return strings.Replace(other, "127.0.0.1", "localhost", 1) + "/card" }},
		"the card moves with user and host":    {card: func(agent, other string) string { return strings.Replace(other, "://", "://"+hostOf(agent)+"@", 1) }},
		"the card moves without a scheme":      {card: func(_, other string) string { return "//" + hostOf(other) + "/card" }},
		"the endpoint is elsewhere":            {endpoint: func(_, other string) string { return other + "/rpc" }},
		"the endpoint is the same host":        {endpoint: func(_, other string) string { return strings.Replace(other, "127.0.0.1", "127.1", 1) }},
		"the endpoint has a user":              {endpoint: func(agent, other string) string { return strings.Replace(other, "://", "://"+hostOf(agent)+"@", 1) }},
		"calls are redirected, 307":            {rpc: func(_, other string) string { return other + "/rpc" }, status: 307},
		"calls are redirected, 308":            {rpc: func(_, other string) string { return "//" + hostOf(other) + "/rpc" }, status: 308},
		"calls are redirected, 302":            {rpc: func(_, other string) string { return other + "/rpc?x=1" }, status: 302},
		"calls are redirected to another host": {rpc: func(_, other string) string { return strings.Replace(other, "127.0.0.1", "localhost", 1) }, status: 307},
		"calls are redirected with a user": {rpc: func(agent, other string) string {
			return strings.Replace(other, "://", "://"+hostOf(agent)+"@", 1)
		}, status: 307},
		"calls are redirected in a chain": {rpc: func(agent, other string) string {
			return agent + "/rpc?hop=" + url.QueryEscape(other)
		}, status: 307},
		"calls are redirected to a backslash": {rpc: func(agent, other string) string { return "http:\\\\" + hostOf(other) + "\\rpc" }, status: 307},
		"the answer names files elsewhere":    {},
	} {
		t.Run(name, func(t *testing.T) {
			agent, other := newListener(t), newListener(t)
			other.serve = func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodGet {
					_, _ = io.WriteString(w, strings.ReplaceAll(plainCard, "%s", other.URL))
					return
				}
				_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"gotcha"}]}}}`)
			}
			agent.serve = func(w http.ResponseWriter, r *http.Request) {
				move := func(to string, status int) {
					w.Header().Set("Location", to)
					w.WriteHeader(status)
				}
				switch hop := r.URL.Query().Get("hop"); {
				case hop != "":
					move(hop+"/rpc", 307)
				case r.Method == http.MethodGet && attack.card != nil:
					move(attack.card(agent.URL, other.URL), 307)
				case r.Method == http.MethodGet:
					endpoint := agent.URL
					if attack.endpoint != nil {
						endpoint = attack.endpoint(agent.URL, other.URL)
					}
					_, _ = io.WriteString(w, strings.ReplaceAll(plainCard, "%s", endpoint))
				case attack.rpc != nil:
					move(attack.rpc(agent.URL, other.URL), attack.status)
				default:
					fmt.Fprintf(w, `{"jsonrpc":"2.0","id":1,"result":{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"},
						"artifacts":[{"artifactId":"a","parts":[{"url":"%s/f?k=query-value-3"},{"url":"%s/g"}]}]}}}`, other.URL, agent.URL)
				}
			}
			for _, command := range [][]string{{"card", "get"}, {"send", "x"}, {"send", "x", "--stream"}, {"task", "get", "t"}, {"task", "cancel", "t"}} {
				r := parley(t, append(command, "-a", agent.URL+"?query=query-value-3", "--bearer", supplied[0], "--svc-param", "X-Team: "+supplied[1], "--api-key", supplied[3])...)
				if strings.Contains(r.err, "panic") {
					t.Errorf("%q: got a panic: %s", command, r.err)
				}
			}
			if !strings.Contains(agent.got(), "Bearer "+supplied[0]) && attack.card == nil && attack.endpoint == nil {
				t.Errorf("the agent got no credential:\n%s", agent.got())
			}
			for _, s := range supplied {
				for _, spelled := range []string{s, base64.StdEncoding.EncodeToString([]byte(s))} {
					// A secret that the agent itself puts into a URL is the agent's own
					// responsibility.
					got := strings.ReplaceAll(other.got(), "?query=query-value-3", "")
					if strings.Contains(got, spelled) {
						t.Errorf("the other server got %s:\n%s", s, got)
					}
				}
			}
		})
	}
}

func hostOf(raw string) string {
	_, host, _ := strings.Cut(raw, "://")
	return host
}

// A found file is untrusted input: it may be a folder, a pipe, a link, huge, or binary.
func TestAFoundFileOfAnyKindHurtsNobody(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(path string) error{
		"a folder": func(path string) error { return os.Mkdir(path, 0o700) },
		"zero bytes": func(path string) error {
			return os.WriteFile(path, []byte("A2ACLI_BEARER=a\x00b-secret\nX\x00=1\n"), 0o600)
		},
		"escapes": func(path string) error {
			return os.WriteFile(path, []byte("A2ACLI_BEARER=\x1b[2Jred-secret\r\n\x1b]0;x\a\n"), 0o600)
		},
		"huge": func(path string) error {
			return os.WriteFile(path, []byte(strings.Repeat("A2ACLI_BEARER=huge-secret\n", 1<<18)), 0o600)
		},
		"one line": func(path string) error {
			return os.WriteFile(path, []byte("A2ACLI_BEARER="+strings.Repeat("x", 1<<20)), 0o600)
		},
		"no UTF-8":     func(path string) error { return os.WriteFile(path, []byte("A2ACLI_BEARER=\xff\xfe-secret\n"), 0o600) },
		"a loop":       func(path string) error { return os.Symlink(path, path) },
		"a link":       func(path string) error { return os.Symlink("/dev/zero", path) },
		"all may read": func(path string) error { return os.WriteFile(path, []byte("A2ACLI_BEARER=read-secret\n"), 0o644) },
	} {
		t.Run(name, func(t *testing.T) {
			work := t.TempDir()
			if err := make(filepath.Join(work, ".env")); err != nil {
				t.Skip(err)
			}
			s := newStub(t, plainCard, done)
			r := commandLine{args: []string{"send", "-a", s.URL, "x"}, dir: work}.run(t)
			for _, q := range s.asked("SendMessage") {
				if strings.ContainsAny(q.header.Get("Authorization"), "\x00\x1b") {
					t.Errorf("the agent got Authorization %q, want no control characters", q.header.Get("Authorization"))
				}
			}
			if all := r.out + r.err; strings.Contains(all, "-secret") || strings.ContainsAny(all, "\x00\x1b") || strings.Contains(all, "panic") {
				t.Errorf("got exit %d and output %q, want no secret, control character or panic", r.code, all)
			}
			if r.code != 0 && !strings.Contains(r.err, ".env") && !strings.Contains(r.err, "Authorization") {
				t.Errorf("got exit %d without the name of the file: %s", r.code, r.err)
			}
			t.Logf("exit %d: %.300s", r.code, r.err)
		})
	}
}
