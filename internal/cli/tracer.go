package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"sync/atomic"

	"parley/a2a"
)

// A tracer makes the contexts of traces that requests carry: one trace for each turn, and one for
// each request that belongs to none. It is safe for use by several goroutines.
type tracer struct {
	seed     string // random
	requests atomic.Uint64
}

func newTracer(seed string) *tracer { return &tracer{seed: seed} }

// parent returns the traceparent of a request (W3C Trace Context, version 00, sampled).
func (t *tracer) parent(c *a2a.Call) string {
	const traceBytes, spanBytes = 16, 8
	request := strconv.FormatUint(t.requests.Add(1), 10)
	subject := "request " + request
	if c.Turn != 0 {
		subject = "turn " + strconv.FormatUint(uint64(c.Turn), 10)
	}
	trace := sha256.Sum256([]byte(t.seed + " trace of " + subject))
	span := sha256.Sum256([]byte(t.seed + " span of " + request))
	return "00-" + hex.EncodeToString(trace[:traceBytes]) + "-" + hex.EncodeToString(span[:spanBytes]) + "-01"
}
