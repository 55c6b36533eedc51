package cli

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"parley/a2a"
)

func TestPinsComeFromFlags(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		want a2a.Pins
		bad  bool
	}{
		{nil, a2a.Pins{}, false},
		{[]string{"--dialect", "v0.3"}, a2a.Pins{Dialect: a2a.V03}, false},
		{[]string{"--dialect", "v1.0-rest"}, a2a.Pins{Dialect: a2a.V10, Binding: a2a.BindingREST}, false},
		{[]string{"--dialect", "sam-doc"}, a2a.Pins{Dialect: a2a.SAMDoc}, false},
		{[]string{"--dialect", "0.2.6"}, a2a.Pins{Dialect: a2a.V02}, false},
		{[]string{"--endpoint", "http://h:1/rpc", "--tenant", "acme"}, a2a.Pins{Endpoint: "http://h:1/rpc", Tenant: "acme"}, false},
		{[]string{"--dialect", "v2.0"}, a2a.Pins{}, true},
		{[]string{"--dialect", "v1.0-draft"}, a2a.Pins{}, true},
		{[]string{"--endpoint", "h/rpc"}, a2a.Pins{}, true},
	} {
		var n network
		f := pflag.NewFlagSet("", pflag.ContinueOnError)
		n.flags(f)
		if err := f.Parse(c.args); err != nil {
			t.Fatal(err)
		}
		if err := n.check(); (err != nil) != c.bad {
			t.Errorf("%q: got error %v", c.args, err)
		}
		got := n.client("http://h").Pins
		if c.bad {
			continue
		}
		if got.Dialect != c.want.Dialect || got.Binding != c.want.Binding || got.Endpoint != c.want.Endpoint || got.Tenant != c.want.Tenant {
			t.Errorf("%q: got pins %+v, want %+v", c.args, got, c.want)
		}
	}
}

func TestTransportsArePreferences(t *testing.T) {
	t.Parallel()
	got := bindings([]string{"rest", "JSONRPC", "grpc"})
	if !slices.Equal(got, []a2a.Binding{a2a.BindingREST, a2a.BindingJSONRPC, a2a.BindingGRPC}) {
		t.Errorf("got bindings %q", got)
	}
}

// The first interface of the card that Parley can use is taken, unless --transport names one that the card
// has: the first such one, and the card's order where it has none.
func TestTheFirstUsableInterfaceIsTaken(t *testing.T) {
	t.Parallel()
	const rest, rpc, custom = `{"url":"%s/rest","protocolBinding":"HTTP+JSON","protocolVersion":"1.0"}`,
		`{"url":"%s/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}`, `{"url":"%s/own","protocolBinding":"https://acme.example/own","protocolVersion":"1.0"}`
	const later = `{"url":"%s/later","protocolBinding":"JSONRPC","protocolVersion":"2.0"}`
	for _, c := range []struct {
		interfaces, transports []string
		want                   string
	}{
		{[]string{rest, rpc}, nil, "/rest/message:send"},
		{[]string{rpc, rest}, nil, "/rpc"},
		{[]string{custom, rest, rpc}, nil, "/rest/message:send"},
		{[]string{later, rest, rpc}, nil, "/rest/message:send"},
		{[]string{rpc, rest}, []string{"HTTP+JSON"}, "/rest/message:send"},
		{[]string{rpc, rest}, []string{"grpc", "rest", "jsonrpc"}, "/rest/message:send"},
		{[]string{rest, rpc}, []string{"grpc"}, "/rest/message:send"},
		{[]string{custom, rpc, rest}, []string{"https://acme.example/own", "rest"}, "/rest/message:send"},
		{[]string{custom, rpc, rest}, []string{"https://acme.example/own"}, "/rpc"},
	} {
		card := regexp.MustCompile(`"supportedInterfaces":\[.*?\]`).ReplaceAllLiteralString(plainCard, `"supportedInterfaces":[`+strings.Join(c.interfaces, ",")+`]`)
		s := newStub(t, card, func(q *asked, w http.ResponseWriter) {
			if strings.HasPrefix(q.url, "/rest/") {
				fmt.Fprint(w, task(completed))
				return
			}
			q.result(w, task(completed))
		})
		args := []string{"send", "-a", s.URL, "x"}
		for _, name := range c.transports {
			args = append(args, "--transport", name)
		}
		r := parley(t, args...)
		var went []string
		for _, q := range s.seen {
			if q.req.Method == http.MethodPost {
				went = append(went, q.url)
				if version := q.header.Get("A2A-Version"); version != "1.0" {
					t.Errorf("%s: got version %q, want 1.0", q.url, version)
				}
			}
		}
		if r.code != 0 || !slices.Equal(went, []string{c.want}) {
			t.Errorf("%d interfaces, transports %q: got exit %d and requests to %q, want %s alone\n%s", len(c.interfaces), c.transports, r.code, went, c.want, r.err)
		}
	}
}
