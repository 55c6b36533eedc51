// Package request recognises the operation of A2A in a request that another program sent: its
// binding, its operation, and the ids that it names. It reads every dialect, by the method of
// JSON-RPC, the path of HTTP+JSON or the path of gRPC; what is none of them is a plain request of
// HTTP. Recordings that are served, archives that are imported and traffic that passes a tap are
// read alike.
package request
