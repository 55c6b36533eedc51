package grpc_test

import (
	"testing"

	"parley/a2a"
)

// BenchmarkRender renders a chunk of a stream.
func BenchmarkRender(b *testing.B) {
	chunk := &a2a.Binary{Kind: "lf.a2a.v1.StreamResponse", Bytes: prepared}
	b.ReportAllocs()
	for b.Loop() {
		if text, fault := format.Render(chunk); fault != nil || len(text) == 0 {
			b.Fatal(fault)
		}
	}
}
