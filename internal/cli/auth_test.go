//go:build unix

package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/internal/porttest"
	"parley/internal/signin/signintest"
)

// A guardedAgent answers whoever sends what its check accepts, and refuses everybody else.
type guardedAgent struct {
	*httptest.Server
	schemes, requirements string // of its card, JSON
	challenge             string // of its refusals
	hides                 bool   // its card is protected, too
	check                 func(*http.Request) bool
	metadata              string // of the agent as a protected resource; empty if it has none

	mu   sync.Mutex
	sent []string // Authorization of the calls
}

func startGuarded(t *testing.T, g *guardedAgent) *guardedAgent {
	t.Helper()
	g.Server = httptest.NewServer(g)
	t.Cleanup(g.Close)
	return g
}

func (g *guardedAgent) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/.well-known/oauth-protected-resource" && g.metadata != "" {
		_, _ = io.WriteString(w, g.metadata)
		return
	}
	if r.Method == http.MethodGet && g.hides && !g.check(r) || r.Method == http.MethodPost && !g.check(r) {
		if g.challenge != "" {
			w.Header().Set("WWW-Authenticate", g.challenge)
		}
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	if r.Method == http.MethodGet {
		fmt.Fprintf(w, `{"name":"Guarded","description":"d","version":"1","capabilities":{},"skills":[],"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],
			"supportedInterfaces":[{"url":"%s/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],"securitySchemes":{%s},"securityRequirements":[%s]}`, g.URL, g.schemes, g.requirements)
		return
	}
	var call struct{ ID json.RawMessage }
	_ = json.NewDecoder(r.Body).Decode(&call)
	g.mu.Lock()
	g.sent = append(g.sent, r.Header.Get("Authorization"))
	g.mu.Unlock()
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"welcome"}]}}}`, call.ID)
}

// knows accepts the tokens that an authorization server issued.
func knows(s *signintest.Server) func(*http.Request) bool {
	return func(r *http.Request) bool {
		token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !ok {
			return false
		}
		req, err := http.NewRequest(http.MethodGet, s.Issuer+"/userinfo", nil)
		if err != nil {
			return false
		}
		req.Header.Set("Authorization", "Bearer "+token)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return false
		}
		resp.Body.Close()
		return resp.StatusCode == http.StatusOK
	}
}

// A home is where a user's files are. It runs command lines with the tokens in a file.
type home struct {
	t   *testing.T
	dir string
}

func newHome(t *testing.T) *home { return &home{t, t.TempDir()} }

func (h *home) env(more ...string) []string {
	return append([]string{"HOME=" + h.dir, "XDG_STATE_HOME=" + h.dir + "/state", "XDG_CONFIG_HOME=" + h.dir + "/config", "PARLEY_TOKEN_STORE=file"}, more...)
}

func (h *home) run(stdin string, args ...string) result {
	return commandLine{args: args, env: h.env(), stdin: stdin}.run(h.t)
}

// files returns the content of all files but that of the tokens.
func (h *home) files() string {
	var all strings.Builder
	err := filepath.WalkDir(h.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "tokens.json" {
			return err
		}
		b, err := os.ReadFile(path)
		all.Write(b)
		return err
	})
	if err != nil {
		h.t.Error(err)
	}
	return all.String()
}

func TestWhatIsEnteredAtALoginIsSent(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		schemes, requirements, stdin string
		flags                        []string
		check                        func(*http.Request) bool
		secret                       string
	}{
		"key in a header": {`"k":{"apiKeySecurityScheme":{"location":"header","name":"X-Desk"}}`, `{"schemes":{"k":{"list":[]}}}`, "the-k3y-of-ann\n", nil,
			func(r *http.Request) bool { return r.Header.Get("X-Desk") == "the-k3y-of-ann" }, "the-k3y-of-ann"},
		"key in the query": {`"k":{"apiKeySecurityScheme":{"location":"query","name":"desk"}}`, `{"schemes":{"k":{"list":[]}}}`, "the-k3y-of-ann\n", nil,
			func(r *http.Request) bool { return r.URL.Query().Get("desk") == "the-k3y-of-ann" }, "the-k3y-of-ann"},
		"key in a cookie": {`"k":{"apiKeySecurityScheme":{"location":"cookie","name":"desk"}}`, `{"schemes":{"k":{"list":[]}}}`, "the-k3y-of-ann\n", nil,
			func(r *http.Request) bool {
				c, err := r.Cookie("desk")
				return err == nil && c.Value == "the-k3y-of-ann"
			}, "the-k3y-of-ann"},
		"basic": {`"b":{"httpAuthSecurityScheme":{"scheme":"Basic"}}`, `{"schemes":{"b":{"list":[]}}}`, "ann\nthe passw0rd\n", nil,
			func(r *http.Request) bool {
				user, password, _ := r.BasicAuth()
				return user == "ann" && password == "the passw0rd"
			}, "the passw0rd"},
		"bearer": {`"t":{"httpAuthSecurityScheme":{"scheme":"bearer"}}`, `{"schemes":{"t":{"list":[]}}}`, "the-t0ken-of-ann\n", nil,
			func(r *http.Request) bool { return r.Header.Get("Authorization") == "Bearer the-t0ken-of-ann" }, "the-t0ken-of-ann"},
		"key and bearer": {`"k":{"apiKeySecurityScheme":{"location":"header","name":"X-Desk"}},"t":{"httpAuthSecurityScheme":{"scheme":"bearer"}}`, `{"schemes":{"k":{"list":[]},"t":{"list":[]}}}`, "the-k3y-of-ann\nthe-t0ken-of-ann\n", nil,
			func(r *http.Request) bool {
				return r.Header.Get("X-Desk") == "the-k3y-of-ann" && r.Header.Get("Authorization") == "Bearer the-t0ken-of-ann"
			}, "the-t0ken-of-ann"},
		"the second way": {`"k":{"apiKeySecurityScheme":{"location":"header","name":"X-Desk"}},"t":{"httpAuthSecurityScheme":{"scheme":"bearer"}}`, `{"schemes":{"k":{"list":[]}}},{"schemes":{"t":{"list":[]}}}`, "the-t0ken-of-ann\n", []string{"--flow", "bearer"},
			func(r *http.Request) bool { return r.Header.Get("Authorization") == "Bearer the-t0ken-of-ann" }, "the-t0ken-of-ann"},
	} {
		t.Run(name, func(t *testing.T) {
			h, g := newHome(t), startGuarded(t, &guardedAgent{schemes: c.schemes, requirements: c.requirements, check: c.check})
			refused := h.run("", "send", "-a", g.URL, "hi")
			if refused.code != 4 || !strings.Contains(refused.err, "parley auth login "+g.URL) {
				t.Fatalf("got exit %d, want 4 and the command to sign in:\n%s", refused.code, refused.err)
			}
			in := h.run(c.stdin, append([]string{"auth", "login", g.URL}, c.flags...)...)
			if in.code != 0 || strings.Contains(in.out+in.err, c.secret) || !strings.Contains(in.out, "Agent: "+g.URL) {
				t.Fatalf("got exit %d, want 0 and the identity without its secret:\n%s%s", in.code, in.out, in.err)
			}
			record := filepath.Join(h.dir, "run.jsonl")
			sent := h.run("", "send", "-a", g.URL, "hi", "--record", record, "--debug")
			if sent.code != 0 || !strings.Contains(sent.out, "welcome") || strings.Contains(sent.out+sent.err, c.secret) {
				t.Errorf("got exit %d, want the answer without the secret:\n%s%s", sent.code, sent.out, sent.err)
			}
			if text := h.files(); strings.Contains(text, c.secret) || !strings.Contains(text, g.URL) {
				t.Errorf("got a secret in a file, or no recording:\n%s", text)
			}
			status := h.run("", "auth", "status", "-o", "json")
			if status.code != 0 || !strings.Contains(status.out, `"origin":"`+g.URL+`"`) || strings.Contains(status.out, c.secret) {
				t.Errorf("got exit %d and\n%s%s", status.code, status.out, status.err)
			}
			if out := h.run("", "auth", "logout", g.URL); out.code != 0 || !strings.Contains(out.out, "Signed out of "+g.URL) {
				t.Errorf("got exit %d and\n%s%s", out.code, out.out, out.err)
			}
			if again := h.run("", "send", "-a", g.URL, "hi"); again.code != 4 {
				t.Errorf("got exit %d after signing out, want 4", again.code)
			}
		})
	}
}

// oauthScheme is a scheme of OAuth 2 with the flows of a server.
func oauthScheme(issuer string) string {
	return `"o":{"oauth2SecurityScheme":{"oauth2MetadataUrl":"` + issuer + `/.well-known/openid-configuration","flows":{"authorizationCode":{"authorizationUrl":"` + issuer +
		`/auth","tokenUrl":"` + issuer + `/oauth/token","scopes":{}}}}}`
}

// signInWithBrowser runs parley auth login, plays its browser, and returns the result.
func (h *home) signInWithBrowser(s *signintest.Server, ref string, more ...string) result {
	h.t.Helper()
	asked := filepath.Join(h.dir, "asked")
	for _, name := range []string{"xdg-open", "open"} {
		writeProgram(h.t, filepath.Join(h.dir, name), "#!/bin/sh\nprintf '%s' \"$1\" >"+asked+".new && mv "+asked+".new "+asked+"\n")
	}
	ctx, cancel := context.WithTimeout(h.t.Context(), time.Minute)
	defer cancel()
	done := make(chan result)
	go func() {
		done <- commandLine{args: append([]string{"auth", "login", ref, "--client-id", signintest.Public, "--redirect-port", porttest.Keep(h.t).Number}, more...), env: h.env("DISPLAY=:0", "PATH="+h.dir+":"+os.Getenv("PATH")), dir: h.dir, ctx: ctx}.run(h.t)
	}()
	for {
		select {
		case r := <-done:
			return r
		case <-time.After(10 * time.Millisecond):
		}
		address, err := os.ReadFile(asked)
		if err != nil {
			continue
		}
		if _, _, err := s.Browse(ctx, string(address)); err != nil {
			h.t.Error(err)
		}
		return <-done
	}
}

func TestALoginWithABrowser(t *testing.T) {
	t.Parallel()
	s := signintest.Start(t)
	h := newHome(t)
	g := startGuarded(t, &guardedAgent{schemes: oauthScheme(s.Issuer), requirements: `{"schemes":{"o":{"list":["offline_access"]}}}`, check: knows(s)})
	in := h.signInWithBrowser(s, g.URL)
	if in.code != 0 || !strings.Contains(in.out, "OAuth, authorization code") || !strings.Contains(in.out, "Issuer: "+s.Issuer) {
		t.Fatalf("got exit %d, want 0 and who the user is:\n%s%s", in.code, in.out, in.err)
	}
	if sent := h.run("", "send", "-a", g.URL, "hi"); sent.code != 0 || !strings.Contains(sent.out, "welcome") {
		t.Errorf("got exit %d, want the answer:\n%s%s", sent.code, sent.out, sent.err)
	}
	token := strings.TrimPrefix(g.sent[0], "Bearer ")
	if text := h.files(); strings.Contains(text, token) || strings.Contains(in.out+in.err, token) {
		t.Errorf("got the token in a file or a text:\n%s", text)
	}
	if out := h.run("", "auth", "logout", "--all"); out.code != 0 || !strings.Contains(out.out, "The authorization server has ended the token.") {
		t.Errorf("got exit %d and\n%s%s", out.code, out.out, out.err)
	}
	if rest, err := os.ReadFile(filepath.Join(h.dir, "state", "parley", "tokens.json")); err != nil || strings.Contains(string(rest), token) {
		t.Errorf("got %s, %v after signing out, want no token", rest, err)
	}
}

// A token that the agent no longer accepts is renewed, and the request is repeated once.
func TestARefusedTokenIsRenewedByACommand(t *testing.T) {
	t.Parallel()
	s := signintest.Start(t)
	h := newHome(t)
	ended := ""
	valid := knows(s)
	g := startGuarded(t, &guardedAgent{schemes: oauthScheme(s.Issuer), requirements: `{"schemes":{"o":{"list":["offline_access"]}}}`})
	g.check = func(r *http.Request) bool { return r.Header.Get("Authorization") != ended && valid(r) }
	if in := h.signInWithBrowser(s, g.URL); in.code != 0 {
		t.Fatalf("got exit %d:\n%s%s", in.code, in.out, in.err)
	}
	h.run("", "send", "-a", g.URL, "hi")
	ended = g.sent[0]
	if sent := h.run("", "send", "-a", g.URL, "hi"); sent.code != 0 || len(g.sent) != 2 || g.sent[1] == ended {
		t.Errorf("got exit %d and %d answers, want the answer with another token:\n%s%s", sent.code, len(g.sent), sent.out, sent.err)
	}
}

func TestALoginWithoutABrowser(t *testing.T) {
	t.Parallel()
	s := signintest.Start(t)
	scheme := `"i":{"openIdConnectSecurityScheme":{"openIdConnectUrl":"` + s.Issuer + `"}}`
	t.Run("client credentials", func(t *testing.T) {
		h := newHome(t)
		g := startGuarded(t, &guardedAgent{schemes: scheme, requirements: `{"schemes":{"i":{"list":[]}}}`, check: func(r *http.Request) bool { return strings.HasPrefix(r.Header.Get("Authorization"), "Bearer ") }})
		args := []string{"auth", "login", g.URL, "--flow", "client-credentials", "--client-id", signintest.Service}
		if r := h.run("", args...); r.code != 4 || !strings.Contains(r.err, "PARLEY_CLIENT_SECRET") {
			t.Errorf("got exit %d without the secret, want 4:\n%s%s", r.code, r.out, r.err)
		}
		r := commandLine{args: args, env: h.env("PARLEY_CLIENT_SECRET=" + signintest.Secret)}.run(t)
		if r.code != 0 || strings.Contains(r.out+r.err+h.files(), signintest.Secret) {
			t.Fatalf("got exit %d, want 0 without the secret:\n%s%s", r.code, r.out, r.err)
		}
		if sent := h.run("", "send", "-a", g.URL, "hi"); sent.code != 0 {
			t.Errorf("got exit %d, want the answer:\n%s%s", sent.code, sent.out, sent.err)
		}
	})
	t.Run("device code", func(t *testing.T) {
		h := newHome(t)
		g := startGuarded(t, &guardedAgent{schemes: scheme, requirements: `{"schemes":{"i":{"list":[]}}}`, check: knows(s)})
		r := h.watch(func(shown string) bool {
			code := regexp.MustCompile(`(?m)^Code: (\S+)$`).FindStringSubmatch(shown)
			if code == nil {
				return false
			}
			if err := s.Agree(t.Context(), code[1]); err != nil {
				t.Error(err)
			}
			return true
		}, "", "auth", "login", g.URL, "--flow", "device", "--client-id", signintest.Devices)
		if r.code != 0 {
			t.Fatalf("got exit %d, want 0:\n%s%s", r.code, r.out, r.err)
		}
		if sent := h.run("", "send", "-a", g.URL, "hi"); sent.code != 0 {
			t.Errorf("got exit %d, want the answer:\n%s%s", sent.code, sent.out, sent.err)
		}
	})
}

// watch runs a command line with a secret of the client, and calls see with what it has written to
// standard error until that returns true.
func (h *home) watch(see func(shown string) bool, stdin string, args ...string) result {
	h.t.Helper()
	in, out := pipeFile(h.t, stdin), pipeFile(h.t, "")
	reader, writer, err := os.Pipe()
	if err != nil {
		h.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(h.t.Context(), time.Minute)
	defer cancel()
	done := make(chan int)
	go func() {
		defer writer.Close()
		done <- Run(ctx, args, h.env("PARLEY_CLIENT_SECRET="+signintest.Secret), Streams{In: in, Out: out, Err: writer})
	}()
	var shown strings.Builder
	seen := make(chan bool)
	go func() {
		defer close(seen)
		buffer, over := make([]byte, 4096), false
		for {
			n, err := reader.Read(buffer)
			shown.Write(buffer[:n])
			over = over || see(shown.String())
			if err != nil {
				return
			}
		}
	}()
	code := <-done
	<-seen
	return result{out: content(h.t, out), err: shown.String(), code: code}
}

func pipeFile(t *testing.T, content string) *os.File {
	t.Helper()
	f, err := os.CreateTemp(t.TempDir(), "stream")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if _, err := io.WriteString(f, content); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestALoginThatCannotBeSaysWhy(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	s := signintest.Start(t)
	nothing := startGuarded(t, &guardedAgent{check: func(*http.Request) bool { return true }})
	digest := startGuarded(t, &guardedAgent{schemes: `"d":{"httpAuthSecurityScheme":{"scheme":"Digest"}}`, requirements: `{"schemes":{"d":{"list":[]}}}`, check: func(*http.Request) bool { return false }})
	tls := startGuarded(t, &guardedAgent{schemes: `"m":{"mtlsSecurityScheme":{}}`, requirements: `{"schemes":{"m":{"list":[]}}}`, check: func(*http.Request) bool { return false }})
	key := startGuarded(t, &guardedAgent{schemes: `"k":{"apiKeySecurityScheme":{"location":"header","name":"X"}}`, requirements: `{"schemes":{"k":{"list":[]}}}`, check: func(*http.Request) bool { return false }})
	oauth := startGuarded(t, &guardedAgent{schemes: oauthScheme(s.Issuer), requirements: `{"schemes":{"o":{"list":[]}}}`, check: func(*http.Request) bool { return false }})
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	_, port, _ := net.SplitHostPort(busy.Addr().String())
	for name, c := range map[string]struct {
		stdin string
		args  []string
		code  int
		want  string
	}{
		"no demand":       {"", []string{nothing.URL}, 1, "asks for no credentials"},
		"no demand, but":  {"", []string{nothing.URL}, 1, "Hint: If it refuses requests all the same, set A2ACLI_BEARER or give --bearer; an API key needs its header: --svc-param"},
		"nowhere to keep": {"", []string{nothing.URL, "--token-store", "memory"}, 1, "Hint: To use credentials without keeping them, set A2ACLI_BEARER or give --bearer; an API key needs its header: --svc-param"},
		"unknown scheme":  {"", []string{digest.URL}, 1, "Parley does not know this scheme"},
		"certificate":     {"", []string{tls.URL}, 1, "--cert FILE presents"},
		"another kind":    {"", []string{key.URL, "--flow", "basic"}, 2, "it accepts key"},
		"no such kind":    {"", []string{key.URL, "--flow", "magic"}, 2, "none of code, device"},
		"nothing":         {"", []string{key.URL}, 4, "nothing was entered"},
		"an escape":       {"k\x1b[2J\n", []string{key.URL}, 2, "without control characters"},
		"no client":       {"", []string{oauth.URL}, 2, "give --client-id"},
		"a busy port":     {"", []string{oauth.URL, "--client-id", "native", "--redirect-port", port}, 4, "is in use: choose another one"},
		"no port":         {"", []string{oauth.URL, "--client-id", "native", "--redirect-port", "70000"}, 2, "not a port"},
		"a file":          {"", []string{"./card.json"}, 2, "has no origin"},
		"nobody":          {"", []string{"http://127.0.0.1:1"}, 3, "127.0.0.1:1"},
	} {
		r := h.run(c.stdin, append([]string{"auth", "login"}, c.args...)...)
		if r.code != c.code || !strings.Contains(r.err, c.want) || strings.Contains(r.err, "\x1b") {
			t.Errorf("%s: got exit %d, want %d and %q:\n%s%s", name, r.code, c.code, c.want, r.out, r.err)
		}
	}
	if r := h.run("", "auth", "logout", key.URL); r.code != 2 || !strings.Contains(r.err, "You are not signed in") {
		t.Errorf("got exit %d and %s", r.code, r.err)
	}
	if r := h.run("", "auth", "logout"); r.code != 2 {
		t.Errorf("got exit %d without an agent, want 2", r.code)
	}
	if r := h.run("", "auth", "status"); r.code != 0 || !strings.Contains(r.out, "signed in nowhere") {
		t.Errorf("got exit %d and %s", r.code, r.out)
	}
	memory := commandLine{args: []string{"auth", "login", key.URL, "--token-store", "memory"}, env: h.env(), stdin: "k\n"}.run(t)
	if memory.code != 1 || !strings.Contains(memory.err, "would be forgotten") {
		t.Errorf("got exit %d and %s", memory.code, memory.err)
	}
}

// Credentials for one origin do not go to another, even on the same machine.
func TestAnIdentityStaysWithItsOrigin(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	never := func(*http.Request) bool { return false }
	scheme, need := `"t":{"httpAuthSecurityScheme":{"scheme":"bearer"}}`, `{"schemes":{"t":{"list":[]}}}`
	other := newListener(t)
	g := startGuarded(t, &guardedAgent{schemes: scheme, requirements: need, check: never})
	if in := h.run("the-t0ken-of-ann\n", "auth", "login", g.URL); in.code != 0 {
		t.Fatalf("got exit %d:\n%s", in.code, in.err)
	}
	h.run("", "send", "-a", other.URL, "hi")
	h.run("", "send", "-a", g.URL, "hi", "--endpoint", other.URL)
	h.run("", "card", "get", strings.Replace(g.URL, "127.0.0.1", "localhost", 1))
	if got := other.got(); strings.Contains(got, "the-t0ken-of-ann") || !strings.Contains(got, "SendMessage") {
		t.Errorf("got the token at another origin, or no message there:\n%s", got)
	}
}
