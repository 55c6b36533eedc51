// Package terminal connects the workbench with its terminal, lends the terminal to other
// programs, and asks what it can do. It has an [Output] that never blocks, a [Keyboard] that
// reads pastes whole, a [Probe] for the width of its glyphs, and the ways to lend the
// terminal to another program or to the shell. It knows nothing of panes.
//
// A stopped terminal must not stop the wire, so output goes through a queue with a goroutine
// of its own. While the queue is behind, Parley repeats the last frame and delays new sizes,
// because each redraws everything. An editor or the shell gets the terminal when the queue
// is empty.
package terminal
