// Package jsonview shows one body as a user reads it: a [View] as a foldable
// tree, a [Bytes] byte for byte.
//
//	1   jsonrpc "2.0"
//	2   id      "c41f-1"
//	3 ▾ result
//	4   ▾ statusUpdate
//	5       taskId "91c2e0d4-77f1-…"
//	6     ▸ status {state, timestamp, message}
//
// Both draw only the lines in their window. A View walks the token index of
// package jsontok from line to line, so that a frame costs the window's height
// and not the body's length; a Bytes keeps no index at all. A body that is too
// large to be indexed between two frames is shown as bytes until the index is
// there: [View.Job] hands out the work, which may run in any goroutine, and
// [View.Apply] takes what came out.
//
// Strings are opened in place: as text, and as what they hold, be it JSON, Markdown
// or base64 ([View.Look]). Long text opens piece by piece.
//
// Nothing is hidden. Members that repeat a name stand where they were sent, with
// a mark. Numbers keep their digits. Where a body breaks, the tree ends with a
// sentence that says why, and the rest follows as bytes. Text is shown with
// \u escapes decoded and everything that a terminal could act on made visible; it
// is abbreviated to the line until it is opened. Copying is always exact.
package jsonview
