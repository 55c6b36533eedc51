// Package journal writes and reads session files, whose format docs/session-format.md
// describes. A [Recorder] gives every record its number and its one place in the order of
// things, and hands it to the [Journal] and the feed. A [Recording] is such a file that is
// open to be replayed: its records are decoded by the decoder that runs live.
package journal
