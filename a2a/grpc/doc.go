// Package grpc carries A2A over gRPC (specification 0.3.0 §3.2.2, 1.0 §10), for package a2a, which
// knows nothing of protocol buffers.
//
//   - A [Carrier] makes connections and calls. Its codec passes bytes through unchanged, so that
//     a recording has the messages exactly as they crossed the wire.
//   - A [Format] renders messages as JSON and builds them from JSON, by the descriptors of the
//     official stubs of 1.0 and of 0.3. Its JSON is that of protocol buffers (protojson), and it
//     also keeps what protojson drops or refuses: fields that the descriptors lack appear as
//     members such as "7:varint", unknown values of enums as numbers, text that is not UTF-8
//     with its bytes, and a broken message up to the break.
//
// No other package imports gRPC or protocol buffers.
package grpc
