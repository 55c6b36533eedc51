package a2a

import (
	"net/url"
	"strings"
	"testing"
)

func TestOrigin(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, want string }{
		{"https://Agent.Example/path?q", "https://agent.example"},
		{"https://agent.example:443", "https://agent.example"},
		{"http://agent.example:80/", "http://agent.example"},
		{"http://agent.example:443/", "http://agent.example:443"},
		{"https://agent.example./", "https://agent.example"},
		{"http://localhost:4100", "http://localhost:4100"},
		{"http://127.0.0.1:4100", "http://127.0.0.1:4100"},
		{"http://[::1]:4100/x", "http://[::1]:4100"},
		{"http://[::1]/x", "http://[::1]"},
		{"https://me:pw@agent.example", "https://agent.example"},
		{"ftp://agent.example", ""},
		{"agent.example", ""},
		{"http://%zz", ""},
		{"", ""},
	}
	for _, tt := range tests {
		if got := Origin(tt.in); got != tt.want {
			t.Errorf("Origin(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestGateKeepsCredentialsAtTheNamedOrigin(t *testing.T) {
	t.Parallel()
	o := Options{UserAddresses: []string{"http://localhost:4100/card.json"}, AllowOrigins: []string{"https://other.example", "box:7000"}}
	tests := []struct {
		url   string
		armed bool
		open  bool
	}{
		{"http://localhost:4100/rpc", true, true},
		{"https://other.example/rpc", true, true},
		{"http://box:7000/rpc", true, true},
		{"http://localhost:4101/rpc", true, false},
		{"https://other.example:8443/rpc", true, false},
		{"http://127.0.0.1:4100/rpc", true, false},
		{"https://localhost:4100/rpc", true, false},
		{"http://evil.example/rpc", true, false},
		{"https://evil.example/rpc", true, false},
		{"http://evil.example/rpc", false, true},
		{"http://ｌｏｃａｌｈｏｓｔ:4100/rpc", true, true},
		{"https://ｏther。example/rpc", true, true},
		{"https://оther.example/rpc", true, false}, // a Cyrillic first letter
		{"https://other.example\u202e/rpc", true, false},
	}
	for _, tt := range tests {
		u, err := url.Parse(tt.url)
		if err != nil {
			t.Fatal(err)
		}
		end, refused := newGate(&o, tt.armed).refusal(u, byCard, nil)
		if refused == tt.open {
			t.Errorf("%s with credentials %v: got refused %v, want %v", tt.url, tt.armed, refused, !tt.open)
		}
		if !refused {
			continue
		}
		if end.Reason != Refused || end.Class != ClassOrigin {
			t.Errorf("%s: got end %+v, want %q of class %q", tt.url, end, Refused, ClassOrigin)
		}
		remedy := "add --allow-origin " + Origin(tt.url) + "."
		if u.Hostname() == "evil.example" && u.Scheme == "http" {
			remedy = "has no TLS"
		}
		for _, want := range []string{"http://localhost:4100", Origin(tt.url), remedy} {
			if !strings.Contains(end.Sentence, want) {
				t.Errorf("sentence %q does not contain %q", end.Sentence, want)
			}
		}
	}
}

func TestGateWithoutANamedOriginIsClosed(t *testing.T) {
	t.Parallel()
	u, _ := url.Parse("https://agent.example/")
	end, refused := newGate(&Options{}, true).refusal(u, byCard, nil)
	if !refused || !strings.Contains(end.Sentence, "--allow-origin https://agent.example") {
		t.Errorf("got refused %v with sentence %q, want true with --allow-origin", refused, end.Sentence)
	}
}

// An address without TLS of a host that was opened over TLS gets nothing, with or without credentials, and
// the advice is never to allow it.
func TestNothingIsSentInClearToAHostOpenedOverTLS(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, opened, to string
		by               pointer
		meant            string // that is offered, empty if the request is sent
		change           func(*Options)
	}{
		{"a card behind a proxy", "https://agent.example", "http://agent.example/a2a/travel", byCard, "https://agent.example/a2a/travel", nil},
		{"a host alone", "agent.example", "http://agent.example/rpc", byCard, "https://agent.example/rpc", nil},
		{"the port of the proxy", "https://agent.example:8443/card.json", "http://agent.example/rpc", byCard, "https://agent.example:8443/rpc", nil},
		{"the port of the server", "https://agent.example", "http://agent.example:8000/rpc", byCard, "https://agent.example/rpc", nil},
		{"another spelling", "https://Agent.Example./", "HTTP://aGENT.example:80/rpc?region=eu", byCard, "https://agent.example/rpc", nil},
		{"a secret in the query", "https://agent.example", "http://agent.example/rpc?token=hush", byCard, "https://agent.example/rpc", nil},
		{"an escaped path", "https://agent.example", "http://agent.example/a%2Fb/", byCard, "https://agent.example/a%2Fb/", nil},
		{"this machine", "https://localhost:8443", "http://localhost:8443/rpc", byCard, "https://localhost:8443/rpc", nil},
		{"an address", "https://127.0.0.77", "http://127.0.0.77/rpc", byCard, "https://127.0.0.77/rpc", nil},
		{"IPv6", "https://[::1]:8443", "http://[::1]/rpc", byCard, "https://[::1]:8443/rpc", nil},
		{"other letters", "https://b\u00fccher.example", "http://xn--bcher-kva.example/rpc", byCard, "https://xn--bcher-kva.example/rpc", nil},
		{"gRPC", "https://agent.example", "grpc://agent.example:50051", byCard, "grpcs://agent.example:50051", nil},
		{"a redirect", "https://agent.example", "http://agent.example/rpc", byRedirect, "https://agent.example/rpc", nil},
		{"the card of a catalog", "https://list.example", "http://far.example/rpc", byCard, "https://far.example/rpc", func(o *Options) { o.CardOrigin = "https://far.example" }},
		{"named by a pin", "https://agent.example", "http://agent.example/rpc", byCard, "", func(o *Options) { o.UserAddresses = append(o.UserAddresses, "http://agent.example/rpc") }},
		{"allowed", "https://agent.example", "http://agent.example/rpc", byCard, "", func(o *Options) { o.AllowOrigins = []string{"http://agent.example"} }},
		{"TLS", "https://agent.example", "https://agent.example/rpc", byCard, "", nil},
		{"gRPC elsewhere", "grpcs://agent.example:443", "grpc://agent.example:443", byCard, "grpcs://agent.example:443", nil},
	} {
		for _, armed := range []bool{false, true} {
			o := Options{UserAddresses: []string{tt.opened}}
			if tt.change != nil {
				tt.change(&o)
			}
			u, err := url.Parse(tt.to)
			if err != nil {
				t.Fatal(err)
			}
			end, refused := newGate(&o, armed).refusal(u, tt.by, nil)
			if tt.meant == "" {
				if refused {
					t.Errorf("%s: got %q, want the request to be sent", tt.name, end.Sentence)
				}
				continue
			}
			if !refused || end.Reason != Refused || end.Class != ClassUnencrypted || strings.Contains(end.Sentence, "allow-origin") || strings.Contains(end.Sentence, "hush") ||
				!strings.HasSuffix(strings.ReplaceAll(end.Sentence, "?region=eu", ""), "--endpoint "+tt.meant+".") || !strings.Contains(end.Sentence, shownOrigin(u)) {
				t.Errorf("%s, credentials %v: got %+v, want a refusal that offers %s", tt.name, armed, end, tt.meant)
			}
			if proxy := strings.Contains(end.Sentence, "X-Forwarded-Proto"); proxy != (u.Scheme != "grpc") {
				t.Errorf("%s: got %q, want the probable cause for HTTP alone", tt.name, end.Sentence)
			}
		}
	}
}

// --allow-origin is offered for an origin with TLS, and for this machine.
func TestOnlySafeOriginsAreOffered(t *testing.T) {
	t.Parallel()
	for to, offered := range map[string]bool{
		"https://other.example": true, "grpcs://other.example": true, "wss://other.example": true, "http://localhost:1": true, "http://127.0.0.1:1": true, "http://[::1]:1": true, "grpc://localhost:1": true,
		"http://other.example": false, "http://192.168.1.5": false, "http://169.254.169.254": false, "http://box:7000": false, "grpc://other.example:1": false, "mqtt://other.example": false, "http://0.0.0.0:1": false,
	} {
		u, err := url.Parse(to)
		if err != nil {
			t.Fatal(err)
		}
		for _, by := range []pointer{byCard, byRedirect} {
			end, refused := newGate(&Options{UserAddresses: []string{"http://agent.example"}}, true).refusal(u, by, nil)
			if got := strings.Contains(end.Sentence, "--allow-origin "+shownOrigin(u)); !refused || got != offered {
				t.Errorf("%s: got %q, want --allow-origin offered: %v", to, end.Sentence, offered)
			}
		}
	}
}
