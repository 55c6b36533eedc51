package cli

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"parley/a2a/mesh/meshtest"
)

// No command chooses one of the agents of a mesh.
func TestNoCommandChoosesAnAgentOfAMesh(t *testing.T) {
	t.Parallel()
	b := meshtest.Mosquitto(t)
	billing := (&meshtest.Agent{Name: "Billing desk", Namespace: "acme/dev", Streaming: true, Answer: func(r *meshtest.Request) { r.Final("completed", "done") }}).Start(t, b.Address)
	url := b.URL("acme/dev")
	// A card that the broker keeps comes with the subscription.
	billing.Publish("acme/dev/a2a/v1/discovery/agentcards", `{"name":"Archive","url":"http://127.0.0.1:1/","version":"1","protocolVersion":"0.3.0","capabilities":{},"skills":[]}`, true, nil)
	billing.Publish("acme/dev/a2a/v1/discovery/agentcards/x", `{"name":"\u001b]0;gone\u0007Evil","url":"x","version":"1","protocolVersion":"0.3.0"}`, true, nil)
	folder := t.TempDir()
	script, settings := filepath.Join(folder, "s.parley"), filepath.Join(folder, "config.toml")
	for path, text := range map[string]string{
		script:   "Open " + url + "\nSay \"hi\"\nExpect completed\n",
		settings: "[[agent]]\nname = \"Mesh\"\nref = \"" + url + "\"\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var all sync.WaitGroup
	for _, c := range []struct {
		args []string
		hint string
	}{
		{[]string{"send", url, "hi"}, "parley send -a '" + url + "#Archive'"},
		{[]string{"send", "-a", url, "hi", "--endpoint", "http://127.0.0.1:1/"}, "parley send -a"},
		{[]string{"send", "-a", "Mesh", "hi", "--config", settings}, "parley send -a Mesh --endpoint '" + url + "#Archive'"},
		{[]string{"chat", "-a", url}, "parley chat -a"},
		{[]string{"task", "get", "-a", url, "x"}, "parley task get -a"},
		{[]string{"task", "list", "-a", url}, "parley task list -a"},
		{[]string{"task", "cancel", "-a", url, "x"}, "parley task cancel -a"},
		{[]string{"task", "subscribe", "-a", url, "x"}, "parley task subscribe -a"},
		{[]string{"task", "push-config", "list", "-a", url, "x"}, "parley task push-config list -a"},
		{[]string{"check", url}, "parley check -a"},
		{[]string{"conformance", url}, "parley conformance -a"},
		{[]string{"doctor", url, "--send"}, "parley doctor -a"},
		{[]string{"card", "get", url}, "parley card get -a"},
		{[]string{"card", "get", url, "-o", "json"}, "parley card get -a"},
		{[]string{"catalog", url}, "A mesh has no catalog"},
		{[]string{"demo", script, "--headless"}, ""},
	} {
		all.Go(func() { // each listens for a while
			r := commandLine{args: append(c.args, "--mesh-interval", "2s", "--mesh-gone", "1m"), stdin: "hi\n"}.run(t)
			said := r.out + r.err
			if r.code == 0 || !strings.Contains(said, url+" names no agent of the mesh") || !strings.Contains(said, "2 agents announced themselves: “Archive”, “Billing desk”") {
				t.Errorf("%q: got exit %d, output\n%s\nwant a refusal with the agents", c.args, r.code, said)
			}
			if !strings.Contains(said, c.hint) || strings.ContainsAny(said, "\x1b\a") {
				t.Errorf("%q: got output\n%s\nwant the hint %q, and nothing of the card that cannot be used", c.args, said, c.hint)
			}
		})
	}
	all.Wait()
	if got := billing.Requests(); len(got) > 0 {
		t.Errorf("got %d requests, the first %+v, want none", len(got), got[0])
	}
}

// A card on a mesh names an HTTP endpoint in every way; nothing goes there unless the user names it.
func TestNothingGoesWhereACardOfAMeshPoints(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		_, _ = w.Write([]byte(`{"jsonrpc":"2.0","id":"x","result":{"kind":"message","role":"agent","messageId":"m","parts":[{"kind":"text","text":"from elsewhere"}]}}`))
	}))
	defer elsewhere.Close()
	b := meshtest.Mosquitto(t)
	for name, answer := range map[string]func(*meshtest.Request){
		"Billing": func(r *meshtest.Request) { r.Final("completed", "from the mesh") },
		"Lacks": func(r *meshtest.Request) {
			r.Reply(r.Props["replyTo"], fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"error":{"code":-32601,"message":"Method not found"}}`, r.ID))
		},
	} {
		card := fmt.Sprintf(`{"name":%q,"url":%[2]q,"version":"1","protocolVersion":"0.3.0","preferredTransport":"JSONRPC","capabilities":{"streaming":true},"skills":[],
			"additionalInterfaces":[{"url":%[2]q,"transport":"HTTP+JSON"}],"supportedInterfaces":[{"url":%[2]q,"protocolBinding":"JSONRPC","protocolVersion":"1.0"}]}`, name, elsewhere.URL)
		(&meshtest.Agent{Name: name, Namespace: "n", Card: card, Answer: answer}).Start(t, b.Address)
	}
	at := func(name string) string { return b.URL("n") + "#" + name }
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"send", "-a", at("Billing"), "x"}, "from the mesh"},
		{[]string{"send", "-a", at("Billing"), "x", "--transport", "JSONRPC,HTTP+JSON"}, "from the mesh"},
		{[]string{"send", "-a", at("Billing"), "x", "--transport", "HTTP+JSON", "--dialect", "v0.3"}, "from the mesh"},
		{[]string{"send", "-a", at("Billing"), "x", "--dialect", "v1.0"}, "is not spoken on brokers"},
		{[]string{"send", "-a", at("Billing"), "x", "--dialect", "v0.3-rest"}, ""},
		{[]string{"send", "-a", at("Lacks"), "x"}, "Method not found"},
		{[]string{"task", "get", "-a", at("Billing"), "x"}, "no operation"},
		{[]string{"doctor", at("Billing"), "--send"}, "MQTT at " + b.URL("n")},
		{[]string{"card", "get", at("Billing"), "--extended"}, ""},
	} {
		r := parley(t, c.args...)
		if n := asked.Load(); n > 0 || !strings.Contains(r.out+r.err, c.want) {
			t.Fatalf("%q: got %d requests elsewhere, exit %d, output\n%s%s\nwant none and “%s”", c.args, n, r.code, r.out, r.err, c.want)
		}
	}
	if r := parley(t, "send", "-a", at("Billing"), "x", "--endpoint", elsewhere.URL); asked.Load() == 0 || !strings.Contains(r.out, "from elsewhere") {
		t.Errorf("got %d requests at the endpoint that the user named, exit %d, output\n%s%s", asked.Load(), r.code, r.out, r.err)
	}
}

// The words that the refusal gives name an agent, with the settings of the saved mesh.
func TestTheHintOfAMeshNamesAnAgent(t *testing.T) {
	t.Parallel()
	b := meshtest.Mosquitto(t)
	one := (&meshtest.Agent{Name: "O'Brien 50%", Namespace: "n", Streaming: true, Answer: func(r *meshtest.Request) { r.Final("completed", "for "+r.Props["userId"]) }}).Start(t, b.Address)
	settings := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(settings, []byte("[[agent]]\nname = \"Mesh\"\nref = \""+b.URL("n")+"\"\nmesh-user = \"ann\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	named := b.URL("n") + "#O%27Brien%2050%25"
	for _, args := range [][]string{{"-a", named, "--mesh-user", "ann"}, {"-a", "Mesh", "--endpoint", named}} {
		r := parley(t, append([]string{"send", "hi", "--config", settings}, args...)...)
		if r.code != 0 || !strings.Contains(r.out, "for ann") {
			t.Errorf("%q: got exit %d, output\n%s%s", args, r.code, r.out, r.err)
		}
	}
	if n := len(one.Requests()); n != 2 {
		t.Errorf("got %d requests, want 2", n)
	}
}
