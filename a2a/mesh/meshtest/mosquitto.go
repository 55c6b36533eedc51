// Package meshtest runs a mesh for tests: a broker of the distribution, and agents that
// speak as those of a Solace Agent Mesh do. It also has a small broker that does what no
// good broker does.
package meshtest

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"parley/internal/porttest"
)

// A Broker is a mosquitto of the test.
type Broker struct {
	t       testing.TB
	Address string // host:port
	config  string
	process *process
}

// A process is a running mosquitto.
type process struct {
	*exec.Cmd
	said    bytes.Buffer  // what it wrote
	stopped atomic.Bool   // by the test
	ended   chan struct{} // closed when it has ended
}

// Mosquitto starts a broker on a free port with lines of its configuration, and stops it with the
// test. Without the program the test is skipped.
func Mosquitto(t testing.TB, lines ...string) *Broker {
	t.Helper()
	if _, err := exec.LookPath(program()); err != nil {
		t.Skip("mosquitto is not installed: apt-get install mosquitto")
	}
	dir := t.TempDir()
	port := porttest.Keep(t)
	b := &Broker{t: t, Address: port.Address, config: filepath.Join(dir, "mosquitto.conf")}
	text := fmt.Sprintf("listener %s 127.0.0.1\nmax_queued_messages 0\nmax_inflight_messages 0\nset_tcp_nodelay true\n", port.Number)
	rest := strings.Join(lines, "\n")
	if !strings.Contains(rest, "allow_anonymous") {
		text += "allow_anonymous true\n"
	}
	text += strings.ReplaceAll(rest, "$DIR", dir) + "\n"
	if os.Geteuid() == 0 {
		text += "user root\n" // it must read the files of the test
	}
	if err := os.WriteFile(b.config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	b.Start()
	t.Cleanup(b.Stop)
	return b
}

// program is the name of the broker, which distributions put where users do not look.
func program() string {
	if _, err := exec.LookPath("mosquitto"); err == nil {
		return "mosquitto"
	}
	return "/usr/sbin/mosquitto"
}

// Start starts the broker, again after Stop, and waits until it accepts connections.
func (b *Broker) Start() {
	b.t.Helper()
	p := &process{Cmd: exec.Command(program(), "-c", b.config), ended: make(chan struct{})}
	p.Stdout, p.Stderr = &p.said, &p.said
	if err := p.Start(); err != nil {
		b.t.Fatal(err)
	}
	b.process = p
	go func() {
		defer close(p.ended)
		if err := p.Wait(); !p.stopped.Load() {
			b.t.Errorf("mosquitto ended by itself: %v\n%s", err, &p.said)
		}
	}()
	for range 6000 { // a minute, for busy machines
		if c, err := net.Dial("tcp", b.Address); err == nil {
			c.Close()
			return
		}
		select {
		case <-b.process.ended:
			b.t.FailNow()
		case <-time.After(10 * time.Millisecond):
		}
	}
	b.t.Fatalf("mosquitto does not listen at %s", b.Address)
}

// Stop kills the broker.
func (b *Broker) Stop() {
	if b.process != nil {
		b.process.stopped.Store(true)
		_ = b.process.Process.Kill()
		<-b.process.ended
		b.process = nil
	}
}

// URL returns the address of a namespace.
func (b *Broker) URL(namespace string) string { return "mqtt://" + b.Address + "/" + namespace }
