// Package tracker judges what the records of a session say about tasks: which task and turn an event is about, and
// what it changes. A [Tracker] gets the records in their order and decides from them
// alone, without a clock or a lock, so that a recording is judged as the session was, and a part of it as the whole.
//
// What is judged is the shown form of a record, as it stands in the journal. Package check hands the verdicts on,
// and the state of a session applies them.
package tracker
