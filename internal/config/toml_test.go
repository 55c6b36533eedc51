package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const secretWord = "sk-very-secret-value"

func loadTOML(t testing.TB, content string, vars map[string]string) (Settings, []string, string) {
	t.Helper()
	path := write(t, t.TempDir(), "config.toml", content)
	known := []string{"theme", "timeout", "no-bell", "no-motion", "bearer", "transport", "record-max", "push-token", "push-credentials", "endpoint", "agent-card", "push-url", "allow-origin"}
	s, warnings, err := Load(Options{Getenv: environ(vars), Folder: filepath.Dir(path), Flags: func() []string { return known }})
	if err != nil {
		t.Fatal(err)
	}
	return s, warnings, path
}

func TestConfigTOMLIsTheWeakestLayerAndSaysItsLine(t *testing.T) {
	const content = `# mine
theme = "light"
no-bell = true
reduced_motion = true
record-max = 1_000
transport = ["HTTP+JSON", "JSONRPC"]
bearer = "${DESK_TOKEN}"

[[agent]]
name = "Desk"
ref = "./card.json"
bearer = "$DESK_TOKEN"
svc-param = ["x-team: 7"]

[[agent]]
name = "Scribe"
ref = "~/cards/scribe.json"
`
	s, warnings, path := loadTOML(t, content, map[string]string{"PARLEY_THEME": "dark", "DESK_TOKEN": secretWord, "HOME": "/home/me"})
	if len(warnings) != 0 {
		t.Errorf("got warnings %q, want none", warnings)
	}
	for flag, want := range map[string]string{
		"theme": "dark from PARLEY_THEME", "no-bell": "true from no-bell in " + path + ":3", "no-motion": "true from reduced_motion in " + path + ":4", "record-max": "1000 from record-max in " + path + ":5",
		"transport": "HTTP+JSON\nJSONRPC from transport in " + path + ":6", "bearer": secretWord + " from bearer in " + path + ":7",
	} {
		if v, ok := s.Lookup(flag); !ok || v.Text+" from "+v.Place() != want {
			t.Errorf("%s: got %q from %q, want %s", flag, v.Text, v.Place(), want)
		}
	}
	if v, ok := s.Lookup("timeout"); ok {
		t.Errorf("got timeout %+v, want none", v)
	}
	if len(s.Agents) != 2 || s.Agents[0].Place != path+":9" || s.Agents[0].Ref != filepath.Join(filepath.Dir(path), "card.json") || s.Agents[0].Bearer != "$DESK_TOKEN" ||
		!slices.Equal(s.Agents[0].Params, []string{"x-team: 7"}) || s.Agents[1].Ref != filepath.Join("/home/me", "cards", "scribe.json") {
		t.Errorf("got agents %+v", s.Agents)
	}
}

// Each mistake is reported in one sentence with file and line, and costs only itself.
func TestMistakesInConfigTOMLCostOnlyThemselves(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"an unknown setting", "theme = \"dark\"\ncolour = 1\n", ":2: there is no setting colour"},
		{"a dotted key", "a.b = 1\ntheme = \"dark\"", ":1: there is no setting a.b"},
		{"a strange value", "theme = \"dark\"\ntimeout = {a = 1}\n", ":2: the value of timeout is neither"},
		{"a date", "theme = \"dark\"\ntimeout = 2026-11-20\n", ":2: the value of timeout is neither"},
		{"a huge number", "theme = \"dark\"\nrecord-max = 0x7fffffffffffffff\ntimeout = [1]", ":3: the value of timeout is neither"},
		{"a secret", "theme = \"dark\"\n\nbearer = \"" + secretWord + "\"", ":3: bearer is written as plain text"},
		{"a webhook's token", "theme = \"dark\"\npush-token = \"" + secretWord + "\"", ":2: push-token is written as plain text"},
		{"a webhook's credentials", "theme = \"dark\"\npush-credentials = [\"" + secretWord + "\"]", ":2: push-credentials is written as plain text"},
		{"a secret that is no setting", "theme = \"dark\"\nclient-secret = \"" + secretWord + "\"", ":2: there is no setting client-secret"},
		{"a password of an endpoint", "theme = \"dark\"\nendpoint = \"https://me:" + secretWord + "@a\"", ":2: endpoint contains a password and is not used: write bearer = \"$NAME\""},
		{"a token of an agent", "theme = \"dark\"\nagent-card = \"https://" + secretWord + "@a/x\"", ":2: agent-card contains a password"},
		{"a password of a webhook", "theme = \"dark\"\npush-url = \"https://me:" + secretWord + "@a\"", ":2: push-url contains a password and is not used: write push-credentials = \"$NAME\""},
		{"a password of an origin", "theme = \"dark\"\nallow-origin = [\"https://b\", \"https://me:" + secretWord + "@a\"]", ":2: allow-origin contains a password"},
		{"a password of a gateway", "theme = \"dark\"\n[[agent]]\nname = \"A\"\nref = \"a\"\nartifact-gateway = \"https://me:" + secretWord + "@a\"", ":5: the artifact-gateway contains a password"},
		{"a password of a tap", "theme = \"dark\"\n[[tap]]\nto = \"https://me:" + secretWord + "@a\"", ":3: the to of a tap contains a password"},
		{"half a variable", "theme = \"dark\"\nbearer = \"${A\"", ":2: bearer is written as plain text"},
		{"a table", "theme = \"dark\"\n[colours]\nsend = \"red\"", ":2: there is no table colours"},
		{"one agent as a table", "theme = \"dark\"\n[agent]\nname = \"x\"", ":2: an agent begins with [[agent]]"},
		{"an agent's secret", "theme = \"dark\"\n[[agent]]\nname = \"A\"\nref = \"http://a\"\napi-key = \"" + secretWord + "\"", ":5: api-key is written as plain text"},
		{"an agent's typo", "theme = \"dark\"\n[[agent]]\nname = \"A\"\nurl = \"http://a\"\nref = \"http://a\"", ":4: an agent has no url"},
		{"an agent without a place", "theme = \"dark\"\n[[agent]]\nname = \"A\"", ":2: the agent A needs a ref"},
		{"an agent twice", "theme = \"dark\"\n[[agent]]\nname = \"A\"\nref = \"a\"\n[[agent]]\nname = \"a\"\nref = \"b\"", ":5: two agents are named a"},
		{"a password", "theme = \"dark\"\n[[agent]]\nname = \"A\"\nref = \"http://me:" + secretWord + "@a\"", ":2: the ref of A contains a password"},
		{"standard input", "theme = \"dark\"\n[[agent]]\nname = \"A\"\nref = \"-\"", ":2: the ref of A is standard input"},
		{"an escape code", "theme = \"dark\"\n[[agent]]\nname = \"\\u001b[2J\"\nref = \"a\"", ":2: a name contains no control characters"},
		{"a number as a name", "theme = \"dark\"\n[[agent]]\nname = 3\nref = \"a\"", ":3: the name of an agent must be text"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, warnings, path := loadTOML(t, c.content, nil)
			if len(warnings) == 0 || !strings.HasPrefix(warnings[0], path+c.want) {
				t.Errorf("got warnings %q, want %s", warnings, c.want)
			}
			if strings.Contains(strings.Join(warnings, ""), secretWord) {
				t.Errorf("got warnings with a secret: %q", warnings)
			}
			if v, _ := s.Lookup("theme"); v.Text != "dark" {
				t.Errorf("got theme %q, want dark", v.Text)
			}
		})
	}
}

func TestAFileThatIsNoTOMLIsNotUsed(t *testing.T) {
	for content, line := range map[string]string{
		"theme = \"dark\"\nbearer = \"" + secretWord + "\n": ":2:", "a = 1\na = 2": "", "[[agent]\n": ":1:", "\x00": ":1:", "theme": ":1:",
		"a = " + strings.Repeat("[", 1<<17): ":1:", strings.Repeat("#", maxTOML+1): "", "theme = \"\xff\"": ":1:",
	} {
		s, warnings, path := loadTOML(t, content, nil)
		if len(warnings) != 1 || !strings.Contains(warnings[0], path+line) || !strings.HasSuffix(warnings[0], "its settings are not used") || strings.Contains(warnings[0], secretWord) {
			t.Errorf("%.30q: got warnings %q, want %s", content, warnings, line)
		}
		if _, ok := s.Lookup("theme"); ok || len(s.Agents) != 0 {
			t.Errorf("%.30q: got settings, want none", content)
		}
	}
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "config.toml"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, warnings, err := Load(Options{Getenv: environ(nil), Folder: folder}); err != nil || len(warnings) != 1 {
		t.Errorf("folder: got warnings %q and error %v, want one warning", warnings, err)
	}
}

func TestAChosenTOMLTakesThePlaceOfTheUsualOne(t *testing.T) {
	folder, work := t.TempDir(), t.TempDir()
	write(t, folder, "config.toml", "theme = \"light\"\n")
	write(t, work, ".env", "PARLEY_BEARER=local\n")
	chosen := write(t, t.TempDir(), "mine.toml", "theme = \"mono\"\nbearer = \"$TOKEN\"\n")
	s, _, err := Load(Options{Getenv: environ(nil), Dir: work, Folder: folder, File: chosen})
	if err != nil {
		t.Fatal(err)
	}
	theme, _ := s.Lookup("theme")
	bearer, _ := s.Lookup("bearer")
	if theme.Text != "mono" || bearer.Text != "local" {
		t.Errorf("got theme %q and bearer %q, want mono and local", theme.Text, bearer.Text)
	}
	if _, _, err := Load(Options{Getenv: environ(nil), File: filepath.Join(folder, "none.toml")}); err == nil {
		t.Error("missing named file: got no error")
	}
}

func TestTheFolderIsThePlatforms(t *testing.T) {
	home := map[string]string{"HOME": "/h", "APPDATA": `/roaming`}
	for _, c := range []struct {
		goos string
		vars map[string]string
		want string
	}{
		{"linux", home, "/h/.config/parley"}, {"darwin", home, "/h/Library/Application Support/parley"}, {"windows", home, "/roaming/parley"},
		{"linux", map[string]string{"HOME": "/h", "XDG_CONFIG_HOME": "/x"}, "/x/parley"}, {"linux", map[string]string{"HOME": "/h", "XDG_CONFIG_HOME": "x"}, "/h/.config/parley"},
		{"linux", nil, ""}, {"windows", nil, ""},
	} {
		if got := filepath.ToSlash(Dir(c.goos, environ(c.vars))); got != c.want {
			t.Errorf("%s %v: got %q, want %q", c.goos, c.vars, got, c.want)
		}
	}
}

func FuzzTOML(f *testing.F) {
	for _, s := range []string{"", "theme = 'dark'", "[[agent]]\nname='a'\nref='b'\nbearer='$X'\n", "a.b = 1", "x = [1, [2]]", "x = {a=1}", "[agent]\n[agent.x]\n", "\xef\xbb\xbftheme=\"\\u00e9\"", "a=\"\"\"\nx\"\"\"", "t = 1e9\nn = 0b1\ni = inf", "[[agent]]\n[agent.ref]\n"} {
		f.Add([]byte(s))
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, content []byte) {
		write(t, dir, "config.toml", string(content))
		s, warnings, err := Load(Options{Getenv: environ(nil), Folder: dir})
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range s.Agents {
			if why := a.Check(); why != "" {
				t.Errorf("got agent %+v that %s", a, why)
			}
		}
		for _, w := range warnings {
			if !strings.HasPrefix(w, dir) && !strings.Contains(w, "settings file") {
				t.Errorf("got warning %q, want one that names its file", w)
			}
		}
	})
}

// An unusable value costs only itself, neither its agent nor the other agents.
func TestAnAgentStaysWhenOneOfItsValuesCannotBeUsed(t *testing.T) {
	path := write(t, t.TempDir(), "config.toml", `[[agent]]
name = "Desk"
ref = "http://desk"
dialect = "bad"
endpoint = "http://me:`+secretWord+`@desk"
transport = ["JSONRPC", "bad", "HTTP+JSON"]
svc-param = ["x-team: 7", "bad", "x-two: 2"]
bearer-command = "tool"
api-key = "`+secretWord+`"
tenant = 3
cacert = "ca.pem"
public = ["X-Team"]

[[agent]]
name = "Lost"
`)
	s, warnings, err := Load(Options{Getenv: environ(nil), Folder: filepath.Dir(path), Misfit: func(flag, value string) string {
		if value == "bad" {
			return "bad"
		}
		return ""
	}})
	if err != nil || len(s.Agents) != 1 {
		t.Fatalf("got error %v and agents %+v, want one agent", err, s.Agents)
	}
	a := s.Agents[0]
	if a.Ref != "http://desk" || a.Dialect+a.Endpoint+a.Tenant+a.APIKey != "" || len(a.BearerCommand) != 0 || !slices.Equal(a.Transport, []string{"JSONRPC", "HTTP+JSON"}) ||
		!slices.Equal(a.Params, []string{"x-team: 7", "x-two: 2"}) || a.CACert != filepath.Join(filepath.Dir(path), "ca.pem") || !slices.Equal(a.Public, []string{"X-Team"}) {
		t.Errorf("got agent %+v", a)
	}
	for i, line := range []string{":4: the dialect", ":5: the endpoint", ":6: the transport", ":7: the svc-param", ":8: bearer-command", ":9: api-key", ":10: the tenant", ":14: the agent Lost needs a ref"} {
		if i >= len(warnings) || !strings.HasPrefix(warnings[i], path+line) || !strings.Contains(warnings[i], "not used") || strings.Contains(warnings[i], secretWord) {
			t.Errorf("warning %d: got %q, want %s", i, warnings, line)
		}
	}
	if why := s.Unusable["lost"]; !strings.Contains(why, "needs a ref") || !strings.Contains(why, path+":14") {
		t.Errorf("lost agent: got %q, want its missing ref and line", why)
	}
}

func TestKeysOfActions(t *testing.T) {
	s, warnings, path := loadTOML(t, `theme = "light"

[keys]
everywhere.find-anything = "f7"
wire.mark-record = ["M", "ctrl+m"]
conversation = "x"
agents.open = 3

[keys.tasks]
poll-task = "P"
a.b = "x"
`, nil)
	want := []Keys{
		{"everywhere.find-anything", []string{"f7"}, path + ":4"}, {"wire.mark-record", []string{"M", "ctrl+m"}, path + ":5"}, {"tasks.poll-task", []string{"P"}, path + ":10"},
	}
	if len(s.Keys) != len(want) {
		t.Fatalf("got keys %+v, want %+v", s.Keys, want)
	}
	for i, k := range s.Keys {
		if k.Action != want[i].Action || !slices.Equal(k.Press, want[i].Press) || k.Place != want[i].Place {
			t.Errorf("got keys %+v, want %+v", k, want[i])
		}
	}
	for i, line := range []string{":6: ", ":7: the value of keys.agents.open must be a key", ":11: an action of keys has a section and a name"} {
		if len(warnings) != 3 || !strings.Contains(warnings[i], path+line) {
			t.Errorf("got warnings %q, want one at %s", warnings, line)
		}
	}
}

func TestTheAgeOfSessions(t *testing.T) {
	for text, want := range map[string]string{
		"[sessions]\nkeep = \"30d\"\n": "30d", "sessions.keep = \"4w\"\n": "4w", "[sessions]\nkeep = 30\n": "", "[sessions]\nlose = \"1d\"\n": "", "[sessions]\nkeep = \"bad\"\n": "",
	} {
		path := filepath.Join(t.TempDir(), "config.toml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s, warnings, err := Load(Options{Getenv: func(string) string { return "" }, File: path, Misfit: func(name, value string) string {
			if name == "sessions.keep" && value == "bad" {
				return "no age"
			}
			return ""
		}})
		if err != nil || s.KeepSessions != want || (want == "") != (len(warnings) == 1) {
			t.Errorf("%q: got %q, %q and error %v, want %q and a warning only if it is empty", text, s.KeepSessions, warnings, err, want)
		}
	}
}
