package mesh_test

import (
	"crypto/sha256"
	"crypto/tls"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/a2a/mesh"
	"parley/a2a/mesh/meshtest"
	"parley/a2a/servertrust"
	"parley/internal/certtest"
	"parley/internal/porttest"
)

func TestALostConfirmationRunsThePromptOnce(t *testing.T) {
	t.Parallel()
	b := meshtest.NewFaulty(t, meshtest.Fault{LosePubacks: "n/a2a/v1/agent/request/"}, nil)
	times := quick
	times.Confirm = 300 * time.Millisecond
	d := newDesk(t, "wb-1", times, mesh.Settings{})
	agent := (&meshtest.Agent{Name: "Billing", Namespace: "n", Answer: func(r *meshtest.Request) {
		d.wait(func() bool { return len(notices(d)) > 0 }) // the confirmation counts as lost
		r.Final("completed", "done")
	}}).Start(t, b.Address)
	out, _ := d.ask(profile("mqtt://"+b.Address+"/n", "Billing"), streaming, "x", a2a.Hooks{})
	if out.State != a2a.StateCompleted || len(agent.Requests()) != 1 || b.Published("n/a2a/v1/agent/request/Billing") != 1 {
		t.Errorf("got end %+v, %d requests, want the answer to one", out.End, len(agent.Requests()))
	}
	if n := notices(d); len(n) != 1 || !strings.Contains(n[0], "did not confirm the request") {
		t.Errorf("got notices %q, want one about the confirmation", n)
	}
}

func TestAMessageThatComesTwiceIsRecordedTwiceAndFoldedOnce(t *testing.T) {
	t.Parallel()
	b := meshtest.NewFaulty(t, meshtest.Fault{Twice: "n/a2a/v1/gateway/"}, nil)
	(&meshtest.Agent{Name: "Billing", Namespace: "n", Answer: func(r *meshtest.Request) {
		r.SayAs("m1", "same ")
		r.SayAs("m2", "same ") // equal text, but another message
		r.Final("completed", "done")
	}}).Start(t, b.Address)
	d := newDesk(t, "wb-1", quick, mesh.Settings{})
	fold, text := a2a.NewFold(), ""
	out, _ := d.ask(profile("mqtt://"+b.Address+"/n", "Billing"), streaming, "x", a2a.Hooks{Decoded: func(u a2a.Update) {
		for i := range u.Events {
			for _, delta := range fold.Apply(&u.Events[i]) {
				if delta.Kind == a2a.DeltaMessage && u.Events[i].Kind == a2a.EventStatus {
					text += delta.Message.Text()
				}
			}
		}
	}})
	if out.State != a2a.StateCompleted || text != "same same " {
		t.Errorf("got end %+v, text %q; want each message once", out.End, text)
	}
	dup := 0
	for _, r := range d.all(a2a.KindEvent) {
		dup += len(r.Head.Header[":dup"])
	}
	if dup != 2 {
		t.Errorf("got %d records that say :dup, want 2", dup)
	}
}

func TestABrokerThatBreaksTheProtocolIsNamed(t *testing.T) {
	for name, c := range map[string]struct {
		fault       meshtest.Fault
		class, says string
	}{
		"no MQTT 5":         {meshtest.Fault{Connack: 0x84}, a2a.ClassUnsupported, "does not speak MQTT 5"},
		"client id":         {meshtest.Fault{Connack: 0x85}, a2a.ClassUnsupported, "--mqtt-client-id"},
		"a web server":      {meshtest.Fault{Greeting: []byte("\x00HTTP/1.1 400 Bad Request\r\n\r\n")}, a2a.ClassUnsupported, "something other than MQTT"},
		"EOF":               {meshtest.Fault{Greeting: []byte{}}, a2a.ClassCut, "if the port speaks TLS, write mqtts://"},
		"256 MB announced":  {meshtest.Fault{Greeting: []byte{0x20, 0xff, 0xff, 0xff, 0x7f}}, a2a.ClassLimit, "268435455 bytes"},
		"no subscription":   {meshtest.Fault{Deny: "gateway/response"}, a2a.ClassAuth, "does not allow to subscribe to n/a2a/v1/gateway/response/wb-1/+"},
		"no publish":        {meshtest.Fault{Forbid: "n/a2a/v1/agent/request"}, a2a.ClassAuth, "does not allow"},
		"an endless length": {meshtest.Fault{Greeting: []byte{0x20, 0xff, 0xff, 0xff, 0xff}}, a2a.ClassUnsupported, "something other than MQTT"},
	} {
		t.Run(name, func(t *testing.T) {
			b := meshtest.NewFaulty(t, c.fault, nil)
			d := newDesk(t, "wb-1", quick, mesh.Settings{})
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			out, _ := d.ask(profile("mqtt://"+b.Address+"/n", "A"), streaming, "x", a2a.Hooks{})
			runtime.ReadMemStats(&after)
			mustSay(t, out, c.class, c.says)
			if n := after.TotalAlloc - before.TotalAlloc; n > 8<<20 {
				t.Errorf("got %d MB allocated, want little", n>>20)
			}
		})
	}
}

func TestAMessageThatIsTooLargeForTheBrokerStopsForGood(t *testing.T) {
	t.Parallel()
	b := meshtest.NewFaulty(t, meshtest.Fault{}, nil)
	(&meshtest.Agent{Name: "Mute", Namespace: "n"}).Start(t, b.Address)
	d := newDesk(t, "wb-1", quick, mesh.Settings{})
	go func() {
		d.wait(func() bool { return len(d.all(a2a.KindHead)) > 0 })
		b.Disconnect(0x95)
	}()
	out, _ := d.ask(profile("mqtt://"+b.Address+"/n", "Mute"), streaming, "x", a2a.Hooks{})
	mustSay(t, out, a2a.ClassLimit, "larger than it accepts")
}

func TestASubscriptionThatTheBrokerForgotIsMadeAgain(t *testing.T) {
	t.Parallel()
	b := meshtest.NewFaulty(t, meshtest.Fault{}, nil)
	agent := (&meshtest.Agent{Name: "Billing", Namespace: "n", Every: 20 * time.Millisecond}).Start(t, b.Address)
	d := newDesk(t, "wb-1", mesh.Times{Gone: 100 * time.Millisecond}, mesh.Settings{})
	seen := d.watch("mqtt://" + b.Address + "/n")
	card := func(version int) {
		text := fmt.Sprintf(`{"name":"Billing","url":"x","version":"%d"}`, version)
		agent.SetCard(text)
		for {
			if s := next(t, seen, a2a.SawCard); string(s.Frame.Bytes) == text {
				return
			}
		}
	}
	card(1)
	card(2) // from now on it is known how often cards come
	b.Set(meshtest.Fault{Forget: "discovery"})
	card(3)
}

func TestBrokersAreReachedWithTLSAndOverWebSocket(t *testing.T) {
	t.Parallel()
	pair := certtest.New(t)
	certFile, keyFile, roots := pair.CertFile, pair.KeyFile, pair.Roots()
	secure, web, both := porttest.Keep(t), porttest.Keep(t), porttest.Keep(t)
	tlsLines := "certfile " + certFile + "\nkeyfile " + keyFile
	b := meshtest.Mosquitto(t, "listener "+secure.Number+" 127.0.0.1\n"+tlsLines,
		"listener "+web.Number+" 127.0.0.1\nprotocol websockets",
		"listener "+both.Number+" 127.0.0.1\nprotocol websockets\n"+tlsLines)
	(&meshtest.Agent{Name: "Billing", Namespace: "n", Streaming: true, Answer: numbers(3)}).Start(t, b.Address)
	for scheme, address := range map[string]string{"mqtts": secure.Address, "ws": web.Address, "wss": both.Address} {
		d := newDesk(t, "wb-"+scheme, quick, mesh.Settings{})
		d.options.RootCAs = roots
		out, said := d.ask(profile(scheme+"://"+address+"/n", "Billing"), streaming, "x", a2a.Hooks{})
		if out.Err != nil || said != counted(3) {
			t.Errorf("%s: got end %+v, text %q; want the answer", scheme, out.End, said)
		}
	}
	right := servertrust.Fingerprint{Sum: sha256.Sum256(pair.Certificate.Raw)}
	for scheme, address := range map[string]string{"mqtts": secure.Address, "wss": both.Address} {
		for _, f := range []servertrust.Fingerprint{right, {Key: true}} {
			d := newDesk(t, "wb-pin-"+scheme+map[bool]string{true: "-wrong"}[f.Key], quick, mesh.Settings{})
			d.options.RootCAs, d.options.Servers.Fingerprints = roots, map[string][]servertrust.Fingerprint{"127.0.0.1": {f}}
			out, _ := d.ask(profile(scheme+"://"+address+"/n", "Billing"), streaming, "x", a2a.Hooks{})
			if f.Key {
				mustSay(t, out, a2a.ClassTLS, "has the fingerprint "+right.String())
			} else if out.Err != nil {
				t.Errorf("%s: got %+v, want the answer of a broker with this certificate", scheme, out.End)
			}
		}
	}
	d := newDesk(t, "wb-2", quick, mesh.Settings{})
	out, _ := d.ask(profile("mqtts://"+secure.Address+"/n", "Billing"), streaming, "x", a2a.Hooks{})
	mustSay(t, out, a2a.ClassTLS, "certificate")
	d = newDesk(t, "wb-3", quick, mesh.Settings{})
	out, _ = d.ask(profile("mqtt://"+secure.Address+"/n", "Billing"), streaming, "x", a2a.Hooks{})
	mustSay(t, out, a2a.ClassCut, "write mqtts://")
	d = newDesk(t, "wb-4", quick, mesh.Settings{User: "ann", Password: "secret-enough"})
	out, _ = d.ask(profile("mqtt://broker.example/n", "Billing"), streaming, "x", a2a.Hooks{})
	mustSay(t, out, a2a.ClassOrigin, "without encryption")
}

func TestAClientCertificateIsShownToTheBroker(t *testing.T) {
	t.Parallel()
	pair := certtest.New(t)
	b := meshtest.NewFaulty(t, meshtest.Fault{}, &tls.Config{Certificates: []tls.Certificate{pair.TLS}, ClientCAs: pair.Roots(), ClientAuth: tls.RequireAndVerifyClientCert})
	brief := quick
	brief.Unanswered = 10 * time.Millisecond
	d := newDesk(t, "wb-1", brief, mesh.Settings{})
	url := "mqtts://" + b.Address + "/n"
	d.options.RootCAs, d.options.Certificates, d.options.UserAddresses = pair.Roots(), []tls.Certificate{pair.TLS}, []string{url}
	out, _ := d.ask(profile(url, "A"), streaming, "x", a2a.Hooks{})
	mustSay(t, out, a2a.ClassTimeout, "Nothing came for 10ms")
	if got := d.all(a2a.KindHead); len(got) != 1 || got[0].Head.Proto != "MQTT 5, TLS" {
		t.Errorf("got end %+v, heads %+v; want a confirmation over TLS", out.End, got)
	}
}
