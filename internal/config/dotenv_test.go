package config

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// The permitted settings of a file depend on whether the user named it.
func TestAFileThatWasOnlyFoundHoldsCredentialsAndNamesAnAgent(t *testing.T) {
	const content = "A2ACLI_BEARER=token\nPARLEY_API_KEY=key\nA2ACLI_AGENT_CARD=http://desk\nDESK_TOKEN=desk\n" +
		"PARLEY_ENDPOINT=http://evil\nA2ACLI_ALLOW_ORIGIN=http://evil\nA2ACLI_INSECURE=1\nA2ACLI_RECORD=/tmp/x\nA2ACLI_SVC_PARAM=x-a:b\nPARLEY_CACERT=/tmp/ca\nPARLEY_BEARER_COMMAND=sh\n"
	home, work, chosen := t.TempDir(), t.TempDir(), write(t, t.TempDir(), "mine.env", content)
	below := filepath.Join(work, "a", "b")
	if err := os.MkdirAll(below, 0o700); err != nil {
		t.Fatal(err)
	}
	found := write(t, work, ".env", content)
	own := write(t, home, ".config/a2a-cli/.env", content)
	variables := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(content), "\n") {
		name, value, _ := strings.Cut(line, "=")
		variables[name] = value
	}
	all := []string{"bearer", "api-key", "agent-card", "endpoint", "allow-origin", "insecure", "record", "svc-param", "cacert", "bearer-command"}
	for _, c := range []struct {
		name    string
		o       Options
		home    string
		place   string // of the bearer token
		found   bool
		allowed []string
	}{
		{"found in the folder", Options{Dir: work}, "", found, true, all[:3]},
		{"found above it", Options{Dir: below}, "", found, true, all[:3]},
		{"named", Options{Dir: work, File: chosen}, "", chosen, false, all},
		{"the same file, named", Options{Dir: work, File: found}, "", found, false, all},
		{"the user's own", Options{Dir: t.TempDir()}, home, own, false, all},
		{"the user's own, worked in", Options{Dir: filepath.Dir(own)}, home, own, false, all},
		{"the environment", Options{Dir: t.TempDir()}, "", "", false, all},
	} {
		t.Run(c.name, func(t *testing.T) {
			vars := map[string]string{"HOME": c.home, "USERPROFILE": c.home}
			if c.place == "" {
				for name, value := range variables {
					vars[name] = value
				}
			}
			c.o.Getenv = environ(vars)
			s, warnings, err := Load(c.o)
			if err != nil {
				t.Fatal(err)
			}
			for i, flag := range all {
				v, ok := s.Lookup(flag)
				if want := i < len(c.allowed); ok != want || v.Found != (c.found && want) || ok && v.File != c.place {
					t.Errorf("%s: got %+v", flag, v)
				}
			}
			if v, ok := s.Variable("DESK_TOKEN"); !ok || v.Text != "desk" || v.Found != c.found {
				t.Errorf("variable of a credential: got %+v, want desk", v)
			}
			if said := strings.Join(warnings, "\n"); c.found != strings.Contains(said, "PARLEY_BEARER_COMMAND, PARLEY_CACERT and 1 more are not used") || len(warnings) > 1 {
				t.Errorf("got warnings %q", warnings)
			}
		})
	}
}

// A found file may only set the variables of credentials in config.toml.
func TestAVariableOfAFoundFileSetsNoEndpoint(t *testing.T) {
	folder, work := t.TempDir(), t.TempDir()
	write(t, folder, "config.toml", "endpoint = \"$PLACE\"\nbearer = \"$PLACE\"\n")
	path := write(t, work, ".env", "PLACE=http://evil\n")
	s, _, err := Load(Options{Getenv: environ(nil), Dir: work, Folder: folder})
	if v, ok := s.Lookup("endpoint"); err != nil || ok {
		t.Errorf("got endpoint %+v, %v, want none", v, err)
	}
	if v, ok := s.Lookup("bearer"); !ok || !v.Found || v.Place() != "PLACE in "+path {
		t.Errorf("got bearer token %+v, want one from %s", v, path)
	}
}

// A spoiler makes a file one that others may change.
type spoiler struct {
	name   string
	spoil  func(path string) error
	reason string
}

// spoilers are all ways to do so; none on a system that does not tell who may write a file.
func spoilers() []spoiler {
	const stranger = 12345
	if runtime.GOOS == "windows" {
		return nil
	}
	return []spoiler{
		{"a group of others", func(p string) error {
			if err := os.Chown(p, -1, stranger); err != nil {
				return err
			}
			return os.Chmod(p, 0o660)
		}, "chmod go-w"},
		{"everybody", func(p string) error { return os.Chmod(p, 0o602) }, "chmod go-w"},
		{"a stranger's", func(p string) error { return os.Chown(p, stranger, -1) }, "belongs to another user"},
		{"a stranger's link", func(p string) error {
			if err := os.Rename(p, p+".mine"); err != nil {
				return err
			}
			if err := os.Symlink(p+".mine", p); err != nil {
				return err
			}
			return os.Lchown(p, stranger, -1)
		}, "the link to it belongs to another user"},
	}
}

// A file that nobody named is not used if others decide what it says: not one that was found, and not
// those in the places of the user's own.
func TestAFileThatOthersMayWriteIsIgnoredUnlessItIsNamed(t *testing.T) {
	const env = "A2ACLI_BEARER=token\nDESK_TOKEN=x\nA2ACLI_ENDPOINT=http://evil\n"
	const settings = "bearer = \"$DESK_TOKEN\"\nbearer-command = [\"sh\"]\nendpoint = \"http://evil\"\n[[agent]]\nname = \"A\"\nref = \"http://evil\"\nbearer-command = [\"sh\"]\n" +
		"[[tap]]\nto = \"http://evil\"\n[keys]\nwire.mark-record = \"M\"\n[sessions]\nkeep = \"1d\"\n"
	for _, f := range []struct {
		name, file, content string
		options             func(folder string) Options
	}{
		{"found", ".env", env, func(folder string) Options { return Options{Dir: folder} }},
		{"the user's own", ".config/a2a-cli/.env", env, func(folder string) Options {
			return Options{Dir: t.TempDir(), Getenv: environ(map[string]string{"HOME": folder, "USERPROFILE": folder})}
		}},
		{"config.toml", "config.toml", settings, func(folder string) Options { return Options{Folder: folder} }},
	} {
		for _, c := range spoilers() {
			t.Run(f.name+", "+c.name, func(t *testing.T) {
				folder := t.TempDir()
				path := write(t, folder, f.file, f.content)
				if err := c.spoil(path); err != nil {
					t.Skip("only root can give files away: ", err)
				}
				o := f.options(folder)
				if o.Getenv == nil {
					o.Getenv = environ(map[string]string{"DESK_TOKEN": "y"})
				}
				s, warnings, err := Load(o)
				if err != nil || len(warnings) != 1 || !strings.Contains(warnings[0], c.reason) || !strings.Contains(warnings[0], path) || !strings.HasSuffix(warnings[0], "if you trust it; its settings are not used") {
					t.Errorf("got error %v and warnings %q, want one warning: %s", err, warnings, c.reason)
				}
				for _, flag := range []string{"bearer", "endpoint"} {
					if v, ok := s.Lookup(flag); ok {
						t.Errorf("got %s %+v of an ignored file", flag, v)
					}
				}
				if v, _ := s.Variable("DESK_TOKEN"); v.Text == "x" || len(s.Agents)+len(s.BearerCommand)+len(s.Taps)+len(s.Keys)+len(s.KeepSessions) != 0 {
					t.Errorf("got %+v and %+v of an ignored file", v, s)
				}
				o.File = path
				if s, _, err = Load(o); err != nil {
					t.Fatal(err)
				}
				if _, ok := s.Lookup("endpoint"); !ok {
					t.Error("named file: got no endpoint")
				}
			})
		}
	}
}
