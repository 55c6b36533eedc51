// Package wire is the pane that shows what crossed the wire: one row per record
// while a stream is open, and below them the record that is selected.
//
//	    #       Δt   record                                      size ⚑
//	    1   320 ms → ▸ GET /.well-known/agent-card.json card …  3.9 kB i
//	    4          → SendStreamingMessage                        170 B
//	   ◆9   +12 ms ← artifact map.png                          19.2 kB
//	   10    +4 ms ← status input-required                       388 B W
//	   11    +1 ms ← end · closed by agent
//	   ── ttfb 41 ms · artifact 349 ms · gap max 2.1 s
//	find map  1 of 3  n next  N before
//	── 10 pretty  raw  headers  timing  findings 1 ──────────────────────
//	 1   jsonrpc "2.0"
//	 2 ▸ result {statusUpdate}
//
// A [Pane] reads the session's log. Telling it of a record with [Pane.Added] costs
// the same however many there are, and a frame costs its height: rows come from a
// lazy list, the body below from package jsonview.
//
// Which records have a row is a set that can be counted and indexed without a walk over
// it: those that the filter lets through, without those that stand in a folded exchange.
// A filter hides; a search, which is kept apart from it, goes from record to record. Both
// do what takes longer than a frame as a [Job] that is run elsewhere.
//
// While it follows, the newest row is selected and visible. Whatever moves the
// selection elsewhere pauses that, and nothing but the user begins it again.
// The wire knows nothing about conversations: what the user wants to see of
// them comes back as an [Intent].
package wire
