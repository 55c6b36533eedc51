package a2atest

import "strings"

// A FaultyCard is a card with one fault, and what every place that judges cards has to say about it.
type FaultyCard struct {
	Name  string
	Card  string // with %s in place of the origin that serves it, which is one of http and of this machine
	Rule  string // that has the finding, empty for a good card
	At    string // the member, as a JSON pointer
	Score int    // of 100
	Valid bool
}

// FaultyCards returns good cards, and a card for each of the faults that are seen in the field.
func FaultyCards() []FaultyCard {
	const (
		v03 = `{"protocolVersion":"0.3.0","name":"A","description":"d","version":"1","url":"%s/rpc","preferredTransport":"JSONRPC","capabilities":{},` +
			`"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[{"id":"s","name":"S","description":"d","tags":["t"]}]}`
		v10 = `{"name":"A","description":"d","version":"1","capabilities":{},"supportedInterfaces":[{"url":"%s/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],` +
			`"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[{"id":"s","name":"S","description":"d","tags":["t"]}]}`
		schemes = `"securitySchemes":{"jwt":{"type":"http","scheme":"bearer"}},`
	)
	with := func(card, old, changed string) string {
		if !strings.Contains(card, old) {
			panic("the card has no " + old)
		}
		return strings.Replace(card, old, changed, 1)
	}
	return []FaultyCard{
		{"0.3", v03, "", "", 100, true},
		{"1.0", v10, "", "", 100, true},
		{"security is an object", with(v03, `"capabilities"`, schemes+`"security":{"jwt":[]},"capabilities"`), "CARD-001", "/security", 80, false},
		{"a requirement is a text", with(v03, `"capabilities"`, schemes+`"security":["jwt"],"capabilities"`), "CARD-001", "/security/0", 80, false},
		{"an operation", with(v03, "%s/rpc", "%s/v1/message:stream"), "CARD-007", "/url", 95, true},
		{"the extended card", with(v03, "%s/rpc", "%s/v1/card"), "CARD-007", "/url", 95, true},
		{"a container", with(v10, "%s/rpc", "http://agent-backend:8000/"), "CARD-006", "/supportedInterfaces/0/url", 95, true},
		{"an empty url", with(v03, "%s/rpc", ""), "CARD-003", "/url", 80, false},
		{"a doubled path", with(v03, "%s/rpc", "%s/a/a/rpc"), "CARD-023", "/url", 99, true},
		{
			"1.1 before 1.0", with(v10, `"supportedInterfaces":[`, `"supportedInterfaces":[{"url":"%s/new","protocolBinding":"JSONRPC","protocolVersion":"1.1"},`),
			"CARD-025", "/supportedInterfaces/0/protocolVersion", 99, true,
		},
		{
			"a path for gRPC", with(v10, `"supportedInterfaces":[`, `"supportedInterfaces":[{"url":"127.0.0.1:50051/a2a","protocolBinding":"GRPC","protocolVersion":"0.3"},`),
			"CARD-024", "/supportedInterfaces/0/url", 99, true,
		},
		{
			"a required extension", with(v10, `"capabilities":{}`, `"capabilities":{"extensions":[{"uri":"urn:x","required":true}]}`),
			"CARD-026", "/capabilities/extensions/0/required", 99, true,
		},
	}
}
