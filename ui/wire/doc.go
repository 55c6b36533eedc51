// Package wire is the pane that lists what crossed the wire, one row per record, and shows the
// selected record below the list.
//
//	    #       Δt     record                                    size ⚑
//	    1          ▸ → GET /.well-known/agent-card.json  card …  ✓ 5 ms i
//	    4          ▾ → SendStreamingMessage  Book me a …  ◐ 2.6 s · 8 ev
//	    5   +96 ms ▂ ← ▤ itinerary.md  # London, 10 to␣             19 B
//	    6   +28 ms ▁ · 17 October⏎⏎                                 12 B
//	   ◆9   +12 ms ▁ ← ▤ map.png                                 19.2 kB
//	   10  +453 ms █ ← input-required  Which dates would you …     388 B W
//	   11    +1 ms   ← end · closed by agent
//	   ── ttfb 41 ms · artifact 349 ms · gap max 2.1 s
//	find map  1 of 3  n next  N before
//	── 10 pretty  raw  headers  timing  findings 1 ──────────────────────
//	 1   jsonrpc "2.0"
//	 2 ▸ result {statusUpdate}
//
// A row shows what its record brought, and a bar compares the pause before it with the others of its
// stream. The row of a request stands for the exchange, and stays above the others while they scroll.
// After the end of an exchange each run, the records that extend one artifact, has one row.
//
// A [Pane] reads the session's log. [Pane.AddRecords] costs O(1) per record, and a frame costs the
// height of the window: the rows are a lazy list, and package jsonview draws the body.
//
// The records that have a row form a set with ranks and indexes that need no walk: those that
// pass the filter, without those in a folded exchange. A filter hides records; a search goes
// from match to match. Work of either that takes longer than a frame is a [Job] for another
// goroutine.
//
// While the pane follows, the newest row is selected and visible. Any other selection pauses
// following; only the user resumes it. The pane knows nothing about conversations: it returns
// an [Intent].
package wire
