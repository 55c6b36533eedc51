package main

var wire = []row{
	{what: "frame, keep, decode, number and queue", pkg: "test/bench", ours: "Ingest/ours", unit: perEvent, floor: "Ingest/floor", least: "scan and decode, keep nothing", aim: times(1.25)},
	{what: "frame, keep, decode, number and queue: allocations", pkg: "test/bench", ours: "Ingest/ours", unit: "allocs/event", floor: "Ingest/floor", least: "scan and decode, keep nothing", aim: over(2)},
	{what: "frame", pkg: "a2a/sse", ours: "Decoder", unit: "ns/frame", floor: "FloorScanner", least: "bufio.Scanner that keeps nothing"},
	{what: "index of a JSON body", pkg: "a2a/jsontok", ours: "Parse", floor: "FloorValid", least: "json.Valid"},
	{what: "decode", pkg: "a2a", ours: "Decode/token-1.0/ours", floor: "Decode/token-1.0/encoding-json", least: "json.Unmarshal of the text alone"},
	{what: "check against the rules", pkg: "a2a/lint", ours: "Chunk/1.0/ours", floor: "Chunk/1.0/floor-json.Valid", least: "json.Valid"},
}

var headless = []row{
	{what: "parley send --stream, from exec to its end", pkg: "test/bench", ours: "Screen/headless-100k", unit: perSecond, aim: atLeast(200_000), time: "2x"},
	{what: "parley send --stream, per event", pkg: "test/bench", ours: "Screen/headless-100k", unit: perEvent, floor: "Stream/scan-and-decode", least: "scan and decode, keep nothing", aim: times(2), time: "2x"},
	{what: "the same, per event", pkg: "test/bench", ours: "Screen/headless-100k", unit: perEvent, floor: "Stream/raw", least: "read, look at nothing", time: "2x"},
	{what: "parley send --stream -o json, from exec to its end", pkg: "test/bench", ours: "Screen/headless-json-100k", unit: perSecond, aim: atLeast(128_000), time: "2x"},
	{what: "parley send --stream -o json, per event", pkg: "test/bench", ours: "Screen/headless-json-100k", unit: perEvent, floor: "Stream/scan-decode-encode", least: "scan, decode and encode, keep nothing", aim: times(1.3), time: "2x"},
	{what: "resident, 200,000 events as JSON", pkg: "test/bench", ours: "Screen/headless-json-200k", unit: "resident-MB", floor: "Screen/headless-json-100k", least: "100,000 events", aim: atMost(60), time: "2x"},
	{what: "its engine and state alone, per event", pkg: "test/bench", ours: "Stream/engine", unit: perEvent, floor: "Stream/scan-and-decode", least: "scan and decode, keep nothing", time: "2x"},
}

var recording = []row{
	{what: "in a terminal, computed for an event", pkg: "test/bench", ours: "Recording/screen", unit: "cpu-ns/event", floor: "Recording/screen-unrecorded", least: "with --no-record", aim: times(1.05), time: "3x"},
	{what: "parley send --stream, computed for an event", pkg: "test/bench", ours: "Recording/send", unit: "cpu-ns/event", floor: "Recording/send-unrecorded", least: "without --record", aim: times(1.05), time: "5x"},
	{what: "100,000 records, from the recorder to the file", pkg: "session/journal", ours: "Record100k", floor: "Record100kFloor", least: "write of the same bytes", time: "2x"},
}

var giants = []row{
	{what: "12 MB, shown: memory by its size", pkg: "test/bench", ours: "Giant/event-12MB", unit: "memory×", aim: atMost(3), time: "2x"},
	{what: "12 MB, shown, as a plain answer: memory by its size", pkg: "test/bench", ours: "Giant/plain-12MB", unit: "memory×", aim: atMost(3), time: "2x"},
	{what: "12 MB, parley send --stream: memory by its size", pkg: "test/bench", ours: "Giant/send-12MB", unit: "memory×", aim: atMost(3), time: "2x"},
	{what: "12 MB, parley send --stream -o json: memory by its size", pkg: "test/bench", ours: "Giant/send-json-12MB", unit: "memory×", aim: atMost(3), time: "2x"},
	{what: "12 MB, the longest that a key waits meanwhile", pkg: "test/bench", ours: "Giant/event-12MB", unit: "key-ns", time: "2x"},
	{what: "12 MB, until its last words are seen", pkg: "test/bench", ours: "Giant/event-12MB", unit: "shown-ns", time: "2x"},
	{what: "64 MB, shown: memory by its size", pkg: "test/bench", ours: "Giant/event-64MB", unit: "memory×", aim: atMost(3), time: "2x"},
	{what: "64 MB, shown, as a plain answer: memory by its size", pkg: "test/bench", ours: "Giant/plain-64MB", unit: "memory×", aim: atMost(3), time: "2x"},
	{what: "64 MB, parley send --stream: memory by its size", pkg: "test/bench", ours: "Giant/send-64MB", unit: "memory×", aim: atMost(3), time: "2x"},
	{what: "64 MB, parley send --stream -o json: memory by its size", pkg: "test/bench", ours: "Giant/send-json-64MB", unit: "memory×", aim: atMost(3), time: "2x"},
	{what: "64 MB, the longest that a key waits meanwhile", pkg: "test/bench", ours: "Giant/event-64MB", unit: "key-ns", time: "2x"},
	{what: "64 MB, until its last words are seen", pkg: "test/bench", ours: "Giant/event-64MB", unit: "shown-ns", time: "2x"},
}
