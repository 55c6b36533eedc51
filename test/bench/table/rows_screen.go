package main

var workbench = []row{
	{what: "events a second, until the last is seen", pkg: "test/bench", ours: "Screen/stream-100k", unit: perSecond, aim: atLeast(60_000), time: "2x"},
	{what: "per event", pkg: "test/bench", ours: "Screen/stream-100k", unit: perEvent, floor: "Screen/headless-100k", least: "parley send, which has no screen", time: "2x"},
	{what: "100,000 events", pkg: "test/bench", ours: "Screen/stream-100k", unit: "stream-ns", floor: "Screen/stream-50k", least: "50,000 events", aim: times(2.2), time: "2x"},
	{what: "1,000,000 events: resident afterwards, for an event, beyond its text", pkg: "test/bench", ours: "Million", unit: "B-kept/event", aim: atMost(150), time: "1x", why: millions},
	{what: "the most that was resident meanwhile", pkg: "test/bench", ours: "Million", unit: "B-peak/event", time: "1x"},
}

// millions explains why resident memory exceeds stored data.
const millions = "What is kept of a chunk beyond its text is less; what is resident besides is the room that the garbage collector leaves, a third of a large heap, and the text a second time, which the fold keeps to recognise what a resumed stream repeats."

var arrival = []row{
	{what: "at 20 events a second, p50", pkg: "test/bench", ours: "Arrival/20", unit: p50, aim: atMost(10 * millisecond), time: "200x"},
	{what: "at 20 events a second, p99", pkg: "test/bench", ours: "Arrival/20", unit: p99, aim: atMost(25 * millisecond), time: "200x"},
	{what: "at 10,000 events a second, p99", pkg: "test/bench", ours: "Arrival/10k", unit: p99, aim: atMost(50 * millisecond), time: "200x"},
	{what: "frames of these that show an event in one pane alone, in a hundred", pkg: "test/bench", ours: "Arrival/10k", unit: "apart-%", aim: atMost(0), time: "200x"},
}

// shares explains the delay of a key.
const shares = "The program shares the cores with the agent that writes and the emulator that draws what is written: a key waits for its turn among them, and for the frame before its own."

var key = []row{
	{what: "while 10,000 events a second come, p99", pkg: "test/bench", ours: "Key/10k", unit: p99, floor: "Key/idle", least: "while nothing comes", aim: times(1.25), time: "1000x", why: shares},
	{what: "while 100,000 events a second are offered, p99", pkg: "test/bench", ours: "Key/100k", unit: p99, floor: "Key/idle", least: "while nothing comes", aim: times(1.25), time: "1000x", why: shares},
	{what: "events taken while somebody types, of 100,000 a second", pkg: "test/bench", ours: "Key/100k", unit: perSecond, time: "1000x"},
}

var enter = []row{
	{what: "p50", pkg: "test/bench", ours: "Enter", unit: p50, time: "200x"},
	{what: "p99", pkg: "test/bench", ours: "Enter", unit: p99, aim: atMost(5 * millisecond), time: "200x"},
}

var idle = []row{
	{what: "computed", pkg: "test/bench", ours: "Idle/parley-100k", unit: "cpu-ns/s", floor: "Idle/floor", least: smallest, aim: times(1.3), time: "5x"},
	{what: "bytes written", pkg: "test/bench", ours: "Idle/parley-100k", unit: "B-written/s", aim: atMost(0), time: "5x"},
}
