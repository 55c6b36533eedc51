// Package session is the root of the packages that know a session without a screen: what
// happened in it, and what is going on. It has no code of its own; its packages are, from
// the lowest to the highest:
//
//	chain        which exchanges of other clients belong together, behind several taps
//	card         what a card says otherwise than the one before, or than in an earlier run
//	problem      what an error of an agent means for a user, and what to do about it
//	task         where a remote task stands, and which events may change it
//	log          items, the feed, and the log of all records: packed, described, searched
//	model        the state: agents, conversations, turns, tasks and artifacts, from the items
//	journal      session files: the recorder that writes them, the recording that reads them
//	replay       plays a recording: the records up to a position, at a pace
//	engine       the agents of a session: discovers, sends, streams, polls, receives webhooks
//	serve        recorded agents that answer again, with the bytes of a session file
//	filter       the line that says which records to list
//	annotation   what the user adds to a recorded session: title, tags, note, marks, comments
//	catalog      the sessions of a folder: listed, summarized, searched, deleted
//	script       scripts: parsed, judged over a state, played step by step
//	sessiontest  tests: records, events, states and recordings made without an agent
//
// A package imports only packages above it in this list; filter and annotation stand beside journal.
//
// What the engine learns reaches its user through one [log.Feed] and nowhere else:
//
//	conn ─► a2a.Client ─► a2a.Decode ─► Recorder.Put, one lock:
//	                                      number the record
//	                                      queue it for the journal
//	                                      append Item{Record, Update} to the Feed
//	so that number order = feed order = journal order
//
//	Feed.Next ─► State.Apply(Item) ─► Change ─► panes, or lines of text
//
// [model.State] is pure: everything in it follows from the items alone, so that a journal
// replayed through the same decoder gives the same state, and a repaired decoder repairs old
// sessions. Counting is defined once: [log.Stream] for streams, [log.Log.Len] for
// records, [log.Findings] for findings.
package session
