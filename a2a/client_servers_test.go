package a2a_test

import (
	"crypto/sha256"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"parley/a2a"
	"parley/a2a/servertrust"
	proxies "parley/a2a/socks"
)

// A server is recognised by its certificate or its key on every way to it, and no request goes to
// another one.
func TestTheFingerprintIsComparedOnEveryWay(t *testing.T) {
	t.Parallel()
	server := quietTLS(t, nil)
	leaf := server.Certificate()
	cert := servertrust.Fingerprint{Sum: sha256.Sum256(leaf.Raw)}
	key := servertrust.Fingerprint{Sum: sha256.Sum256(leaf.RawSubjectPublicKeyInfo), Key: true}
	address, made := socks(t)
	for name, proxy := range map[string]func(*http.Request) (*url.URL, error){
		"direct": nil, "SOCKS": http.ProxyURL(&url.URL{Scheme: "socks5", Host: address}),
	} {
		for _, c := range []struct {
			want  []servertrust.Fingerprint
			hosts []string
			ok    bool
			says  string
		}{
			{[]servertrust.Fingerprint{cert}, []string{"127.0.0.1"}, true, ""},
			{[]servertrust.Fingerprint{{}, key}, []string{"127.0.0.1"}, true, ""},
			{nil, []string{"127.0.0.1"}, true, ""},
			{[]servertrust.Fingerprint{{Sum: key.Sum}}, []string{"127.0.0.1"}, false, "is not the one that --tls-fingerprint names, but has the fingerprint " + cert.String() + "."},
			{[]servertrust.Fingerprint{cert}, nil, false, "does not trust the authority"},
			{nil, []string{"other.example"}, false, "does not trust the authority"},
		} {
			before := made.Load()
			o, _ := call(t, server.URL, func(o *a2a.Options) {
				o.Proxy, o.Socks = proxy, proxies.Dial
				o.Servers = servertrust.Trust{InsecureHosts: c.hosts, Fingerprints: map[string][]servertrust.Fingerprint{"127.0.0.1": c.want}}
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
