// Package record shows one record of a session: what it says as a tree, its exact
// bytes, the heads of its exchange, and what was found in it.
//
//	── 10 pretty  raw  headers  findings 1 ─────────────────
//	 1   jsonrpc "2.0"
//	 2 ▸ result {statusUpdate}
//
// A [View] shows what [View.Show] gave it and stays at its tab from record to
// record. What it asks its user to do comes back as an [Intent].
package record
