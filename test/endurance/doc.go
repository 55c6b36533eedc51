// Package endurance does to the built program what happens to programs: its
// terminal stops, crawls, shrinks and goes away, its disk fills up, it is told to
// end, put aside and killed, all while an agent streams. Nothing that was received
// may be lost, the wire may not wait for the screen, and the terminal must be as it
// was before.
//
// The program runs in a pseudo-terminal whose other end is read here, at any speed
// or not at all, into an emulator; the agent is a server in this process, so that
// tests know what it said. No test asserts a time: where speed matters, the bytes
// are counted that came in the meantime. How late the journal may be is a matter of
// time, so it is asserted only where somebody asks for it:
//
//	go test ./test/endurance -run Killed -kills 100
package endurance
