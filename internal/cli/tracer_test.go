package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"parley/a2a"
	"parley/a2a/grpc/grpctest"
	"parley/a2a/mesh/meshtest"
	"parley/session/journal"
)

// parents returns the traceparents of the requests in a recording, by turn.
func parents(t *testing.T, path string) (all map[a2a.TurnID][]string, requests int) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all = map[a2a.TurnID][]string{}
	if err := journal.Read(f, func(r a2a.Record) error {
		if r.Kind == a2a.KindRequest {
			requests++
			if p := r.Head.Header.Get("Traceparent"); p != "" {
				all[r.Call.Turn] = append(all[r.Call.Turn], p)
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return all, requests
}

func TestRequestsCarryATraceOnlyIfAsked(t *testing.T) {
	t.Parallel()
	url, dir := demos(t)["Travel Desk"], t.TempDir()
	for name, args := range map[string][]string{"none": nil, "trace": {"--trace"}, "own": {"--trace", "--svc-param", "public:traceparent:00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}} {
		path := filepath.Join(dir, name+".jsonl")
		r := parley(t, append([]string{"send", "-a", url, "Book me a flight", "--record", path}, args...)...)
		if r.code != 0 {
			t.Fatalf("%s: got exit %d\n%s", name, r.code, r.err)
		}
		got, requests := parents(t, path)
		n := 0
		for _, list := range got {
			n += len(list)
		}
		switch name {
		case "none":
			if n != 0 {
				t.Errorf("got %v, want no trace", got)
			}
		case "own":
			if len(got[1]) == 0 || !strings.HasPrefix(got[1][0], "00-4bf92f") {
				t.Errorf("got %v, want the user's trace", got)
			}
		default:
			if n != requests || len(got[1]) == 0 {
				t.Errorf("got %d traces of %d requests, want one for each", n, requests)
			}
			for _, list := range got {
				for _, p := range list {
					if !regexp.MustCompile(`^00-[0-9a-f]{32}-[0-9a-f]{16}-01$`).MatchString(p) {
						t.Errorf("got %q, want a traceparent", p)
					}
				}
			}
			out := parley(t, "export", path, "--as", "otlp", "-o", "-").out
			words := strings.Split(got[1][0], "-")
			if !strings.Contains(out, `"traceId":"`+words[1]+`","spanId":"`+words[2]+`"`) {
				t.Errorf("got no span %s of trace %s in the export", words[2], words[1])
			}
		}
	}
}

// Over gRPC the metadata of a call has the trace, on a broker the user properties of a message.
func TestATraceCrossesGRPCAndABroker(t *testing.T) {
	t.Parallel()
	got, wanted := make(chan string, 10), regexp.MustCompile(`^00-[0-9a-f]{32}-[0-9a-f]{16}-01$`)
	server := grpctest.Start(t, func(c *grpctest.Call) error {
		if strings.Contains(c.Path, "/Send") {
			got <- strings.Join(c.Metadata.Get("traceparent"), " ")
		}
		return grpcAgent(c)
	})
	b := meshtest.Mosquitto(t)
	(&meshtest.Agent{Name: "Billing", Namespace: "n", Answer: func(r *meshtest.Request) {
		got <- r.Props["traceparent"]
		r.Final("completed", "done")
	}}).Start(t, b.Address)
	for _, ref := range []string{"grpc://" + server.Address, b.URL("n") + "#Billing"} {
		for flag, want := range map[string]bool{"--trace": true, "--debug": false} {
			if r := parley(t, "send", "-a", ref, "hello", flag); r.code != 0 {
				t.Fatalf("%s: got exit %d\n%s", ref, r.code, r.err)
			}
			if len(got) == 0 {
				t.Fatalf("%s %s: the agent got no message", ref, flag)
			}
			if p := <-got; wanted.MatchString(p) != want || !want && p != "" {
				t.Errorf("%s %s: got traceparent %q", ref, flag, p)
			}
		}
	}
}

func TestATurnIsOneTrace(t *testing.T) {
	t.Parallel()
	tr := newTracer("seed")
	a, b, c, d := tr.parent(&a2a.Call{Turn: 1}), tr.parent(&a2a.Call{Turn: 1}), tr.parent(&a2a.Call{Turn: 2}), tr.parent(&a2a.Call{})
	const trace = 35
	if a[:trace] != b[:trace] || a == b || a[:trace] == c[:trace] || c[:trace] == d[:trace] {
		t.Errorf("got %s, %s, %s, %s, want one trace for turn 1 with two spans, and others", a, b, c, d)
	}
}
