package ui

import (
	"fmt"
	"testing"

	"parley/internal/golden"
)

// Golden frames of conversations over gRPC and on a mesh: records, their bytes, what stands where
// HTTP has headers, and what can be copied.
func TestFramesOfOtherBindings(t *testing.T) {
	t.Parallel()
	for _, size := range []struct{ w, h int }{{120, 40}, {80, 24}} {
		for _, s := range []struct {
			name, recording string
			keys            []string
			sees            []string
		}{
			{"grpc-pretty", "grpc.jsonl", []string{"1"}, []string{"artifactUpdate", "tides.md"}},
			{"grpc-raw", "grpc.jsonl", []string{"2"}, []string{"0000  22 29 0a 02", "six"}},
			{"grpc-copy", "grpc.jsonl", []string{"c"}, []string{"grpcurl", "request as JSON"}},
			{"mesh-pretty", "mesh.jsonl", []string{"1"}, []string{"jsonrpc", "status-update"}},
			{"mesh-headers", "mesh.jsonl", []string{"z", "3"}, []string{"gateway/status/parley-1/"}},
			{"mesh-copy", "mesh.jsonl", []string{"c"}, []string{"mosquitto_pub"}},
		} {
			name := fmt.Sprintf("%dx%d/%s", size.w, size.h, s.name)
			t.Run(name, func(t *testing.T) {
				bubble(t, size.w, size.h, Options{Name: s.recording}, func(d *desk) {
					d.replay(s.recording)
					d.upTo(21) // what came after the agent, or the broker, was back
					d.wait(skimFrame)
					d.press("tab")
					d.press(s.keys...)
					d.sees(s.sees...)
					d.seesNot("200 OK")
					golden.Compare(t, "frames/"+name, d.text())
				})
			})
		}
	}
}
