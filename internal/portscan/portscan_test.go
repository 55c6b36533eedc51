package portscan

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

func TestPortsAreParsed(t *testing.T) {
	for text, want := range map[string][]int{
		"8000": {8000}, "9000-9002,8000": {8000, 9000, 9001, 9002}, " 1 , 2 - 3,2": {1, 2, 3}, "65535": {65535},
	} {
		if got, err := Parse(text); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: got %v and %v, want %v", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"": "neither a port", "0": "neither a port", "65536": "neither a port", "http": "neither a port", "9-8": "neither a port",
		"1,,2": "neither a port", "-1": "neither a port", "1-": "neither a port", "1-65535": "more than 1000", "1-999,2000-2500": "more than 1000",
	} {
		if got, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v and %v, want an error with %q", text, got, err, want)
		}
	}
	usual := Usual()
	if !slices.IsSorted(usual) || len(usual) != len(slices.Compact(slices.Clone(usual))) {
		t.Errorf("got %v, want every port once, in order", usual)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("8000,9000-9010")
	f.Fuzz(func(t *testing.T, text string) {
		ports, err := Parse(text)
		if err == nil && (len(ports) == 0 || len(ports) > MaxPorts || !slices.IsSorted(ports) || ports[0] < 1) {
			t.Errorf("%q: got %v", text, ports)
		}
	})
}

const card = `{"name":"Desk","description":"d","version":"1","capabilities":{},"defaultInputModes":[],"defaultOutputModes":[],"skills":[],` +
	`"supportedInterfaces":[{"url":"http://127.0.0.1:9/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}]}`

// serve starts a server on a port of this machine, and notes what it is asked.
func serve(t *testing.T, answer http.HandlerFunc) (port int, asked func() []string) {
	t.Helper()
	var mu sync.Mutex
	var all []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		all = append(all, fmt.Sprint(r.Method, " ", r.URL, " ", r.Header.Get("Authorization"), r.Header.Get("Cookie"), r.UserAgent()))
		mu.Unlock()
		answer(w, r)
	}))
	t.Cleanup(s.Close)
	u, _ := url.Parse(s.URL)
	port, _ = strconv.Atoi(u.Port())
	return port, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(all)
	}
}

// scan returns the names of the agents on a port.
func scan(ports ...int) (names []string) {
	Scan(context.Background(), ports, "agent", func(a Agent) { names = append(names, a.Name+" "+a.Dialect+" "+a.Binding) })
	slices.Sort(names)
	return names
}

func TestAgentsAreFound(t *testing.T) {
	newer, asked := serve(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, card) })
	older, askedOlder := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/.well-known/agent.json" {
			fmt.Fprint(w, `{"name":"Clerk","url":"http://127.0.0.1:9/","version":"1","protocolVersion":"0.2.5","capabilities":{},"skills":[]}`)
			return
		}
		http.NotFound(w, r)
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := listener.Addr().(*net.TCPAddr).Port
	listener.Close()
	if got, want := scan(newer, older, closed), []string{"Clerk 0.2 JSON-RPC", "Desk 1.0 JSON-RPC"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := asked(), []string{"GET /.well-known/agent-card.json agent"}; !slices.Equal(got, want) {
		t.Errorf("got the requests %q, want %q", got, want)
	}
	if got := askedOlder(); len(got) != 2 {
		t.Errorf("got the requests %q, want one for each place of a card", got)
	}
}

func TestWhatIsNoAgentIsNotFound(t *testing.T) {
	elsewhere, askedElsewhere := serve(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, card) })
	for name, answer := range map[string]http.HandlerFunc{
		"page":    func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") },
		"json":    func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"status":"ok"}`) },
		"empty":   func(http.ResponseWriter, *http.Request) {},
		"refusal": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) },
		"redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://"+host(elsewhere), http.StatusFound)
		},
		"endless": func(w http.ResponseWriter, _ *http.Request) {
			for {
				if _, err := fmt.Fprint(w, strings.Repeat(" ", 1<<16)); err != nil {
					return
				}
			}
		},
		"silent": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
	} {
		t.Run(name, func(t *testing.T) {
			port, _ := serve(t, answer)
			if got := scan(port); len(got) > 0 {
				t.Errorf("got %q, want nothing", got)
			}
		})
	}
	if got := askedElsewhere(); len(got) > 0 {
		t.Errorf("got requests %q after a redirect, want none", got)
	}
}

func TestACanceledScanAsksNobody(t *testing.T) {
	port, asked := serve(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, card) })
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	Scan(ctx, []int{port}, "agent", func(Agent) { t.Error("got an agent") })
	if got := asked(); len(got) > 0 {
		t.Errorf("got requests %q, want none", got)
	}
}
