// Package timeline shows one stream and the streams that continued it: the times of its events,
// their rate, and the pauses.
//
//	── stream 1  ● working · cut off · 4.3 s ────────────────
//	▂ ▄▅█▅                      ▂▄
//	○─●───┊┊┊┊┊┊┊┊┊┊┊┊┊┊┊┊┊┊┊┊┊┊──┊┊┊┊┊┊┊┊┊┊┊┊┊┊┊─╳
//	0                            ▲                    4.3 s
//	first byte 40 ms · event 43 ms · artifact 273 ms
//	17 events · 6.2/s · 3.3 kB · 1.2 kB/s
//	gap p50 27 ms · p95 209 ms · max 2.1 s
//	    0 ms │ → SendStreamingMessage                   141 B
//	  273 ms │ ▤ artifact itinerary.md    12 records   2.5 kB
//	  559 ms ┊ ‖ nothing for 2.1 s
//	   4.3 s ╳ ╳ end · cut off
//
// A [View] is a function of the session's log and one record: it shows the exchange of that
// record, and its cursor is on the record. Moving the cursor changes [View.Selected]; the
// caller acts on that. A frame costs its size and the number of steps, which is limited,
// independent of the number of records.
package timeline
