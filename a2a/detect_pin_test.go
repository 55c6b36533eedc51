package a2a

import (
	"strings"
	"testing"
)

const twoVersions = `{"name":"Both","url":"http://h/old","protocolVersion":"0.3.0","preferredTransport":"JSONRPC",
	"supportedInterfaces":[{"url":"http://h/new","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],"capabilities":{},"skills":[]}`

func TestAChosenDialectIsSpoken(t *testing.T) {
	for _, c := range []struct {
		name, card        string
		chosen, dialect   DialectName
		endpoint, warning string
		problem           bool
	}{
		{"nothing chosen", twoVersions, Unknown, V10, "http://h/new", "", false},
		{"the newest", twoVersions, V10, V10, "http://h/new", "", false},
		{"the older one of two", twoVersions, V03, V03, "http://h/old", "", false},
		{"one that is not declared", twoVersions, V02, V02, "http://h/new", "does not offer A2A 0.2", false},
		{"in spite of an unknown version", `{"name":"Next","supportedInterfaces":[{"url":"http://h/x","protocolBinding":"JSONRPC","protocolVersion":"2.0"}]}`,
			V10, V10, "http://h/x", "does not offer A2A 1.0", false},
		{"without an endpoint", `{"name":"None","skills":[]}`, V10, Unknown, "", "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			cards, _, failure := ParseCard([]byte(c.card), "http://h/.well-known/agent-card.json")
			if failure != nil {
				t.Fatal(failure)
			}
			p := DetectAs(cards[0], Pins{Dialect: c.chosen})
			if p.Dialect != c.dialect || p.Endpoint != c.endpoint || (p.Problem != "") != c.problem {
				t.Errorf("profile %+v", p)
			}
			if got := strings.Join(p.Warnings, "\n"); !strings.Contains(got, c.warning) {
				t.Errorf("warnings %q, want %q", got, c.warning)
			}
		})
	}
}

func TestVersionsAreReadAsPeopleWriteThem(t *testing.T) {
	for in, want := range map[string]DialectName{
		"1.0": V10, "1": V10, "v1.0.0": V10, "0.3": V03, "0.3.0": V03, "0.2.6": V02, "0.1": V01,
		"1.1": Unknown, "2.0": Unknown, "": Unknown, "latest": Unknown, "0.4": Unknown,
	} {
		if got, ok := ParseVersion(in); got != want || ok != (want != Unknown) {
			t.Errorf("ParseVersion(%q) = %q, %v", in, got, ok)
		}
	}
}
