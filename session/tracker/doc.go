// Package tracker follows what the records of a session say about tasks: which events are about the task of their
// exchange, and what is known of each task. It decides from the records alone, without a clock or a lock, so that a
// recording is followed as the session was.
//
// An [Exchange] is what is needed of a request until its end. The state of a session keeps one for each, and a
// [Precheck] follows a recording ahead of the state, for the rules.
package tracker
