//go:build unix

package e2e

import (
	"encoding/json"
	"fmt"
	"io/fs"
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

// A guarded agent answers those whose token an authorization server knows, or who have its key, and
// refuses all others.
type guardedAgent struct {
	*httptest.Server
	issuer       string
	requirements string // of its card
	key          string // accepted in X-Desk; empty for none

	mu   sync.Mutex
	sent []string // credentials of the calls that it answered
}

func startGuarded(t *testing.T, issuer, key string, schemes ...string) *guardedAgent {
	t.Helper()
	var all []string
	for _, s := range schemes {
		scopes := ""
		if s == "page" {
			scopes = `"offline_access"`
		}
		all = append(all, `{"schemes":{"`+s+`":{"list":[`+scopes+`]}}}`)
	}
	g := &guardedAgent{issuer: issuer, key: key, requirements: strings.Join(all, ",")}
	g.Server = httptest.NewServer(g)
	t.Cleanup(g.Close)
	return g
}

// knows reports whether a request carries what the agent accepts.
func (g *guardedAgent) knows(r *http.Request) bool {
	if g.key != "" && r.Header.Get("X-Desk") == g.key {
		return true
	}
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok || g.issuer == "" {
		return false
	}
	if strings.Contains(g.requirements, "service") { // its tokens have no user
		return len(token) > 20
	}
	req, err := http.NewRequest(http.MethodGet, g.issuer+"/userinfo", nil)
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

func (g *guardedAgent) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		fmt.Fprintf(w, `{"name":"Guarded","description":"d","version":"1","capabilities":{},"skills":[],"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],
			"supportedInterfaces":[{"url":"%s/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],"securitySchemes":{
			"page":{"oauth2SecurityScheme":{"oauth2MetadataUrl":"%[2]s/.well-known/openid-configuration","flows":{"authorizationCode":{"authorizationUrl":"%[2]s/auth","tokenUrl":"%[2]s/oauth/token","scopes":{}}}}},
			"service":{"oauth2SecurityScheme":{"flows":{"clientCredentials":{"tokenUrl":"%[2]s/oauth/token","scopes":{}}}}},
			"device":{"oauth2SecurityScheme":{"flows":{"deviceCode":{"deviceAuthorizationUrl":"%[2]s/device_authorization","tokenUrl":"%[2]s/oauth/token","scopes":{}}}}},
			"key":{"apiKeySecurityScheme":{"location":"header","name":"X-Desk"}}},"securityRequirements":[%[3]s]}`, g.URL, g.issuer, g.requirements)
		return
	}
	if !g.knows(r) {
		if g.key == "" {
			w.Header().Set("WWW-Authenticate", `Bearer realm="desk"`)
		}
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	g.mu.Lock()
	g.sent = append(g.sent, strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")+r.Header.Get("X-Desk"))
	g.mu.Unlock()
	var call struct{ ID json.RawMessage }
	_ = json.NewDecoder(r.Body).Decode(&call)
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"you are welcome"}]}}}`, call.ID)
}

// once returns the credentials of the only call that was answered.
func (g *guardedAgent) once(t *testing.T) string {
	t.Helper()
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.sent) != 1 {
		t.Fatalf("got %d answered calls, want 1", len(g.sent))
	}
	return g.sent[0]
}

// signInHome returns a folder for a user whose browser notes the address that it is to open, and the
// environment. Secrets are kept in a file there.
func signInHome(t *testing.T, more ...string) (dir string, env []string) {
	t.Helper()
	dir = t.TempDir()
	bin := filepath.Join(dir, "bin")
	if err := os.Mkdir(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	script := "#!/bin/sh\nprintf '%s' \"$1\" >\"$ASKED.new\" && mv \"$ASKED.new\" \"$ASKED\"\n"
	for _, name := range []string{"xdg-open", "open"} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return dir, append([]string{
		"HOME=" + dir, "XDG_STATE_HOME=" + dir + "/state", "XDG_CONFIG_HOME=" + dir + "/config", "TMPDIR=" + dir, "PARLEY_TOKEN_STORE=file",
		"PATH=" + bin + ":" + os.Getenv("PATH"), "DISPLAY=:0", "ASKED=" + filepath.Join(dir, "asked"),
	}, more...)
}

// leaksBeside returns the files below a folder that contain a secret, but for that of the tokens, which
// must be readable by its owner alone.
func leaksBeside(t *testing.T, dir, secret string) (leaks []string) {
	t.Helper()
	for _, path := range leaksIn(t, dir, secret) {
		if filepath.Base(path) != "tokens.json" {
			leaks = append(leaks, path)
			continue
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != fs.FileMode(0o600) {
			t.Errorf("got mode %v of %s, want 0600", info.Mode(), path)
		}
	}
	return leaks
}

// From a refused message, enter opens the page in a browser; then the message is answered, while
// another agent streams all the time and is gone in the middle. Another run, and a command, need no
// sign-in any more.
func TestARefusalIsTwoKeysFromASignIn(t *testing.T) {
	t.Parallel()
	server := signintest.Start(t)
	agent := startGuarded(t, server.Issuer, "", "page")
	other := newEndless(t)
	dir, env := signInHome(t)
	record := filepath.Join(dir, "run.jsonl")
	s := parleyWith(t, 120, 30, env, "--client-id", signintest.Public, "--redirect-port", porttest.Keep(t).Number, "--record", record, agent.URL, other.URL)
	s.WaitFor(`▌Guarded`)
	s.WaitFor(`│ ▌Endless`)
	find(s, "Endless")
	s.WaitFor(`^ Endless  `)
	s.Text("Count")
	s.Keys("Enter")
	s.WaitFor(`number 3\b`)
	find(s, "Guarded")
	s.WaitFor(`^ Guarded  `)
	s.Text("Hello")
	s.WaitFor(`❯ Hello`)
	s.Keys("Enter")
	s.WaitFor(`(?s)sign in to Guarded.*refused the message with 401.*“desk”.*● OAuth, sign in with a browser`)
	s.Keys("Enter")
	s.WaitFor(`(?s)Sign in at ` + regexp.QuoteMeta(strings.TrimPrefix(server.Issuer, "http://")) + `.*comes? back`)
	other.kill()
	var address []byte
	s.WaitFunc("the browser", func(string) bool {
		var err error
		address, err = os.ReadFile(filepath.Join(dir, "asked"))
		return err == nil
	})
	if _, page, err := server.Browse(t.Context(), string(address)); err != nil || !strings.HasPrefix(page, "You are signed in.") {
		t.Errorf("got the page %q, %v", page, err)
	}
	s.WaitFor(`(?s)you.*Hello.*401.*you.*Hello.*you are welcome`) // two turns
	token := agent.once(t)
	s.Keys("F5")
	s.WaitFor(`(?s)sign in to Guarded.*signed in.*then it is r`)
	s.Keys("Escape")
	s.WaitGone(`sign in to Guarded`)
	if screen := s.Screen(); strings.Contains(screen, token) {
		t.Errorf("got the token on the screen:\n%s", screen)
	}
	s.Keys("C-c", "C-c")
	s.WaitFor(`^exit status 0`)
	if leaks := leaksBeside(t, dir, token); leaks != nil {
		t.Errorf("got the token in %q", leaks)
	}

	again := parleyWith(t, 100, 30, env, agent.URL)
	again.WaitFor(`^ Guarded  `)
	again.Text("Hello again")
	again.WaitFor(`❯ Hello again`)
	again.Keys("Enter")
	again.WaitFor(`you are welcome`)
	again.Keys("F5")
	again.WaitFor(`1 signed in`)
	again.Keys("BTab")
	again.WaitFor(`d sign out`)
	again.Text("d")
	again.WaitFor(`(?s)Signed out of .*The authorization server has.*ended the token\.`)
	again.Keys("Escape")
	again.WaitGone(`sign in to Guarded`)
	quit(t, again)
	if rest, err := os.ReadFile(filepath.Join(dir, "state", "parley", "tokens.json")); err != nil || strings.Contains(string(rest), token) {
		t.Errorf("got %s, %v after signing out, want no token", rest, err)
	}
}

// Over SSH a code is entered elsewhere, or the address of the last page is pasted. esc cancels.
func TestASignInOverSSH(t *testing.T) {
	t.Parallel()
	server := signintest.Start(t)
	agent := startGuarded(t, server.Issuer, "", "device", "page")
	_, env := signInHome(t, "SSH_CONNECTION=1.2.3.4 5 6.7.8.9 22", "PARLEY_CLIENT_ID="+signintest.Devices, "PARLEY_CLIENT_SECRET="+signintest.Secret, "PARLEY_REDIRECT_PORT="+porttest.Keep(t).Number)
	s := parleyWith(t, 100, 30, env, agent.URL)
	s.WaitFor(`^ Guarded  `)
	s.Text("Hello")
	s.WaitFor(`❯ Hello`)
	s.Keys("Enter")
	s.WaitFor(`(?s)● OAuth, enter a code on any device.*client id +device.*that in PARLEY_CLIENT_SECRET`)
	s.Keys("Enter")
	s.WaitFor(`(?s)enter the code there:.*Parley waits until you have entered it`)
	s.Keys("Escape")
	s.WaitFor(`The sign-in was canceled; nothing was kept`)
	s.Keys("Enter")
	screen := s.WaitFor(`(?s)enter the code there:.*Parley waits until you have entered it`)
	code := regexp.MustCompile(`│ +([A-Z]{4}-[A-Z]{4})\b`).FindStringSubmatch(screen)
	if code == nil {
		t.Fatalf("got no code:\n%s", screen)
	}
	if err := server.Agree(t.Context(), code[1]); err != nil {
		t.Fatal(err)
	}
	s.WaitFor(`you are welcome`)
	quit(t, s)

	dir, env := signInHome(t, "SSH_CONNECTION=1.2.3.4 5 6.7.8.9 22", "PARLEY_CLIENT_ID="+signintest.Public, "PARLEY_REDIRECT_PORT="+porttest.Keep(t).Number)
	s = parleyWith(t, 200, 40, env, agent.URL)
	s.WaitFor(`^ Guarded  `)
	s.Keys("F5", "C-t")
	s.WaitFor(`● OAuth, sign in with a browser`)
	s.Keys("Enter")
	screen = s.WaitFor(`(?s)Open it with any browser.*paste the address of the last page`)
	address := regexp.MustCompile(`(?s)(http://\S+/auth\?.*?)\n *\n`).FindStringSubmatch(boxOf(screen, "sign in to Guarded"))
	if address == nil {
		t.Fatalf("got no address:\n%s", screen)
	}
	back, err := server.Visit(t.Context(), strings.NewReplacer("\n", "", " ", "").Replace(address[1]))
	if err != nil {
		t.Fatal(err)
	}
	s.Paste(back)
	s.WaitFor(`last page +•`)
	s.Keys("Enter")
	s.WaitFor(`signed in to Guarded`)
	if _, err := os.Stat(filepath.Join(dir, "asked")); err == nil {
		t.Error("a browser was opened over SSH")
	}
	quit(t, s)
}

// A client's secret and an API key sign in too, and stand in no file but that of the tokens.
func TestSecretsOfASignInAreLeftNowhere(t *testing.T) {
	t.Parallel()
	server := signintest.Start(t)
	t.Run("client credentials", func(t *testing.T) {
		agent := startGuarded(t, server.Issuer, "", "service")
		dir, env := signInHome(t, "PARLEY_CLIENT_ID="+signintest.Service)
		s := parleyWith(t, 100, 30, env, "--record", filepath.Join(dir, "run.jsonl"), agent.URL)
		s.WaitFor(`^ Guarded  `)
		s.Text("Hello")
		s.WaitFor(`❯ Hello`)
		s.Keys("Enter")
		s.WaitFor(`● OAuth, with a client's secret`)
		s.Text(signintest.Secret)
		s.WaitFor(`client secret +•{10}`)
		s.Keys("Enter")
		s.WaitFor(`you are welcome`)
		token := agent.once(t)
		quit(t, s)
		for _, secret := range []string{token, signintest.Secret} {
			if leaks := leaksBeside(t, dir, secret); leaks != nil {
				t.Errorf("got a secret in %q", leaks)
			}
		}
	})
	t.Run("API key", func(t *testing.T) {
		const key = "tide-hunter-42"
		agent := startGuarded(t, server.Issuer, key, "key")
		dir, env := signInHome(t)
		s := parleyIn(t, dir, 80, 24, env, "--record", filepath.Join(dir, "run.jsonl"), agent.URL)
		s.WaitFor(`^ Guarded  `)
		s.Text("Hello")
		s.WaitFor(`❯ Hello`)
		s.Keys("Enter")
		s.WaitFor(`● API key in the header X-Desk`)
		s.Paste(key)
		s.WaitFor(`key +•{14}`)
		s.Keys("Enter")
		s.WaitFor(`you are welcome`)
		s.Text("/export said.md")
		s.WaitFor(`❯ /export said\.md`)
		s.Keys("Enter")
		s.WaitFunc("the export", func(string) bool {
			data, err := os.ReadFile(filepath.Join(dir, "said.md"))
			return err == nil && strings.Contains(string(data), "you are welcome")
		})
		quit(t, s)
		if agent.once(t) != key {
			t.Error("got another key at the agent")
		}
		if leaks := leaksBeside(t, dir, key); leaks != nil {
			t.Errorf("got the key in %q", leaks)
		}
	})
}

// An endless agent streams numbers until it is killed.
type endless struct {
	*httptest.Server
	done chan struct{}
	once sync.Once
}

func newEndless(t *testing.T) *endless {
	t.Helper()
	e := &endless{done: make(chan struct{})}
	e.Server = httptest.NewUnstartedServer(e)
	e.Listener.Close()
	e.Listener = porttest.Keep(t).Listen()
	e.Start()
	t.Cleanup(e.kill)
	return e
}

// kill ends the agent in the middle of its streams.
func (e *endless) kill() {
	e.once.Do(func() {
		close(e.done)
		e.CloseClientConnections()
		e.Close()
	})
}

func (e *endless) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		fmt.Fprintf(w, `{"name":"Endless","description":"d","version":"1","capabilities":{"streaming":true},"skills":[],"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],
			"supportedInterfaces":[{"url":"%s/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}]}`, e.URL)
		return
	}
	var call struct{ ID json.RawMessage }
	_ = json.NewDecoder(r.Body).Decode(&call)
	w.Header().Set("Content-Type", "text/event-stream")
	flush := http.NewResponseController(w)
	event := func(result string) bool {
		_, err := fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n\n", call.ID, result)
		return err == nil && flush.Flush() == nil
	}
	event(`{"task":{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_WORKING"}}}`)
	for n := 1; ; n++ {
		if !event(fmt.Sprintf(`{"artifactUpdate":{"taskId":"t1","contextId":"c1","append":%v,"artifact":{"artifactId":"a","parts":[{"text":"number %d, "}]}}}`, n > 1, n)) {
			return
		}
		select {
		case <-e.done:
			return
		case <-r.Context().Done():
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
}
