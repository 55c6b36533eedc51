package relay

import (
	"net"
	"time"
)

// bufferSize is how many bytes are read at once.
const bufferSize = 32 << 10

// An input is what a client sends. Data is what was read and not taken.
type input struct {
	conn net.Conn
	buf  []byte
	data []byte
	at   time.Time // when data was read
}

func newInput(conn net.Conn) input { return input{conn: conn, buf: make([]byte, bufferSize)} }

// fill waits for bytes unless there are some.
func (in *input) fill() error {
	for len(in.data) == 0 {
		n, err := in.conn.Read(in.buf)
		in.data, in.at = in.buf[:n], time.Now()
		if n == 0 && err != nil {
			return err
		}
	}
	return nil
}

// more waits for bytes behind those that there are.
func (in *input) more() error {
	if len(in.data) == 0 {
		return in.fill()
	}
	have := copy(in.buf, in.data)
	n, err := in.conn.Read(in.buf[have:])
	in.data, in.at = in.buf[:have+n], time.Now()
	if n > 0 {
		return nil
	}
	return err
}

// skip takes n bytes.
func (in *input) skip(n int) { in.data = in.data[n:] }

// discard reads to the end.
func (in *input) discard() {
	for in.fill() == nil {
		in.data = nil
	}
}
