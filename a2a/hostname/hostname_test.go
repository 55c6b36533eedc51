package hostname

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// A host is one that somebody wrote into a URL, and what it is.
type host struct {
	written  string // as in a URL
	name     string // under which it is connected to; empty if it is not
	key      string // the name if this is empty
	loopback bool
}

var hosts = []host{
	{written: "agent.example", name: "agent.example"},
	{written: "Agent.EXAMPLE", name: "agent.example"},
	{written: "agent.example.", name: "agent.example.", key: "agent.example"},
	{written: ".", name: "."},
	{written: "a..", name: "a.."}, // an empty label is none at the end
	{written: "a..example", name: "a..example"},
	{written: "-a-.example", name: "-a-.example"},
	{written: "a_b.example", name: "a_b.example"},
	{written: "localhost", name: "localhost", loopback: true},
	{written: "LocalHost.", name: "localhost.", key: "localhost", loopback: true},
	{written: "a.localhost", name: "a.localhost"}, // not by every system
	{written: "localhost.example", name: "localhost.example"},

	// Addresses, and what only some systems take for one: net/http looks it up as a name.
	{written: "127.0.0.1", name: "127.0.0.1", loopback: true},
	{written: "127.9.8.7", name: "127.9.8.7", loopback: true},
	{written: "0x7f.1", name: "0x7f.1"},
	{written: "0X7F.0.0.1", name: "0x7f.0.0.1"},
	{written: "2130706433", name: "2130706433"},
	{written: "127.1", name: "127.1"},
	{written: "0177.0.0.1", name: "0177.0.0.1"},
	{written: "[::1]", name: "::1", loopback: true},
	{written: "[0:0:0:0:0:0:0:1]", name: "0:0:0:0:0:0:0:1", loopback: true},
	{written: "[::FFFF:127.0.0.1]", name: "::ffff:127.0.0.1", loopback: true},
	{written: "[FE80::1%25Eth0]", name: "fe80::1%Eth0", key: "fe80::1%25Eth0"}, // names of interfaces differ by case
	{written: "[fe80::1%25a%20b%25]", name: "fe80::1%a b%", key: "fe80::1%25a%20b%25"},
	{written: "[::1%25é]", key: "::1%25%C3%A9"},

	// Letters that mean others.
	{written: "ｌｏｃａｌｈｏｓｔ", name: "localhost", loopback: true},
	{written: "ⓛocalhost", name: "localhost", loopback: true},
	{written: "ＥＸＡＭＰＬＥ.com", name: "example.com"},
	{written: "EXAMPLE。com", name: "example.com"},
	{written: "example．com｡", name: "example.com.", key: "example.com"},
	{written: "①②⑦.⓪.⓪.①", name: "127.0.0.1", loopback: true},
	{written: "１２７。０。０。１", name: "127.0.0.1", loopback: true},
	{written: "%EF%BD%8Cocalhost", name: "localhost", loopback: true},
	{written: "ſ.example", name: "s.example"},
	{written: "K.example", name: "k.example"}, // the sign of Kelvin
	{written: "lo\u00adcal\u200bho\u2060st", name: "localhost", loopback: true},
	{written: "a℀b.example", key: "a%E2%84%80b.example"}, // would be aa/cb.example
	{written: "a／b.example", key: "a%EF%BC%8Fb.example"},
	{written: "a＠b.example", key: "a%EF%BC%A0b.example"},
	{written: "a：80.example", key: "a%EF%BC%9A80.example"},
	{written: "\u00ad", key: "%C2%AD"}, // nothing would be left, which is this machine
	{written: "\u00ad.\u200b", name: "."},
	{written: "。", name: "."},

	// Letters of their own.
	{written: "bücher.example", name: "xn--bcher-kva.example"},
	{written: "BÜCHER.example", name: "xn--bcher-kva.example"},
	{written: "bu\u0308cher.example", name: "xn--bcher-kva.example"},
	{written: "b%C3%BCcher.example", name: "xn--bcher-kva.example"},
	{written: "xn--bcher-kva.example", name: "xn--bcher-kva.example"},
	{written: "XN--Bcher-KVA.example", name: "xn--bcher-kva.example"},
	{written: "bücher..example", name: "xn--bcher-kva..example"},
	{written: "straße.example", name: "xn--strae-oqa.example"},
	{written: "strasse.example", name: "strasse.example"},
	{written: "аpple.com", name: "xn--pple-43d.com"}, // a Cyrillic first letter
	{written: "apple.com", name: "apple.com"},
	{written: "аррӏе.com", name: "xn--80ak6aa92e.com"},
	{written: "☃.example", name: "xn--n3h.example"},
	{written: "😀.example", name: "xn--e28h.example"},
	{written: "שלום.example", name: "xn--9dbne9b.example"},
	{written: "aשלום.example", key: "a%D7%A9%D7%9C%D7%95%D7%9D.example"}, // two directions in one label
	{written: "bank\u202e.example", key: "bank%E2%80%AE.example"},
	{written: "bank\u2066.example", key: "bank%E2%81%A6.example"},
	{written: "bank\u200d.example", key: "bank%E2%80%8D.example"}, // joins nothing
	{written: "bank.example\u2215x.evil.example", name: "bank.xn--examplex-4f7d.evil.example"},
	{written: "\u0308a.example", key: "%CC%88a.example"},
	{written: "xn--a.bücher", key: "xn--a.b%C3%BCcher"},
	{written: "a_ü.example", key: "a_%C3%BC.example"},
	{written: "%FF.example", key: "%FF.example"},
	{written: "%F0%9F%98.example", key: "%F0%9F%98.example"},
}

// connected returns the host that net/http connects to for a URL, false if it connects to none.
func connected(u *url.URL) (host string, ok bool) {
	t := &http.Transport{DialContext: func(_ context.Context, _, address string) (net.Conn, error) {
		var err error
		host, _, err = net.SplitHostPort(address) // as net.Dial does
		ok = err == nil
		return nil, errors.New("not connected")
	}}
	_, err := (&http.Client{Transport: t}).Do(&http.Request{Method: http.MethodGet, URL: u})
	if err == nil {
		panic("got an answer without a connection")
	}
	return host, ok
}

func TestAHostIsTheOneThatIsConnectedTo(t *testing.T) {
	t.Parallel()
	for _, tt := range hosts {
		u, err := url.Parse("http://" + tt.written + ":4100/")
		if err != nil {
			t.Errorf("%q: %v", tt.written, err)
			continue
		}
		name, ok := Name(u.Hostname())
		if name != tt.name || ok != (tt.name != "") {
			t.Errorf("Name(%q) = %q, %v, want %q", tt.written, name, ok, tt.name)
		}
		want := tt.key
		if want == "" {
			want = tt.name
		}
		if got := Key(u.Hostname()); got != want {
			t.Errorf("Key(%q) = %q, want %q", tt.written, got, want)
		}
		if got := IsLoopback(u.Hostname()); got != tt.loopback {
			t.Errorf("IsLoopback(%q) = %v, want %v", tt.written, got, tt.loopback)
		}
		checkConnected(t, u)
	}
}

// checkConnected compares the name of the host of a URL with what net/http connects to.
func checkConnected(t *testing.T, u *url.URL) {
	t.Helper()
	name, ok := Name(u.Hostname())
	to, connects := connected(u)
	switch {
	case ok && connects && !strings.EqualFold(to, name):
		t.Errorf("%q: net/http connects to %q, want %q", u.Host, to, name)
	case !ok && connects && isASCII(to) && to != "" && len(u.Hostname()) <= maxWritten && utf8.ValidString(u.Hostname()):
		t.Errorf("%q: net/http connects to %q, want a host that cannot be mapped to have no other name", u.Host, to)
	}
	mapped, found := Mapped(u)
	if found != ok || ok && !isASCII(mapped.Host) || !ok && mapped != u {
		t.Errorf("Mapped(%q) = %q, %v, want the host in ASCII", u.Host, mapped.Host, found)
	}
	if again, _ := connected(mapped); ok && connects && again != to {
		t.Errorf("%q is mapped to %q, which net/http connects to as %q, want %q", u.Host, mapped.Host, again, to)
	}
}

// A text as [Of] has it, in a URL, is the same host.
func TestAShownHostIsReadAsTheSameHost(t *testing.T) {
	t.Parallel()
	for _, tt := range hosts {
		u, err := url.Parse("http://" + tt.written + ":4100/")
		if err != nil {
			t.Fatal(err)
		}
		checkShown(t, u)
	}
}

// checkShown reads what is shown of a host.
func checkShown(t *testing.T, u *url.URL) {
	t.Helper()
	shown := Of(u)
	if strings.ContainsFunc(shown, func(r rune) bool { return r <= ' ' || r >= 0x7f }) || strings.ContainsAny(shown, "@/") {
		t.Fatalf("%q is shown as %q, want printable ASCII without user or path", u.Host, shown)
	}
	if zone := strings.Index(u.Hostname(), "%"); zone >= 0 && strings.ContainsFunc(u.Hostname()[zone+1:], func(r rune) bool { return r > 'z' || r != ' ' && escapes(r) }) {
		return // the zone of a URL has no escapes for these
	}
	if again, err := url.Parse("http://" + shown + "/"); err != nil || !Same(again.Hostname(), u.Hostname()) || again.Port() != u.Port() {
		t.Fatalf("%q is shown as %q, which is read as %v, %v, want the same host", u.Host, shown, again, err)
	}
}

// What cannot be mapped is like no other host.
func TestHostsThatDifferHaveTwoKeys(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]string{
		{"bank\u202e.example", "bank.example"}, {"bank\u202e.example", "xn--bank-yd7a.example"}, {"bank\u202e.example", "bank\u202d.example"},
		{"straße.example", "strasse.example"}, {"аpple.com", "apple.com"}, {"127.1", "127.0.0.1"}, {"2130706433", "127.0.0.1"},
		{"::1%25a", "::1%a"}, {"fe80::1%ETH0", "fe80::1%eth0"}, {"::1%\xff", "::1%%FF"},
		{strings.Repeat("а", 4000) + "x", strings.Repeat("а", 4000) + "y"},
	} {
		if Same(pair[0], pair[1]) {
			t.Errorf("%.40q and %.40q: got one key %.80q, want two", pair[0], pair[1], Key(pair[0]))
		}
	}
}

// A label of a megabyte takes punycode minutes.
func TestALongHostCostsLittle(t *testing.T) {
	t.Parallel()
	var long strings.Builder
	for r := rune(0x4e00); r < 0x9f00; r++ {
		long.WriteRune(r)
	}
	written := strings.Repeat(long.String(), 20)
	start := time.Now()
	for range 10 {
		if name, ok := Name(written); ok {
			t.Fatalf("got name %.40q of a host of %d bytes, want none", name, len(written))
		}
	}
	if took := time.Since(start); took > time.Second {
		t.Errorf("got %v for ten long hosts, want little time", took)
	}
	u := &url.URL{Scheme: "http", Host: written}
	if to, found := Mapped(u); found || to != u {
		t.Errorf("got %.40q, want a host that cannot be mapped", to.Host)
	}
}

func TestALinkLeadsToItsHost(t *testing.T) {
	t.Parallel()
	for link, want := range map[string]string{
		"https://bank.example@evil.example/":             "evil.example",
		"https://bank.example:443@evil.example:8443/x":   "evil.example:8443",
		"https://bank.example%2f@evil.example/":          "evil.example",
		"https://\u0430pple.com/":                        "xn--pple-43d.com",
		"https://\u0430\u0440\u0440\u04cf\u0435.com:80/": "xn--80ak6aa92e.com:80",
		"https://bank.example\u3002evil.example/":        "bank.example.evil.example",
		"https://\uff45vil.example/":                     "evil.example",
		"https://bank.example\u2215x.evil.example/":      "bank.xn--examplex-4f7d.evil.example",
		"https://bank.example\u202e/":                    "bank.example%E2%80%AE",
		"HTTPS://Bank.Example/":                          "bank.example",
		"http://[::1]:80/":                               "[::1]:80",
		"http://[::1]/":                                  "[::1]",
		"ftp://a.example":                                "",
		"https://":                                       "",
		"//a.example":                                    "",
		"https://a b/":                                   "",
		"":                                               "",
		"javascript:alert(1)//https://bank.example":      "",
	} {
		if got := OfLink(link); got != want {
			t.Errorf("%q leads to %q, want %q", link, got, want)
		}
	}
}

func FuzzHost(f *testing.F) {
	for _, h := range hosts {
		f.Add(h.written)
	}
	f.Add("xn--\xff")
	f.Fuzz(func(t *testing.T, written string) {
		u, err := url.Parse("http://" + written + "/")
		if err != nil || u.Hostname() == "" {
			return
		}
		checkShown(t, u)
		checkConnected(t, u)
	})
}

func BenchmarkKey(b *testing.B) {
	for name, host := range map[string]string{"ascii": "agent.example", "letters": "bücher.example", "longest": strings.Repeat("бюхер.", 90)} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Key(host)
			}
		})
	}
}
