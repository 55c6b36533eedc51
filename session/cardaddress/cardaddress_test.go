package cardaddress

import (
	"strings"
	"testing"

	"parley/a2a"
	"parley/a2a/jsontok"
)

// Only interfaces at one host move, and a card of which none moves keeps its signatures.
func TestInterfacesOfOthersStay(t *testing.T) {
	for _, c := range []struct {
		name, card, want string
		unsigned         bool
	}{
		{"some", `{"name":"A","skills":[],"url":"http://a:1/x","additionalInterfaces":[{"url":"http://b:1/y","transport":"HTTP+JSON"},{"url":"a:1","transport":"GRPC"}],"signatures":[1]}`,
			`{"name":"A","skills":[],"url":"http://tap:9/x","additionalInterfaces":[{"url":"http://b:1/y","transport":"HTTP+JSON"},{"url":"tap:9","transport":"GRPC"}]}`, true},
		{"none", `{"name":"A","skills":[],"url":"http://b:1/x","signatures":[1]}`, `{"name":"A","skills":[],"url":"http://b:1/x","signatures":[1]}`, false},
		{"in an answer", `{"jsonrpc":"2.0","id":1,"result":{"name":"A","skills":[],"supportedInterfaces":[{"url":"http://a:1","protocolBinding":"JSONRPC","protocolVersion":"1.0.2"}]}}`,
			`{"jsonrpc":"2.0","id":1,"result":{"name":"A","skills":[],"supportedInterfaces":[{"url":"http://tap:9","protocolBinding":"JSONRPC","protocolVersion":"1.0.2"}]}}`, false},
		{"no JSON", `<html>`, `<html>`, false},
	} {
		var seen []Interface
		r := Rewriter{Address: func(i Interface) string {
			seen = append(seen, i)
			return strings.Replace(i.URL, "a:1", "tap:9", 1)
		}}
		if got := string(r.Rewrite([]byte(c.card))); got != c.want || r.Unsigned != c.unsigned {
			t.Errorf("%s: got %s, %t\nwant %s, %t", c.name, got, r.Unsigned, c.want, c.unsigned)
		}
		if c.name == "in an answer" && (len(seen) == 0 || seen[0] != Interface{"http://a:1", a2a.BindingJSONRPC, "1.0"}) {
			t.Errorf("got %+v, want the interface with its version as two numbers", seen)
		}
	}
}

// Whatever an agent sends as a card, valid JSON stays valid.
func FuzzRewrite(f *testing.F) {
	f.Add(`{"name":"A","skills":[],"url":"http://a:1/x","additionalInterfaces":[{"url":"http://b:1/y"}],"signatures":[1]}`)
	f.Add(`{"signatures":[],"name":"A","supportedInterfaces":[{"url":1},{"url":"x"}]}`)
	f.Fuzz(func(t *testing.T, card string) {
		r := Rewriter{Address: func(i Interface) string { return i.URL + "\"/<é" }}
		if got := r.Rewrite([]byte(card)); jsontok.Check([]byte(card)) == nil && jsontok.Check(got) != nil {
			t.Errorf("got %s\nof %s, want JSON", got, card)
		}
	})
}
