package mesh

import (
	"io"
	"net"
	"strings"
	"testing"
)

func TestWhomAMessageConcerns(t *testing.T) {
	t.Parallel()
	for payload, want := range map[string]message{
		`{"jsonrpc":"2.0","id":"t1","result":{"kind":"task","id":"t1","status":{"state":"completed"}}}`:         {id: "t1", task: "t1", whole: true},
		`{"id":"t1","result":{"id":"t1","context_id":"c","status":{"state":"completed"}}}`:                      {id: "t1", task: "t1", whole: true},
		`{"id":"t1","result":{"kind":"status-update","taskId":"t1","final":true,"status":{"state":"working"}}}`: {id: "t1", task: "t1"},
		`{"id":"t1","result":{"task_id":"t1","final":false,"status":{"state":"working"}}}`:                      {id: "t1", task: "t1"},
		`{"id":"t1","result":{"id":"t1","final":false,"status":{"state":"working"}}}`:                           {id: "t1", task: "t1"}, // until 1.0.8
		`{"id":"t1","result":{"kind":"artifact-update","taskId":"t1","artifact":{}}}`:                           {id: "t1", task: "t1"},
		`{"id":"t1","result":{"kind":"message","role":"agent","messageId":"m","parts":[]}}`:                     {id: "t1", whole: true},
		`{"id":"t1","error":{"code":-32603,"message":"no"}}`:                                                    {id: "t1", failed: true},
		`{"id":"t1","error":null,"result":{"kind":"task","id":"t2","status":{}}}`:                               {id: "t1", task: "t2", whole: true},
		`{"id":"c1","method":"tasks/cancel","params":{"id":"t1"}}`:                                              {id: "c1", method: "tasks/cancel", target: "t1"},
		`{"id":7,"result":"text"}`:   {},
		`[1,2]`:                      {},
		`not JSON`:                   {},
		strings.Repeat("[", 100_000): {},
		`{"result":` + strings.Repeat(`{"task":`, 20000): {},
	} {
		if got := read([]byte(payload)); got != want {
			t.Errorf("read(%.80s) = %+v, want %+v", payload, got, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":"t1","result":{"kind":"task","id":"t1","status":{"state":"completed"}}}`))
	f.Add([]byte(`{"id":"t1","result":{"task":{"id":"t1"}}}`))
	f.Add([]byte(`{"name":"A","capabilities":{"extensions":[{"uri":"x/sam/gateway-role"}]}}`))
	f.Fuzz(func(t *testing.T, payload []byte) {
		m := read(payload)
		if m.about() != "" && !m.names(m.about()) {
			t.Errorf("got a message about %q that does not name it", m.about())
		}
		if name, _, why := cardName(payload); (name == "") != (why != "") {
			t.Errorf("got name %q, reason %q; want one of them", name, why)
		}
	})
}

// FuzzGuard passes bytes through a guard: it returns a prefix of them, and never a packet above its
// limit.
func FuzzGuard(f *testing.F) {
	f.Add([]byte{0x20, 0x03, 0, 0, 0, 0xd0, 0})
	f.Add([]byte{0x20, 0xff, 0xff, 0xff, 0x7f})
	f.Fuzz(func(t *testing.T, sent []byte) {
		ours, theirs := net.Pipe()
		go func() {
			_, _ = theirs.Write(sent)
			theirs.Close()
		}()
		g := newGuard(ours, 1000)
		got, _ := io.ReadAll(g)
		ours.Close()
		if !strings.HasPrefix(string(sent), string(got)) {
			t.Errorf("got %x, want a prefix of %x", got, sent)
		}
		if g.rest > 1000 {
			t.Errorf("got a packet of %d bytes, want at most 1000", g.rest)
		}
	})
}

// A card whose name reads in two ways would be that of one agent here, and of another one where its
// members are read.
func TestACardHasOneName(t *testing.T) {
	t.Parallel()
	for card, want := range map[string]string{
		`{"name":"Payroll","Name":"Billing","NAME":"Billing","url":"x"}`:     "Payroll",
		`{"name":"Billing","name":"Payroll","url":"x"}`:                      "Payroll",
		`{"name":"Billing","url":"x","result":{"name":"Payroll","url":"x"}}`: "Payroll",
		`[{"name":"Payroll","url":"x"},{"name":"Billing","url":"x"}]`:        "Payroll",
		`{"name":{"name":"Billing"},"url":"x"}`:                              "",
		`{"name":"Billing/x","url":"x"}`:                                     "",
		`{"name":"\u001b[31mBilling","url":"x"}`:                             "",
		`{"name":"Billing"}`:                                                 "",
		`{"name":"gw","url":"x","capabilities":{"extensions":[{"uri":"https://solace.com/a2a/extensions/sam/gateway-role"}]}}`: "gw",
	} {
		name, gateway, why := cardName([]byte(card))
		if name != want || (why == "") != (want != "") || gateway != (want == "gw") {
			t.Errorf("%s: got name %q, gateway %v, %q; want %q", card, name, gateway, why, want)
		}
	}
}
