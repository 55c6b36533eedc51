// Package lanes shows the whole session on one time axis: one lane per exchange, grouped by agent
// and conversation.
//
//	cell 100 ms            │0          │2 s        │4 s        │6 s
//	+2.3 s                 ├─── 1.5 s ────┤▲     ◆── 1.2 s ──◆
//	─────────────────────────────────────────────────────────────────────
//	Travel Desk · Book me a flight
//	 12 SendStreamingMes…  →○●▂▃▃▂▁┊┊┊┊┊┊┊┊▂▂╳
//	 57 SubscribeToTask                       ┊┊┊┊↻▂▃▃▁✓│
//	Scribe · Write an essay
//	 31 SendStreamingMes…         →●▅▆▆▆▅▅▆▆▆▅▅▆▆▆▆▅▅█
//
// A lane runs from the request to the end: bars count the events of a cell, signs are states, dotted
// lines are pauses and the gap before a resubscription.
//
// A [Pane] reads the session's log. The cost of a frame depends on the lanes and the cells in the
// window: records are found by binary search over their times, a lane that has not changed is not
// drawn again, and nothing walks the records.
package lanes
