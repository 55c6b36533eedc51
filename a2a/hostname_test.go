package a2a_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"parley/a2a"
	"parley/a2a/servertrust"
)

// hostileHosts maps URLs to the host name that a sentence shows.
var hostileHosts = map[string]string{
	"https://a.example/":                             "a.example",
	"https://bank.example@evil.example:8443/":        "evil.example:8443",
	"https://\u0430pple.com/":                        "xn--pple-43d.com",
	"https://\u0430\u0440\u0440\u04cf\u0435.com:80/": "xn--80ak6aa92e.com:80",
	"https://b\u00fccher.example/":                   "xn--bcher-kva.example",
	"https://bank.example\u3002evil.example/":        "bank.example.evil.example",
	"https://bank.example.":                          "bank.example.",
	"http://[::1]/":                                  "[::1]",
	"http://[::1]:80/":                               "[::1]:80",
	"https://login.bank.example." + strings.Repeat("a.", 200) + "evil.example": "…" + strings.Repeat("a.", 34) + "evil.example",
	"https://bank\u202e.example/": "bank%E2%80%AE.example",
	"//":                          "",
}

func TestASentenceNamesTheHostThatIsMeant(t *testing.T) {
	t.Parallel()
	for link, want := range hostileHosts {
		u, err := url.Parse(link)
		if err != nil {
			t.Errorf("%q: %v", link, err)
			continue
		}
		if got := a2a.ShownHost(u); got != want || strings.ContainsFunc(got, func(r rune) bool { return r != '…' && (r < ' ' || r >= 0x7f) }) {
			t.Errorf("ShownHost(%.80q) = %q, want %q", link, got, want)
		}
	}
}

func FuzzShownHost(f *testing.F) {
	for link := range hostileHosts {
		f.Add(link)
	}
	f.Add("http://[::1%25a%20b%2fc%40d]/")
	f.Fuzz(func(t *testing.T, link string) {
		u, err := url.Parse(link)
		if err != nil {
			return
		}
		got := strings.TrimPrefix(a2a.ShownHost(u), "…")
		if len(got) > 80 || strings.ContainsFunc(got, func(r rune) bool { return r <= ' ' || r >= 0x7f }) || strings.ContainsAny(got, "@/") {
			t.Fatalf("ShownHost(%q) = %q, want at most 80 ASCII characters of a host", link, got)
		}
		origin := a2a.Origin(link)
		if u.Hostname() == "" || !slices.Contains([]string{"http", "https"}, u.Scheme) || strings.Contains(u.Hostname(), "%") {
			return // a zone that a URL cannot express
		}
		if got := a2a.Origin(origin + "/"); got != origin {
			t.Fatalf("Origin(%q) = %q, whose origin is %q, want the same", link, origin, got)
		}
		if to := connectedTo(u); to != "" && to != origin {
			t.Fatalf("Origin(%q) = %q, want that of what net/http connects to, %q", link, origin, to)
		}
	})
}

// connectedTo returns the origin of the address that net/http connects to, empty for a host that
// it looks up in other letters than ASCII, because it cannot map it.
func connectedTo(u *url.URL) (origin string) {
	t := &http.Transport{DialContext: func(_ context.Context, _, address string) (net.Conn, error) {
		host, port, err := net.SplitHostPort(address)
		if err == nil && !strings.ContainsFunc(host, func(r rune) bool { return r >= 0x80 }) && utf8.ValidString(u.Host) && host != "" && len(u.Host) < 1000 {
			origin = a2a.Origin(u.Scheme + "://" + net.JoinHostPort(host, port))
		}
		return nil, io.EOF
	}}
	at := *u
	at.User = nil
	_, _ = (&http.Client{Transport: t}).Do(&http.Request{Method: http.MethodGet, URL: &at}) // which fails
	return origin
}

// An agent whose card, whose redirect or whose user writes its host in other letters is one
// origin, which gets its credentials.
func TestAHostInOtherLettersIsTheSameOrigin(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var seen []string
	var written string // the address in the card
	agent := serve(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, r.URL.Path+" "+r.Host+" "+r.Header.Get("Authorization"))
		switch r.URL.Path {
		case "/.well-known/agent-card.json":
			_, _ = io.WriteString(w, `{"name":"Desk","version":"1","protocolVersion":"0.3.0","url":"`+written+`/first","preferredTransport":"JSONRPC","capabilities":{},"defaultInputModes":[],"defaultOutputModes":[],"skills":[]}`)
		case "/first":
			http.Redirect(w, r, written+"/second", http.StatusTemporaryRedirect)
		default:
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":"id-1","result":{"kind":"task","id":"t1","contextId":"c1","status":{"state":"completed"}}}`)
		}
	})
	_, port, _ := strings.Cut(strings.TrimPrefix(agent.URL, "http://"), ":")
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, strings.Replace(address, "localhost:", "127.0.0.1:", 1))
	}
	for _, c := range []struct{ typed, declared, host string }{
		{"http://127.0.0.1:", "http://①②⑦.⓪.⓪.①:", "127.0.0.1:"},
		{"http://①②⑦.⓪.⓪.①:", "http://127.0.0.1:", "127.0.0.1:"},
		{"http://localhost:", "http://ｌｏｃａｌｈｏｓｔ:", "localhost:"},
		{"ⓛocalhost:", "http://lo\u00adcalhost:", "localhost:"},
	} {
		seen, written = nil, c.declared+port
		change := func(o *a2a.Options) {
			o.UserAddresses, o.Bearer, o.Dial = []string{c.typed + port}, bearer, dial
		}
		d, tp := discover(t, c.typed+port, change)
		if d.Card == nil || d.Origin != "http://"+c.host+port {
			t.Errorf("%s: got origin %q, %s, want a card from http://%s", c.typed, d.Origin, d.Sentence, c.host+port)
			continue
		}
		p := profile(a2a.V03, d.Card.Interfaces[0].URL)
		o := options(tp)
		change(&o)
		client := a2a.NewClient(p, d.Card, o)
		out := client.Do(t.Context(), request(a2a.OpSend), a2a.Hooks{})
		client.Close()
		if out.End.Reason != a2a.Ended || out.Err != nil {
			t.Errorf("%s: got %+v, want a task", c.declared, out.End)
		}
		for _, line := range seen {
			path, rest, _ := strings.Cut(line, " ")
			secret := "Bearer " + bearer
			if strings.HasPrefix(path, "/.well-known/") {
				secret = "" // nobody asked for it
			}
			if rest != c.host+port+" "+secret {
				t.Errorf("%s: the agent got %q, want the host %s and %q", c.declared, line, c.host, secret)
			}
		}
		if len(seen) != 3 {
			t.Errorf("%s: got requests %q, want the card and two", c.declared, seen)
		}
		for _, r := range tp.of(a2a.KindRequest) {
			if !strings.HasPrefix(r.Head.URL, "http://"+c.host+port) || r.Head.Header.Get("Host") != c.host+port {
				t.Errorf("%s: got a record of %s with Host %q, want those that were sent", c.declared, r.Head.URL, r.Head.Header.Get("Host"))
			}
		}
	}
}

// A host that cannot be mapped is refused before anything is connected, by whatever way.
func TestAHostThatCannotBeLookedUpIsRefused(t *testing.T) {
	t.Parallel()
	const want = "The host bank%E2%80%AE.example:7000 cannot be looked up"
	dialed := func(_ context.Context, _, address string) (net.Conn, error) {
		t.Errorf("got a connection to %q, want none", address)
		return nil, io.EOF
	}
	proxies := map[string]func(*http.Request) (*url.URL, error){
		"": nil,
		"http": func(*http.Request) (*url.URL, error) {
			return &url.URL{Scheme: "http", Host: "proxy.example"}, nil
		},
	}
	for name, proxy := range proxies {
		for _, scheme := range []string{"http", "https"} {
			there := scheme + "://bank\u202e.example:7000"
			tp := newTape()
			o := options(tp, there)
			o.Dial, o.Proxy, o.Bearer = dialed, proxy, bearer
			c := a2a.NewClient(profile(a2a.V10, there+"/rpc"), nil, o)
			out := c.Do(t.Context(), request(a2a.OpSend), a2a.Hooks{})
			c.Close()
			if out.End.Reason != a2a.Refused || out.End.Class != a2a.ClassUnsupported || !strings.HasPrefix(out.End.Sentence, want) {
				t.Errorf("%s, proxy %q: got end %+v, want it refused: %s", there, name, out.End, want)
			}
			sentence(t, out.End.Sentence)
			if shown := tp.of(a2a.KindRequest)[0].Head.URL; strings.Contains(shown, "\u202e") {
				t.Errorf("got a record of %q, want escapes", shown)
			}
		}
	}
	for _, ref := range []string{"http://bank\u202e.example:7000/", "bank\u202e.example:7000", "mqtt://bank\u202e.example:7000/acme", "grpc://bank\u202e.example:7000"} {
		d, tp := discover(t, ref, func(o *a2a.Options) { o.Dial = dialed })
		if !strings.HasPrefix(d.Sentence, want) || len(tp.records) != 0 {
			t.Errorf("%q: got sentence %q with %d records, want %s", ref, d.Sentence, len(tp.records), want)
		}
		sentence(t, d.Sentence)
	}
}

// A host is judged as the one that it is mapped to.
func TestTheReachOfAHostIsThatOfWhatItMeans(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]a2a.Reach{
		"localhost": a2a.ReachMachine, "LOCALHOST.": a2a.ReachMachine, "a.localhost": a2a.ReachMachine, "127.0.0.1": a2a.ReachMachine, "::1": a2a.ReachMachine, "::ffff:127.0.0.1": a2a.ReachMachine,
		"①②⑦.⓪.⓪.①": a2a.ReachMachine, "ｌｏｃａｌｈｏｓｔ": a2a.ReachMachine, "ａ。ｌｏｃａｌｈｏｓｔ｡": a2a.ReachMachine, "lo\u00adcalhost": a2a.ReachMachine,
		"⓪.⓪.⓪.⓪": a2a.ReachNone, "１９２.168.1.7": a2a.ReachNetwork, "fe80::1%Eth0": a2a.ReachNetwork, "drucker.ｌｏｃａｌ": a2a.ReachNetwork, "бюро": a2a.ReachNetwork,
		"bücher.example": a2a.ReachWorld, "localhost\u202e": a2a.ReachWorld, "аpple.com": a2a.ReachWorld,
		// Go looks these up as names, and no judgement trusts them as this machine.
		"0x7f.1": a2a.ReachWorld, "127.1": a2a.ReachWorld, "0177.0.0.1": a2a.ReachWorld, "2130706433": a2a.ReachNetwork,
	} {
		if got := a2a.ReachOf(host); got != want {
			t.Errorf("ReachOf(%q) = %d, want %d", host, got, want)
		}
	}
}

func TestCertificatesAreThoseOfTheHostThatIsMeant(t *testing.T) {
	t.Parallel()
	var known servertrust.Fingerprint
	trust := servertrust.Trust{InsecureHosts: []string{"bücher.example"}, Fingerprints: map[string][]servertrust.Fingerprint{"xn--bcher-kva.example": {known}}}
	for host, want := range map[string]bool{
		"xn--bcher-kva.example": true, "BÜCHER.example.": true, "XN--BCHER-KVA.Example": true, "bucher.example": false, "bücher.example\u202e": false,
	} {
		if trust.InsecureAt(host) != want || trust.Knows(host) != want {
			t.Errorf("%q: got insecure %v, known %v, want %v", host, trust.InsecureAt(host), trust.Knows(host), want)
		}
	}
}

// An error sentence names a lookalike host in Punycode.
func TestAFailureNamesTheHostThatIsMeant(t *testing.T) {
	t.Parallel()
	tp := newTape()
	const there = "http://\u0430pple.invalid/"
	c := a2a.NewClient(profile(a2a.V10, there), nil, options(tp, there))
	defer c.Close()
	if o := c.Do(t.Context(), request(a2a.OpGet), a2a.Hooks{}); !strings.Contains(o.End.Sentence, "xn--pple-43d.invalid") || strings.Contains(o.End.Sentence, "\u0430") {
		t.Errorf("got sentence %q, want the host as xn--pple-43d.invalid", o.End.Sentence)
	}
}

// The origin in a sentence, which --allow-origin takes, is that of the host that is looked up;
// different hosts have different origins.
func TestAnOriginNamesTheHostThatIsMeant(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("\u0430", 300)
	for link, want := range map[string]string{
		"https://\u0430pple.com/x":               "https://xn--pple-43d.com",
		"https://xn--pple-43d.com":               "https://xn--pple-43d.com",
		"https://bank.example@evil.example:443/": "https://evil.example",
		"https://bank.example\u3002evil.example": "https://bank.example.evil.example",
		"https://bank.example./":                 "https://bank.example",
		"http://[::1]:80/":                       "http://[::1]",
		"https://bank\u202e.example/":            "https://bank%E2%80%AE.example",
		"https://ｂａｎｋ。ＥＸＡＭＰＬＥ｡:443/":             "https://bank.example",
		"http://①②⑦.⓪.⓪.①:80/":                   "http://127.0.0.1",
		"http://[FE80::1%25Eth0]/":               "http://[fe80::1%25Eth0]",
		"grpc://ｌｏｃａｌｈｏｓｔ:50051":                 "http://localhost:50051",
		"http://2130706433/":                     "http://2130706433",
	} {
		if got := a2a.Origin(link); got != want {
			t.Errorf("Origin(%q) = %q, want %q", link, got, want)
		}
		if got := a2a.Origin(want); got != want {
			t.Errorf("Origin(%q) = %q, want the same", want, got)
		}
	}
	if a2a.Origin("https://"+long+"x/") == a2a.Origin("https://"+long+"y/") {
		t.Error("got one origin for two hosts with long labels, want two")
	}
}
