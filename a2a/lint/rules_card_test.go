package lint

import (
	"slices"
	"strings"
	"testing"

	"parley/a2a"
)

// cardCall is the call of a discovery, before anything is known.
var cardCall = a2a.Call{Agent: 1, Op: a2a.OpCard, Endpoint: "https://agent.example/.well-known/agent-card.json"}

var fetched = asked("GET https://agent.example/.well-known/agent-card.json\n\n")

// Cards without faults.
const (
	card10 = `{"name":"A","description":"d","version":"1","capabilities":{"streaming":true},` +
		`"supportedInterfaces":[{"url":"https://agent.example/a2a","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],` +
		`"securitySchemes":{"key":{"apiKeySecurityScheme":{"location":"header","name":"X-Key"}}},"securityRequirements":[{"schemes":{"key":{"list":[]}}}],` +
		`"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[{"id":"s","name":"S","description":"d","tags":["t"]}]}`
	card03 = `{"name":"A","description":"d","version":"1","protocolVersion":"0.3.0","url":"https://agent.example/a2a","preferredTransport":"JSONRPC",` +
		`"additionalInterfaces":[{"url":"https://agent.example/a2a","transport":"JSONRPC"}],"capabilities":{},` +
		`"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[{"id":"s","name":"S","description":"d","tags":["t"]}]}`
	card01 = `{"name":"A","url":"https://agent.example/a2a","version":"1","capabilities":{},"authentication":{"schemes":["Bearer"]},"skills":[{"id":"s","name":"S"}]}`
)

// card is the answer to a discovery with one change to a good card.
func card(good, old, changed string) []step {
	if !strings.Contains(good, old) {
		panic("the card has no " + old)
	}
	return []step{fetched, headed(200, isJSON), answered(strings.Replace(good, old, changed, 1))}
}

// served is a card at a URL.
func served(url, body string) []step {
	return []step{under(func(c *a2a.Call) { c.Endpoint = url }), asked("GET " + url + "\n\n"), headed(200, isJSON), answered(body)}
}

// bearer03 declares a scheme of 0.3.
const bearer03 = `"securitySchemes":{"jwt":{"type":"http","scheme":"bearer"}},`

// over is a card of 1.0 whose only interface has another binding and URL.
func over(binding, url string) []step {
	changed := strings.Replace(card10, `"JSONRPC"`, `"`+binding+`"`, 1)
	return card(changed, "https://agent.example/a2a", url)
}

// goodCards have no findings.
var goodCards = append(append(card(card10, "", ""), card(card03, "", "")...), card(card01, "", "")...)

// streamed is a streaming call after the discovery of a card.
func streamed(cardBody string, steps ...step) []step {
	all := []step{fetched, headed(200, isJSON), answered(cardBody), ended(a2a.Ended), under(func(c *a2a.Call) { *c = on(a2a.V10, a2a.OpStream) }),
		asked("POST https://agent.example/a2a\nA2A-Version: 1.0\n\n" +
			`{"jsonrpc":"2.0","id":"9","method":"SendStreamingMessage","params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"hi"}]}}}`)}
	return append(all, steps...)
}

var cardCases = []ruleCase{
	{rule: "CARD-001", call: cardCall, at: "", fires: card(card10, `"description":"d","version"`, `"version"`), silent: goodCards},
	{rule: "CARD-001", call: cardCall, at: "/skills/0", fires: card(card03, `,"tags":["t"]`, ``), silent: goodCards},
	{rule: "CARD-001", call: cardCall, at: "/version", fires: card(card01, `"version":"1"`, `"version":1`), silent: goodCards},
	{rule: "CARD-001", call: cardCall, at: "/capabilities/streaming", fires: card(card10, `"streaming":true`, `"streaming":"yes"`), silent: goodCards},
	{rule: "CARD-001", call: cardCall, at: "/provider", fires: card(card10, `"version"`, `"provider":{"organization":"o"},"version"`),
		silent: card(card10, `"version"`, `"provider":{"organization":"o","url":"https://o.example"},"version"`)},
	{rule: "CARD-001", call: cardCall, at: "/securitySchemes/key", fires: card(card10, `"apiKeySecurityScheme":{`, `"scheme":{"$case":"apiKeySecurityScheme",`),
		silent: card(card03, `"capabilities"`, `"securitySchemes":{"key":{"type":"apiKey","in":"header","name":"X-Key"}},"capabilities"`)},
	{rule: "CARD-001", call: cardCall, at: "/securitySchemes/key", fires: card(card03, `"capabilities"`, `"securitySchemes":{"key":{"apiKeySecurityScheme":{}}},"capabilities"`), silent: goodCards},
	{rule: "CARD-001", call: cardCall, at: "/security", fires: card(card03, `"capabilities"`, bearer03+`"security":{"jwt":[]},"capabilities"`),
		silent: card(card03, `"capabilities"`, bearer03+`"security":[{"jwt":[]}],"capabilities"`)},
	{rule: "CARD-001", call: cardCall, at: "/security/0", fires: card(card03, `"capabilities"`, bearer03+`"security":["jwt"],"capabilities"`), silent: goodCards},
	{rule: "CARD-001", call: cardCall, at: "/securityRequirements", fires: card(card10, `[{"schemes":{"key":{"list":[]}}}]`, `{"schemes":{"key":{"list":[]}}}`), silent: goodCards},
	{rule: "CARD-001", call: cardCall, at: "/skills/0/security", fires: card(card03, `"tags":["t"]`, `"tags":["t"],"security":"jwt"`), silent: goodCards},
	{rule: "CARD-001", call: cardCall, at: "/securitySchemes", fires: card(card03, `"capabilities"`, `"securitySchemes":[{"type":"http","scheme":"bearer"}],"capabilities"`), silent: goodCards},
	{rule: "CARD-001", call: cardCall, at: "/capabilities/extensions", fires: card(card10, `"streaming":true`, `"streaming":true,"extensions":{"uri":"urn:x"}`), silent: goodCards},
	{rule: "CARD-001", call: cardCall, at: "/additionalInterfaces/0", fires: card(card03, `"url":"https://agent.example/a2a","transport"`, `"transport"`), silent: goodCards},
	{
		rule: "CARD-002", call: cardCall, at: "",
		fires: served("https://agent.example/.well-known/agent.json", card03), silent: served("https://agent.example/.well-known/agent.json", card01),
	},
	{rule: "CARD-003", call: cardCall, at: "/url", fires: card(card03, `"url":"https://agent.example/a2a","pref`, `"url":"/a2a","pref`), silent: goodCards},
	{rule: "CARD-003", call: cardCall, at: "/supportedInterfaces/0/url", fires: card(card10, `https://agent.example/a2a`, ` `), silent: goodCards},
	{rule: "CARD-003", call: cardCall, at: "/supportedInterfaces/0/url", fires: over("GRPC", "a b"), silent: over("GRPC", "agent.example:443")},
	{
		rule: "CARD-004", call: cardCall, at: "/url", // on a private host, too
		fires:  served("https://10.0.0.7/card.json", strings.ReplaceAll(card03, "https://agent.example/", "http://10.0.0.7:8080/")),
		silent: served("http://10.0.0.7/card.json", strings.ReplaceAll(card03, "https://agent.example/", "http://10.0.0.7:8080/")),
	},
	{
		rule: "CARD-004", call: cardCall, at: "/supportedInterfaces/0/url",
		fires: card(card10, "https://agent.example/a2a", "http://agent.example/a2a"), silent: served("http://localhost:4100/card.json", strings.Replace(card10, "https://agent.example/a2a", "http://localhost:4100/a2a", 1)),
	},
	{rule: "CARD-005", call: cardCall, at: "", fires: card(card03, `"protocolVersion":"0.3.0",`, ``), silent: goodCards},
	{rule: "CARD-005", call: cardCall, at: "/protocolVersion", fires: card(card03, `"0.3.0"`, `"7.0"`), silent: card(card03, `"0.3.0"`, `"0.2.9"`)},
	{rule: "CARD-006", call: cardCall, at: "/supportedInterfaces/0/url", fires: card(card10, "https://agent.example/a2a", "http://0.0.0.0:8000/"), silent: goodCards},
	{
		rule: "CARD-006", call: cardCall, at: "/url",
		fires:  served("http://127.0.0.1:8080/card.json", strings.ReplaceAll(card03, "https://agent.example/", "http://agent-backend:8000/")),
		silent: served("http://gateway:8080/card.json", strings.ReplaceAll(card03, "https://agent.example/", "http://agent-backend:8000/")),
	},
	{rule: "CARD-006", call: cardCall, at: "/supportedInterfaces/0/url", fires: over("GRPC", "agent.ns.svc.cluster.local:50051"), silent: over("GRPC", "agent.example:50051")},
	{rule: "CARD-006", call: cardCall, at: "/supportedInterfaces/0/url", fires: over("JSONRPC", "http://host.docker.internal:8000/"), silent: over("JSONRPC", "http://8.8.8.8/")},
	{rule: "CARD-007", call: cardCall, at: "/url", fires: card(card03, `"url":"https://agent.example/a2a","pref`, `"url":"https://agent.example/v1/card","pref`), silent: goodCards},
	{rule: "CARD-007", call: cardCall, at: "/supportedInterfaces/0/url", fires: over("HTTP+JSON", "https://agent.example/v1/tasks/7:cancel"), silent: over("HTTP+JSON", "https://agent.example/tasks")},
	{rule: "CARD-007", call: cardCall, at: "/supportedInterfaces/0/url", fires: over("JSONRPC", "https://agent.example/a/agent-card.json"), silent: over("JSONRPC", "https://agent.example/v1")},
	{rule: "CARD-007", call: cardCall, at: "/supportedInterfaces/0/url", fires: card(card10, "https://agent.example/a2a", "https://agent.example/message:send"), silent: goodCards},
	{rule: "CARD-008", call: cardCall, at: "", fires: card(card03, `"preferredTransport":"JSONRPC",`, ``), silent: goodCards},
	{rule: "CARD-009", call: cardCall, at: "-", fires: card(card03, `"transport":"JSONRPC"`, `"transport":"GRPC"`), silent: goodCards},
	{rule: "CARD-010", call: cardCall, at: "/additionalInterfaces", fires: card(card03, `a2a","transport"`, `rest","transport"`), silent: goodCards},
	{rule: "CARD-011", call: cardCall, at: "/supportedInterfaces/0/protocolVersion", fires: card(card10, `"1.0"`, `"1.0.0"`), silent: goodCards},
	{rule: "CARD-011", call: cardCall, at: "/supportedInterfaces/0", fires: card(card10, `"protocolBinding":"JSONRPC",`, ``), silent: goodCards},
	{rule: "CARD-012", call: cardCall, at: "/supportedInterfaces/0", fires: card(card10, `"JSONRPC"`, `"https://example.com/bindings/ws"`), silent: goodCards},
	{rule: "CARD-013", call: cardCall, at: "/protocolVersion", fires: card(card10, `"version":"1"`, `"version":"1","protocolVersion":"1.0"`),
		silent: card(card10, `"version":"1"`, `"version":"1","protocolVersion":"0.3.0","url":"https://agent.example/old"`)},
	{rule: "CARD-014", call: cardCall, at: "/securityRequirements/0/schemes/kay", fires: card(card10, `{"schemes":{"key"`, `{"schemes":{"kay"`), silent: goodCards},
	{rule: "CARD-015", call: cardCall, at: "/authentication/credentials", fires: card(card01, `["Bearer"]`, `["Bearer"],"credentials":"sk9f8e7d6c5b4a3210"`),
		silent: card(card01, `["Bearer"]`, `["Bearer"],"credentials":"ask the help desk for a key"`)},
	{rule: "CARD-015", call: cardCall, at: "/supportedInterfaces/0/url", fires: card(card10, "example/a2a", "example/a2a?token=0123456789"), silent: goodCards},
	{rule: "CARD-016", call: cardCall, at: "/skills", fires: card(card10, `[{"id":"s","name":"S","description":"d","tags":["t"]}]`, `[]`), silent: goodCards},
	{rule: "CARD-016", call: cardCall, at: "/skills/1/id", fires: card(card01, `{"id":"s","name":"S"}`, `{"id":"s","name":"S"},{"id":"s","name":"T"}`), silent: goodCards},
	{rule: "CARD-017", call: cardCall, at: "/defaultInputModes", fires: card(card03, `"text/plain"`, `"text"`), silent: goodCards},
	{rule: "CARD-018", call: cardCall, at: "/signatures/0/protected", fires: card(card10, `"version":"1"`, `"version":"1","signatures":[{"protected":"e30","signature":"AA"}]`),
		silent: card(card10, `"version":"1"`, `"version":"1","signatures":[{"protected":"eyJhbGciOiJFUzI1NiIsImtpZCI6ImsifQ","signature":"AA"}]`)},
	{
		rule: "CARD-019", call: cardCall, at: "",
		fires:  streamed(strings.Replace(card10, "true", "false", 1), headed(200, "Content-Type: text/event-stream")),
		silent: streamed(card10, headed(200, "Content-Type: text/event-stream")),
	},
	{
		rule: "CARD-019", call: cardCall, at: "/error",
		fires:  streamed(card10, headed(200, isJSON), answered(`{"jsonrpc":"2.0","id":"9","error":{"code":-32004,"message":"no streams here"}}`)),
		silent: streamed(card10, headed(200, isJSON), answered(`{"jsonrpc":"2.0","id":"9","error":{"code":-32603,"message":"out of paper"}}`)),
	},
	{
		rule: "CARD-020", call: cardCall, at: "",
		fires:  streamed(strings.Replace(card10, `"streaming":true`, `"streaming":true,"extensions":[{"uri":"urn:x","required":true}]`, 1)),
		silent: streamed(strings.Replace(card10, `"streaming":true`, `"streaming":true,"extensions":[{"uri":"urn:x"}]`, 1)),
	},
	{
		rule: "CARD-021", call: cardCall, at: "/result/version",
		fires:  extended(strings.Replace(card10, `"version":"1"`, `"version":"2"`, 1)),
		silent: extended(card10),
	},
	{rule: "CARD-023", call: cardCall, at: "/supportedInterfaces/0/url", fires: over("JSONRPC", "https://agent.example/a/a/rpc"), silent: over("JSONRPC", "https://agent.example/a/rpc/a")},
	{rule: "CARD-023", call: cardCall, at: "/supportedInterfaces/0/url", fires: over("HTTP+JSON", "https://agent.example/a2a/desk/a2a/desk"), silent: over("JSONRPC", "https://agent.example/a2a/desk/a2a")},
	{rule: "CARD-024", call: cardCall, at: "/supportedInterfaces/0/url", fires: over("GRPC", "agent.example:443/a2a"), silent: over("GRPC", "https://agent.example:443/")},
	{
		rule: "CARD-025", call: cardCall, at: "/supportedInterfaces/0/protocolVersion",
		fires:  card(card10, `"supportedInterfaces":[`, `"supportedInterfaces":[{"url":"https://agent.example/new","protocolBinding":"JSONRPC","protocolVersion":"1.1"},`),
		silent: goodCards,
	},
	{
		rule: "CARD-026", call: cardCall, at: "/capabilities/extensions/0/required",
		fires:  card(card10, `"streaming":true`, `"streaming":true,"extensions":[{"uri":"urn:x","required":true}]`),
		silent: card(card10, `"streaming":true`, `"streaming":true,"extensions":[{"uri":"urn:x","required":false}]`),
	},
	{
		rule: "CARD-022", call: cardCall, at: "",
		fires:  answeredIn(a2a.V03, card10, hello03),
		silent: answeredIn(a2a.V03, card03, hello03),
	},
	{
		rule: "CARD-022", call: cardCall, at: "", // 0.2 and 0.3 cannot be distinguished
		fires:  answeredIn(a2a.V02, strings.Replace(card03, "0.3.0", "1.0", 1), hello03),
		silent: answeredIn(a2a.V02, card03, hello03),
	},
	{
		rule: "CARD-022", call: cardCall, at: "", // a card of 0.1 names no version
		fires:  answeredIn(a2a.V10, card03, `{"message":{"messageId":"r","role":"ROLE_AGENT","parts":[{"text":"hi"}]}}`),
		silent: answeredIn(a2a.V03, card01, hello03),
	},
}

// answeredIn is the answer to a message in a dialect after the discovery of a card.
func answeredIn(d a2a.DialectName, card, result string, more ...step) []step {
	all := []step{fetched, headed(200, isJSON), answered(card), ended(a2a.Ended), under(func(c *a2a.Call) { *c = on(d, a2a.OpSend) }),
		asked("POST https://agent.example/a2a\n\n" + `{"jsonrpc":"2.0","id":"9","method":"message/send","params":{}}`), headed(200, isJSON),
		answered(`{"jsonrpc":"2.0","id":"9","result":` + result + `}`)}
	return append(all, more...)
}

const hello03 = `{"kind":"message","messageId":"r","role":"agent","parts":[{"kind":"text","text":"hi"}]}`

// extended is an extended card after the public card.
func extended(body string) []step {
	return []step{fetched, headed(200, isJSON), answered(card10), ended(a2a.Ended), under(func(c *a2a.Call) { *c = on(a2a.V10, a2a.OpExtendedCard) }),
		asked(`{"jsonrpc":"2.0","id":"9","method":"GetExtendedAgentCard"}`), headed(200, isJSON), answered(`{"jsonrpc":"2.0","id":"9","result":` + body + `}`)}
}

// What is not supported need not be streaming: a message may be for a task that is over, and an
// agent that has streamed can do it.
func TestStreamingIsNotBlamedForSomethingElse(t *testing.T) {
	const unsupported = `{"code":-32004,"message":"no"}`
	stated := func(status int, body string) []step {
		return []step{headed(status, isJSON), answered(body), ended(a2a.Ended)}
	}
	over := stated(400, `{"error":{"code":400,"status":"FAILED_PRECONDITION","message":"no","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"UNSUPPORTED_OPERATION","domain":"a2a-protocol.org"}]}}`)
	bare, gone := stated(501, `{"message":"no"}`), stated(404, `{"error":{"code":404,"status":"NOT_FOUND","message":"no such task"}}`)
	failed := func(e string) []step { return stated(200, `{"jsonrpc":"2.0","id":"1","error":`+e+`}`) }
	for name, c := range map[string]struct {
		d      a2a.DialectName
		refuse []step
	}{
		"1.0": {a2a.V10, failed(unsupported)}, "0.3": {a2a.V03, failed(unsupported)}, "0.2": {a2a.V02, failed(unsupported)}, "0.1": {a2a.V01, failed(unsupported)},
		"1.0 over HTTP+JSON": {a2a.V10REST, over}, "0.3 over HTTP+JSON": {a2a.V03REST, bare}, "a lost task": {a2a.V10REST, gone},
	} {
		new, old := on(c.d, a2a.OpStream), on(c.d, a2a.OpStream)
		if old.TaskID = "t"; c.d == a2a.V01 {
			new = made(new)
		}
		as := func(call a2a.Call) step { return under(func(c *a2a.Call) { *c = call }) }
		discovered := []step{fetched, headed(200, isJSON), answered(card10), ended(a2a.Ended)}
		streams := slices.Concat([]step{as(new), sends(c.d), frames(update(c.d, "completed"), task(c.d, "completed")), ended(a2a.Ended)})
		listens := slices.Concat([]step{as(on(c.d, a2a.OpSubscribe)), asked(`{"jsonrpc":"2.0","id":"1","method":"tasks/resubscribe","params":{"id":"t"}}`), frames(update(c.d, "completed"))})
		plain := []step{as(new), does(a2a.OpSend), sends(c.d, `"messageId":"p"`), headed(200, isJSON), answered(task(c.d, "completed")), ended(a2a.Ended)}
		begins, goesOn := []step{as(new), sends(c.d)}, []step{as(old), sends(c.d, `"taskId":"t"`)}
		byHand := []step{as(on(c.d, a2a.OpStream)), sends(c.d, `"task_id":"t"`)}
		quiet := map[string][]step{
			"to a task": slices.Concat(goesOn, c.refuse), "to a task, by hand": slices.Concat(byHand, c.refuse), "to a task, after a plain one": slices.Concat(plain, goesOn, c.refuse),
			"to a task, before a plain one": slices.Concat(goesOn, c.refuse, plain),
			"after a stream":                slices.Concat(streams, begins, c.refuse), "after a subscription": slices.Concat(listens, begins, c.refuse),
			"after a stream and the card again": slices.Concat(streams, []step{as(cardCall)}, discovered, begins, c.refuse),
		}
		for message, steps := range quiet {
			if got := play(cardCall, slices.Concat(discovered, steps)...).of("CARD-019"); len(got) > 0 {
				t.Errorf("%s, a message %s: got %v, want none", name, message, got)
			}
		}
		refused := slices.Concat(discovered, plain, begins, c.refuse, plain)
		if got := play(cardCall, refused...).of("CARD-019"); (len(got) > 0) != (name != "a lost task") {
			t.Errorf("%s, a new message: got %v, want that the agent refuses to stream", name, got)
		}
	}
}

// A contradiction between card and agent is reported once, at the first answer.
func TestAContradictedVersionIsSaidOnce(t *testing.T) {
	again := answeredIn(a2a.V03, card10, hello03, answeredIn(a2a.V03, card10, hello03)...)
	n := 0
	for _, f := range play(cardCall, again...).rules {
		if f.Rule == "CARD-022" {
			n++
		}
	}
	if n != 1 {
		t.Errorf("got %d findings about the version, want 1", n)
	}
}
