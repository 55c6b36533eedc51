// Package terminal is the terminal that the workbench runs on: an [Output] that never blocks,
// a [Keyboard] that takes pastes whole, a [Probe] for the width of its glyphs, and what gives
// the terminal to another program or to the shell for a while. It knows nothing of panes.
package terminal
