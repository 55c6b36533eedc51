// Package session knows what happened and what is going on, without a screen.
//
// An [Engine] owns the agents: it discovers them, sends, streams, polls and
// watches for them to come back. Everything that it learns reaches its user
// through one [Feed] and nowhere else:
//
//	conn ─► a2a.Client ─► a2a.Decode ─► Recorder.Put, one lock:
//	                                      number the record
//	                                      queue it for the journal
//	                                      append Item{Record, Update} to the Feed
//	so that number order = feed order = journal order
//
//	Feed.Next ─► State.Apply(Item) ─► Change ─► panes, or lines of text
//
// # What is kept
//
// A [Recorder] numbers records; a [Journal] appends them to a file, whose format
// docs/session-format.md describes; a [Recording] reads such a file back through the
// decoder that runs live. A [Log] holds all records of the running session, old
// chunks of artifacts as little more than their words, and [Describe] puts one into
// a row's words. What is live and belongs into no file,
// such as the wait before the next poll, is a [Signal].
//
// # What follows from it
//
// [State] is pure: agents, conversations, turns, tasks and artifacts follow from
// the items alone, so that a journal replayed through the same decoder gives the
// same state, and a repaired decoder repairs old sessions. Counting is defined here
// once: [StreamStats] for streams, [Log.Len] for records, [Findings] for findings.
package session
