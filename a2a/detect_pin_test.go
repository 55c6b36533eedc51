package a2a

import (
	"strings"
	"testing"
)

const twoVersions = `{"name":"Both","url":"http://h/old","protocolVersion":"0.3.0","preferredTransport":"JSONRPC",
	"supportedInterfaces":[{"url":"http://h/new","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],"capabilities":{},"skills":[]}`

func TestAChosenDialectIsSpoken(t *testing.T) {
	t.Parallel()
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
		{"without an endpoint", `{"name":"None","skills":[]}`, V10, V10, "http://h", "does not offer A2A 1.0", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			cards, _, failure := ParseCard([]byte(c.card), "http://h/.well-known/agent-card.json")
			if failure != nil {
				t.Fatalf("got failure %q, want none", failure)
			}
			p := DetectAs(cards[0], Pins{Dialect: c.chosen})
			if p.Dialect != c.dialect || p.Endpoint != c.endpoint || (p.Problem != "") != c.problem {
				t.Errorf("got profile %+v, want dialect %q, endpoint %q, problem %v", p, c.dialect, c.endpoint, c.problem)
			}
			if got := strings.Join(p.Warnings, "\n"); !strings.Contains(got, c.warning) {
				t.Errorf("got warnings %q, want %q", got, c.warning)
			}
		})
	}
}

func TestPreferencesAndPinsOfBindings(t *testing.T) {
	t.Parallel()
	const card = `{"name":"Both","supportedInterfaces":[{"url":"http://h/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"},` +
		`{"url":"http://h/rest","protocolBinding":"HTTP+JSON","protocolVersion":"1.0","tenant":"acme"},{"url":"h:443","protocolBinding":"GRPC","protocolVersion":"1.0"},{"url":"h","protocolBinding":"urn:own","protocolVersion":"1.0"}]}`
	cards, _, failure := ParseCard([]byte(card), "http://h/.well-known/agent-card.json")
	if failure != nil {
		t.Fatalf("got failure %q, want none", failure)
	}
	for _, c := range []struct {
		name     string
		pins     Pins
		endpoint string
	}{
		{"nothing", Pins{}, "http://h/rpc"},
		{"preferred", Pins{Prefer: []Binding{BindingREST, BindingGRPC}}, "http://h/rest"},
		{"gRPC preferred", Pins{Prefer: []Binding{BindingGRPC, BindingREST}}, "grpcs://h:443"},
		{"gRPC pinned", Pins{Binding: BindingGRPC}, "grpcs://h:443"},
		{"preferred and not offered", Pins{Prefer: []Binding{BindingOther}}, "http://h/rpc"},
		{"pinned", Pins{Binding: BindingREST}, "http://h/rest"},
		{"endpoint", Pins{Endpoint: "http://h/mine"}, "http://h/mine"},
	} {
		p := DetectAs(cards[0], c.pins)
		if p.Endpoint != c.endpoint || p.Problem != "" {
			t.Errorf("%s: got profile %+v, want endpoint %q", c.name, p, c.endpoint)
		}
		if strings.HasSuffix(p.Endpoint, "rest") != (p.Tenant == "acme") {
			t.Errorf("%s: got tenant %q at %s", c.name, p.Tenant, p.Endpoint)
		}
	}
	p := DetectAs(cards[0], Pins{})
	if len(p.Alternatives) != 2 || p.Alternatives[0].Endpoint != "http://h/rest" || p.Alternatives[1].Endpoint != "grpcs://h:443" {
		t.Errorf("got alternatives %+v, want http://h/rest and grpcs://h:443", p.Alternatives)
	}
	listed := false
	for _, e := range p.Evidence {
		listed = listed || e.Field == "interface" && e.Value == "urn:own"
	}
	if !listed {
		t.Errorf("got evidence %+v, want the interface of its own binding in it", p.Evidence)
	}
	if p := DetectAs(cards[0], Pins{Binding: BindingOther}); p.Problem == "" {
		t.Errorf("got profile %+v for a binding of its own, want a problem", p)
	}
}

func TestNamesOfDialects(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]Way{
		"v1.0": {Dialect: V10}, "V0.3": {Dialect: V03}, "0.3": {Dialect: V03}, "v0.3-rest": {Dialect: V03, Binding: BindingREST},
		"v1.0-rest": {Dialect: V10, Binding: BindingREST}, "sam-http": {Dialect: SAMHTTP}, "sam-doc": {Dialect: SAMDoc},
		"v1.0-draft": {}, "v2.0": {}, "": {}, "sam-broker": {Dialect: SAMBroker}, "sam-broke": {},
	} {
		d, b, ok := ParseDialect(in)
		if d != want.Dialect || b != want.Binding || ok != (want.Dialect != Unknown) {
			t.Errorf("ParseDialect(%q) = %q, %q, %v, want %q, %q", in, d, b, ok, want.Dialect, want.Binding)
		}
	}
}

func TestVersionsAreReadAsPeopleWriteThem(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]DialectName{
		"1.0": V10, "1": V10, "v1.0.0": V10, "0.3": V03, "0.3.0": V03, "0.2.6": V02, "0.1": V01,
		"1.1": Unknown, "2.0": Unknown, "": Unknown, "latest": Unknown, "0.4": Unknown,
	} {
		if got, ok := ParseVersion(in); got != want || ok != (want != Unknown) {
			t.Errorf("ParseVersion(%q) = %q, %v, want %q", in, got, ok, want)
		}
	}
}

func TestWhichPinsLeaveNoOtherWay(t *testing.T) {
	t.Parallel()
	for want, list := range map[bool][]Pins{
		true:  {{Dialect: V10}, {Binding: BindingREST, Endpoint: "http://h"}},
		false: {{}, {Binding: BindingREST}, {Endpoint: "http://h"}, {Tenant: "t"}, {Prefer: []Binding{BindingREST}}},
	} {
		for _, p := range list {
			if p.Fix() != want {
				t.Errorf("%+v: got %v, want %v", p, !want, want)
			}
		}
	}
}

// The answer in another version explains which URL a card should declare, as far as the prefix of the
// paths can.
func TestAPrefixExplainsAnAnswerInAnotherVersion(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		declared DialectName
		endpoint string
		binding  Binding
		answered DialectName
		want     string
	}{
		{V10, "http://h", BindingREST, V03, "http://h/v1"},
		{V10, "http://h/a/", BindingREST, V03, "http://h/a/v1"},
		{V03, "http://h/a/v1", BindingREST, V10, "http://h/a"},
		{V03, "http://h/a/v1/", BindingREST, V10, "http://h/a"},
		{V03, "http://h/a", BindingREST, V10, ""},
		{V03, "http://h/av1", BindingREST, V10, ""},
		{V10, "http://h", BindingREST, V10, ""},
		{V10, "http://h?tenant=a", BindingREST, V03, ""},
		{V10, "http://h", BindingJSONRPC, V03, ""},
		{V10, "%%%", BindingREST, V03, ""},
	} {
		if got, _ := (Way{c.declared, c.binding, c.endpoint, ""}).Moved(Way{c.answered, c.binding, c.endpoint, ""}); got != c.want {
			t.Errorf("%+v: got %q, want %q", c, got, c.want)
		}
	}
	if got, _ := (Way{V10, BindingREST, "http://h", ""}).Moved(Way{V03, BindingREST, "http://other", ""}); got != "" {
		t.Errorf("of another endpoint: got %q, want nothing", got)
	}
}

// The reason for a value is that of the value in use, however many others there are.
func TestTheReasonIsThatOfTheValueInUse(t *testing.T) {
	t.Parallel()
	p := Profile{Dialect: V03, Endpoint: "http://h/x", Evidence: []Evidence{
		{Field: "dialect", Value: string(V03), Reason: "weak", Confidence: Guess},
		{Field: "dialect", Value: string(V03), Reason: "answered", Confidence: Certain, Record: 7},
		{Field: "dialect", Value: string(V10), Reason: "interface says 1.0", Confidence: Certain},
		{Field: "endpoint", Value: "http://h/x", Reason: "declared", Confidence: Certain},
		{Field: "endpoint", Value: "http://h", Reason: "a guess", Confidence: Guess},
	}}
	for field, want := range map[string]string{"dialect": "answered", "endpoint": "declared", "binding": "", "nonsense": ""} {
		if got := p.Reason(field).Reason; got != want {
			t.Errorf("%s: got %q, want %q", field, got, want)
		}
	}
}

func TestTheVersionsOfARefusal(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]string{
		"A2A version '0.3' is not supported by this handler. Expected version '1.0'.": {"0.3", "1.0"},
		"Unsupported A2A version: 0.3. Supported versions: 1.0, 1.1":                  {"0.3", "1.0 1.1"},
		"unsupported protocol version v0.3":                                           {"0.3", ""},
		"expects 1.0":                                                                 {"", "1.0"},
		"this is 0.3.0":                                                               {"", ""},
		"Version not supported":                                                       {"", ""},
		"":                                                                            {"", ""},
		strings.Repeat("unsupported 0.3 ", 10000):                                     {strings.TrimSpace(strings.Repeat("0.3 ", 31)), ""},
		strings.Repeat(".", 10000) + "1.0":                                            {"", ""},
		"unsupported \xff0.3\xff":                                                     {"", ""},
	} {
		refused, expected := versionsIn(text)
		if got := [2]string{strings.Join(refused, " "), strings.Join(expected, " ")}; got != want {
			t.Errorf("%.60q: got %q, want %q", text, got, want)
		}
	}
}
