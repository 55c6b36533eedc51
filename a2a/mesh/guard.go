package mesh

import (
	"bufio"
	"fmt"
	"net"
	"sync"
	"sync/atomic"

	"github.com/eclipse/paho.golang/packets"
)

// A guard is a connection that refuses packets above a limit before anything is allocated for
// them: a reader of packets allocates what their head announces, up to 256 MB for five bytes.
// Packets are written one at a time, under its lock.
type guard struct {
	net.Conn
	sync.Mutex
	read   *bufio.Reader
	limit  int
	header int // bytes of the length that were read, -1 before the type of a packet
	length int
	rest   int // of the body
	failed error
	// parting is set while a DISCONNECT is read, and farewell is its reason: the reader of
	// packets fails at one that has nothing but a reason, as mosquitto sends it.
	parting  bool
	farewell atomic.Uint32
}

// A packetError reports a packet that is too large, or that is none.
type packetError struct{ size, limit int }

func (e *packetError) Error() string {
	if e.size == 0 {
		return "what came is no packet of MQTT"
	}
	return fmt.Sprintf("a packet of %d bytes came, but the limit is %d", e.size, e.limit)
}

func newGuard(c net.Conn, limit int) *guard {
	return &guard{Conn: c, read: bufio.NewReaderSize(c, 64<<10), limit: limit, header: -1}
}

// Read returns bytes up to the end of the head or body that they belong to. The last byte of a
// length above the limit is not returned.
func (g *guard) Read(p []byte) (int, error) {
	switch {
	case g.failed != nil:
		return 0, g.failed
	case len(p) == 0:
		return 0, nil
	case g.rest > 0:
		n, err := g.read.Read(p[:min(len(p), g.rest)])
		g.rest -= n
		if g.parting && n > 0 {
			g.farewell.Store(uint32(p[0]))
			g.parting = false
		}
		return n, err
	}
	b, err := g.read.ReadByte()
	if err != nil {
		return 0, err
	}
	if g.failed = g.take(b); g.failed != nil {
		return 0, g.failed
	}
	p[0] = b
	return 1, nil
}

// take reads a byte of a head: the type, then the length, seven bits at a time.
func (g *guard) take(b byte) error {
	if g.header < 0 {
		if kind := b >> 4; kind == 0 || kind > 15 {
			return &packetError{}
		}
		g.header, g.length, g.parting = 0, 0, b>>4 == packets.DISCONNECT
		return nil
	}
	g.length |= int(b&0x7f) << (7 * g.header)
	g.header++
	switch {
	case b&0x80 != 0 && g.header == 4:
		return &packetError{}
	case b&0x80 != 0:
		return nil
	case g.length > g.limit:
		return &packetError{g.length, g.limit}
	}
	g.rest, g.header = g.length, -1
	return nil
}
