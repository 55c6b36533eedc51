package canvas

import (
	"strings"
	"testing"
)

func TestAHostIsShownAsWhatItIs(t *testing.T) {
	for link, want := range map[string]string{
		"https://bank.example@evil.example/":             "evil.example",
		"https://bank.example:443@evil.example:8443/x":   "evil.example:8443",
		"https://bank.example%2f@evil.example/":          "evil.example",
		"https://\u0430pple.com/":                        "xn--pple-43d.com", // a Cyrillic first letter
		"https://\u0430\u0440\u0440\u04cf\u0435.com:80/": "xn--80ak6aa92e.com:80",
		"https://b\u00fccher.example/":                   "xn--bcher-kva.example",
		"https://bank.example\u3002evil.example/":        "bank.example.evil.example",
		"https://\uff45vil.example/":                     "evil.example",
		"https://bank.example\u2215x.evil.example/":      "",
		"HTTPS://Bank.Example/":                          "bank.example",
		"http://[::1]:80/":                               "[::1]:80",
		"http://[::1]/":                                  "[::1]",
		"ftp://a.example":                                "",
		"https://":                                       "",
		"//a.example":                                    "",
		"https://a b/":                                   "",
		"":                                               "",
		"javascript:alert(1)//https://bank.example":      "",
		"https://bank.example\u202e/":                    "",
	} {
		got := Host(link)
		if want == "" && strings.ContainsAny(link, "\u2215\u202e") { // words that look like no host
			if !isGraphic(got) || got == "bank.example" {
				t.Errorf("%q: got host %q, want the real one in printable characters", link, got)
			}
			continue
		}
		if got != want {
			t.Errorf("%q leads to %q, want %q", link, got, want)
		}
	}
}

func TestAHostThatDoesNotFitKeepsItsEnd(t *testing.T) {
	link := "https://www.bank.example." + strings.Repeat("a", 60) + ".evil.example:8443/"
	for w := range 100 {
		got := HostIn(link, w, "…")
		if Width(got) > w || !strings.HasSuffix(Host(link), strings.TrimPrefix(got, "…")) {
			t.Errorf("%d cells: got %q, want the end of the host", w, got)
		}
		if w >= 20 && !strings.HasSuffix(got, ".evil.example:8443") {
			t.Errorf("%d cells: got %q, want the registered domain in it", w, got)
		}
	}
}

func FuzzHost(f *testing.F) {
	for _, s := range []string{"https://a.example", "https://\u0430pple.com", "https://a\u3002b", "http://[::1%25eth0]:1/", "http://[::1%25a%20b%2fc%40d]/", "https://xn--\xff/"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, link string) {
		if got := Host(link); !isGraphic(got) || strings.ContainsAny(got, "@/ ") {
			t.Errorf("%q: got host %q, want it printable, without user or path", link, got)
		}
	})
}
