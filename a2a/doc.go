// Package a2a speaks the Agent2Agent protocol in every dialect that HTTP
// carries and keeps what crossed the wire.
//
// The package reads with one decoder and writes with one encoder per dialect:
//
//   - The canonical model ([Card], [Message], [Task], [Event]) is the union of
//     what all dialects can say, named as the A2A specification names it.
//   - [Decode] turns one body or one stream frame into an [Update]. It probes
//     the members of each object and never trusts a version number, so that an
//     agent whose card and wire disagree is still read.
//   - A [Dialect] is a value: method names, parameter shapes, words, headers and
//     error names. Nothing outside the dialect files knows about versions.
//   - [Discover] turns anything a user can paste into cards, and [Detect]
//     turns a card into a [Profile] whose every fact carries its evidence.
//   - A [Client] performs operations over a binding. What it saw goes, byte for
//     byte and in order, to its [Trace]; nothing is decoded twice.
//   - A [Fold] assembles one task out of its events by the protocol's chunk
//     rules.
//
// The package imports nothing but the standard library and its own children
// (jsontok, sse, jsonrpc), and it never writes to a terminal or a disk.
//
// Parley owns the wire because a tap below an SDK sees bytes but must guess which event came
// from which frame, and SDKs drop the bodies of failed calls, stop at one bad frame, and
// speak one or two dialects. The tests use the official SDKs as independent peers.
//
// A bad frame is an update, not the end: a stream is read until its connection ends. An
// answer that reached its end has ended, any other was cut, and no text mixes the two.
// Secrets are masked before a Trace has them, because what was never recorded cannot leak
// from a screen, a file or a log. Credentials go to the origin that the user named, whatever
// a card says.
package a2a
