// Package session holds the history and the current state of a session, without a screen.
//
// An [Engine] owns the agents: it discovers them, sends, streams, polls and watches for them to
// come back. All its results go through one [Feed]:
//
//	conn ─► a2a.Client ─► a2a.Decode ─► Recorder.Put, one lock:
//	                                      number the record
//	                                      queue it for the journal
//	                                      append Item{Record, Update} to the Feed
//	so that number order = feed order = journal order
//
//	Feed.Next ─► State.Apply(Item) ─► Change ─► panes, or lines of text
//
// # Records
//
// A [Recorder] numbers records; a [Journal] appends them to a file, whose format
// docs/session-format.md describes; a [Recording] reads such a file back through the same
// decoder as the live session. A [Log] holds all records of the running session, old chunks of
// artifacts in packed form, and [Describe] describes one in a row. A [Signal] is live
// information that no file contains, such as the wait before the next poll.
//
// # What follows from the records
//
// [State] is pure: agents, conversations, turns, tasks and artifacts follow from the items
// alone, so that a journal replayed through the same decoder gives the same state, and a
// corrected decoder corrects old sessions. Counting is defined here once: [StreamStats] for
// streams, [Log.Len] for records, [Findings] for findings.
package session
