package grpc_test

import (
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/status"

	"parley/a2a"
	"parley/a2a/grpc/grpctest"
)

func options(to *tape) a2a.Options {
	ids := 0
	return a2a.Options{
		Carriers: carriers(),
		Trace:    a2a.Trace{Put: to.put, Now: time.Now},
		NewID:    func() string { ids++; return fmt.Sprintf("id-%d", ids) },
	}
}

var errUnknown = status.Error(codes.Unimplemented, "unknown service x")

func TestAnAddressOfGRPCGivesItsCard(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, method, card string
		dialect            a2a.DialectName
		own                bool // the card declares the address
	}{
		{"1.0", "/lf.a2a.v1.A2AService/GetExtendedAgentCard", `{"name":"N","supportedInterfaces":[{"url":"ADDRESS","protocolBinding":"GRPC","protocolVersion":"1.0"}]}`, a2a.V10, true},
		{"1.0 with another address", "/lf.a2a.v1.A2AService/GetExtendedAgentCard", `{"name":"N","supportedInterfaces":[{"url":"https://n.example/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}]}`, a2a.V10, false},
		{"0.3", "/a2a.v1.A2AService/GetAgentCard", `{"protocolVersion":"0.3.0","name":"N","url":"ADDRESS","preferredTransport":"GRPC"}`, a2a.V03, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := grpctest.Start(t, func(call *grpctest.Call) error {
				if call.Path != c.method {
					return errUnknown
				}
				return call.Answer(strings.ReplaceAll(c.card, "ADDRESS", address(call)))
			})
			to := &tape{}
			found := a2a.Discover(t.Context(), "grpc://"+server.Address, nil, options(to), a2a.Hooks{})
			if found.Card == nil || found.Card.Name != "N" || found.Sentence != "" {
				t.Fatalf("got %+v", found)
			}
			p := found.Profile
			if p.Dialect != c.dialect || p.Binding != a2a.BindingGRPC || p.Endpoint != "grpc://"+server.Address || p.Problem != "" || p.Pinned("binding") {
				t.Errorf("got profile %+v", p)
			}
			if (len(p.Warnings) == 0) != c.own {
				t.Errorf("got warnings %q", p.Warnings)
			}
		})
	}
}

// address returns the address at which a call arrived.
func address(c *grpctest.Call) string {
	return c.Metadata.Get(":authority")[0]
}

func TestWithoutACardTheServiceIsProbed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		script   func(*grpctest.Call) error
		services []string // that reflection lists
		dialect  a2a.DialectName
		problem  string
	}{
		{"1.0 by its answer", func(call *grpctest.Call) error {
			switch {
			case strings.HasSuffix(call.Path, "v1.A2AService/GetExtendedAgentCard"):
				return status.Error(codes.FailedPrecondition, "no extended card")
			case call.Path == "/lf.a2a.v1.A2AService/GetTask":
				return status.Error(codes.NotFound, "no such task")
			}
			return errUnknown
		}, nil, a2a.V10, ""},
		{"0.3 by its answer", func(call *grpctest.Call) error {
			if call.Path == "/a2a.v1.A2AService/GetTask" {
				return status.Error(codes.NotFound, "no such task")
			}
			return errUnknown
		}, nil, a2a.V03, ""},
		{"1.0 by reflection", nil, []string{"a2a.v1.A2AService", "lf.a2a.v1.A2AService"}, a2a.V10, ""},
		{"0.3 by reflection", nil, []string{"a2a.v1.A2AService"}, a2a.V03, ""},
		{"something else", func(*grpctest.Call) error { return errUnknown }, nil, "", "recognised no A2A service"},
	} {
		t.Run(c.name, func(t *testing.T) {
			at := ""
			if c.script != nil {
				at = grpctest.Start(t, c.script).Address
			} else {
				at = reflecting(t, c.services)
			}
			to := &tape{}
			found := a2a.Discover(t.Context(), "grpc://"+at, nil, options(to), a2a.Hooks{})
			if found.Card != nil || found.Class != a2a.ClassNoCard || found.Endpoint != "grpc://"+at {
				t.Fatalf("got %+v", found)
			}
			p := a2a.Probe(t.Context(), found.Endpoint, nil, options(to))
			if p.Profile.Dialect != c.dialect || (p.Profile.Problem == "") != (c.problem == "") || !strings.Contains(p.Profile.Problem, c.problem) {
				t.Errorf("got %+v", p)
			}
			if c.dialect != "" && (p.Profile.Binding != a2a.BindingGRPC || p.Profile.Endpoint != "grpc://"+at) {
				t.Errorf("got %+v", p.Profile)
			}
		})
	}
}

// services are what a server with reflection lists.
type services map[string]grpc.ServiceInfo

func (s services) GetServiceInfo() map[string]grpc.ServiceInfo { return s }

// reflecting starts a server that has nothing but reflection.
func reflecting(t *testing.T, names []string) (address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	list := services{}
	for _, name := range names {
		list[name] = grpc.ServiceInfo{}
	}
	server := grpc.NewServer()
	reflection.RegisterV1(registrar{server, list})
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(listener) // ends with Stop
	}()
	t.Cleanup(func() {
		server.Stop()
		<-done
	})
	return listener.Addr().String()
}

// A registrar is a server that lists other services than it has.
type registrar struct {
	*grpc.Server
	services
}

func (r registrar) GetServiceInfo() map[string]grpc.ServiceInfo { return r.services }
