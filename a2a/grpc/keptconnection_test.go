package grpc

import (
	"bytes"
	"testing"

	"golang.org/x/net/http2"
)

// Only the contents of DATA frames count, however the writes divide them.
func TestDataIsCountedFrameByFrame(t *testing.T) {
	t.Parallel()
	var wire bytes.Buffer
	f := http2.NewFramer(&wire, nil)
	steps := []func() error{
		func() error { return f.WriteSettings(http2.Setting{ID: http2.SettingMaxFrameSize, Val: 1 << 20}) },
		func() error { return f.WriteData(1, false, []byte("five!")) },
		func() error { return f.WriteWindowUpdate(0, 70000) },
		func() error { return f.WriteData(3, true, nil) },
		func() error { return f.WritePing(true, [8]byte{1}) },
		func() error { return f.WriteData(3, true, bytes.Repeat([]byte{0}, 70000)) },
		func() error { return f.WriteGoAway(3, http2.ErrCodeNo, []byte("bye")) },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	for _, size := range []int{1, 2, 8, 9, 10, 4096, wire.Len()} {
		var d dataCounter
		for rest := wire.Bytes(); len(rest) > 0; {
			n := min(size, len(rest))
			d.count(rest[:n])
			rest = rest[n:]
		}
		if got, want := d.bytes(), int64(5+70000); got != want {
			t.Errorf("writes of %d bytes: got %d, want %d", size, got, want)
		}
	}
}
