// Command soak runs agents that stream for minutes, and checks what is left in the engine,
// the recorder and the journal. The agents stream without end, cut their streams and accept
// subscriptions; the checks find lost bytes, missing numbers, and growing goroutines, file
// handles or memory. It prints the result and fails if something is wrong.
//
//	go run ./test/soak -for 5m -agents 20 -rate 40000 -write docs/performance.md
//
// The agents (agent.go) are HTTP servers in this process. Each stores a hash of every body that
// it wrote; the listener (listener.go) hashes the records of the exchange, and both must be
// equal. The state of the screen is not part of the test: it stores every record, and so it
// grows with the streams.
package main
