// Package endurance tests the built program under the conditions of a real system, while an
// agent streams. Its terminal stops, slows down, shrinks and disappears, its disk fills up,
// it is signalled, suspended and killed. No received byte may be lost, the wire may not wait
// for the screen, and the terminal must be restored.
//
// The program runs in a pseudo-terminal whose other end the tests read, at any speed or not at
// all, into an emulator; the agent is a server in this process, so that tests know what it
// sent. No test asserts a time: where speed matters, it counts the bytes that arrived
// meanwhile. The delay of the journal depends on time, so it is asserted only on request:
//
//	go test ./test/endurance -run Killed -kills 100
package endurance
