package a2a

import "testing"

func TestAddressesOfGRPC(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ written, endpoint, declared string }{
		{"agent.example:50051", "grpcs://agent.example:50051", "grpcs://agent.example:50051"},
		{"agent.example", "grpcs://agent.example:443", "grpcs://agent.example:443"},
		{"localhost:50051", "grpc://localhost:50051", "grpc://localhost:50051"},
		{"127.0.0.1:50051", "grpc://127.0.0.1:50051", "grpc://127.0.0.1:50051"},
		{"[::1]:50051", "grpc://[::1]:50051", "grpc://[::1]:50051"},
		{"grpc://agent.example:50051", "grpc://agent.example:50051", "grpcs://agent.example:50051"},
		{"GRPC://agent.example:50051/", "grpc://agent.example:50051", "grpcs://agent.example:50051"},
		{"grpcs://localhost:50051", "grpcs://localhost:50051", "grpcs://localhost:50051"},
		{"http://agent.example:50051/a2a", "grpc://agent.example:50051", "grpcs://agent.example:50051"},
		{"http://localhost:50051", "grpc://localhost:50051", "grpc://localhost:50051"},
		{"http://agent.example", "grpc://agent.example:80", "grpcs://agent.example:80"},
		{"https://agent.example", "grpcs://agent.example:443", "grpcs://agent.example:443"},
		{"dns:///agent.example:50051", "grpcs://agent.example:50051", "grpcs://agent.example:50051"},
		{"dns:agent.example:50051", "grpcs://agent.example:50051", "grpcs://agent.example:50051"},
		{"dns://8.8.8.8/agent.example:50051", "grpcs://agent.example:50051", "grpcs://agent.example:50051"},
		{"ｌｏｃａｌｈｏｓｔ:50051", "grpc://localhost:50051", "grpc://localhost:50051"},
		{"http://①②⑦.⓪.⓪.①:50051", "grpc://127.0.0.1:50051", "grpc://127.0.0.1:50051"},
		{"bücher。example:50051", "grpcs://xn--bcher-kva.example:50051", "grpcs://xn--bcher-kva.example:50051"},
		{"grpc://[fe80::1%25Eth0]:50051", "grpc://[fe80::1%25Eth0]:50051", "grpcs://[fe80::1%25Eth0]:50051"},
		{"localhost\u202e:50051", "grpcs://localhost%E2%80%AE:50051", "grpcs://localhost%E2%80%AE:50051"}, // which is refused
		{"unix:///run/agent.sock", "", ""},
		{"solace:a/b", "", ""},
		{"user:password@agent.example:50051", "", ""},
		{"", "", ""},
		{"agent.example:port", "", ""},
	} {
		if got := GRPCEndpoint(c.written); got != c.endpoint {
			t.Errorf("%q by a user: got %q, want %q", c.written, got, c.endpoint)
		}
		got := ""
		if u := grpcURL(c.written); u != nil {
			got = u.String()
		}
		if got != c.declared {
			t.Errorf("%q in a card: got %q, want %q", c.written, got, c.declared)
		}
	}
	if Origin("grpc://localhost:4100") != "http://localhost:4100" || Origin("grpcs://agent.example:443") != "https://agent.example" {
		t.Error("got other origins than those of HTTP/2")
	}
}
