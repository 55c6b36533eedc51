//go:build unix

package e2e

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/internal/signin/signintest"
)

// newRepeater returns an agent that answers with everything that it was sent: the address, all headers
// and the body. Its card asks for the schemes.
func newRepeater(t *testing.T, schemes string) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			fmt.Fprintf(w, `{"name":"Repeater","description":"d","version":"1","capabilities":{"pushNotifications":true},"skills":[],"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],
				"supportedInterfaces":[{"url":"http://%s/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],"securitySchemes":{%s}}`, r.Host, schemes)
			return
		}
		sent, _ := httputil.DumpRequest(r, true) // what is missing is missing in the answer, too
		_, body, _ := strings.Cut(string(sent), "\r\n\r\n")
		var call struct{ ID json.RawMessage }
		_ = json.Unmarshal([]byte(body), &call)
		said, _ := json.Marshal(string(sent))
		bare, _ := json.Marshal(r.URL.RawQuery + " " + strings.TrimPrefix(r.Header.Get("Authorization"), "Basic "))
		w.Header().Set("X-Repeated", url.QueryEscape(r.Header.Get("Authorization")+r.Header.Get("X-Team")))
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"task":{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_COMPLETED"},"artifacts":[
			{"artifactId":"a","parts":[{"text":%s},{"data":{"password":"the-passw0rd-of-an-agent","repeated":%s}}]}]}}}`, call.ID, said, bare)
	}))
	t.Cleanup(s.Close)
	return s
}

// A plant is a secret, and how a user gives it to Parley.
type plant struct {
	secret string
	env    []string
	args   []string // before -a; %s is the address of the agent
	ref    string   // in place of the address
	login  []string // flags of parley auth login, which runs before; nil for none
	stdin  string   // of the login
	files  map[string]string
	run    []string // the command in place of send
	fails  bool     // the command cannot succeed
}

// Secrets that a user gives in more than 20 ways are in no file that Parley writes, and in nothing that
// it prints: whatever an agent repeats, and whatever is exported.
func TestSecretsPlantedIn20PlacesAreInNoFile(t *testing.T) {
	t.Parallel()
	server := signintest.Start(t)
	key := `"k":{"apiKeySecurityScheme":{"location":"header","name":"X-Desk"}}`
	oauth := `"o":{"oauth2SecurityScheme":{"flows":{"clientCredentials":{"tokenUrl":"` + server.Issuer + `/oauth/token","scopes":{}}}}}`
	plants := map[string]plant{
		"bearer flag":        {secret: "planted-bearer-1", args: []string{"--bearer", "planted-bearer-1"}},
		"bearer variable":    {secret: "planted-bearer-2", env: []string{"A2ACLI_BEARER=planted-bearer-2"}},
		"own variable":       {secret: "planted-bearer-3", env: []string{"PARLEY_BEARER=planted-bearer-3"}},
		"found .env":         {secret: "planted-bearer-4", files: map[string]string{".env": "A2ACLI_BEARER=planted-bearer-4\nA2ACLI_AGENT_CARD=%s\n"}},
		"file of --config":   {secret: "planted-bearer-5", args: []string{"--config", "mine.env"}, files: map[string]string{"mine.env": "A2ACLI_BEARER=planted-bearer-5\n"}},
		"bearer-command":     {secret: "planted-bearer-6", files: map[string]string{"config/parley/config.toml": "bearer-command = [\"cat\", \"token.txt\"]\n", "token.txt": "planted-bearer-6\n"}},
		"API key flag":       {secret: "planted-key-1", args: []string{"--api-key", "planted-key-1"}},
		"API key variable":   {secret: "planted-key-2", env: []string{"A2ACLI_API_KEY=planted-key-2"}},
		"header":             {secret: "planted words 1", args: []string{"--svc-param", "X-Team:planted words 1"}},
		"header in config":   {secret: "planted-header-2", env: []string{"TEAM=planted-header-2"}, files: map[string]string{"config/parley/config.toml": "svc-param = [\"X-Team:${TEAM}\"]\n"}},
		"cookie":             {secret: "planted-crumbs", args: []string{"--svc-param", "Cookie:a=1; b=planted-crumbs"}},
		"basic":              {secret: "planted-passw0rd", args: []string{"--svc-param", "Authorization:Basic " + base64.StdEncoding.EncodeToString([]byte("ann:planted-passw0rd"))}},
		"query":              {secret: "planted-query", ref: "%s?ticket=planted-query"},
		"fragment":           {secret: "planted-fragment", ref: "%s#code=planted-fragment"},
		"endpoint":           {secret: "planted-endpoint", args: []string{"--endpoint", "%s/rpc?zone=planted-endpoint"}},
		"user of an address": {secret: "planted-user", ref: "http://me:planted-user@127.0.0.1:1", fails: true},
		"broker":             {secret: "planted-mqtt", env: []string{"PARLEY_MQTT_PASSWORD=planted-mqtt", "PARLEY_MQTT_USER=ann"}, ref: "mqtt://127.0.0.1:1/acme", fails: true},
		"token of a webhook": {secret: "planted-hook-1", env: []string{"A2ACLI_PUSH_TOKEN=planted-hook-1"}, run: []string{"task", "push-config", "create", "t1", "--url", "https://hooks.example/x"}, fails: true},
		"webhook's proof":    {secret: "planted-hook-2", env: []string{"A2ACLI_PUSH_CREDENTIALS=planted-hook-2"}, run: []string{"task", "push-config", "create", "t1", "--url", "https://hooks.example/x", "--push-scheme", "Bearer"}, fails: true},
		"secret message":     {secret: "planted message", run: []string{"send", "--secret", "planted message"}},
		"known shape":        {secret: "ghp_0123456789abcdefghijABCDEFGHIJ456789", run: []string{"send", "clone it with ghp_0123456789abcdefghijABCDEFGHIJ456789"}},
		"agent's password":   {secret: "the-passw0rd-of-an-agent"},
		"entered key":        {secret: "planted-entry-1", login: []string{"--flow", "key"}, stdin: "planted-entry-1\n"},
		"entered token":      {secret: "planted-entry-2", login: []string{"--flow", "bearer"}, stdin: "planted-entry-2\n"},
		"entered password":   {secret: "planted-entry-3", login: []string{"--flow", "basic"}, stdin: "ann\nplanted-entry-3\n"},
		"client's secret":    {secret: signintest.Secret, env: []string{"PARLEY_CLIENT_SECRET=" + signintest.Secret}, login: []string{"--flow", "client-credentials", "--client-id", signintest.Service}},
	}
	if len(plants) < 20 {
		t.Fatalf("got %d places, want 20", len(plants))
	}
	schemes := map[string]string{"API key flag": key, "API key variable": key, "entered key": key, "client's secret": oauth,
		"entered token": `"t":{"httpAuthSecurityScheme":{"scheme":"bearer"}}`, "entered password": `"b":{"httpAuthSecurityScheme":{"scheme":"basic"}}`}
	for name, p := range plants {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p.search(t, newRepeater(t, schemes[name]).URL)
		})
	}
}

// search runs commands with a secret, and searches what they write and print.
func (p *plant) search(t *testing.T, agent string) {
	t.Helper()
	dir := t.TempDir()
	own := map[string]bool{"tokens.json": true} // which only the user can read
	for name, text := range p.files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(text, "%s", agent)), 0o600); err != nil {
			t.Fatal(err)
		}
		own[filepath.Base(name)] = true
	}
	env := append([]string{"HOME=" + dir, "XDG_STATE_HOME=" + dir + "/state", "XDG_CONFIG_HOME=" + dir + "/config", "TMPDIR=" + dir, "PATH=" + os.Getenv("PATH"), "PARLEY_TOKEN_STORE=file", "LANG=C.UTF-8"}, p.env...)
	said := ""
	run := func(stdin string, args ...string) error {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, program, args...)
		cmd.Dir, cmd.Env, cmd.Stdin = dir, env, strings.NewReader(stdin)
		out, err := cmd.CombinedOutput()
		said += string(out)
		return err
	}
	ref := agent
	if p.ref != "" {
		ref = strings.ReplaceAll(p.ref, "%s", agent)
	}
	if p.login != nil {
		if err := run(p.stdin, append([]string{"auth", "login", ref}, p.login...)...); err != nil {
			t.Fatalf("got %v from the login:\n%s", err, said)
		}
	}
	command := p.run
	if command == nil {
		command = []string{"send", "hello"}
	}
	record := filepath.Join(dir, "run.jsonl")
	line := append(append([]string{}, command...), "-a", ref, "--record", record, "--debug", "--verbose")
	for _, a := range p.args {
		line = append(line, strings.ReplaceAll(a, "%s", agent))
	}
	if err := run("", line...); err != nil && !p.fails {
		t.Fatalf("got %v, want an answer:\n%s", err, said)
	}
	if !p.fails {
		for _, format := range []string{"md", "html", "har", "otlp", "jsonl", "curl", "script"} {
			if err := run("", "export", record, "--as", format, "--out", filepath.Join(dir, "exported."+format)); err != nil {
				t.Errorf("%s: got %v, want an export:\n%s", format, err, said)
			}
		}
	}
	_ = run("", "auth", "status", "-o", "json") // without an identity, too
	_ = run("", "config", "show")
	basic := base64.StdEncoding.EncodeToString([]byte("ann:" + p.secret))
	for _, spelled := range []string{p.secret, basic, base64.StdEncoding.EncodeToString([]byte(p.secret)), url.QueryEscape(p.secret)} {
		if i := strings.Index(said, spelled); i >= 0 {
			t.Errorf("got %q in the output: …%s…", spelled, said[max(0, i-100):min(len(said), i+60)])
		}
		for _, path := range leaksIn(t, dir, spelled) {
			if !own[filepath.Base(path)] {
				t.Errorf("got %q in %s", spelled, path)
			}
		}
	}
	if _, err := os.Stat(record); err != nil && !p.fails {
		t.Errorf("got no recording to search: %v", err)
	}
}
