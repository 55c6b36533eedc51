package cli

import (
	"crypto/tls"
	"encoding/pem"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/grpc"
	grpccodes "google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	grpcstatus "google.golang.org/grpc/status"

	"parley/a2a/grpc/grpctest"
)

// grpcAgent answers as an agent over gRPC; its card names the address that it was called at.
func grpcAgent(c *grpctest.Call) error {
	switch c.Path[strings.LastIndexByte(c.Path, '/')+1:] {
	case "GetExtendedAgentCard":
		return c.Answer(`{"name":"Remote","description":"d","version":"1","capabilities":{"streaming":true},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],` +
			`"skills":[{"id":"s","name":"s","description":"d","tags":["t"]}],"supportedInterfaces":[{"url":"` + c.Metadata.Get(":authority")[0] + `","protocolBinding":"GRPC","protocolVersion":"1.0"}]}`)
	case "SendStreamingMessage":
		if err := c.Answer(`{"task":{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_WORKING"}}}`); err != nil {
			return err
		}
		return c.Answer(`{"statusUpdate":{"taskId":"t1","contextId":"c1","status":{"state":"TASK_STATE_COMPLETED"}}}`)
	case "SendMessage":
		return c.Answer(`{"task":{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_COMPLETED"}}}`)
	case "GetTask":
		return grpcstatus.Error(grpccodes.NotFound, "no such task")
	default:
		return grpcstatus.Error(grpccodes.Unauthenticated, "who are you?")
	}
}

func TestCommandsSpeakGRPC(t *testing.T) {
	t.Parallel()
	server := grpctest.Start(t, grpcAgent)
	agent := "grpc://" + server.Address
	for _, c := range []struct {
		name string
		args []string
		code int
		says string
	}{
		{"card", []string{"card", "get", agent}, 0, "Remote"},
		{"send", []string{"send", "-a", agent, "hello"}, 0, "State: completed"},
		{"stream as JSON", []string{"send", "-a", agent, "--stream", "-o", "json", "hello"}, 0, `"TASK_STATE_COMPLETED"`},
		{"without a card", []string{"send", "--endpoint", agent, "hello"}, 0, "State: completed"},
		{"as a dialect", []string{"send", "--endpoint", agent, "--dialect", "v1.0-grpc", "hello"}, 0, "State: completed"},
		{"unknown task", []string{"task", "get", "-a", agent, "nope"}, 1, "TaskNotFoundError"},
		{"credentials", []string{"task", "cancel", "-a", agent, "t1"}, 4, "requires credentials"},
		{"credentials for the named origin", []string{"send", "-a", agent, "--endpoint", agent, "--bearer", "abcdefgh1234", "hello"}, 0, "State: completed"},
		{"nobody", []string{"send", "-a", "grpc://127.0.0.1:1", "hello"}, 3, "refused the connection"},
		{"no address", []string{"send", "-a", "grpc://", "hello"}, 3, "write grpc://host:port"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if r := parley(t, c.args...); r.code != c.code || !strings.Contains(r.out+r.err, c.says) {
				t.Errorf("got exit %d, want %d with %q\n%s%s", r.code, c.code, c.says, r.out, r.err)
			}
		})
	}
}

func TestTheAuthorityOfAFileIsTrustedOverGRPC(t *testing.T) {
	t.Parallel()
	web := httptest.NewTLSServer(nil) // for its certificate
	defer web.Close()
	server := grpctest.Start(t, grpcAgent, grpc.Creds(credentials.NewTLS(&tls.Config{Certificates: web.TLS.Certificates})))
	agent := "grpcs://" + server.Address
	if r := parley(t, "send", "-a", agent, "hello"); r.code != 3 || !strings.Contains(r.err, "--cacert") {
		t.Errorf("got exit %d\n%s", r.code, r.err)
	}
	file := filepath.Join(t.TempDir(), "ca.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: web.Certificate().Raw})
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if r := parley(t, "send", "-a", agent, "--cacert", file, "hello"); r.code != 0 {
		t.Errorf("got exit %d with --cacert\n%s", r.code, r.err)
	}
	if r := parley(t, "send", "-a", agent, "--insecure", "hello"); r.code != 0 {
		t.Errorf("got exit %d with --insecure\n%s", r.code, r.err)
	}
}
