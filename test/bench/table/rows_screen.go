package main

var workbench = []row{
	{what: "events per second, until the last is visible", pkg: "test/bench", ours: "Screen/stream-100k", unit: perSecond, aim: atLeast(60_000), time: "2x"},
	{what: "time per event", pkg: "test/bench", ours: "Screen/stream-100k", unit: perEvent, floor: "Screen/headless-100k", least: "parley send, without a screen", time: "2x"},
	{what: "time for 100,000 events", pkg: "test/bench", ours: "Screen/stream-100k", unit: "stream-ns", floor: "Screen/stream-50k", least: "time for 50,000 events", aim: times(2.2), time: "2x"},
	{what: "1,000,000 events: resident memory afterwards, per event, without its text", pkg: "test/bench", ours: "Million", unit: "B-kept/event", aim: atMost(150), time: "1x", why: millions},
	{what: "1,000,000 events: peak resident memory, per event", pkg: "test/bench", ours: "Million", unit: "B-peak/event", time: "1x"},
}

// millions explains why resident memory exceeds stored data.
const millions = "Less than this is stored per chunk. The rest is the free memory that the garbage collector leaves, a third of a large heap, and the fold's copy of the text, with which it recognises what a resumed stream repeats."

var arrival = []row{
	{what: "20 events per second, p50", pkg: "test/bench", ours: "Arrival/20", unit: p50, aim: atMost(10 * millisecond), time: "200x"},
	{what: "20 events per second, p99", pkg: "test/bench", ours: "Arrival/20", unit: p99, aim: atMost(25 * millisecond), time: "200x"},
	{what: "10,000 events per second, p99", pkg: "test/bench", ours: "Arrival/10k", unit: p99, aim: atMost(50 * millisecond), time: "200x"},
	{what: "10,000 events per second: share of frames that show an event in only one pane", pkg: "test/bench", ours: "Arrival/10k", unit: "apart-%", aim: atMost(0), time: "200x"},
}

// shares explains the delay of a key.
const shares = "The program shares the cores with the agent and the terminal emulator: a key waits until the scheduler gives the program a core, and for the frame before its own."

var key = []row{
	{what: "during 10,000 events per second, p99", pkg: "test/bench", ours: "Key/10k", unit: p99, floor: "Key/idle", least: "without a stream", aim: times(1.25), time: "1000x", why: shares},
	{what: "during 100,000 events per second, p99", pkg: "test/bench", ours: "Key/100k", unit: p99, floor: "Key/idle", least: "without a stream", aim: times(1.25), time: "1000x", why: shares},
	{what: "events per second that are applied during typing, of 100,000", pkg: "test/bench", ours: "Key/100k", unit: perSecond, time: "1000x"},
}

var enter = []row{
	{what: "p50", pkg: "test/bench", ours: "Enter", unit: p50, time: "200x"},
	{what: "p99", pkg: "test/bench", ours: "Enter", unit: p99, aim: atMost(5 * millisecond), time: "200x"},
}

var idle = []row{
	{what: "processor time", pkg: "test/bench", ours: "Idle/parley-100k", unit: "cpu-ns/s", floor: "Idle/floor", least: smallest, aim: times(1.3), time: "5x"},
	{what: "bytes written", pkg: "test/bench", ours: "Idle/parley-100k", unit: "B-written/s", aim: atMost(0), time: "5x"},
}
