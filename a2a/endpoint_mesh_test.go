package a2a

import (
	"strings"
	"testing"
)

func TestAddressesOfMeshes(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]MeshAddress{
		"mqtt://localhost/acme/dev":                          {"mqtt://localhost:1883", "acme/dev", ""},
		"MQTTS://Broker.example/acme/":                       {"mqtts://broker.example:8883", "acme", ""},
		"mqtt://Ｂücher。example/acme":                         {"mqtt://xn--bcher-kva.example:1883", "acme", ""},
		"mqtt://[FE80::1%25Eth0]:1/acme":                     {"mqtt://[fe80::1%25Eth0]:1", "acme", ""},
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
	for _, in := range []string{"http://h/n", "mqtt://h", "mqtt:///n", "mqtt://h\u202e/n", "mqtt://u:p@h/n", "mqtt://h/$SYS", "mqtt://h/!n", "mqtt://h/a/+/b", "mqtt://h/n#", "mqtt://h/n#a%2Fb", "mqtt://h/%00", "mqtt://h/" + strings.Repeat("x", 251)} {
		if got, problem := ParseMesh(in); problem == "" && in != "mqtt://h/n#" {
			t.Errorf("ParseMesh(%q) = %+v, want a problem", in, got)
		}
	}
}
