package serve

import (
	"encoding/json"
	"net/url"
	"strings"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/cardaddress"
	"parley/session/request"
)

// A card is the card of an agent as it is served.
type card struct {
	x       *exchange // that brought it, nil if it is made
	json    []byte
	notices []string // what is different from the recorded one
}

// An address is where an agent is served: host and port for HTTP, and for gRPC if it speaks that.
type address struct{ http, grpc string }

// A placer puts the addresses of the served agent into cards.
type placer struct {
	cardaddress.Rewriter
	at     address
	spoken map[spoken]bool // empty if everything stays
}

// spoken is a binding with the number of a version, "" for any.
type spoken struct {
	binding a2a.Binding
	version string
}

// placed returns the card for an address.
func (a *Agent) placed(at address) *card {
	c := &card{}
	p := a.placer(at)
	x, recorded := a.recordedCard()
	if recorded == nil {
		c.json = a.madeCard(at)
		c.notices = append(c.notices, "no card was recorded, so one was made from the exchanges")
		return c
	}
	c.json = p.Rewrite(recorded.Raw)
	if x.facts.Binding == "" && !x.mesh { // over gRPC and on a broker it has no path
		c.x = x
	}
	if x.mesh {
		c.notices = append(c.notices, "it was recorded on a broker (MQTT), and answers over JSON-RPC here")
	}
	if p.Unsigned {
		c.notices = append(c.notices, "its card has other addresses now, so its signatures were dropped")
	}
	if p.Dropped > 0 {
		c.notices = append(c.notices, units.Plural(p.Dropped, "unrecorded interface")+" left out of its card")
	}
	return c
}

// newPlacer returns a placer that keeps every interface.
func newPlacer(at address) *placer {
	p := &placer{at: at, spoken: map[spoken]bool{}}
	p.Keep, p.Address = p.keeps, p.local
	return p
}

// placer returns a placer for an address.
func (a *Agent) placer(at address) *placer {
	p := newPlacer(at)
	for _, x := range a.exchanges {
		if x.facts.Op != "" && x.facts.Binding != "" && x.call.Op != a2a.OpProbe {
			p.spoken[spoken{x.facts.Binding, x.call.Dialect.Number()}] = true
			p.spoken[spoken{x.facts.Binding, ""}] = true
		}
	}
	return p
}

// keeps reports whether an interface was used in the recording: with the version that it names, if
// exact is set. Without any recorded operation, every interface counts.
func (p *placer) keeps(i cardaddress.Interface, exact bool) bool {
	if len(p.spoken) == 0 {
		return true
	}
	by := spoken{binding: i.Binding}
	if exact {
		by.version = i.Version
	}
	return p.spoken[by]
}

// local returns the address of an interface where it is served.
func (p *placer) local(i cardaddress.Interface) string {
	u, err := url.Parse(i.URL)
	if i.Binding == a2a.BindingGRPC || err == nil && strings.HasPrefix(u.Scheme, "grpc") {
		if p.at.grpc == "" {
			return i.URL
		}
		return cardaddress.GRPC(i.URL, p.at.grpc)
	}
	switch {
	case err == nil && (u.Opaque != "" || strings.HasPrefix(u.Scheme, "mqtt")): // a topic of a broker
		return "http://" + p.at.http + "/"
	case err != nil || u.Host == "":
		return i.URL // relative to the card
	}
	u.Scheme, u.Host, u.User = "http", p.at.http, nil
	return u.String()
}

// madeCard returns a card for an agent whose card was not recorded.
func (a *Agent) madeCard(at address) []byte {
	type face struct {
		URL       string `json:"url"`
		Binding   string `json:"protocolBinding,omitempty"`
		Version   string `json:"protocolVersion,omitempty"`
		Transport string `json:"transport,omitempty"`
	}
	streams, seen := false, map[spoken]bool{}
	var current, legacy []face
	for _, x := range a.exchanges {
		streams = streams || x.facts.Op == a2a.OpStream
		number := x.call.Dialect.Number()
		by := spoken{x.facts.Binding, number}
		if x.facts.Op == "" || x.facts.Binding == "" || seen[by] {
			continue
		}
		seen[by] = true
		where := "http://" + at.http + endpointPath(x)
		if by.binding == a2a.BindingGRPC {
			where = at.grpc
		}
		if strings.HasPrefix(number, "0.") {
			legacy = append(legacy, face{URL: where, Transport: string(by.binding)})
		} else {
			current = append(current, face{URL: where, Binding: string(by.binding), Version: number})
		}
	}
	c := map[string]any{
		"name": a.title(), "description": "Answers from a recording.", "version": "0", "skills": []any{},
		"capabilities": map[string]any{"streaming": streams}, "defaultInputModes": []string{"text/plain"}, "defaultOutputModes": []string{"text/plain"},
	}
	if len(current) > 0 {
		c["supportedInterfaces"] = current
	}
	if len(legacy) > 0 {
		c["url"], c["preferredTransport"], c["protocolVersion"], c["additionalInterfaces"] = legacy[0].URL, legacy[0].Transport, "0.3.0", legacy
	}
	b, _ := json.Marshal(c) // plain values cannot fail
	return b
}

// endpointPath returns the path of the endpoint of an exchange.
func endpointPath(x *exchange) string {
	if u, err := url.Parse(x.call.Endpoint); err == nil && x.call.Endpoint != "" {
		return u.EscapedPath()
	}
	if x.facts.Binding == a2a.BindingJSONRPC {
		return x.target.EscapedPath()
	}
	return ""
}

// wellKnown are the paths at which clients look for a card.
var wellKnown = []string{"/.well-known/agent-card.json", "/.well-known/agent.json"}

// cardAnswer returns the answer to a request for a card; ok is false if it asks for something else.
func (a *Agent) cardAnswer(c *card, verb, path string) (done answer, ok bool) {
	if verb != "GET" && verb != "HEAD" {
		return answer{}, false
	}
	if c.x != nil && c.x.target.EscapedPath() == path {
		return answer{x: c.x, made: c.json, how: byCard}, true
	}
	if len(a.byKey[(&facts{Facts: request.Facts{Method: verb + " " + path}}).Key()]) > 0 {
		return answer{}, false // as it was recorded
	}
	for _, known := range wellKnown {
		if strings.HasSuffix(path, known) {
			return answer{x: c.x, made: c.json, how: byCard}, true
		}
	}
	return answer{}, false
}

// cardURL returns where the card is served.
func (a *Agent) cardURL(base string) string {
	if a.card.x != nil {
		return base + a.card.x.target.EscapedPath()
	}
	return base + wellKnown[0]
}
