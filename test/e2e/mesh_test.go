//go:build unix

package e2e

import (
	"strings"
	"testing"

	"parley/a2a/mesh/meshtest"
)

// Two agents of a mesh appear. One streams while the broker dies and comes back, the other leaves:
// it is late, then gone.
func TestAMeshOnABroker(t *testing.T) {
	t.Parallel()
	b := meshtest.Mosquitto(t)
	gate := make(chan struct{})
	open := true
	release := func() {
		if open {
			close(gate)
		}
		open = false
	}
	(&meshtest.Agent{Name: "Billing", Namespace: "acme/dev", Streaming: true, Answer: func(r *meshtest.Request) {
		r.Say("The invoice ")
		r.Peer("Archive", "searching the archive")
		r.Say("of May ")
		<-gate
		r.Say("was paid twice.")
		r.Final("completed", "was paid twice.")
	}}).Start(t, b.Address)
	t.Cleanup(release)
	s := parley(t, 200, 60, "--no-record", "--mesh-interval", "300ms", "--mesh-gone", "4s", b.URL("acme/dev"))
	s.WaitFor(`│ ▌Billing desk +sam-broker`)
	archive := (&meshtest.Agent{Name: "Archive", Namespace: "acme/dev"}).Start(t, b.Address)
	s.WaitFor(`│ ▌Archive desk`)
	find(s, "Billing desk")
	s.WaitFor(`^ Billing desk +sam-broker · MQTT`) // header
	s.Text("Why twice?")
	s.Keys("Enter")
	s.WaitFor(`→ message/stream`)
	s.WaitFor(`▌ \S Archive: searching the archive`)
	s.WaitFor(`▌ \S of May`)

	b.Stop()
	s.WaitFor(`^ Billing desk ✕ .*◌ was working`) // header
	b.Start()
	s.WaitFor(`↯ cut after #\d+`)
	s.WaitFor(`did not keep what came while the connection was lost`)
	s.WaitFor(`→ SUBSCRIBE .*\n(.*\n)*?.*← MQTT 5`)
	release()
	s.WaitFor(`was paid twice\.`)
	s.WaitFor(`✓ working .*↯ cut after #\d+ .*✓ completed`)

	archive.Stop()
	s.WaitFor(`│ ▌Archive desk +\S+ +◌ late`)
	s.WaitFor(`│ ▌Archive desk +\S+ +✕`)
	if screen := s.Screen(); !strings.Contains(screen, "│ ▌Billing desk") {
		t.Errorf("got a screen on which not one agent alone is away:\n%s", screen)
	}
	quit(t, s)
}
