package cli

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"path/filepath"
	"strings"
	"testing"
)

// A fingerprint is compared for the card and for messages, from flags, variables and config.toml,
// and --insecure-host is for its host alone.
func TestServersAreRecognisedByTheirFingerprint(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, done)
	server, ca, _ := secured(t, s, nil)
	leaf := server.Certificate()
	sum, key := sha256.Sum256(leaf.Raw), sha256.Sum256(leaf.RawSubjectPublicKeyInfo)
	right, rightKey, wrong := "127.0.0.1=sha256:"+hex.EncodeToString(sum[:]), "127.0.0.1=sha256//"+base64.StdEncoding.EncodeToString(key[:]), "127.0.0.1=sha256:"+strings.Repeat("00", 32)
	mismatch := "is not the one that --tls-fingerprint names, but has the fingerprint sha256:" + hex.EncodeToString(sum[:])
	folder := t.TempDir()
	writeTo(t, "tls-fingerprint = ["+tomlText(wrong)+"]\ninsecure-host = [\"127.0.0.1\"]\n", filepath.Join(folder, "parley"), "config.toml")
	for name, c := range map[string]struct {
		args, env []string
		code      int
		says      string
	}{
		"its authority and fingerprint": {[]string{"--cacert", ca, "--tls-fingerprint", right}, nil, 0, ""},
		"its key":                       {[]string{"--cacert", ca, "--tls-fingerprint", wrong, "--tls-fingerprint", rightKey}, nil, 0, ""},
		"another one":                   {[]string{"--cacert", ca, "--tls-fingerprint", wrong}, nil, 3, mismatch},
		"another one, insecure":         {[]string{"--insecure", "--tls-fingerprint", wrong}, nil, 3, mismatch},
		"no authority":                  {[]string{"--tls-fingerprint", right}, nil, 3, "does not trust the authority"},
		"its fingerprint alone":         {[]string{"--insecure-host", "127.0.0.1", "--tls-fingerprint", right}, nil, 0, ""},
		"an insecure host":              {[]string{"--insecure-host", "127.0.0.1"}, nil, 0, "TLS certificates of 127.0.0.1 are not verified (--insecure-host)"},
		"another insecure host":         {[]string{"--insecure-host", "other.example"}, nil, 3, "does not trust the authority"},
		"all hosts":                     {[]string{"--insecure", "--bearer", "s3cret"}, nil, 0, "not verified (--insecure): the credentials go to whoever answers"},
		"a variable":                    {nil, []string{"PARLEY_TLS_FINGERPRINT=" + wrong, "PARLEY_INSECURE=true"}, 3, mismatch},
		"config.toml":                   {nil, []string{"XDG_CONFIG_HOME=" + folder}, 3, mismatch},
	} {
		t.Run(name, func(t *testing.T) {
			s.seen = nil
			r := commandLine{args: append([]string{"send", "x", "-a", server.URL}, c.args...), env: c.env}.run(t)
			if r.code != c.code || !strings.Contains(strings.Join(strings.Fields(r.err), " "), c.says) {
				t.Errorf("got exit %d, want %d and %q\n%s", r.code, c.code, c.says, r.err)
			}
			if c.says == "" && strings.Contains(r.err, "not verified") {
				t.Errorf("got a warning although the fingerprint was compared: %s", r.err)
			}
			if c.code == 0 && len(c.args) > 0 && !strings.Contains(r.out, strings.Join(c.args[len(c.args)-2:], " ")) && name != "all hosts" {
				t.Errorf("got no %q in the next command: %s", c.args, r.out)
			}
			if asked := len(s.seen) > 0; asked != (c.code == 0) {
				t.Errorf("the server was asked: %v", asked)
			}
		})
	}
	r := parley(t, "doctor", server.URL, "--cacert", ca, "--tls-fingerprint", wrong)
	if r.code != 3 || !strings.Contains(r.out, "Failed: TLS: The certificate of 127.0.0.1 is not the one") || !strings.Contains(r.err, "correct --tls-fingerprint") {
		t.Errorf("doctor: got exit %d\n%s%s", r.code, r.out, r.err)
	}
	if r := parley(t, "doctor", server.URL, "--cacert", ca, "--tls-fingerprint", right); !strings.Contains(r.out, "Ok: TLS") || !strings.Contains(r.out, "with the expected fingerprint") {
		t.Errorf("doctor with the right fingerprint: got exit %d\n%s%s", r.code, r.out, r.err)
	}
}

func TestFingerprintsWithTyposAreRefused(t *testing.T) {
	t.Parallel()
	for _, value := range []string{"", "=", "host", "host=", "host=abc", "https://host=sha256:00", "host:443=sha256:00", "host=sha256:00", "host=sha256//00", "\x1b[2J=sha256:00", "a b=sha256:00"} {
		r := parley(t, "send", "x", "-a", "https://agent.example", "--tls-fingerprint", value)
		if r.code != 2 || !strings.Contains(r.err, "--tls-fingerprint") || strings.Contains(r.err, "\x1b") {
			t.Errorf("%q: got exit %d, want 2 and the flag\n%s", value, r.code, r.err)
		}
	}
	for _, value := range []string{"", "https://host", "host:443", "host/path", "\x1b[2J", "a b"} {
		r := parley(t, "send", "x", "-a", "https://agent.example", "--insecure-host", value)
		if r.code != 2 || !strings.Contains(r.err, "--insecure-host") || strings.Contains(r.err, "\x1b") {
			t.Errorf("%q: got exit %d, want 2 and the flag\n%s", value, r.code, r.err)
		}
	}
	if s, err := readServerTrust(false, []string{"Bücher.example."}, []string{"xn--bcher-kva.example=sha256:" + strings.Repeat("00", 32)}); err != nil || !s.InsecureAt("xn--bcher-kva.example") || !s.Knows("BÜCHER.example") {
		t.Errorf("got %+v, %v, want a host in other letters to be the one that is connected to", s, err)
	}
	if s, err := readServerTrust(false, []string{"bank\u202e.example"}, nil); err == nil {
		t.Errorf("got %+v, want a host that cannot be looked up refused", s)
	}
	if s, err := readServerTrust(false, []string{"[::1]", "Agent.Example"}, []string{"[::1]=sha256:" + strings.Repeat("00", 32)}); err != nil || !s.InsecureAt("::1") || !s.InsecureAt("agent.example") || len(s.Fingerprints["::1"]) != 1 {
		t.Errorf("got %+v, %v, want the hosts as connections name them", s, err)
	}
}
