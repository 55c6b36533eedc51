// Package filter decides which records of a session are listed, by a line of words
// that a user types:
//
//	itinerary                          in the bytes, in the words of the row, in any case
//	"two words" /sk ?\d{3}/            as they are; as a regular expression (RE2)
//	dir:in kind:artifact,status        a list means any of them
//	method:send agent:"Travel Desk"    what has this in it; method=SendMessage is exactly this
//	task:91c2 ctx:7f3a artifact:fares  ids and names, or a part of them
//	state:input-required status:4xx    a task's state; an HTTP status, also status>=400
//	error end:cut finding:W marked     what failed, how it ended, what was found, what was marked
//	size>10k gap>2s since:14:02        also since:2m before the newest, since:+2m from the start
//	not (kind:note or dir:out) gap>1s  what stands side by side must all hold
//
// [Parse] makes a [Filter] of such a line, or says with an [Error] which part of it is
// wrong. [Filter.Match] looks at one record and at an [Env], which tells what does not
// stand in the record; it costs time in proportion to the record and may run in any
// goroutine. [Complete] says what could stand at a place of the line, from the grammar
// and from what a [Seen] has seen.
//
// [Text] is the search that a bare word means, for those who search without a filter.
package filter
