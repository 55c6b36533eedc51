// Package lanes shows the whole session on one time axis: one lane per exchange, grouped by agent
// and conversation.
//
//	100 ms a cell          │0 s        │1 s        │2 s        │3 s
//	+2.3 s                 ├─── 1.5 s ────┤▲     ◆── 1.2 s ──◆
//	─────────────────────────────────────────────────────────────────────────────
//	▌ Travel Desk          → first 41 ms █████ 2.1 s ✓  check ✓
//	▌ Book me a flight      ○●▁▃▃▃▃▁┊┊┊┊┊┊┊┊▃▃✓ 63 ev · 29/s · gap 851 ms
//
//	▌ Saboteur               →███ ↯ cut 0.9 s ┄ retry 1.3 s ┄↻███ 0.5 s ✓
//	▌ Cut the stream          ●▃▃                             ▃▃✓ 18 ev
//
//	▸ 5 card requests · 1 not found  ✓✓✕✓✓
//
// A lane runs from the request to the end of its exchange, or of those that continue it. Its bar has the
// colour of the agent; below it, heights count the events of a cell, signs are states, and dotted lines are
// pauses. Exchanges that bring no events are folded. Lanes that stall stand above the others, the longest
// silence first.
//
// A [Pane] reads the session's log. The cost of a frame depends on the lanes and the cells in the
// window: records are found by binary search over their times, a lane that has not changed is not
// drawn again, and nothing walks the records.
package lanes
