package a2a

import (
	"fmt"
	"strings"
	"testing"
)

// meshCard is a card that came from the discovery topic of the agent Billing.
func meshCard(t *testing.T, name, members string) *Card {
	t.Helper()
	cards, _, failure := ParseCard([]byte(fmt.Sprintf(`{"name":%q,"version":"1","capabilities":{},"skills":[],%s}`, name, members)), "mqtt://h:1883/acme/a2a/v1/discovery/agentcards#Billing")
	if failure != nil {
		t.Fatal(failure)
	}
	return cards[0]
}

const billingTopic = "mqtt://h:1883/acme/a2a/v1/agent/request/Billing"

// Whatever a card says, and however the user prefers to speak, requests go to the topic of the agent.
func TestNothingInACardLeadsOutOfItsMesh(t *testing.T) {
	t.Parallel()
	for name, members := range map[string]string{
		"http":                  `"url":"http://evil.example/rpc","protocolVersion":"0.3.0"`,
		"https in capitals":     `"url":"HTTPS://EVIL.example","protocolVersion":"0.3.0","preferredTransport":"HTTP+JSON"`,
		"gRPC":                  `"url":"evil.example:50051","protocolVersion":"0.3.0","preferredTransport":"GRPC"`,
		"gRPC with a scheme":    `"url":"grpcs://evil.example:50051","protocolVersion":"0.3.0","preferredTransport":"GRPC"`,
		"a WebSocket":           `"url":"wss://evil.example/x","protocolVersion":"0.3.0"`,
		"without a scheme":      `"url":"//evil.example/x","protocolVersion":"0.3.0"`,
		"a path":                `"url":"/x","protocolVersion":"0.3.0"`,
		"an empty URL":          `"url":"","protocolVersion":"0.3.0"`,
		"no URL":                `"protocolVersion":"0.3.0"`,
		"no version":            `"url":"http://evil.example/rpc"`,
		"a version of nobody":   `"url":"http://evil.example/rpc","protocolVersion":"9.9"`,
		"1.0":                   `"supportedInterfaces":[{"url":"http://evil.example/a","protocolBinding":"JSONRPC","protocolVersion":"1.0"},{"url":"evil.example:1","protocolBinding":"GRPC","protocolVersion":"1.0"}]`,
		"other interfaces":      `"url":"solace:acme/a2a/v1/agent/request/Billing","protocolVersion":"0.3.0","additionalInterfaces":[{"url":"http://evil.example","transport":"JSONRPC"},{"url":"http://evil.example/v1","transport":"HTTP+JSON"}]`,
		"an empty topic":        `"url":"solace:","protocolVersion":"0.3.0"`,
		"the topic in capitals": `"url":"SOLACE:acme/a2a/v1/agent/request/Billing","protocolVersion":"0.3.0"`,
		"the topic with //":     `"url":"solace://acme/a2a/v1/agent/request/Billing","protocolVersion":"0.3.0"`,
		"the topic escaped":     `"url":"solace:acme%2Fa2a/v1/agent/request/B%69lling","protocolVersion":"0.3.0"`,
		"the topic as a URL":    `"url":"mqtt://H/acme#Billing","protocolVersion":"0.3.0"`,
	} {
		for _, called := range []string{"Billing", "Payroll", "billing", "a/b", "#"} {
			card := meshCard(t, called, members)
			if p := Detect(card); p.Problem != "" || p.Endpoint != billingTopic || p.Binding != BindingMQTT || p.Dialect != SAMBroker || len(p.Alternatives) > 0 {
				t.Errorf("%s, called %s: got profile %+v, want the topic of the agent alone", name, called, p)
			}
			if ways := CardWays(card); len(ways) != 1 || ways[0].Endpoint != billingTopic {
				t.Errorf("%s, called %s: got ways %+v, want the topic of the agent", name, called, ways)
			}
			for _, pins := range []Pins{
				{Prefer: []Binding{BindingREST, BindingJSONRPC, BindingGRPC}}, {Binding: BindingJSONRPC}, {Binding: BindingGRPC}, {Binding: BindingREST},
				{Dialect: V10}, {Dialect: V03}, {Dialect: V03, Binding: BindingREST}, {Dialect: SAMDoc}, {Tenant: "x"}, {Endpoint: billingTopic},
			} {
				p := DetectAs(card, pins)
				if p.Endpoint != billingTopic || len(p.Alternatives) > 0 || len(p.OtherWays(true))+len(p.OtherWays(false)) > 0 {
					t.Errorf("%s, called %s, pins %+v: got profile %+v, want the topic of the agent alone", name, called, pins, p)
				}
			}
		}
	}
}

// A card that names another topic alone is refused: its agent listens elsewhere, if at all.
func TestACardThatNamesAnotherTopicIsRefused(t *testing.T) {
	t.Parallel()
	for _, url := range []string{
		"solace:other/a2a/v1/agent/request/Billing", "solace:acme/a2a/v1/agent/request/Payroll", "solace:acme/a2a/v1/agent/request/billing", "solace:acme/a2a/v1/agent/request/#",
		"solace:acme/a2a/v1/agent/request/+", "solace:acme/a2a/v1/agent/request/Billing/x", "Solace:acme/a2a/v1/discovery/agentcards",
		"mqtt://h:1883/acme#Payroll", "mqtt://h:1883/other#Billing", "mqtt://evil.example/acme#Billing", "MQTTS://h/acme#Billing",
	} {
		p := Detect(meshCard(t, "Billing", fmt.Sprintf(`"url":%q,"protocolVersion":"0.3.0"`, url)))
		if !strings.Contains(p.Problem, "not that of its name in this mesh") || p.Endpoint != billingTopic {
			t.Errorf("%s: got profile %+v, want a problem", url, p)
		}
	}
}

// The user may leave the mesh; then the card is read like any other.
func TestAPinLeavesAMesh(t *testing.T) {
	t.Parallel()
	card := meshCard(t, "Billing", `"url":"http://desk.example/rpc","protocolVersion":"0.2.6"`)
	for endpoint, want := range map[string]Way{
		"http://desk.example/rpc":        {V02, BindingJSONRPC, "http://desk.example/rpc", ""},
		"http://other.example/rpc":       {V02, BindingJSONRPC, "http://other.example/rpc", ""},
		"mqtt://h:1883/acme#Payroll":     {SAMBroker, BindingMQTT, "mqtt://h:1883/acme#Payroll", ""},
		"mqtt://other.example/n#Billing": {SAMBroker, BindingMQTT, "mqtt://other.example/n#Billing", ""},
	} {
		if p := DetectAs(card, Pins{Endpoint: endpoint}); p.Way() != want || p.Problem != "" {
			t.Errorf("%s: got %+v, problem %q; want %+v", endpoint, p.Way(), p.Problem, want)
		}
	}
	address, _ := ParseMesh("mqtt://h/acme#Billing")
	if p := meshProfile(address, &Pins{Endpoint: "http://desk.example"}); p.Problem != "" || p.Way() != (Way{V03, BindingJSONRPC, "http://desk.example", ""}) {
		t.Errorf("got profile %+v without a card, want the pinned endpoint", p)
	}
}

// In older recordings the source of a card names no agent.
func TestTheSourceOfAnOldRecordingNamesNoAgent(t *testing.T) {
	t.Parallel()
	card := meshCard(t, "Payroll", `"url":"http://evil.example","protocolVersion":"0.3.0"`)
	card.SourceURL = strings.TrimSuffix(card.SourceURL, "#Billing")
	if p := Detect(card); p.Endpoint != "mqtt://h:1883/acme/a2a/v1/agent/request/Payroll" || p.Problem != "" {
		t.Errorf("got profile %+v, want the topic of the name on the card", p)
	}
	for _, name := range []string{"", "a/b", "#", "+", "x>", "\x00", "$SYS"} {
		card.Name = name
		if p := Detect(card); p.Problem == "" && name != "" {
			t.Errorf("%q: got profile %+v, want a problem", name, p)
		}
	}
}

func TestACardCannotLeadOutOfItsMesh(t *testing.T) {
	t.Parallel()
	card := func(topic string) *Card {
		cards, _, failure := ParseCard([]byte(`{"name":"Billing","url":"solace:`+topic+`","version":"1","protocolVersion":"0.3.0","capabilities":{}}`), "mqtt://h:1883/acme/a2a/v1/discovery/agentcards")
		if failure != nil {
			t.Fatal(failure)
		}
		return cards[0]
	}
	if p := Detect(card("acme/a2a/v1/agent/request/Billing")); p.Problem != "" || p.Endpoint != "mqtt://h:1883/acme/a2a/v1/agent/request/Billing" {
		t.Errorf("got profile %+v, want the topic of the agent", p)
	}
	for _, topic := range []string{"other/a2a/v1/agent/request/Billing", "acme/a2a/v1/agent/request/Payroll", "acme/a2a/v1/agent/request/#"} {
		if p := Detect(card(topic)); !strings.Contains(p.Problem, "not that of its name in this mesh") {
			t.Errorf("%s: got profile %+v, want a problem", topic, p)
		}
	}
	if _, problem := bindingFor(Profile{Dialect: V03, Binding: BindingJSONRPC, Endpoint: "mqtt://h/n#A"}); !strings.Contains(problem, "only MQTT") {
		t.Errorf("got problem %q for JSON-RPC on a broker, want one", problem)
	}
	if a, b := Origin("mqtts://h/n"), Origin("https://h:8883"); a != b || a == "" {
		t.Errorf("got origins %q and %q, want one", a, b)
	}
}
