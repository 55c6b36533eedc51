// Package jsonview shows one body: a [View] as a foldable tree, a [Bytes] byte for byte.
//
//	1   jsonrpc "2.0"
//	2   id      "c41f-1"
//	3 ▾ result
//	4   ▾ statusUpdate
//	5       taskId "91c2e0d4-77f1-…"
//	6     ▸ status {state, timestamp, message}
//
// Both draw only the lines in their window. A View walks the token index of package jsontok
// from line to line, so that a frame costs the window's height, not the body's length; a Bytes
// needs no index. A body too large to index between two frames is shown as bytes until the
// index exists: [View.Job] returns the work, which may run in any goroutine, and [View.Apply]
// takes the result.
//
// Strings open in place, as text or in the form that they encode: JSON, Markdown or base64
// ([View.NextFormat]). Long text opens piece by piece.
//
// Nothing is hidden. Members with a repeated name are shown in their place, with a mark.
// Numbers keep their digits. At a syntax error the tree ends with a sentence that explains it,
// and the rest follows as bytes. Text is shown with \u escapes decoded and with everything that
// a terminal could interpret made visible; it is shortened to its line until it is opened.
// Copies are always exact.
package jsonview
