// Package record shows one record of a session: what it says as a tree, its exact
// bytes, the heads and the times of its exchange, and what was found in it.
//
//	── 10 pretty  raw  headers  timing  findings 1 ─────────
//	 1   jsonrpc "2.0"
//	 2 ▸ result {statusUpdate}
//
//	⚑ W STAT-004 The timestamp has no zone; UTC is assumed
//	/result  bytes 27 to 214
//
// A [View] shows what [View.Show] gave it and stays at its tab from record to
// record. Trees and bytes are drawn by package jsonview; all else is a sheet of rows,
// some of which can be entered: a finding leads to its place in the tree, a step of
// the timing to its record, a masked value to what it was. A secret is revealed one at
// a time and hidden again when the record is left.
//
// A frame in which nothing changed is not drawn again, so the view can be asked for
// its lines as often as its user likes. What it asks its user to do comes back as an
// [Intent].
package record
