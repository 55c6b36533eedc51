package main

// sections are the parts of the table, in order. A row without an aim explains others.
func sections() []section {
	return []section{
		{"Wire: events of 330 bytes, from the stream to the feed", wire},
		{"Without a screen: 100,000 events from another process", headless},
		{"Workbench: 100,000 events, conversation and wire in a terminal of 200×60", workbench},
		{"Socket to screen: from an event on the socket until both panes show it", arrival},
		{"Key to screen: from a key until its letter is visible", key},
		{"Enter to socket: from enter until the first byte reaches the agent", enter},
		{"Markdown: an answer in chunks of 200 bytes", markdown},
		{"Frame: 200×60, three panes", frame},
		{"Start: from exec to the first frame", start},
		{"Journal: open a recording of 100,000 records", journal},
		{"Replay: a recording of 1,000,000 records", replays},
		{"Search: 100 sessions of 10 MB", searches},
		{"JSON: draw a body of 1 MB", detail},
		{"Idle: a second without input after 100,000 events", idle},
		{"Recording: a stream with and without a recording", recording},
		{"Large answers: one event of many megabytes", giants},
		{"Tap: what it adds between a client and an agent", taps},
	}
}

const (
	perEvent  = "ns/event"
	perSecond = "events/s"
	allocs    = "allocs/op"
	p50       = "p50-ns"
	p99       = "p99-ns"

	smallest = "smallest program with the same imports, without gRPC and MQTT"
)
