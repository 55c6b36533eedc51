package serve

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"parley/a2a"
)

var at = address{http: "127.0.0.1:8080", grpc: "127.0.0.1:8081"}

func TestACardGetsItsOwnAddresses(t *testing.T) {
	t.Parallel()
	rpc, rest, grpc := spoken{a2a.BindingJSONRPC, "1.0"}, spoken{a2a.BindingREST, "0.3"}, spoken{a2a.BindingGRPC, "1.0"}
	for _, c := range []struct {
		name       string
		spoken     []spoken
		card, want string
		unsaid     int
	}{
		{
			"everything unknown stays", []spoken{{a2a.BindingJSONRPC, "0.3"}},
			"{ \"x-odd\" : 1.50, \"name\":\"A\",\"url\":\"https://a.example:1/a2a?k=v\",\n\"skills\":[ {\"url\":\"https://a.example/doc\"}],\"signatures\":[{\"a\":1}], \"z\":null}",
			"{ \"x-odd\" : 1.50, \"name\":\"A\",\"url\":\"http://127.0.0.1:8080/a2a?k=v\",\n\"skills\":[ {\"url\":\"https://a.example/doc\"}], \"z\":null}", 0,
		},
		{
			"the signature is the first member", []spoken{{a2a.BindingJSONRPC, "0.3"}},
			`{"signatures":[], "name":"A","url":"https://a.example","skills":[]}`, `{"name":"A","url":"http://127.0.0.1:8080","skills":[]}`, 0,
		},
		{
			"what was not recorded is left out", []spoken{rpc},
			`{"name":"A","skills":[],"supportedInterfaces":[{"url":"a.example:50051","protocolBinding":"GRPC","protocolVersion":"1.0"},{"url":"https://a.example/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0","x":1},{"url":"https://a.example/old","protocolBinding":"JSONRPC","protocolVersion":"0.3.0"}]}`,
			`{"name":"A","skills":[],"supportedInterfaces":[{"url":"http://127.0.0.1:8080/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0","x":1}]}`, 2,
		},
		{
			"addresses of gRPC keep their form", []spoken{grpc},
			`{"name":"A","skills":[],"supportedInterfaces":[{"url":"a.example:50051","protocolBinding":"GRPC","protocolVersion":"1.0"},{"url":"grpcs://a.example:1","protocolBinding":"GRPC","protocolVersion":"1.0"},{"url":"https://a.example","protocolBinding":"GRPC"}]}`,
			`{"name":"A","skills":[],"supportedInterfaces":[{"url":"127.0.0.1:8081","protocolBinding":"GRPC","protocolVersion":"1.0"},{"url":"grpc://127.0.0.1:8081","protocolBinding":"GRPC","protocolVersion":"1.0"},{"url":"http://127.0.0.1:8081","protocolBinding":"GRPC"}]}`, 0,
		},
		{
			"another interface becomes the preferred one", []spoken{rest},
			`{"name":"A","skills":[],"url":"https://a.example/rpc","additionalInterfaces":[{"url":"https://a.example/rest","transport":"HTTP+JSON"},{"url":"https://a.example/rpc","transport":"JSONRPC"}]}`,
			`{"name":"A","skills":[],"url":"http://127.0.0.1:8080/rest","preferredTransport":"HTTP+JSON","additionalInterfaces":[{"url":"http://127.0.0.1:8080/rest","transport":"HTTP+JSON"}]}`, 2,
		},
		{"nothing recorded", nil, `{"name":"A","url":"http://x/","skills":[]}`, `{"name":"A","url":"http://127.0.0.1:8080/","skills":[]}`, 0},
		{"in an envelope", []spoken{rpc}, `{"id":1,"result":{"name":"A","url":"http://x/","skills":[]}}`, `{"id":1,"result":{"name":"A","url":"http://127.0.0.1:8080/","skills":[]}}`, 0},
		{"no card", []spoken{rpc}, `{"name":"A","url":"http://x/"}`, `{"name":"A","url":"http://x/"}`, 0},
		{"no JSON", nil, `{"name":"A","url":`, `{"name":"A","url":`, 0},
	} {
		p := newPlacer(at)
		for _, s := range c.spoken {
			p.spoken[s], p.spoken[spoken{s.binding, ""}] = true, true
		}
		if got := string(p.Rewrite([]byte(c.card))); got != c.want || p.Dropped != c.unsaid {
			t.Errorf("%s: got %s, %d left out\nwant %s, %d", c.name, got, p.Dropped, c.want, c.unsaid)
		}
	}
}

func TestTheCardIsServedWhereClientsLook(t *testing.T) {
	t.Parallel()
	tp := conversation()
	ts := tp.serve(t, Options{})
	for _, path := range []string{"/.well-known/agent-card.json", "/.well-known/agent.json", "/a2a/.well-known/agent.json"} {
		body, resp := get(t, ts.URL+path)
		if !strings.Contains(body, `"url":"`+ts.URL+`/a2a"`) || resp.Header.Get("Etag") != "abc" {
			t.Errorf("%s: got %s %v, want the card with the address of the server and the recorded headers", path, body, resp.Header)
		}
	}
	if got := ts.Agents[0]; got.Name != "Clerk" || got.Card != got.URL+"/.well-known/agent-card.json" || strings.Join(got.Prompts, ",") != "Hello,Go on,hello,Pay •••" {
		t.Errorf("got %+v, want the name and prompts of the recording", got)
	}
}

func TestACardIsMadeIfNoneWasRecorded(t *testing.T) {
	t.Parallel()
	tp := newTape()
	tp.answer("Hello", "", "t", "c", "first")
	ts := tp.serve(t, Options{})
	body, _ := get(t, ts.URL+"/.well-known/agent-card.json")
	cards, _, failure := a2a.ParseCard([]byte(body), ts.URL)
	if failure != nil || len(cards[0].Interfaces) == 0 || cards[0].Interfaces[0].URL != ts.URL+"/a2a" || !json.Valid([]byte(body)) {
		t.Errorf("got %s, %v, want a card with the endpoint", body, failure)
	}
	if notices := ts.Agents[0].Notices; len(notices) != 1 || !strings.Contains(notices[0], "no card was recorded") {
		t.Errorf("got notices %q, want one", notices)
	}
}

func get(t *testing.T, url string) (string, *http.Response) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b), resp
}
