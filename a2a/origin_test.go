package a2a

import (
	"net/url"
	"strings"
	"testing"
)

func TestOrigin(t *testing.T) {
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
		{"http://127.0.0.1:4100/rpc", true, false},
		{"https://localhost:4100/rpc", true, false},
		{"http://evil.example/rpc", true, false},
		{"http://evil.example/rpc", false, true},
	}
	for _, tt := range tests {
		u, err := url.Parse(tt.url)
		if err != nil {
			t.Fatal(err)
		}
		end, refused := newGate(&o, tt.armed).refusal(u, byCard)
		if refused == tt.open {
			t.Errorf("%s with credentials %v: got refused %v, want %v", tt.url, tt.armed, refused, !tt.open)
		}
		if !refused {
			continue
		}
		if end.Reason != Refused || end.Class != ClassOrigin {
			t.Errorf("%s: got end %+v, want %q of class %q", tt.url, end, Refused, ClassOrigin)
		}
		for _, want := range []string{"http://localhost:4100", "--allow-origin " + Origin(tt.url)} {
			if !strings.Contains(end.Sentence, want) {
				t.Errorf("sentence %q does not contain %q", end.Sentence, want)
			}
		}
	}
}

func TestGateWithoutANamedOriginIsClosed(t *testing.T) {
	u, _ := url.Parse("http://agent.example/")
	end, refused := newGate(&Options{}, true).refusal(u, byCard)
	if !refused || !strings.Contains(end.Sentence, "--allow-origin http://agent.example") {
		t.Errorf("got refused %v with sentence %q, want true with --allow-origin", refused, end.Sentence)
	}
}
