// Package log holds what happened in a session, record by record. An [Item] is a record with
// what it meant, or a [Signal], which is true only now and belongs into no file. A [Feed] hands
// items from the recorder to their reader and drops none. A [Log] holds all records: old
// chunks of artifacts are packed to little more than their words, and decoded again on demand.
//
// [Describe] puts a record into the words of a row, [Log.Stream] says how an exchange went,
// [Findings] counts what the rules found.
//
// Chunks are deltas, so none may be dropped or reordered: the feed collects items, and the
// screen takes them in batches. Old chunks are packed because a decoded one is five times as
// large as its frame: except for the newest few hundred records, the log stores the bytes
// that differ between neighbouring frames. A [Scanner] reads the log without decoding.
package log
