// Package bench measures the paths that a user waits for, each beside a floor, the least
// that the same work could cost. The paths are: events from a socket to the feed, chunks
// from the feed to the rows of the conversation, the start of the program, and the delay of
// keys and events on the screen of a terminal. The packages benchmark themselves; ui
// benchmarks the frame of the whole screen.
//
// A time means nothing without its floor from the same run, so no test asserts one. `make
// bench` runs all benchmarks in turn and writes the table of docs/performance.md; floor is the
// smallest program that imports what Parley imports, profiled is Parley with a profile, and
// table writes the table.
package bench
