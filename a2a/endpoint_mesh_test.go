package a2a

import (
	"strings"
	"testing"
)

func TestAddressesOfMeshes(t *testing.T) {
	for in, want := range map[string]MeshAddress{
		"mqtt://localhost/acme/dev":                          {"mqtt://localhost:1883", "acme/dev", ""},
		"MQTTS://Broker.example/acme/":                       {"mqtts://broker.example:8883", "acme", ""},
		"mqtt://h:1/n#Billing%20desk":                        {"mqtt://h:1", "n", "Billing desk"},
		"mqtt://h:1/acme/dev/a2a/v1/agent/request/B%C3%BCro": {"mqtt://h:1", "acme/dev", "Büro"},
		"mqtt://h:1/acme/a2a/v1/discovery/agentcards":        {"mqtt://h:1", "acme", ""},
		"wss://h/n?path=/x":                                  {"wss://h:443/?path=%2Fx", "n", ""},
		"ws://h/a2a/v1/a2a/v1/agent/request/A":               {"ws://h:80", "a2a/v1", "A"},
	} {
		got, problem := ParseMesh(in)
		if got != want || problem != "" {
			t.Errorf("ParseMesh(%s) = %+v, %q, want %+v", in, got, problem, want)
		}
		if again, _ := ParseMesh(got.String()); again != got {
			t.Errorf("%s: got %+v from %s, want the same address", in, again, got.String())
		}
	}
	for _, in := range []string{"http://h/n", "mqtt://h", "mqtt:///n", "mqtt://u:p@h/n", "mqtt://h/$SYS", "mqtt://h/!n", "mqtt://h/a/+/b", "mqtt://h/n#", "mqtt://h/n#a%2Fb", "mqtt://h/%00", "mqtt://h/" + strings.Repeat("x", 251)} {
		if got, problem := ParseMesh(in); problem == "" && in != "mqtt://h/n#" {
			t.Errorf("ParseMesh(%q) = %+v, want a problem", in, got)
		}
	}
}

func TestACardCannotLeadOutOfItsMesh(t *testing.T) {
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
