// Package annotation reads and writes what the user adds to a recorded session. That is its
// title, tags and note, whether it is pinned, and the marks and comments on its records.
//
// It is one JSON file beside the session file, because that is only ever appended to
// (docs/session-format.md). Several Parleys may change it at once, and a newer Parley may have
// written it: each change applies to the present content, under a lock, and keeps the members
// that this Parley does not know.
package annotation
