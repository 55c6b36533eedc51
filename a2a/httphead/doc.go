// Package httphead finds the heads of HTTP/1.x messages in the bytes of a connection.
//
// net/http gives headers as a map: their order, their spelling and fields such as
// Transfer-Encoding are lost, and a head that it refuses is lost entirely. A [Conn] reads the
// bytes as they pass and keeps every head exactly as it crossed the wire, including
// informational heads and trailers. It does not change what passes, except that bytes after a complete
// response do not pass: they are a surplus of that response.
package httphead
