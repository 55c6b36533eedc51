package curl

import (
	"net/http"
	"testing"

	"parley/a2a"
)

func TestACallIsCopiedForGrpcurl(t *testing.T) {
	r := a2a.Record{
		Kind: a2a.KindRequest, Raw: []byte(`{"message":{"messageId":"m"}}`), Binary: &a2a.Binary{Kind: "lf.a2a.v1.SendMessageRequest"},
		Head: &a2a.Head{Method: "POST", URL: "grpc://localhost:50051/lf.a2a.v1.A2AService/SendMessage", Header: http.Header{
			"A2a-Version": {"1.0"}, "Authorization": {a2a.Mask}, "User-Agent": {"parley"},
		}},
		Redactions: []a2a.Redaction{{Name: "header Authorization", Size: 20}},
	}
	const want = `grpcurl -plaintext \
  -H 'a2a-version: 1.0' \
  -H "authorization: $A2A_AUTHORIZATION" \
  -d '{"message":{"messageId":"m"}}' \
  'localhost:50051' 'lf.a2a.v1.A2AService/SendMessage'`
	if got := GRPC(&r); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	r.Head.URL = "https://agent.example/"
	if got := GRPC(&r); got != "" {
		t.Errorf("got %q for a request over HTTP, want nothing", got)
	}
}
