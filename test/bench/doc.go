// Package bench measures the paths that a user waits for, each beside the
// least that the same work could cost: events from a socket to the feed, chunks
// from the feed to the rows of the conversation, the start of the program, and what
// the program in a terminal shows of keys and events, and when.
// What one package does alone is measured in that package; the frame of the
// whole screen is measured in ui.
//
// A time means nothing without its floor from the same run, so nothing here
// asserts one. `make bench` runs them all in turn and writes the table of
// docs/performance.md; floor is the smallest program that imports what Parley
// imports, profiled is Parley with a profile, and table is what writes the table.
package bench
