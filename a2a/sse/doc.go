// Package sse splits a text/event-stream into frames and keeps every byte.
//
// A [Decoder] follows the event stream format of the HTML standard (§9.2): line ends are LF,
// CRLF or CR, one leading byte order mark is skipped, data lines are joined by LF, one space
// after the colon is optional, and a blank line dispatches. It returns a frame as soon as its
// blank line has come, while the connection stays open.
//
// It differs from a browser's reader where a tool that shows the wire must:
//
//   - Each frame carries its bytes. What dispatches nothing by itself, such as a
//     comment or an id without data, is at the front of the next frame; after the
//     last frame it is the [Decoder.Tail]. The [Frame.Bytes] of all frames, followed by
//     the tail, are the body, except for what [Frame.Omitted] counts.
//   - A frame whose blank line ends with CRLF is returned at the CR. The LF is part of
//     its Raw if it was read by then. Otherwise it is omitted from both frames, and the
//     next frame is marked [Frame.LateLF], so that no frame begins with the line
//     end of another one.
//   - A frame that the end of the connection cut is not discarded but marked
//     [Frame.Torn].
//   - JSON whose later lines lack their "data:" is joined again and marked
//     [Frame.Unprefixed].
//   - There is no small limit on a line; beyond [MaxFrame] a frame loses its end and
//     counts the lost bytes, and reading continues.
//
// The package knows nothing about HTTP or A2A.
package sse
