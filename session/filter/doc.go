// Package filter reads the line of words that says which records of a session are listed,
// and judges each record by it. A user types the line:
//
//	itinerary                          in the bytes or in the text of the row, in any case
//	"two words" /sk ?\d{3}/            as they are; as a regular expression (RE2)
//	dir:in kind:artifact,status        a list means any of them
//	method:send agent:"Travel Desk"    contains this; method=SendMessage is exactly this
//	task:91c2 ctx:7f3a artifact:fares  ids and names, or a part of them
//	state:input-required status:4xx    a task's state; an HTTP status, also status>=400
//	error end:cut finding:W marked     what failed, how it ended, what was found, what was marked
//	comment:"second chunk" comment     what was written about a record, in a comment; any comment
//	size>10k gap>2s since:14:02        also since:2m before the newest, since:+2m from the start
//	since:+2m until:+3m                also until:#120
//	not (kind:note or dir:out) gap>1s  adjacent terms must all hold
//
// [Parse] makes a [Filter] of such a line, or returns an [Error] with the wrong part of it.
// [Filter.Match] checks one record with an [Env], which knows what is not in the record; its
// cost is proportional to the record, and it may run in any goroutine. [Complete] completes a
// line, from the grammar and from the values of a [Seen].
//
// [Text] is the search for a bare word, also for searches without a filter.
//
// A filter judges one record at a time, so that it runs over a log.LogView in the background
// and over live records as they arrive.
package filter
