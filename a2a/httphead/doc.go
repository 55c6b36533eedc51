// Package httphead finds the heads of HTTP/1.x messages in the bytes of a connection.
//
// net/http gives headers as a map: their order, their spelling and fields such as
// Transfer-Encoding are lost, and a head that it refuses is lost altogether. A [Conn]
// looks at the bytes as they pass and keeps every head exactly as it crossed the wire,
// informational heads and trailers included. It changes nothing of what passes.
package httphead
