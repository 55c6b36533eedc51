package a2a

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func parseOne(t testing.TB, body, source string) (*Card, []Finding) {
	t.Helper()
	cards, findings, failure := ParseCard([]byte(body), source)
	if failure != nil {
		t.Fatalf("got failure %q, want a card", failure)
	}
	return cards[0], findings
}

// minimal returns a card with more members.
func minimal(members string) string {
	return `{"name":"N","version":"1","capabilities":{},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],` +
		`"skills":[{"id":"a","name":"a","description":"a","tags":["a"]}],` + members + `}`
}

func TestEveryMemberOfACardIsRead(t *testing.T) {
	t.Parallel()
	c, _ := parseOne(t, string(readVector(t, "v0.3/01-card.json")), "https://georoute-agent.example.com/.well-known/agent-card.json")
	for _, check := range []struct {
		name      string
		got, want any
	}{
		{"provider", *c.Provider, Provider{"Example Geo Services Inc.", "https://www.examplegeoservices.com"}},
		{"streaming", c.Capabilities.Streaming, True},
		{"history", c.Capabilities.StateTransitionHistory, False},
		{"schemes", len(c.SecuritySchemes), 4},
		{"first scheme", c.SecuritySchemes[0].OpenIDConnectURL, "https://accounts.google.com/.well-known/openid-configuration"},
		{"mutual TLS", c.SecuritySchemes[1].Type, "mutualTLS"},
		{"api key", c.SecuritySchemes[2].In + " " + c.SecuritySchemes[2].Name, "header X-API-Key"},
		{"flow", c.SecuritySchemes[3].Flows[0].Type + " " + c.SecuritySchemes[3].Flows[0].TokenURL, "clientCredentials https://auth.example.com/token"},
		{"scope", c.SecuritySchemes[3].Flows[0].Scopes[0], Scope{"route", "plan routes"}},
		{"requirement", c.Security[0][0], SchemeScopes{"google", []string{"openid", "profile", "email"}}},
		{"interfaces", len(c.Interfaces), 3},
		{"third", c.Interfaces[2].Binding, BindingREST},
	} {
		if !reflect.DeepEqual(check.got, check.want) {
			t.Errorf("%s: got %v, want %v", check.name, check.got, check.want)
		}
	}
}

func TestSecuritySchemesOfEveryFormAreRead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, scheme, want string }{
		{"0.3", `{"type":"http","scheme":"bearer","bearerFormat":"JWT"}`, "http bearer JWT"},
		{"1.0", `{"httpAuthSecurityScheme":{"scheme":"Bearer"}}`, "http Bearer"},
		{"both at once", `{"type":"http","scheme":"Bearer","httpAuthSecurityScheme":{"scheme":"Bearer"}}`, "http Bearer"},
		{"leaked protocol buffer", `{"scheme":{"$case":"httpAuthSecurityScheme","value":{"description":"","scheme":"Bearer","bearerFormat":""}}}`, "http Bearer"},
		{"1.0 key", `{"apiKeySecurityScheme":{"location":"query","name":"k"}}`, "apiKey query k"},
		{"leaked flow", `{"scheme":{"$case":"oauth2SecurityScheme","value":{"flows":{"flow":{"$case":"deviceCode","value":{"tokenUrl":"https://t"}}}}}}`, "oauth2 deviceCode https://t"},
		{"two flows", `{"type":"oauth2","flows":{"authorizationCode":{"tokenUrl":"https://a"},"password":{"tokenUrl":"https://p"}}}`,
			"oauth2 authorizationCode https://a password https://p"},
		{"something else", `{"magic":true}`, "unknown"},
	} {
		t.Run(c.name, func(t *testing.T) {
			card, _ := parseOne(t, minimal(`"url":"https://a.example/","securitySchemes":{"s":`+c.scheme+`}`), "")
			s := card.SecuritySchemes[0]
			got := strings.Fields(s.Type + " " + s.In + " " + s.Name + " " + s.Scheme + " " + s.BearerFormat)
			for _, f := range s.Flows {
				got = append(got, f.Type, f.TokenURL)
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("got %v, want %s", got, c.want)
			}
			if s.Key != "s" || len(s.Raw) == 0 {
				t.Errorf("got scheme %+v, want key s and raw JSON", s)
			}
		})
	}
}

func TestFreeTextCredentialsOf01AreParsed(t *testing.T) {
	t.Parallel()
	c, _ := parseOne(t, string(readVector(t, "v0.1/01-card.json")), "")
	if s := c.SecuritySchemes[0]; s.Type != "legacy" || string(s.CredentialsJSON) != `{"tokenUrl":"https://auth.examplegeoservices.com/token"}` {
		t.Errorf("got scheme %+v, want a legacy scheme with its credentials JSON", s)
	}
}

func TestExamplesAreTextOrData(t *testing.T) {
	t.Parallel()
	c, _ := parseOne(t, `{"name":"n","url":"https://a","skills":[{"id":"s","name":"s","examples":["hi",{"a":1},"[1]","{broken"]}]}`, "")
	want := []Example{{"hi", nil}, {`{"a":1}`, json.RawMessage(`{"a":1}`)}, {"[1]", json.RawMessage(`[1]`)}, {"{broken", nil}}
	if got := c.Skills[0].Examples; !reflect.DeepEqual(got, want) {
		t.Errorf("got examples %q, want %q", got, want)
	}
}

func TestUnknownMembersAreKept(t *testing.T) {
	t.Parallel()
	c, _ := parseOne(t, `{"name":"n","url":"https://a","x":1,"capabilities":{"y":2},"provider":{"z":3},"skills":[{"id":"s","w":4}]}`, "")
	got := ""
	for _, m := range append(c.Unknown, c.Skills[0].Unknown...) {
		got += m.Pointer + "=" + string(m.Value) + " "
	}
	if got != "/x=1 /provider/z=3 /capabilities/y=2 /skills/0/w=4 " {
		t.Errorf("got unknown members %q, want x, z, y and w", got)
	}
}

func TestSnakeCaseCardsAreFolded(t *testing.T) {
	t.Parallel()
	c, findings := parseOne(t, string(readVector(t, "hybrid/02-card-snake.json")), "")
	if !c.SnakeCase || len(findings) != 1 || findings[0].Rule != "CASE-001" || len(c.Unknown) > 0 {
		t.Errorf("got snake case %v, findings %v, unknown members %v; want true, CASE-001 alone, none", c.SnakeCase, findings, c.Unknown)
	}
	if c.Capabilities.PushNotifications != True || c.Interfaces[0].Version != "1.0" || len(c.DefaultInputModes) != 1 {
		t.Errorf("got card %+v, want its snake_case members read", c)
	}
}

func TestWhatIsNoCardIsSaid(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"":                                "The body is empty: there is no card; check the location",
		"<html><title>App</title></html>": "Instead of a card there is an HTML page titled “App”; check the location",
		"404 page not found":              "Instead of a card there is text: “404 page not found”; check the location",
		`{"a":1}`:                         "This JSON is not an agent card: it has no name together with skills, capabilities or a URL; check the location",
		`[]`:                              "This JSON is not an agent card: it has no name together with skills, capabilities or a URL; check the location",
		`{"name":"x",}`:                   "The card is not valid JSON at byte 11: a trailing comma; ask its author to correct it",
	} {
		if _, _, failure := ParseCard([]byte(body), ""); failure == nil || failure.Sentence != want {
			t.Errorf("%q:\n got %v\nwant %s", body, failure, want)
		}
	}
}

func TestDetectionFromTheCard(t *testing.T) {
	t.Parallel()
	const card, agent = "https://a.example/.well-known/agent-card.json", "https://a.example/.well-known/agent.json"
	for _, c := range []struct{ name, source, members, want string }{
		{"1.0", card, `"supportedInterfaces":[{"url":"https://a.example/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0","tenant":"t"}]`,
			"v1.0 https://a.example/rpc tenant t"},
		{"newest version", card, `"supportedInterfaces":[{"url":"https://a.example/3","protocolBinding":"JSONRPC","protocolVersion":"0.3"},{"url":"https://a.example/1","protocolBinding":"JSONRPC","protocolVersion":"1.0"}]`,
			"v1.0 https://a.example/1"},
		{"released version before a later one", card, `"supportedInterfaces":[{"url":"https://a.example/11","protocolBinding":"JSONRPC","protocolVersion":"1.1"},{"url":"https://a.example/1","protocolBinding":"JSONRPC","protocolVersion":"1.0"}]`,
			"v1.0 https://a.example/1"},
		{"spoken binding before the agent's preference", card, `"supportedInterfaces":[{"url":"a.example:443","protocolBinding":"https://a.example/binding","protocolVersion":"1.0"},{"url":"https://a.example/1","protocolBinding":"JSONRPC","protocolVersion":"1.0"}]`,
			"v1.0 https://a.example/1"},
		{"gRPC as the agent's preference", card, `"supportedInterfaces":[{"url":"a.example:50051","protocolBinding":"GRPC","protocolVersion":"1.0"},{"url":"https://a.example/1","protocolBinding":"JSONRPC","protocolVersion":"1.0"}]`,
			"v1.0 grpcs://a.example:50051"},
		{"gRPC on the agent's machine", card, `"supportedInterfaces":[{"url":"127.0.0.1:50051","protocolBinding":"GRPC","protocolVersion":"1.0"}]`,
			"v1.0 grpcs://a.example:50051 ! The card declares the host 127.0.0.1:50051, which cannot be reached from here; Parley uses a.example, the host of the card, instead"},
		{"gRPC where a mask hides the host of the card", "http://•••₁/.well-known/agent-card.json", `"supportedInterfaces":[{"url":"127.0.0.1:50051","protocolBinding":"GRPC","protocolVersion":"1.0"}]`,
			"v1.0 grpc://127.0.0.1:50051"},
		{"a mask in the place of a host", card, `"protocolVersion":"0.3.0","url":"http://•••₁/rpc"`, "v0.3 http://•••₁/rpc"},
		{"gRPC without TLS elsewhere", card, `"supportedInterfaces":[{"url":"http://a.example:50051","protocolBinding":"GRPC","protocolVersion":"1.0"}]`,
			"v1.0 grpcs://a.example:50051 ! The card declares http://a.example:50051, which has no TLS; Parley uses TLS, unless you name grpc://a.example:50051 yourself"},
		{"minor version", card, `"supportedInterfaces":[{"url":"https://a.example/","protocolBinding":"JSONRPC","protocolVersion":"1.1"}]`,
			"v1.0 https://a.example/ ! The agent says A2A 1.1; Parley speaks 1.0 to it"},
		{"draft", card, `"protocolVersion":"1.0","supportedInterfaces":[{"url":"https://a.example/","protocolBinding":"JSONRPC"}]`, "v1.0 https://a.example/"},
		{"dual", card, `"protocolVersion":"0.3.0","url":"https://a.example/3","supportedInterfaces":[{"url":"https://a.example/1","protocolBinding":"JSONRPC","protocolVersion":"1.0"}]`,
			"v1.0 https://a.example/1"},
		{"dual whose 1.0 is HTTP+JSON", card, `"protocolVersion":"0.3.0","url":"https://a.example/3","supportedInterfaces":[{"url":"https://a.example/1","protocolBinding":"HTTP+JSON","protocolVersion":"1.0"}]`,
			"v1.0 https://a.example/1"},
		{"0.3 as a number", card, `"protocolVersion":0.3,"url":"https://a.example/"`, "v0.3 https://a.example/"},
		{"0.2", agent, `"protocolVersion":"0.2.6","url":"https://a.example/"`, "v0.2 https://a.example/"},
		{"0.1", agent, `"protocolVersion":"0.1.0","url":"https://a.example/"`, "v0.1 https://a.example/"},
		{"1.0 on an old card", card, `"protocolVersion":"1.0","url":"https://a.example/"`,
			"v1.0 https://a.example/ ! The card says version 1.0 but is not written as a card of 1.0; Parley uses its url as the endpoint"},
		{"no version, agent.json", agent, `"url":"https://a.example/"`, "v0.2 https://a.example/"},
		{"no version, agent-card.json", card, `"url":"https://a.example/"`, "v0.3 https://a.example/"},
		{"no version, authentication", agent, `"url":"https://a.example/","authentication":{"schemes":["Bearer"]}`, "v0.1 https://a.example/"},
		{"no version, security", agent, `"url":"https://a.example/","securitySchemes":{"k":{"type":"apiKey"}}`, "v0.2 https://a.example/"},
		{"no version, transport", card, `"url":"https://a.example/","preferredTransport":"JSONRPC"`, "v0.3 https://a.example/"},
		{"trailing slash is kept", card, `"protocolVersion":"0.3.0","url":"https://a.example/a2a/"`, "v0.3 https://a.example/a2a/"},
		{"no trailing slash is added", card, `"protocolVersion":"0.3.0","url":"https://a.example"`, "v0.3 https://a.example"},
		{"relative", card, `"protocolVersion":"0.3.0","url":"/rpc"`,
			"v0.3 https://a.example/rpc ! The card declares the relative URL /rpc; Parley reads it as https://a.example/rpc"},
		{"wildcard host", card, `"protocolVersion":"0.3.0","url":"http://0.0.0.0:9999/rpc"`,
			"v0.3 https://a.example/rpc ! The card declares the host 0.0.0.0:9999, which cannot be reached from here; Parley uses a.example, the host of the card, instead"},
		{"private host", card, `"protocolVersion":"0.3.0","url":"http://10.0.0.7/rpc"`,
			"v0.3 https://a.example/rpc ! The card declares the host 10.0.0.7, which cannot be reached from here; Parley uses a.example, the host of the card, instead"},
		{"localhost at home", "http://127.0.0.1:41241/.well-known/agent-card.json", `"protocolVersion":"0.3.0","url":"http://localhost:41241/"`,
			"v0.3 http://localhost:41241/"},
		{"localhost in a file", "card.json", `"protocolVersion":"0.3.0","url":"http://localhost:41241/"`, "v0.3 http://localhost:41241/"},
		{"another public host", card, `"protocolVersion":"0.3.0","url":"https://b.example/"`, "v0.3 https://b.example/"},
		{"operation over JSON-RPC", card, `"protocolVersion":"0.3.0","url":"https://a.example/x/v1/message:send"`,
			"v0.3 https://a.example/x/v1/message:send ! The card declares https://a.example/x/v1/message:send for JSON-RPC, which has the path of an operation of HTTP+JSON; Parley uses it as it is declared, and tries https://a.example/x if nothing answers there"},
		{"operation over HTTP+JSON", card, `"protocolVersion":"0.3.0","url":"https://a.example/x/v1/message:send","preferredTransport":"HTTP+JSON"`,
			"v0.3 https://a.example/x ! The card declares https://a.example/x/v1/message:send, which is the path of an operation or of the card; Parley uses https://a.example/x instead"},
		{"the path of a card", card, `"protocolVersion":"0.3.0","url":"https://a.example/x/.well-known/agent-card.json"`,
			"v0.3 https://a.example/x/ ! The card declares https://a.example/x/.well-known/agent-card.json, which is the path of an operation or of the card; Parley uses https://a.example/x/ instead"},
		{"dangerous beside good", card, `"protocolVersion":"0.3.0","url":"file:///etc/passwd","additionalInterfaces":[{"url":"https://a.example/","transport":"JSONRPC"}]`,
			"v0.3 https://a.example/ ! The card declares the endpoint “file:///etc/passwd”, which is not a usable URL; it is ignored"},
		{"dangerous alone", card, `"protocolVersion":"0.3.0","url":"javascript:alert(1)"`,
			" ? “N” declares the endpoint “javascript:alert(1)”, which is not a usable URL; correct the card's URL"},
		{"relative in a file", "card.json", `"protocolVersion":"0.3.0","url":"/rpc"`,
			" ? “N” declares the endpoint “/rpc”, which is not a usable URL; correct the card's URL"},
		{"only REST", card, `"protocolVersion":"0.3.0","url":"https://a.example/","preferredTransport":"HTTP+JSON"`,
			"v0.3 https://a.example/"},
		{"only gRPC", card, `"protocolVersion":"0.3.0","url":"https://a.example/","preferredTransport":"GRPC"`,
			"v0.3 grpcs://a.example:443"},
		{"only a custom binding", card, `"supportedInterfaces":[{"url":"amqp://a.example","protocolBinding":"https://a.example/binding","protocolVersion":"1.0"}]`,
			" ? “N” offers only the custom binding https://a.example/binding, passed over; ask its author for an interface of a binding of A2A: JSON-RPC, gRPC or HTTP+JSON"},
		{"0.4", card, `"protocolVersion":"0.4.0","url":"https://a.example/"`,
			"v0.3 https://a.example/ ? “N” says A2A 0.4.0. Parley speaks 0.1 – 1.0. To try it as 0.3, pin the dialect v0.3 (--dialect), or ask its author for an older interface"},
		{"behind a gateway", "https://a.example/api/v1/agentCards", `"url":"solace:a/b"`, "sam-http https://a.example"},
		{"custom binding", card, `"supportedInterfaces":[{"url":"wss://a.example/","protocolBinding":"https://x.example/ws","protocolVersion":"1.0"}]`,
			" ? “N” offers only the custom binding https://x.example/ws, passed over; ask its author for an interface of a binding of A2A: JSON-RPC, gRPC or HTTP+JSON"},
		{"a binding that is no URI", card, `"supportedInterfaces":[{"url":"wss://a.example/","protocolBinding":"SLIMRPC","protocolVersion":"1.0"}]`,
			" ? “N” offers SLIMRPC, which Parley does not support; ask its author for a JSON-RPC or HTTP+JSON interface"},
		{"a custom binding beside one of A2A", card, `"supportedInterfaces":[{"url":"wss://a.example/","protocolBinding":"https://x.example/ws","protocolVersion":"1.0"},{"url":"https://a.example/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}]`,
			"v1.0 https://a.example/rpc"},
		{"2.0", card, `"supportedInterfaces":[{"url":"https://a.example/","protocolBinding":"JSONRPC","protocolVersion":"2.0"}]`,
			"v1.0 https://a.example/ ? “N” says A2A 2.0. Parley speaks 0.1 – 1.0. To try it as 1.0, pin the dialect v1.0 (--dialect), or ask its author for an older interface"},
		{"broker", card, `"url":"solace:a/b"`, " ? “N” is reachable only through a Solace broker; open the URL of its HTTP gateway instead"},
		{"the card's order", card, `"supportedInterfaces":[{"url":"https://a.example/rest","protocolBinding":"HTTP+JSON","protocolVersion":"1.0"},{"url":"https://a.example/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}]`,
			"v1.0 https://a.example/rest"},
		{"the preferred transport", card, `"protocolVersion":"0.3.0","url":"https://a.example/rest","preferredTransport":"HTTP+JSON","additionalInterfaces":[{"url":"https://a.example/rpc","transport":"JSONRPC"}]`,
			"v0.3 https://a.example/rest"},
		{"a word for a version", card, `"protocolVersion":"banana","url":"https://a.example/"`,
			"v0.3 https://a.example/ ! The card says A2A banana, which is not a version; Parley uses 0.3"},
		{"no endpoint in a file", "card.json", `"description":"d"`, " ? The card of “N” declares no endpoint; ask its author to add one"},
		{"no endpoint and a version", agent, `"protocolVersion":"0.2.5"`, "v0.2 https://a.example ? The card of “N” declares no endpoint; ask its author to add one"},
		{"no endpoint, from elsewhere", "https://a.example/cards/7.json", `"protocolVersion":"1.0"`, "v1.0 https://a.example/ ? The card of “N” declares no endpoint; ask its author to add one"},
		{"an empty URL", card, `"protocolVersion":"0.2.6","url":""`, "v0.2 https://a.example ? The card of “N” declares no endpoint, its URL is empty; ask its author to add one"},
		{"a blank URL of 1.0", card, `"supportedInterfaces":[{"url":" ","protocolBinding":"HTTP+JSON","protocolVersion":"1.0"}]`,
			"v1.0 https://a.example ? The card of “N” declares no endpoint, its URL is empty; ask its author to add one"},
		{"an empty URL in a file", "card.json", `"protocolVersion":"0.3.0","url":""`, " ? The card of “N” declares no endpoint, its URL is empty; ask its author to add one"},
		{"an empty URL beside a good one", card, `"protocolVersion":"0.3.0","url":"","additionalInterfaces":[{"url":"https://b.example/","transport":"JSONRPC"}]`,
			"v0.3 https://b.example/ ! The card declares the endpoint “”, which is not a usable URL; it is ignored"},
		{"no endpoint", card, `"description":"d"`, "v0.3 https://a.example ? The card of “N” declares no endpoint; ask its author to add one"},
	} {
		t.Run(c.name, func(t *testing.T) {
			parsed, _ := parseOne(t, minimal(c.members), c.source)
			p := Detect(parsed)
			got := strings.TrimSuffix(fmt.Sprintf("%s %s", p.Dialect, p.Endpoint), " ")
			if p.Tenant != "" {
				got += " tenant " + p.Tenant
			}
			for _, w := range p.Warnings {
				got += " ! " + w
			}
			if p.Problem != "" {
				got += " ? " + p.Problem
			}
			if got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
			if p.Problem == "" {
				for _, field := range []string{"dialect", "binding", "endpoint", "streaming"} {
					if !hasEvidence(p.Evidence, field) {
						t.Errorf("got no evidence for the %s", field)
					}
				}
			}
		})
	}
}

func hasEvidence(all []Evidence, field string) bool {
	for _, e := range all {
		if e.Field == field && e.Reason != "" {
			return true
		}
	}
	return false
}

func TestStreamingNeedsADeclaration(t *testing.T) {
	t.Parallel()
	for members, want := range map[string]bool{
		`"url":"https://a"`: false, `"url":"https://a","capabilities":{"streaming":true}`: true, `"url":"https://a","capabilities":{"streaming":false}`: false,
	} {
		c, _ := parseOne(t, `{"name":"n","skills":[],`+members+`}`, "")
		if got := Detect(c).Streaming; got != want {
			t.Errorf("%s: got streaming %v, want %v", members, got, want)
		}
	}
}

// Requirements that are no list are read as if they were one, so that the agent does not count as open.
func TestRequirementsOfAnotherTypeAreRead(t *testing.T) {
	t.Parallel()
	for members, want := range map[string]string{
		`"security":[{"jwt":["a"]}]`: `[[{jwt [a]}]]`,
		`"security":{"jwt":[]}`:      `[[{jwt []}]]`,
		`"security":["jwt","key"]`:   `[[{jwt []}] [{key []}]]`,
		`"security":"jwt"`:           `[[{jwt []}]]`,
		`"securityRequirements":{"schemes":{"jwt":{"list":["a","b"]}}}`: `[[{jwt [a b]}]]`,
		`"security":{}`:        `[[]]`,
		`"security":""`:        `[]`,
		`"security":7`:         `[]`,
		`"security":null`:      `[]`,
		`"security":[7,[],""]`: `[]`,
	} {
		if c, _ := parseOne(t, minimal(`"url":"https://a.example/rpc",`+members), ""); fmt.Sprint(c.Security) != want {
			t.Errorf("%s: got %v, want %s", members, c.Security, want)
		}
	}
}
