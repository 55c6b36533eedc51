package sessiontest

import (
	"runtime"
	"time"

	"parley/a2a"
)

// Epoch is when everything begins in tests.
var Epoch = time.Date(2026, 11, 20, 14, 2, 7, 123456789, time.UTC)

// Event returns the record of an event with these bytes.
func Event(raw string) a2a.Record {
	return a2a.Record{Kind: a2a.KindEvent, Dir: a2a.In, Exchange: 1, Time: Epoch, Raw: []byte(raw)}
}

// ChunkRecord is an ordinary event of 1.0.
func ChunkRecord() a2a.Record {
	return Event(`data: {"jsonrpc":"2.0","id":"c41f-1","result":{"artifactUpdate":{"taskId":"91c2e0d4-77f1-4c55-9a2f-0f6f3a1b2c3d","contextId":"7f3a11b9-02c8-4b0e-8d55-1a2b3c4d5e6f","artifact":{"artifactId":"itinerary","name":"itinerary.md","parts":[{"text":"London, 10 to 17 October, one bag. "}]},"append":true}}}` + "\n\n")
}

// HeapInUse returns the bytes of what is reachable.
func HeapInUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
