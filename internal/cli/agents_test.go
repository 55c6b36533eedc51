package cli

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"parley/internal/config"
	"parley/internal/roster"
)

// folders creates the folders of settings and returns the environment that names them, the path
// of config.toml and the file of saved agents.
func folders(t *testing.T, content string) (vars []string, path string, saved *roster.File) {
	t.Helper()
	dir := t.TempDir()
	vars = []string{"XDG_CONFIG_HOME=" + filepath.Join(dir, "config"), "XDG_STATE_HOME=" + filepath.Join(dir, "state")}
	path = filepath.Join(dir, "config", "parley", "config.toml")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return vars, path, roster.Open(filepath.Join(dir, "state", "parley", "agents.toml"))
}

func TestAnAgentIsNamedByItsName(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, done)
	vars, _, saved := folders(t, "timeout = \"20s\"\n[[agent]]\nname = \"Front Desk\"\nref = \""+s.URL+"\"\nbearer = \"$DESK\"\nsvc-param = [\"public:x-team: 7\", \"x-token: a $KEY\"]\nextension = [\"urn:e\"]\n")
	if _, err := saved.Update(roster.Save(config.Agent{Name: "Saved", Ref: s.URL, Bearer: "${DESK}"})); err != nil {
		t.Fatal(err)
	}
	vars = append(vars, "DESK="+secret, "KEY=k1")
	for _, c := range []struct {
		name      string
		args, env []string
		bearer    string
		team      string
	}{
		{"as written", []string{"-a", "front desk"}, nil, "Bearer " + secret, "7"},
		{"the flag wins", []string{"-a", "Front Desk", "--bearer", "other"}, nil, "Bearer other", "7"},
		{"its own before all agents'", []string{"-a", "Front Desk"}, []string{"A2ACLI_BEARER=other", "A2ACLI_SVC_PARAM=X-Team: 8"}, "Bearer " + secret, "7"},
		{"the flag wins over a parameter", []string{"-a", "Front Desk", "--svc-param", "X-Team: 9", "--svc-param", "X-Team: 10"}, nil, "Bearer " + secret, "9,10"},
		{"by a variable", nil, []string{"A2ACLI_AGENT_CARD=Front Desk"}, "Bearer " + secret, "7"},
		{"saved on the screen", []string{"-a", "SAVED"}, nil, "Bearer " + secret, ""},
		{"by its address, without what is kept with it", []string{"-a", s.URL}, nil, "", ""},
	} {
		r := commandLine{args: append([]string{"send", "x", "--debug"}, c.args...), env: append(c.env, vars...)}.run(t)
		if r.code != 0 {
			t.Fatalf("%s: got exit %d, want 0\n%s", c.name, r.code, r.err)
		}
		q := s.asked("SendMessage")
		last := q[len(q)-1].header
		if team := strings.Join(last.Values("X-Team"), ","); last.Get("Authorization") != c.bearer || team != c.team {
			t.Errorf("%s: got Authorization %q and X-Team %q, want %q and %q", c.name, last.Get("Authorization"), team, c.bearer, c.team)
		}
		if c.team != "" && (last.Get("X-Token") != "a k1" || last.Get("A2A-Extensions") != "urn:e") {
			t.Errorf("%s: got X-Token %q and A2A-Extensions %q, want a k1 and urn:e", c.name, last.Get("X-Token"), last.Get("A2A-Extensions"))
		}
		secretsOnly(t, c.name, r)
	}
	r := commandLine{args: []string{"send", "x", "-a", "Front Desk"}, env: vars[:2]}.run(t)
	if r.code != 0 || !strings.Contains(r.err, "Warning: DESK is not set: Parley opens Front Desk without it") {
		t.Errorf("got exit %d, want 0 and a warning about DESK:\n%s", r.code, r.err)
	}
	r = commandLine{args: []string{"send", "x", "-a", "Front Desk", "--bearer", "other"}, env: vars[:2]}.run(t)
	if r.code != 0 || strings.Contains(r.err, "DESK") {
		t.Errorf("unused variable: got exit %d, want 0 without a warning:\n%s", r.code, r.err)
	}
	if r = (commandLine{args: []string{"send", "x", "-a", "Front"}, env: vars}).run(t); r.code == 0 {
		t.Error("half a name: got exit 0, want a failure")
	}
}

// The credentials of a saved agent go to its own origin only.
func TestTheCredentialsOfANamedAgentStayWithItsOrigin(t *testing.T) {
	t.Parallel()
	other := newStub(t, plainCard, done)
	s := newStub(t, strings.ReplaceAll(plainCard, "%s", other.URL), done)
	vars, _, _ := folders(t, "[[agent]]\nname = \"Desk\"\nref = \""+s.URL+"\"\nbearer = \"$DESK\"\n")
	r := commandLine{args: []string{"send", "x", "-a", "Desk"}, env: append(vars, "DESK="+secret)}.run(t)
	if r.code != 4 || len(other.asked("SendMessage")) != 0 {
		t.Errorf("got exit %d, want 4 and no message:\n%s", r.code, r.err)
	}
	secretsOnly(t, "a refusal", r)
}

func TestConfigTOMLComesLastAndItsMistakesStopNothing(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, done)
	vars, path, saved := folders(t, `output = "yaml"
timeout = "soon"
poll-interval = "9s"
dialect = "v9"
async = "maybe"
extension = ["a,b"]
svc-param = ["x-auth: `+secret+`"]
verbose = true
bearer = "$TOKEN"

[[agent]]
name = "Odd"
ref = "http://odd"
dialect = "v9"

[[agent]]
name = "Desk"
ref = "`+s.URL+`/?token=`+secret+`"

[keys]
wire.mark-recrd = "M"
`)
	if _, err := saved.Update(roster.Save(config.Agent{Name: "Saved", Ref: "http://saved"})); err != nil {
		t.Fatal(err)
	}
	r := commandLine{args: []string{"send", "x", "-a", s.URL}, env: vars}.run(t)
	if r.code != 0 {
		t.Fatalf("got exit %d, want 0\n%s", r.code, r.err)
	}
	for _, want := range []string{
		path + ":1: output is none of text, json and answer; it is not used", path + ":2: timeout is not a duration", path + ":4: dialect is not one of",
		path + ":5: async is not", path + ":6: extension is not a URI", path + ":7: svc-param is a secret in plain text", path + ":14: the dialect of Odd is not one of",
	} {
		if !strings.Contains(r.err, want) {
			t.Errorf("got no %q in\n%s", want, r.err)
		}
	}
	secretsOnly(t, "mistakes", r)
	for _, show := range [][]string{{"config"}, {"config", "show"}} {
		r = commandLine{args: append(show, "--tenant", "t"), env: append(vars, "PARLEY_THEME=mono", "TOKEN="+secret)}.run(t)
		for _, want := range []string{
			"poll-interval: 9s, poll-interval in " + path + ":3\n", "verbose: true, verbose in " + path + ":8\n", "bearer: •••, bearer in " + path + ":9\n",
			"output: text, built-in default\n", "timeout: 0s, built-in default\n", "theme: mono, PARLEY_THEME\n", "tenant: t, flag\n",
			"agent: Odd http://odd, " + path + ":11\n", "agent: Desk " + s.URL + "/?token=•••, " + path + ":16\n", "agent: Saved http://saved, " + saved.Path() + "\n",
		} {
			if r.code != 0 || !strings.Contains(r.out, want) {
				t.Errorf("%q: got exit %d and no %q in\n%s", show, r.code, want, r.out)
			}
		}
		if want := "Warning: " + path + ":21: there is no action keys.wire.mark-recrd"; !strings.Contains(r.err, want) {
			t.Errorf("%q: got no %q in\n%s", show, want, r.err)
		}
		secretsOnly(t, "config", r)
	}
	r = commandLine{args: []string{"config", "show", "--config", "none.toml"}, env: vars}.run(t)
	if r.code != 2 {
		t.Errorf("missing named file: got exit %d, want 2\n%s", r.code, r.err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	if err := os.Chmod(path, 0); err == nil && os.Getuid() != 0 {
		if r = (commandLine{args: []string{"send", "x", "-a", s.URL}, env: vars}).run(t); r.code != 0 || !strings.Contains(r.err, "cannot be read") {
			t.Errorf("unreadable file: got exit %d, want 0 and a warning\n%s", r.code, r.err)
		}
	}
}

// An unusable value of a saved agent removes neither the agent nor the other agents.
func TestAMistakeInASavedAgentIsNamedAndCostsOnlyItself(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, done)
	vars, _, saved := folders(t, "")
	text := "[[agent]]\nname = \"Desk\"\nref = \"" + s.URL + "\"\ntenant = 3\ndialect = \"v9\"\nendpoint = \"::bad::\"\n\n[[agent]]\nname = \"Clerk\"\nref = \"" + s.URL + "\"\n"
	if err := os.MkdirAll(filepath.Dir(saved.Path()), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(saved.Path(), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Desk", "Clerk"} {
		r := commandLine{args: []string{"send", "x", "-a", name}, env: vars}.run(t)
		if r.code != 0 || !strings.Contains(r.out, "State: completed") {
			t.Errorf("%s: got exit %d, want a completed task\n%s%s", name, r.code, r.out, r.err)
		}
		for _, want := range []string{":4: the tenant of an agent must be text", ":5: the dialect of Desk is not one of", ":6: the endpoint of Desk is not an http"} {
			if strings.Count(r.err, "Warning: "+saved.Path()+want) != 1 {
				t.Errorf("%s: want %q once in\n%s", name, want, r.err)
			}
		}
	}
}
