package interop

import (
	"context"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/a2a/a2atest"
	"parley/a2a/a2atest/demo"
)

// The official clients read the cards of the demo's agents in their dialect, with every skill, and
// get the answer to a message.
func TestOfficialClientsUseTheAgentsOfTheDemo(t *testing.T) {
	t.Parallel()
	agents, stop, err := demo.Start(t.Context(), a2atest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	said := map[a2a.DialectName]map[string][2]string{
		a2a.V10: {
			"Travel Desk": {"What is the weather in Lisbon?", "skills book weather states pay rent\nsay completed Lisbon: 7 °C"},
			"Saboteur":    {"Stop for twelve seconds in the middle", "skills cuts frames strings answers\nsay completed # How to cut a rope"},
		},
		a2a.V03: {"Scribe": {"Write an essay on tides", "skills essay compare think table poem\nsay completed # On tides"}},
	}
	for _, module := range []string{"a2a-go-2.4.0", "a2a-js-1.3.0", "a2a-go-0.3.15", "a2a-js-0.3.14"} {
		t.Run(module, func(t *testing.T) {
			dialect := a2a.V10
			if strings.Contains(module, "-0.3.") {
				dialect = a2a.V03
			}
			client := clientOf(t, module)
			for _, agent := range agents {
				if words, ok := said[dialect][agent.Name]; ok {
					t.Run(agent.Name, func(t *testing.T) {
						ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
						defer cancel()
						args := slices.Concat(client[1:], []string{agent.URL, "JSONRPC", words[0]})
						out, err := exec.CommandContext(ctx, client[0], args...).CombinedOutput()
						if err != nil || !strings.HasPrefix(string(out), words[1]) {
							t.Errorf("got %v\n%s\nwant it to begin with\n%s", err, out, words[1])
						}
					})
				}
			}
		})
	}
}

// operationsOfTheDemo are what a client that calls every operation prints about an agent of the demo. Travel
// Desk has all of them, and shows its extended card to staff alone; Scribe has no webhooks.
var operationsOfTheDemo = map[string]string{
	"Travel Desk": `at once task
send input-required
stream input-required
get input-required
list input-required
subscribe input-required
cancel canceled
push set ok
push get ok
push list ok
push delete ok
at once message
send message Good day! I am the Travel Desk. I can book a flight, tell you the weather, or show you every way a task can end.
stream
card `,
	"Scribe": `at once task
send input-required
stream input-required
get input-required
subscribe UnsupportedOperation
cancel canceled
push set PushNotificationNotSupported
push get PushNotificationNotSupported
push list PushNotificationNotSupported
push delete PushNotificationNotSupported
at once message
send message Good day. I write about tides and about little else. Shall I?
stream
card ok
`,
}

// Every operation of the official clients gets an answer from the agents of the demo, or an error that the
// client can name.
func TestOfficialClientsCallEveryOperationOfTheDemo(t *testing.T) {
	t.Parallel()
	agents, stop, err := demo.Start(t.Context(), a2atest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	for _, module := range []string{"a2a-go-2.4.0", "a2a-js-1.3.0", "a2a-go-0.3.15", "a2a-js-0.3.14"} {
		t.Run(module, func(t *testing.T) {
			name, prompt, dialect := "Travel Desk", "Book me a flight to Lisbon", a2a.V10
			if strings.Contains(module, "-0.3.") {
				name, prompt, dialect = "Scribe", "Write me a poem", a2a.V03
			}
			agent := agents[slices.IndexFunc(agents, func(a demo.Agent) bool { return a.Name == name })]
			client := officialClient{sdk{module: module, dialect: dialect}, clientOf(t, module), agent.URL}
			if got := client.operate(t, agent.URL, prompt, "Hello"); !strings.HasPrefix(got, operationsOfTheDemo[name]) {
				t.Errorf("got\n%s\nwant it to begin with\n%s", got, operationsOfTheDemo[name])
			}
		})
	}
}
