// Command soak runs agents that stream without end, break their streams and are
// listened to again, and watches what the engine, the recorder and the journal make
// of it: whether a byte is lost, whether a number is missing, and whether goroutines,
// file handles or memory grow. It says so at the end, and fails if something is wrong.
//
//	go run ./test/soak -for 5m -agents 20 -rate 40000 -write docs/performance.md
//
// The agents (agent.go) are HTTP servers in this process. Each remembers of every
// body a hash of what it wrote; the listener (listener.go) hashes the records of the
// exchange, and both must agree. What is not here is the state that the screens keep
// of a session: it holds every record, and so it grows with what was said.
package main
