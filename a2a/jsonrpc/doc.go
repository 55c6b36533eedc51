// Package jsonrpc reads and writes JSON-RPC 2.0 envelopes and nothing inside them.
//
// [ParseEnvelope] and [Find] look at a body that jsontok has indexed; an
// [Envelope] is a handful of nodes in it. They judge nothing: a version that is
// not "2.0", a result beside an error, a batch where one response was asked for
// are all reported as they are, and what is absent is told apart from what is
// null. [Request] writes one request. An [ID] keeps the exact JSON text of an id,
// because servers answer the number 1 with the string "1" and both must be shown
// as they stood on the wire.
package jsonrpc
