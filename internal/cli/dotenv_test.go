package cli

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// everything returns the URL, headers and body of a request.
func (q *asked) everything() string {
	var b strings.Builder
	_ = q.req.Header.Write(&b)
	return q.url + "\n" + b.String()
}

// sentAnything returns everything that an agent ever received.
func (s *stub) sentAnything() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b strings.Builder
	for i := range s.seen {
		b.WriteString(s.seen[i].everything())
	}
	return b.String()
}

// The source of a setting decides what it may do: a found file redirects no credentials,
// whoever set them.
func TestAFoundFileTakesNoCredentialElsewhere(t *testing.T) {
	t.Parallel()
	for name, place := range map[string]func(work string) string{
		"in the folder": func(work string) string { return work },
		"above it":      func(work string) string { return filepath.Dir(work) },
	} {
		for _, line := range []string{"PARLEY_ENDPOINT=%s/rpc", "A2ACLI_ENDPOINT=%s/rpc", "A2ACLI_ALLOW_ORIGIN=%s", "PARLEY_SVC_PARAM=Host: evil"} {
			t.Run(name+" "+line, func(t *testing.T) {
				evil := newStub(t, plainCard, done)
				desk := newStub(t, plainCard, done)
				if strings.Contains(line, "ALLOW_ORIGIN") {
					desk.card = strings.ReplaceAll(plainCard, "%s", evil.URL)
				}
				work := filepath.Join(t.TempDir(), "a")
				if err := os.Mkdir(work, 0o700); err != nil {
					t.Fatal(err)
				}
				path := env(t, place(work), strings.ReplaceAll(line, "%s", evil.URL))
				r := commandLine{args: []string{"send", "-a", desk.URL, "x"}, env: []string{"A2ACLI_BEARER=" + secret}, dir: work}.run(t)
				if sent := evil.sentAnything(); sent != "" {
					t.Errorf("the other server got\n%s", sent)
				}
				if strings.Count(r.err, path) != 1 || !strings.Contains(r.err, "is not used") {
					t.Errorf("got exit %d, want the file named once:\n%s", r.code, r.err)
				}
			})
		}
	}
}

func TestAFoundFileIsNamedWhenItsCredentialsAreUsed(t *testing.T) {
	t.Parallel()
	work := t.TempDir()
	path := env(t, work, "A2ACLI_BEARER="+secret, "OTHER=1")
	s := newStub(t, plainCard, done)
	send := func(more ...string) result {
		t.Helper()
		return commandLine{args: append([]string{"send", "-a", s.URL, "x"}, more...), dir: work}.run(t)
	}
	r := send()
	if got := s.only(t, "SendMessage").header.Get("Authorization"); got != "Bearer "+secret {
		t.Errorf("got Authorization %q, want the bearer token", got)
	}
	if want := "Note: the bearer token comes from " + path + " (A2ACLI_BEARER), which was found in this folder or above it."; r.code != 0 || strings.Count(r.err, want) != 1 || strings.Count(r.err, path) != 1 {
		t.Errorf("got exit %d, want 0 and a note about the file\n%s", r.code, r.err)
	}
	if r = send("--bearer", "other"); strings.Contains(r.err, path) {
		t.Errorf("got the name of a file that is not used:\n%s", r.err)
	}
	if err := os.Chmod(path, 0o666); err != nil {
		t.Fatal(err)
	}
	r = send()
	if all := s.asked("SendMessage"); r.code != 0 || all[2].header.Get("Authorization") != "" || !strings.Contains(r.err, "chmod go-w") || strings.Count(r.err, path) != 1 {
		t.Errorf("file that others may write: got exit %d and headers %v, want no credential and a warning\n%s", r.code, all[2].header, r.err)
	}
	secretsOnly(t, "a found file", r)
}

func TestOnlyItsOwnCredentialsGoToAnAgentThatAFoundFileNames(t *testing.T) {
	t.Parallel()
	const own = "own-credential-of-the-user"
	home, folder := t.TempDir(), t.TempDir()
	env(t, filepath.Join(home, ".config", "a2a-cli"), "A2ACLI_API_KEY="+own)
	if err := os.MkdirAll(filepath.Join(folder, "parley"), 0o700); err != nil {
		t.Fatal(err)
	}
	config := "svc-param = [\"x-own: $OWN\", \"public:x-team: red\"]\n"
	if err := os.WriteFile(filepath.Join(folder, "parley", "config.toml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	about := []string{"HOME=" + home, "USERPROFILE=" + home, "XDG_CONFIG_HOME=" + folder, "OWN=" + own, "A2ACLI_BEARER=" + own}
	for _, withToken := range []bool{true, false} {
		keyed := strings.Replace(plainCard, `"skills"`, `"securitySchemes":{"k":{"apiKeySecurityScheme":{"location":"header","name":"x-key"}},"b":{"httpAuthSecurityScheme":{"scheme":"bearer"}}},"skills"`, 1)
		s := newStub(t, keyed, done)
		work := t.TempDir()
		lines, vars := []string{"A2ACLI_AGENT_CARD=" + s.URL}, about
		if withToken {
			lines, vars = append(lines, "A2ACLI_BEARER="+secret), about[:4]
		}
		path := env(t, work, lines...)
		r := commandLine{args: []string{"send", "x"}, env: vars, dir: work}.run(t)
		sent := s.sentAnything()
		if r.code != 0 || strings.Contains(sent, own) || strings.Contains(sent, secret) != withToken || !strings.Contains(sent, "X-Team: red") {
			t.Errorf("got exit %d and requests\n%s%s", r.code, sent, r.err)
		}
		for _, said := range []string{path + " names", "the API key", "the header x-own", "--agent-card"} {
			if !strings.Contains(r.err, said) {
				t.Errorf("got no %q in\n%s", said, r.err)
			}
		}
		if r = (commandLine{args: []string{"send", "x", "--bearer", own}, env: vars, dir: work}).run(t); r.code != 2 || !strings.Contains(r.err, "to allow --bearer") || strings.Contains(s.sentAnything(), own) {
			t.Errorf("got exit %d, want 2 and no request\n%s", r.code, r.err)
		}
		// If the user names the agent, the user's credentials go there.
		if r = (commandLine{args: []string{"send", "x", "-a", s.URL, "--bearer", own}, env: vars, dir: work}).run(t); r.code != 0 || !strings.Contains(s.sentAnything(), "X-Own: "+own) {
			t.Errorf("got exit %d, want 0 and the user's header\n%s\n%s", r.code, r.err, s.sentAnything())
		}
		if r = (commandLine{args: []string{"card", "get", s.URL, "--bearer", own}, env: vars, dir: work}).run(t); r.code != 0 {
			t.Errorf("got exit %d, want 0\n%s", r.code, r.err)
		}
	}
}

// A file that the user names may set everything.
func TestTheUsersOwnSettingsMayPinAnEndpoint(t *testing.T) {
	t.Parallel()
	for _, c := range []string{"flag", "environment", "--config", "A2ACLI_CONFIG", "own .env", "config.toml"} {
		t.Run(c, func(t *testing.T) {
			other := newStub(t, plainCard, done)
			desk := newStub(t, plainCard, func(_ *asked, w http.ResponseWriter) { w.WriteHeader(500) })
			home, pin := t.TempDir(), "PARLEY_ENDPOINT="+other.URL+"/rpc"
			line := commandLine{args: []string{"send", "-a", desk.URL, "x", "--bearer", secret}, env: []string{"HOME=" + home, "USERPROFILE=" + home}, dir: t.TempDir()}
			switch c {
			case "flag":
				line.args = append(line.args, "--endpoint", other.URL+"/rpc")
			case "environment":
				line.env = append(line.env, pin)
			case "--config":
				line.args = append(line.args, "--config", env(t, t.TempDir(), pin))
			case "A2ACLI_CONFIG":
				line.env = append(line.env, "A2ACLI_CONFIG="+env(t, t.TempDir(), pin))
			case "own .env":
				env(t, filepath.Join(home, ".config", "a2a-cli"), pin)
			case "config.toml":
				path := filepath.Join(t.TempDir(), "mine.toml")
				if err := os.WriteFile(path, []byte("endpoint = \""+other.URL+"/rpc\"\n"), 0o600); err != nil {
					t.Fatal(err)
				}
				line.args = append(line.args, "--config", path)
			}
			r := line.run(t)
			if r.code != 0 || other.only(t, "SendMessage").header.Get("Authorization") != "Bearer "+secret {
				t.Errorf("got exit %d, want 0 and the token at the other server\n%s", r.code, r.err)
			}
		})
	}
}
