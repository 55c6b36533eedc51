package main

const (
	directly  = "without anything between"
	bareProxy = "httputil.ReverseProxy, which records nothing"
)

var taps = []row{
	{what: "a request and its answer, p50", pkg: "test/bench", ours: "TapDelay/tap", unit: p50, floor: "TapDelay/direct", least: directly, aim: over(0.3 * millisecond), time: "5000x"},
	{what: "a request and its answer, p99", pkg: "test/bench", ours: "TapDelay/tap", unit: p99, floor: "TapDelay/direct", least: directly, aim: over(2 * millisecond), time: "5000x"},
	{what: "a request and its answer, p50, beside a proxy", pkg: "test/bench", ours: "TapDelay/tap", unit: p50, floor: "TapDelay/proxy", least: bareProxy, time: "5000x"},
	{what: "one event of a stream, p50", pkg: "test/bench", ours: "TapEvent/tap", unit: p50, floor: "TapEvent/direct", least: directly, aim: over(0.3 * millisecond), time: "5000x"},
	{what: "one event of a stream, p99", pkg: "test/bench", ours: "TapEvent/tap", unit: p99, floor: "TapEvent/direct", least: directly, aim: over(2 * millisecond), time: "5000x"},
	{what: "a stream of 100,000 events, each written by itself: time per event", pkg: "test/bench", ours: "TapStream/tap-100k", unit: perEvent, floor: "TapStream/proxy-100k", least: bareProxy, aim: times(1.25), time: "3x",
		why: "Agent, client, relay and recording share two cores: the recording needs as much of them as all the others together, and the agent writes no faster than it is recorded."},
	{what: "the same: processor time per event, agent and client included", pkg: "test/bench", ours: "TapStream/tap-100k", unit: "cpu-ns/event", floor: "TapStream/proxy-100k", least: bareProxy, time: "3x"},
	{what: "the same without a recording: time per event", pkg: "test/bench", ours: "TapStream/relay-100k", unit: perEvent, floor: "TapStream/proxy-100k", least: bareProxy, aim: times(1.25), time: "3x"},
	{what: "a stream of 1,000,000 events: live heap", pkg: "test/bench", ours: "TapStream/tap-1M", unit: "heap-MB", floor: "TapStream/tap-100k", least: "100,000 events", aim: over(8), time: "3x"},
}
