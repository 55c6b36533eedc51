package curl

import (
	"net/http"
	"testing"

	"parley/a2a"
)

func TestARequestOnABrokerIsCopiedForMosquitto(t *testing.T) {
	r := a2a.Record{
		Kind: a2a.KindRequest, Raw: []byte(`{"id":"t"}`),
		Head: &a2a.Head{Method: "PUBLISH", URL: "mqtts://broker:8883/acme/a2a/v1/agent/request/B%20C", Header: http.Header{
			"replyTo": {"acme/r"}, "authToken": {a2a.Mask},
		}},
		Redactions: []a2a.Redaction{{Name: "header authToken", Size: 20}},
	}
	const want = `mosquitto_pub -V 5 -q 1 -h 'broker' -p '8883' --tls-use-os-certs \
  -t 'acme/a2a/v1/agent/request/B C' \
  -D publish user-property 'authToken' "$A2A_AUTHTOKEN" \
  -D publish user-property 'replyTo' 'acme/r' \
  -m '{"id":"t"}'`
	if got := MQTT(&r); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for _, other := range []string{"https://agent.example/", "wss://broker/x"} {
		if r.Head.URL = other; MQTT(&r) != "" {
			t.Errorf("%s: got %q, want nothing", other, MQTT(&r))
		}
	}
}
