// Package record shows one record of a session: its content as a tree, its exact bytes, the
// heads and the timing of its exchange, and its findings.
//
//	── 10 pretty  raw  headers  timing  findings 1 ─────────
//	 1   jsonrpc "2.0"
//	 2 ▸ result {statusUpdate}
//
//	⚑ W STAT-004 The timestamp has no zone; UTC is assumed
//	/result  bytes 27 to 214
//
// A [View] shows the record that [View.Show] set, and stays in its tab from record to record.
// Package jsonview draws trees and bytes; all else is a sheet of rows, some with an action: a
// finding leads to its place in the tree, a step of the timing to its record, and a masked
// value can be revealed. One secret is revealed at a time, until another record is shown.
//
// Lines are cached until something changes, so [View.Lines] is cheap to call. What the view
// asks the pane to do is an [Intent].
package record
