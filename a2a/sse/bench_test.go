package sse

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"testing"
)

// frame320 is one event of 320 bytes.
var frame320 = "data: " + strings.Repeat("x", 320-8) + "\n\n"

const benchFrames = 10_000

func BenchmarkDecoder(b *testing.B) {
	stream := []byte(strings.Repeat(frame320, benchFrames))
	b.ReportAllocs()
	for b.Loop() {
		d := NewDecoder(bytes.NewReader(stream))
		n := 0
		for {
			f, err := d.Next()
			if err == io.EOF {
				break
			}
			n += len(f.Data)
		}
		if n != benchFrames*(320-8) {
			b.Fatalf("got %d bytes of data, want %d", n, benchFrames*(320-8))
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchFrames, "ns/frame")
}

// BenchmarkFloorScanner finds the lines and stores nothing.
func BenchmarkFloorScanner(b *testing.B) {
	stream := []byte(strings.Repeat(frame320, benchFrames))
	b.ReportAllocs()
	for b.Loop() {
		lines := bufio.NewScanner(bytes.NewReader(stream))
		n := 0
		for lines.Scan() {
			if data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data: ")); ok {
				n += len(data)
			}
		}
		if n != benchFrames*(320-8) {
			b.Fatalf("got %d bytes of data, want %d", n, benchFrames*(320-8))
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchFrames, "ns/frame")
}

// BenchmarkDecoderHugeLine reads one event of 16 MB.
func BenchmarkDecoderHugeLine(b *testing.B) {
	stream := []byte("data: " + strings.Repeat("x", 16<<20) + "\n\n")
	b.SetBytes(int64(len(stream)))
	for b.Loop() {
		if _, err := NewDecoder(bytes.NewReader(stream)).Next(); err != nil {
			b.Fatal(err)
		}
	}
}

func TestFramesCostLessThanOneAllocationEach(t *testing.T) {
	stream := []byte(strings.Repeat("event: message\n"+frame320, 1000))
	allocs := testing.AllocsPerRun(10, func() {
		d := NewDecoder(bytes.NewReader(stream))
		for {
			if _, err := d.Next(); err != nil {
				return
			}
		}
	})
	if allocs > 50 {
		t.Errorf("got %v allocations for 1000 frames, want at most 50", allocs)
	}
}
