package a2a_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"parley/a2a"
	proxies "parley/a2a/socks"
)

func TestFingerprintsAreRead(t *testing.T) {
	t.Parallel()
	sum := sha256.Sum256([]byte("x"))
	digits, letters := hex.EncodeToString(sum[:]), base64.StdEncoding.EncodeToString(sum[:])
	var pairs []string
	for i := range sum {
		pairs = append(pairs, strings.ToUpper(digits[2*i:2*i+2]))
	}
	for text, key := range map[string]bool{
		"sha256:" + digits: false, "SHA256:" + strings.Join(pairs, ":"): false, "sha256//" + letters: true, "sha256//" + strings.TrimRight(letters, "="): true,
	} {
		f, why := a2a.ParseFingerprint(text)
		if why != "" || f.Sum != sum || f.Key != key {
			t.Errorf("%s: got %+v, %q", text, f, why)
		}
		if again, why := a2a.ParseFingerprint(f.String()); why != "" || again != f {
			t.Errorf("%s: got %+v, %q when it is read again", text, again, why)
		}
	}
	for text, want := range map[string]string{
		"": "begins neither", digits: "begins neither", "sha1:" + digits: "begins neither", "sha256:" + digits[1:]: "pairs of hexadecimal digits", "sha256:" + digits[2:]: "it has 31 bytes",
		"sha256:" + digits + "00": "it has 33 bytes", "sha256:xyz": "pairs of hexadecimal digits", "sha256//" + digits + "!": "base64", "sha256//AAAA": "it has 3 bytes", "sha256:": "it has 0 bytes",
		"sha256:\x1b[2J": "pairs of hexadecimal digits",
	} {
		if _, why := a2a.ParseFingerprint(text); !strings.Contains(why, want) {
			t.Errorf("%q: got %q, want %q", text, why, want)
		}
	}
}

// A server is recognised by its certificate or its key on every way to it, and no request goes to
// another one.
func TestTheFingerprintIsComparedOnEveryWay(t *testing.T) {
	t.Parallel()
	server := quietTLS(t, nil)
	leaf := server.Certificate()
	cert := a2a.Fingerprint{Sum: sha256.Sum256(leaf.Raw)}
	key := a2a.Fingerprint{Sum: sha256.Sum256(leaf.RawSubjectPublicKeyInfo), Key: true}
	address, made := socks(t)
	for name, proxy := range map[string]func(*http.Request) (*url.URL, error){
		"direct": nil, "SOCKS": http.ProxyURL(&url.URL{Scheme: "socks5", Host: address}),
	} {
		for _, c := range []struct {
			want  []a2a.Fingerprint
			hosts []string
			ok    bool
			says  string
		}{
			{[]a2a.Fingerprint{cert}, []string{"127.0.0.1"}, true, ""},
			{[]a2a.Fingerprint{{}, key}, []string{"127.0.0.1"}, true, ""},
			{nil, []string{"127.0.0.1"}, true, ""},
			{[]a2a.Fingerprint{{Sum: key.Sum}}, []string{"127.0.0.1"}, false, "is not the one that --tls-fingerprint names, but has the fingerprint " + cert.String() + "."},
			{[]a2a.Fingerprint{cert}, nil, false, "does not trust the authority"},
			{nil, []string{"other.example"}, false, "does not trust the authority"},
		} {
			before := made.Load()
			o, _ := call(t, server.URL, func(o *a2a.Options) {
				o.Proxy, o.Socks = proxy, proxies.Dial
				o.Servers = a2a.ServerTrust{InsecureHosts: c.hosts, Fingerprints: map[string][]a2a.Fingerprint{"127.0.0.1": c.want}}
			})
			if c.ok != (o.Err == nil) || !c.ok && (o.End.Class != a2a.ClassTLS || !strings.Contains(o.End.Sentence, c.says)) {
				t.Errorf("%s, %+v: got %v, %+v", name, c, o.Err, o.End)
			}
			if through := made.Load() > before; through != (proxy != nil) {
				t.Errorf("%s: got a connection through the proxy: %v", name, through)
			}
		}
	}
}

func FuzzParseFingerprint(f *testing.F) {
	f.Add("sha256:00")
	f.Add("sha256//AAAA=")
	f.Fuzz(func(t *testing.T, text string) {
		if got, why := a2a.ParseFingerprint(text); why == "" {
			if again, why := a2a.ParseFingerprint(got.String()); why != "" || again != got {
				t.Errorf("got %+v, %q, want %+v", again, why, got)
			}
		}
	})
}
