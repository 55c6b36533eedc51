package main

// sections are the parts of the table, in order. A row without an aim explains others.
func sections() []section {
	return []section{
		{"Wire: an event of 330 bytes, framed, kept, decoded and numbered", wire},
		{"Headless: 100,000 events from another process", headless},
		{"Workbench: the same with conversation and wire drawn, in a terminal of 200×60", workbench},
		{"Socket to screen: an event until conversation and wire show it", arrival},
		{"Key to screen: a letter until it is seen", key},
		{"Enter to socket: until the first byte of the request is at the agent", enter},
		{"Markdown: an answer in chunks of 200 bytes", markdown},
		{"Frame: 200×60, three panes", frame},
		{"Start: from exec to the first frame", start},
		{"Journal: 100,000 records that were recorded", journal},
		{"JSON: the detail of a body of 1 MB", detail},
		{"Idle: a second of nothing after 100,000 events", idle},
		{"Recording: the same stream recorded", recording},
		{"Giants: one event of many megabytes", giants},
	}
}

const (
	perEvent  = "ns/event"
	perSecond = "events/s"
	allocs    = "allocs/op"
	p50       = "p50-ns"
	p99       = "p99-ns"

	smallest = "smallest program with the same imports"
)
