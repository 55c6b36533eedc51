package config

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// write creates a file below dir and returns its path.
func write(t testing.TB, dir, name, content string) string {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func environ(vars map[string]string) func(string) string {
	return func(name string) string { return vars[name] }
}

func TestTheNearestLayerWins(t *testing.T) {
	home, work := t.TempDir(), t.TempDir()
	write(t, home, ".config/a2a-cli/.env", "A2ACLI_BEARER=global\nA2ACLI_OUTPUT=json\nPARLEY_TIMEOUT=1s\n")
	local := write(t, work, ".env", "A2ACLI_BEARER=local\nPARLEY_BEARER=local-parley\nA2ACLI_API_KEY='a$b'\n")
	deep := filepath.Join(work, "a", "b")
	if err := os.MkdirAll(deep, 0o700); err != nil {
		t.Fatal(err)
	}
	other := write(t, t.TempDir(), "agent.env", "A2ACLI_BEARER=chosen\n")

	for _, c := range []struct {
		name, file string
		env        map[string]string
		flag, want string
		place      string
	}{
		{"environment before files", "", map[string]string{"A2ACLI_BEARER": "env"}, "bearer", "env", "A2ACLI_BEARER"},
		{"PARLEY_ before A2ACLI_", "", map[string]string{"A2ACLI_BEARER": "a", "PARLEY_BEARER": "p"}, "bearer", "p", "PARLEY_BEARER"},
		{"the local file, found above", "", nil, "bearer", "local-parley", "PARLEY_BEARER in " + local},
		{"a chosen file instead of it", other, nil, "bearer", "chosen", "A2ACLI_BEARER in " + other},
		{"the global file last", "", nil, "output", "json", ""},
		{"the global file with another prefix", "", nil, "timeout", "1s", ""},
		{"an empty variable is none", "", map[string]string{"PARLEY_OUTPUT": ""}, "output", "json", ""},
		{"dashes become underscores", "", nil, "api-key", "a$b", ""},
		{"nothing anywhere", "", nil, "record", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			vars := map[string]string{"HOME": home, "USERPROFILE": home}
			for k, v := range c.env {
				vars[k] = v
			}
			s, warnings, err := Load(Options{Getenv: environ(vars), Dir: deep, File: c.file})
			if err != nil || len(warnings) != 0 {
				t.Fatalf("got error %v and warnings %q, want none", err, warnings)
			}
			v, ok := s.Lookup(c.flag)
			if v.Text != c.want || ok != (c.want != "") || c.place != "" && v.Place() != c.place {
				t.Errorf("%s: got %q from %s, want %q from %s", c.flag, v.Text, v.Place(), c.want, c.place)
			}
		})
	}
}

func TestFilesThatCannotBeUsed(t *testing.T) {
	const secret = "sk-very-secret-value"
	bad := write(t, t.TempDir(), ".env", "this is \x00 not 'A2ACLI_BEARER="+secret+"\n=\n")
	s, warnings, err := Load(Options{Getenv: environ(nil), Dir: filepath.Dir(bad)})
	if err != nil || len(warnings) != 1 || strings.Contains(warnings[0], secret) {
		t.Errorf("found file: got error %v and warnings %q, want one warning without the secret", err, warnings)
	}
	if v, ok := s.Lookup("bearer"); ok {
		t.Errorf("found file: got bearer %q, want none", v.Text)
	}
	big := write(t, t.TempDir(), "big.env", strings.Repeat("#", maxFile+1))
	for _, path := range []string{bad, big, t.TempDir(), filepath.Join(t.TempDir(), "none.env")} {
		if _, _, err := Load(Options{Getenv: environ(nil), File: path}); err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("named file %s: got error %v, want one without the secret", path, err)
		}
	}
}

func TestSecretsThatOthersCanReadAreNamed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("this system has no permission bits")
	}
	path := write(t, t.TempDir(), ".env", "A2ACLI_BEARER=x\n")
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, warnings, _ := Load(Options{Getenv: environ(nil), File: path}); len(warnings) != 1 || !strings.Contains(warnings[0], "chmod 600") {
		t.Errorf("got warnings %q, want one with chmod 600", warnings)
	}
}

func FuzzFile(f *testing.F) {
	for _, s := range []string{"", "A=b", "export A2ACLI_BEARER=\"x\\ny\"", "A='", "A=\"${A}", "=\x00", "\xef\xbb\xbfA=b", "A: b\r\nC=#d"} {
		f.Add([]byte(s))
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, content []byte) {
		path := write(t, dir, "fuzz.env", string(content))
		s, _, err := Load(Options{Getenv: environ(nil), File: path})
		if err == nil {
			s.Lookup("bearer")
		}
	})
}

func TestAReferenceIsTheSameInOtherLetters(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"http://bücher.example/x/", "http://xn--bcher-kva.example/x", true},
		{"http://①②⑦.⓪.⓪.①:1", "http://127.0.0.1:1", true},
		{"http://bücher.example", "http://bucher.example", false},
		{"http://аpple.com", "http://apple.com", false},
		{"http://apple.com\u202e", "http://apple.com", false},
		{"card.json", "card.json/", true},
		{"localhost:9999", "http://localhost:9999/", true},
		{"https://localhost:9999/.well-known/agent-card.json", "localhost:9999", true},
		{"http://localhost:9999/.well-known/agent.json", "http://localhost:9999", true},
		{"http://localhost:9999", "https://localhost:9999", false},
		{"http://localhost:9999/a", "http://localhost:9999", false},
		{"grpc://localhost:9999", "localhost:9999", false},
		{"http://localhost:9999@/b", "localhost:9999", false},
		{"a/bücher.json", "a/bucher.json", false},
	} {
		if got := Same(c.a, c.b); got != c.same {
			t.Errorf("Same(%q, %q) = %v, want %v", c.a, c.b, got, c.same)
		}
	}
}
