package cli

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A service parameter of config.toml or of the list of agents is sent if it is public or names a variable.
// What has the look of a word may be a password.
func TestASecretInAFileIsNotSent(t *testing.T) {
	t.Parallel()
	const plain = "hunter2-plain"
	for name, c := range map[string]struct {
		param, public string
		args          []string
		want          string // that the agent gets; empty if it gets nothing
		says          string // about it; empty if nothing is said
	}{
		"a word":                {param: "x-team: " + plain, says: `a secret in plain text: write "x-team: $NAME", and set NAME, or begin it with "public:x-team" if it is no secret`},
		"a token":               {param: "x-token: Bearer " + plain, says: `write "x-token: $NAME"`},
		"a cookie":              {param: "Cookie: a=" + plain, says: `a secret in plain text: write "Cookie: $NAME", and set NAME; `},
		"a dollar":              {param: "x-team: " + plain + "$$", says: `write "x-team: $NAME"`},
		"a known shape":         {param: "x-team: sk_live_0123456789abcdefghijABCDEFGHIJ $TEAM", says: `write "x-team: $NAME"`},
		"a variable":            {param: "x-team: $TEAM", want: "red"},
		"a variable in braces":  {param: "x-team: a ${TEAM}", want: "a red"},
		"public":                {param: "public:x-team: 7", want: "7"},
		"public by the file":    {param: "x-team: 7", public: "public = [\"X-Team\"]\n", want: "7"},
		"public by a flag":      {param: "x-team: 7", args: []string{"--public", "x-team"}, want: "7"},
		"public by itself":      {param: "A2A-Team: 7", want: "7"},
		"public in vain":        {param: "public:Authorization: Basic " + plain, says: "a name that cannot be public"},
		"instead of the file's": {param: "x-team: " + plain, args: []string{"--svc-param", "x-team: flag"}, want: "flag"},
	} {
		for place, content := range map[string]func(ref string) (settings, list string){
			"config.toml": func(string) (string, string) { return "svc-param = ['" + c.param + "']\n" + c.public, "" },
			"an agent": func(ref string) (string, string) {
				return "[[agent]]\nname = \"Desk\"\nref = \"" + ref + "\"\nsvc-param = ['" + c.param + "']\n" + c.public, ""
			},
			"the list": func(ref string) (string, string) {
				return "", "[[agent]]\nname = \"Desk\"\nref = \"" + ref + "\"\nsvc-param = ['" + c.param + "']\n" + c.public
			},
		} {
			t.Run(name+" in "+place, func(t *testing.T) {
				s := newStub(t, plainCard, done)
				settings, list := content(s.URL)
				vars, path, saved := folders(t, settings)
				agent := "Desk"
				if place == "config.toml" {
					agent = s.URL
				}
				if list != "" {
					path = saved.Path()
					writeTo(t, list, filepath.Dir(path), filepath.Base(path))
				}
				r := commandLine{args: append([]string{"send", "x", "-a", agent}, c.args...), env: append(vars, "TEAM=red")}.run(t)
				if r.code != 0 {
					t.Fatalf("got exit %d, want 0:\n%s", r.code, r.err)
				}
				last := s.asked("SendMessage")[0].header
				got := last.Get("X-Team") + last.Get("X-Token") + last.Get("Cookie") + last.Get("Authorization") + last.Get("A2A-Team")
				if got != c.want || strings.Contains(r.out+r.err, plain) {
					t.Errorf("got %q at the agent, want %q:\n%s", got, c.want, r.err)
				}
				said := c.says != "" || name == "instead of the file's" && place != "config.toml"
				if !strings.Contains(r.err, c.says) || strings.Contains(r.err, "Warning: ") != said || said && place != "the list" && !strings.Contains(r.err, "Warning: "+path+":") {
					t.Errorf("got no %q with its place in\n%s", c.says, r.err)
				}
			})
		}
	}
}

// Settings that others may write start no program and name no agent.
func TestSettingsOfOthersStartNoProgram(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("this system does not tell who may write a file")
	}
	for name, spoil := range map[string]func(path string) error{
		"a group of others": func(path string) error {
			if err := os.Chown(path, -1, 12345); err != nil {
				return err
			}
			return os.Chmod(path, 0o660)
		},
		"everybody":    func(path string) error { return os.Chmod(path, 0o666) },
		"a stranger's": func(path string) error { return os.Chown(path, 12345, -1) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newStub(t, plainCard, done)
			ran := filepath.Join(t.TempDir(), "ran")
			vars, path, _ := folders(t, "bearer-command = [\"sh\", \"-c\", \"echo t0ken; echo >"+ran+"\"]\n[[agent]]\nname = \"Desk\"\nref = \""+s.URL+"\"\n")
			if err := spoil(path); err != nil {
				t.Skip("only root can give files away: ", err)
			}
			r := commandLine{args: []string{"send", "x", "-a", s.URL}, env: vars}.run(t)
			if _, err := os.Stat(ran); err == nil || r.code != 0 || s.asked("SendMessage")[0].header.Get("Authorization") != "" {
				t.Errorf("got exit %d and the program run: %v, want no credentials\n%s", r.code, err == nil, r.err)
			}
			if strings.Count(r.err, "Warning: the settings file "+path) != 1 || !strings.Contains(r.err, "its settings are not used") {
				t.Errorf("got no sentence about the file:\n%s", r.err)
			}
			if r = (commandLine{args: []string{"send", "x", "-a", s.URL, "--config", path}, env: vars}).run(t); r.code != 0 || s.asked("SendMessage")[1].header.Get("Authorization") != "Bearer t0ken" {
				t.Errorf("named file: got exit %d, want its token:\n%s", r.code, r.err)
			}
		})
	}
}
