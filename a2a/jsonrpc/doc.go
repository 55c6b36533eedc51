// Package jsonrpc reads and writes JSON-RPC 2.0 envelopes and nothing inside them.
//
// [ParseEnvelope] and [Find] read a body that jsontok has indexed; an [Envelope] is a handful
// of nodes in it. They do not judge: a version that is not "2.0", a result beside an error, a
// batch in place of one response are all reported unchanged, and an absent member is
// distinguished from null. [Request] writes one request. An [ID] keeps the exact JSON text of
// an id, because servers answer the number 1 with the string "1" and users must see both as
// they crossed the wire.
package jsonrpc
