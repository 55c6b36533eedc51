// Package terminal is the terminal of the workbench: an [Output] that never blocks, a
// [Keyboard] that reads pastes whole, a [Probe] for the width of its glyphs, and the ways to
// lend the terminal to another program or to the shell. It knows nothing of panes.
package terminal
