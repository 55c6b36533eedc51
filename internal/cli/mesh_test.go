package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/a2a/mesh/meshtest"
)

func TestAMessageGoesThroughAMesh(t *testing.T) {
	t.Parallel()
	b := meshtest.Mosquitto(t)
	billing := (&meshtest.Agent{Name: "Billing desk", Namespace: "acme/dev", Streaming: true, Answer: func(r *meshtest.Request) {
		r.Say("Two ")
		r.Say("cards.")
		r.Final("completed", "Two cards.")
	}}).Start(t, b.Address)
	(&meshtest.Agent{Name: "Archive", Namespace: "acme/dev"}).Start(t, b.Address)
	record := filepath.Join(t.TempDir(), "s.jsonl")
	for name, args := range map[string][]string{
		"mesh before the text": {"send", b.URL("acme/dev"), "-a", "Billing desk", "Why twice?", "--record", record},
		"agent in the address": {"send", "-a", b.URL("acme/dev") + "#Billing%20desk", "Why twice?"},
		"topic as the address": {"send", b.URL("acme/dev") + "/a2a/v1/agent/request/Billing%20desk", "Why twice?"},
	} {
		r := parley(t, args...)
		if r.code != 0 || !strings.Contains(r.out, "Two cards.") || !strings.Contains(r.out, "State: completed") {
			t.Errorf("%s: got exit %d, output\n%s%s", name, r.code, r.out, r.err)
		}
		if want := "--agent-card " + b.URL("acme/dev") + "/a2a/v1/agent/request/Billing%20desk"; !strings.Contains(r.out, want) {
			t.Errorf("%s: got output\n%s\nwant it to continue with %s", name, r.out, want)
		}
	}
	if n := len(billing.Requests()); n != 3 {
		t.Errorf("got %d requests, want 3", n)
	}
	if r := parley(t, "card", "get", "-a", b.URL("acme/dev")+"#Archive"); r.code != 0 || !strings.Contains(r.out, "Name: Archive") {
		t.Errorf("got exit %d, output\n%s%s", r.code, r.out, r.err)
	}
}

func TestThePasswordOfABrokerIsShownNowhere(t *testing.T) {
	t.Parallel()
	b := meshtest.Mosquitto(t)
	(&meshtest.Agent{Name: "Billing", Namespace: "n", Answer: func(r *meshtest.Request) { r.Final("completed", r.Props["userId"]) }}).Start(t, b.Address)
	const password = "correct-horse-battery"
	record := filepath.Join(t.TempDir(), "s.jsonl")
	r := commandLine{
		args: []string{"send", b.URL("n"), "-a", "Billing", "x", "--mqtt-user", "ann", "--debug", "--record", record},
		env:  []string{"PARLEY_MQTT_PASSWORD=" + password},
	}.run(t)
	written, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	if r.code != 0 || !strings.Contains(r.out, "ann") || strings.Contains(r.out+r.err+string(written), password) {
		t.Errorf("got exit %d, output\n%s%s", r.code, r.out, r.err)
	}
	shown := commandLine{args: []string{"config", "show"}, env: []string{"PARLEY_MQTT_PASSWORD=" + password}}.run(t)
	if strings.Contains(shown.out+shown.err, password) || !strings.Contains(shown.out, "mqtt-password") {
		t.Errorf("got settings\n%s", shown.out)
	}
}

func TestAddressesOfBrokersThatCannotBeUsedAreNamed(t *testing.T) {
	t.Parallel()
	for ref, want := range map[string]string{
		"mqtt://127.0.0.1:1/n":            "127.0.0.1:1 refused the connection: no broker listens there. Start the broker, or check the port. A mesh in dev mode has no broker",
		"mqtt://localhost:1883":           "names no namespace",
		"mqtt://ann:pw@localhost:1883/n":  "--mqtt-user",
		"mqtt://localhost:1883/a+b":       "a character of patterns",
		"mqtt://localhost:1883/n#a/b":     "a slash",
		"mqtts://localhost:1883/n#%C3%28": "no text",
	} {
		if r := parley(t, "send", "-a", ref, "x"); r.code == 0 || !strings.Contains(r.err, want) {
			t.Errorf("%s: got exit %d, output\n%s%s\nwant “%s”", ref, r.code, r.out, r.err, want)
		}
	}
}

func TestTheTimesOfAMeshAreChecked(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"--mesh-interval", "0s"}, {"--mesh-gone", "1s"}, {"--mesh-interval", "2m"}} {
		r := parley(t, append([]string{"send", "-a", "mqtt://127.0.0.1:1/n", "x"}, args...)...)
		if r.code != 2 || !strings.Contains(r.err, "--mesh-interval must be greater than 0, and that of --mesh-gone not smaller") {
			t.Errorf("%q: got exit %d, output\n%s", args, r.code, r.err)
		}
	}
}

// An agent that was recorded on a broker answers over JSON-RPC when it is served.
func TestAnAgentOfAMeshIsServed(t *testing.T) {
	t.Parallel()
	b := meshtest.Mosquitto(t)
	(&meshtest.Agent{Name: "Billing desk", Namespace: "acme/dev", Streaming: true, Answer: func(r *meshtest.Request) {
		r.Say("Two ")
		r.Say("cards.")
		r.Final("completed", "Two cards.")
	}}).Start(t, b.Address)
	record := filepath.Join(t.TempDir(), "s.jsonl")
	if r := parley(t, "send", b.URL("acme/dev"), "-a", "Billing desk", "Why twice?", "--record", record); r.code != 0 {
		t.Fatalf("got exit %d: %s", r.code, r.err)
	}
	ready, stop := served(t, record)
	if len(ready.Agents) != 1 || ready.Agents[0].Name != "Billing desk desk" {
		t.Fatalf("got %+v, want the agent", ready)
	}
	for range 2 { // the second time with other ids
		r := parley(t, "send", "-a", ready.Agents[0].URL, "Why twice?", "--stream", "-o", "json")
		if r.code != 0 || !strings.Contains(r.out, `"cards."`) || !strings.Contains(r.out, `"Two cards."`) {
			t.Errorf("got exit %d, output\n%s%s", r.code, r.out, r.err)
		}
	}
	if r := parley(t, "card", "get", "-a", ready.Agents[0].URL); r.code != 0 || strings.Contains(r.out, "solace:") || !strings.Contains(r.out, ready.Agents[0].URL) {
		t.Errorf("got exit %d, card\n%s%s", r.code, r.out, r.err)
	}
	if r := stop(); !strings.Contains(r.out+r.err, "recorded on a broker (MQTT), and answers over JSON-RPC here") {
		t.Errorf("got output\n%s%s\nwant it to say how the agent is served", r.out, r.err)
	}
}
