package a2a_test

import (
	"net/url"
	"strings"
	"testing"

	"parley/a2a"
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
	"https://bank\u202e.example/": "xn--bank-yd7a.example",
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
	})
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
		"https://bank\u202e.example/":            "https://xn--bank-yd7a.example",
	} {
		if got := a2a.Origin(link); got != want {
			t.Errorf("Origin(%q) = %q, want %q", link, got, want)
		}
	}
	if a2a.Origin("https://"+long+"x/") == a2a.Origin("https://"+long+"y/") {
		t.Error("got one origin for two hosts with long labels, want two")
	}
}
