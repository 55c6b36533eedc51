package engine

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"

	"parley/a2a"
	"parley/a2a/grpc/grpctest"
	"parley/session/log"
	"parley/session/model"
)

// listed writes a card that lists interfaces, the preferred one first.
func listed(t *testing.T, interfaces ...string) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "card.json")
	text := `{"name":"Twin","description":"d","version":"1","capabilities":{},"defaultInputModes":["text"],"defaultOutputModes":["text"],"skills":[],
		"supportedInterfaces":[` + strings.Join(interfaces, ",") + `]}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func at(binding, endpoint string) string {
	return fmt.Sprintf(`{"url":%q,"protocolBinding":%q,"protocolVersion":"1.0"}`, endpoint, binding)
}

// nobody is an address at which nothing listens.
const nobody = "127.0.0.1:1"

// A message that does not arrive at the interface that a card prefers goes to the next one, the
// turn says so in one sentence, and the agent is not away.
func TestAnInterfaceThatCannotBeReachedGivesWayToTheNextOne(t *testing.T) {
	t.Parallel()
	page := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(page.Close)
	for _, c := range []struct {
		name  string
		first func(*twin) []string
		way   string
		says  string
	}{
		{"gRPC, refused", func(g *twin) []string { return []string{at("GRPC", nobody), at("JSONRPC", g.url+"/rpc")} }, "rpc", "127.0.0.1:1 refused the connection; Parley sent the request as A2A 1.0 over JSON-RPC, which the card offers too."},
		{"gRPC, no such host", func(g *twin) []string {
			return []string{at("GRPC", "nowhere.invalid:443"), at("HTTP+JSON", g.url+"/rest")}
		}, "rest", "nowhere.invalid"},
		{"gRPC, no TLS", func(g *twin) []string {
			return []string{at("GRPC", "grpcs://"+page.Listener.Addr().String()), at("JSONRPC", g.url+"/rpc")}
		}, "rpc", "does not speak TLS; Parley sent"},
		{"HTTP/1 on the port of gRPC", func(g *twin) []string {
			u, _ := url.Parse(g.url)
			return []string{at("GRPC", u.Host), at("JSONRPC", g.url+"/rpc")}
		}, "rpc", "speaks HTTP/1.1 on this port and not gRPC"},
		{"JSON-RPC, refused", func(g *twin) []string { return []string{at("JSONRPC", "http://"+nobody), at("GRPC", g.grpc)} }, "grpc", "as A2A 1.0 over gRPC"},
		{"JSON-RPC and HTTP+JSON, refused", func(g *twin) []string {
			return []string{at("JSONRPC", "http://"+nobody), at("HTTP+JSON", "http://127.0.0.1:2"), at("GRPC", g.grpc)}
		}, "grpc", "as A2A 1.0 over gRPC"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, g := newHarness(t, withGRPC), startTwin(t)
			agent := d.openAgent(listed(t, c.first(g)...))
			turn, sig := d.sendText(model.Target{Agent: agent}, "go", model.SendOptions{})
			if sig.Sentence != "" || turn.Blocks[len(turn.Blocks)-1].Task.State != a2a.StateCompleted {
				t.Fatalf("got end %+v, want a completed task\n%s", sig, d.log())
			}
			if want := []string{c.way + " send", c.way + " get"}; !slices.Equal(g.calls(), want) {
				t.Errorf("got calls %q, want %q", g.calls(), want)
			}
			if got := d.state.WayOf(turn).Binding; got != map[string]a2a.Binding{"rpc": a2a.BindingJSONRPC, "rest": a2a.BindingREST, "grpc": a2a.BindingGRPC}[c.way] {
				t.Errorf("got %s as the way of the message, want %s", got, c.way)
			}
			if !strings.Contains(d.log(), c.says) {
				t.Errorf("the log does not say %q\n%s", c.says, d.log())
			}
			if a := d.state.Agent(agent); a.Phase != model.Ready || a.Profile.ContradictsCard() {
				t.Errorf("got agent %+v, want it ready", a)
			}
			for _, it := range d.items {
				if it.Signal != nil && it.Signal.Kind == log.SignalWatch {
					t.Error("the agent counted as away")
				}
			}
			d.finish()
		})
	}
}

// If no interface answers, the failure is that of the preferred one, which is watched.
func TestAnAgentOfWhichNoInterfaceAnswersIsAway(t *testing.T) {
	t.Parallel()
	d := newHarness(t, withGRPC)
	agent := d.openAgent(listed(t, at("GRPC", nobody), at("JSONRPC", "http://127.0.0.1:2/rpc")))
	_, sig := d.sendText(model.Target{Agent: agent}, "go", model.SendOptions{})
	for _, want := range []string{"127.0.0.1:1 refused the connection", "Parley tried A2A 1.0 over gRPC and 1.0 over JSON-RPC."} {
		if !strings.Contains(sig.Sentence, want) {
			t.Errorf("got %q, want it to say %q", sig.Sentence, want)
		}
	}
	a := d.state.Agent(agent)
	if a.Phase != model.Unreachable || a.Profile.Binding != a2a.BindingGRPC || a.Profile.Endpoint != "grpc://"+nobody {
		t.Errorf("got agent %+v, want it away at its first interface\n%s", a, d.log())
	}
	var watched []string
	for _, it := range d.items {
		if it.Signal != nil && it.Signal.Kind == log.SignalWatch {
			watched = append(watched, it.Signal.Sentence)
		}
	}
	if len(watched) != 1 || !strings.Contains(watched[0], nobody) {
		t.Errorf("got %q watched, want the first interface alone", watched)
	}
	d.finish()
}

// What the user chose is not replaced, a certificate that is not trusted is reported, and nothing
// encrypted becomes readable on the way.
func TestSomeInterfacesHaveNoSubstitute(t *testing.T) {
	t.Parallel()
	own := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(own.Close)
	secure := grpctest.Start(t, func(c *grpctest.Call) error { return nil }, grpc.Creds(credentials.NewTLS(&tls.Config{Certificates: own.TLS.Certificates})))
	g := startTwin(t)
	for _, c := range []struct {
		name, card, says string
		pins             a2a.Pins
	}{
		{"preferred", listed(t, at("JSONRPC", g.url+"/rpc"), at("GRPC", nobody)), "refused the connection", a2a.Pins{Prefer: []a2a.Binding{a2a.BindingGRPC}}},
		{"pinned", listed(t, at("GRPC", nobody), at("JSONRPC", g.url+"/rpc")), "refused the connection", a2a.Pins{Binding: a2a.BindingGRPC}},
		{"of a pinned dialect", listed(t, at("GRPC", nobody), at("JSONRPC", g.url+"/rpc")), "refused the connection", a2a.Pins{Dialect: a2a.V10}},
		{"a certificate", listed(t, at("GRPC", "grpcs://"+secure.Address), at("JSONRPC", g.url+"/rpc")), "does not trust the authority", a2a.Pins{}},
		{"readable elsewhere", listed(t, at("GRPC", "nowhere.invalid:443"), at("JSONRPC", "http://agent.invalid/rpc")), "nowhere.invalid", a2a.Pins{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newHarness(t, withGRPC)
			agent := d.openAgent(c.card)
			d.Pin(agent, c.pins)
			_, sig := d.sendText(model.Target{Agent: agent}, "go", model.SendOptions{})
			if !strings.Contains(sig.Sentence, c.says) || strings.Contains(d.log(), "Parley sent the request as") {
				t.Errorf("got %+v, want %q and no other way\n%s", sig, c.says, d.log())
			}
			if calls := g.calls(); len(calls) > 0 {
				t.Errorf("got calls %q, want none", calls)
			}
		})
	}
}
