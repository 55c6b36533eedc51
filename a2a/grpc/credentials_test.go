package grpc_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"parley/a2a"
	"parley/a2a/grpc/grpctest"
)

func TestCredentialsFollowTheOriginRule(t *testing.T) {
	t.Parallel()
	var got metadata.MD
	server := grpctest.Start(t, func(c *grpctest.Call) error {
		got = c.Metadata
		return c.Answer(task1)
	})
	endpoint := "grpc://" + server.Address
	for _, c := range []struct {
		name, user string
		allow      []string
		says       string // of a refusal, empty for none
	}{
		{"named as gRPC", endpoint, nil, ""},
		{"named as http", "http://" + server.Address + "/card.json", nil, ""},
		{"allowed", "http://card.example", []string{"http://" + server.Address}, ""},
		{"not named", "http://card.example", nil, "add --allow-origin grpc://" + server.Address + "."},
		{"named with TLS", "grpcs://" + server.Address, nil, "give --endpoint grpcs://" + server.Address + "."},
	} {
		t.Run(c.name, func(t *testing.T) {
			got = nil
			client, tape := newClient(t, endpoint, a2a.V10, func(o *a2a.Options) {
				o.Bearer, o.UserAddresses, o.AllowOrigins = "token-of-the-user", []string{c.user}, c.allow
				o.Headers = []a2a.HeaderPair{{Name: "X-Api-Key", Value: "key-of-the-user"}}
			})
			out := do(t, client, request(a2a.OpGet), a2a.Hooks{})
			if c.says != "" {
				if out.End.Reason != a2a.Refused || got != nil || !strings.Contains(strings.ToLower(out.End.Sentence), c.says) {
					t.Errorf("got %+v and metadata %v, want a refusal", out.End, got)
				}
			} else if out.Err != nil || got.Get("authorization")[0] != "Bearer token-of-the-user" || got.Get("x-api-key")[0] != "key-of-the-user" {
				t.Errorf("got %v with metadata %v", out.Err, got)
			}
			for _, r := range tape.records {
				if r.Head != nil && (strings.Contains(r.Head.Header.Get("Authorization"), "token") || strings.Contains(r.Head.Header.Get("X-Api-Key"), "key-")) {
					t.Errorf("got a secret in %+v", r.Head)
				}
			}
		})
	}
}

func TestASecretThatComesBackIsMaskedInTheBytesToo(t *testing.T) {
	t.Parallel()
	const secret = "token-of-the-user-0123456789"
	server := grpctest.Start(t, func(c *grpctest.Call) error {
		for _, text := range []string{
			`{"artifactUpdate":{"taskId":"t1","contextId":"c1","artifact":{"artifactId":"a","parts":[{"text":"It is ` + secret + `!"}]}}}`,
			`{"statusUpdate":{"taskId":"t1","contextId":"c1","status":{"state":"TASK_STATE_COMPLETED"}}}`,
		} {
			if err := c.Answer(text); err != nil {
				return err
			}
		}
		return nil
	})
	client, tape := newClient(t, "grpc://"+server.Address, a2a.V10, func(o *a2a.Options) {
		o.Bearer, o.UserAddresses = secret, []string{"grpc://" + server.Address}
	})
	if out := do(t, client, request(a2a.OpStream), a2a.Hooks{}); out.Err != nil {
		t.Fatal(out.Err)
	}
	events := tape.of(a2a.KindEvent)
	for _, r := range tape.records {
		if bytes.Contains(r.Raw, []byte(secret)) || r.Binary != nil && bytes.Contains(r.Binary.Bytes, []byte(secret)) {
			t.Errorf("got the secret in %s, %x", r.Raw, r.Binary.Bytes)
		}
	}
	if !events[0].Binary.Rebuilt || !bytes.Contains(events[0].Binary.Bytes, []byte("It is "+a2a.Mask+"!")) || len(events[0].Redactions) != 1 {
		t.Errorf("got %+v with %q", events[0].Redactions, events[0].Binary.Bytes)
	}
	if events[1].Binary.Rebuilt {
		t.Error("got a message without a secret made anew")
	}
}

func TestASecretInTheDetailsOfAnErrorIsMaskedInTheTrailerToo(t *testing.T) {
	t.Parallel()
	const secret = "token-of-the-user-0123456789"
	server := grpctest.Start(t, func(*grpctest.Call) error {
		s, _ := status.New(codes.InvalidArgument, "bad").WithDetails(&errdetails.ErrorInfo{Reason: "X", Metadata: map[string]string{"got": secret}})
		return s.Err()
	})
	client, tape := newClient(t, "grpc://"+server.Address, a2a.V10, func(o *a2a.Options) {
		o.Bearer, o.UserAddresses = secret, []string{"grpc://" + server.Address}
	})
	do(t, client, request(a2a.OpGet), a2a.Hooks{})
	body, end := tape.of(a2a.KindBody)[0], tape.of(a2a.KindEnd)[0]
	if strings.Contains(string(body.Raw), secret) || bytes.Contains(body.Binary.Bytes, []byte(secret)) || !strings.Contains(string(body.Raw), a2a.Mask) {
		t.Errorf("got %s", body.Raw)
	}
	if got := end.End.Trailer.Header.Get("Grpc-Status-Details-Bin"); got != a2a.Mask {
		t.Errorf("got trailer %q, want the mask", got)
	}
}

func TestAnExpiredTokenIsRenewedOnce(t *testing.T) {
	t.Parallel()
	var seen []string
	server := grpctest.Start(t, func(c *grpctest.Call) error {
		token := c.Metadata.Get("authorization")[0]
		if seen = append(seen, token); token != "Bearer fresh-token" {
			return status.Error(codes.Unauthenticated, "expired")
		}
		return c.Answer(task1)
	})
	client, tape := newClient(t, "grpc://"+server.Address, a2a.V10, func(o *a2a.Options) {
		o.UserAddresses = []string{"grpc://" + server.Address}
		token := "stale-token"
		o.BearerFrom = func(_ context.Context, refused string) (string, error) {
			if refused != "" {
				token = "fresh-token"
			}
			return token, nil
		}
	})
	if out := do(t, client, request(a2a.OpGet), a2a.Hooks{}); out.Err != nil || strings.Join(seen, " ") != "Bearer stale-token Bearer fresh-token" {
		t.Fatalf("got %v after %q\n%s", out.Err, seen, tape.kinds())
	}
}

func TestRefusedCredentialsAreNamed(t *testing.T) {
	t.Parallel()
	server := grpctest.Start(t, func(*grpctest.Call) error { return status.Error(codes.Unauthenticated, "who are you?") })
	client, _ := newClient(t, "grpc://"+server.Address, a2a.V10)
	out := do(t, client, request(a2a.OpGet), a2a.Hooks{})
	if out.End.Class != a2a.ClassNoCredentials || out.Status != 401 || !strings.Contains(out.End.Sentence, "requires credentials (gRPC UNAUTHENTICATED)") {
		t.Errorf("got %+v", out.End)
	}
}

// A warning names an address of gRPC as users and cards write it.
func TestAnotherOriginIsNamedAsTheUserKnowsIt(t *testing.T) {
	t.Parallel()
	const endpoint, card = "grpc://127.0.0.1:50051", "grpc://127.0.0.1:50052"
	client, _ := newClient(t, endpoint, a2a.V10, func(o *a2a.Options) { o.UserAddresses = []string{card} })
	if got := strings.Join(client.Cautions(a2a.Origin(card)), "\n"); !strings.Contains(got, "comes from "+card+",") || !strings.Contains(got, "--allow-origin "+endpoint) || strings.Contains(got, "http:") {
		t.Errorf("got %q", got)
	}
	client, _ = newClient(t, endpoint, a2a.V10, func(o *a2a.Options) { o.Bearer, o.UserAddresses = "abcdefgh1234", []string{card} })
	out := do(t, client, request(a2a.OpGet), a2a.Hooks{})
	if got := out.End.Sentence; out.End.Class != a2a.ClassOrigin || !strings.Contains(got, "for "+card+",") || !strings.Contains(got, "--allow-origin "+endpoint) || strings.Contains(got, "http:") {
		t.Errorf("got %+v", out.End)
	}
	if client, _ = newClient(t, endpoint, a2a.V10, func(o *a2a.Options) { o.UserAddresses, o.AllowOrigins = []string{card}, []string{endpoint} }); len(client.Cautions(a2a.Origin(card))) > 0 {
		t.Error("got a warning about an origin that was allowed by its address of gRPC")
	}
}
