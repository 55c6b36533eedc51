package main

var wire = []row{
	{what: "frame, store, decode, number and queue", pkg: "test/bench", ours: "Ingest/ours", unit: perEvent, floor: "Ingest/floor", least: "scan and decode, store nothing", aim: times(1.25)},
	{what: "frame, store, decode, number and queue: allocations", pkg: "test/bench", ours: "Ingest/ours", unit: "allocs/event", floor: "Ingest/floor", least: "scan and decode, store nothing", aim: over(2)},
	{what: "frame", pkg: "a2a/sse", ours: "Decoder", unit: "ns/frame", floor: "FloorScanner", least: "bufio.Scanner, store nothing"},
	{what: "index a JSON body", pkg: "a2a/jsontok", ours: "Parse", floor: "FloorValid", least: "json.Valid"},
	{what: "decode", pkg: "a2a", ours: "Decode/token-1.0/ours", floor: "Decode/token-1.0/encoding-json", least: "json.Unmarshal of the text alone"},
	{what: "check against the rules", pkg: "a2a/lint", ours: "Chunk/1.0/ours", floor: "Chunk/1.0/floor-json.Valid", least: "json.Valid"},
}

var headless = []row{
	{what: "parley send --stream: events per second, from exec to exit", pkg: "test/bench", ours: "Screen/headless-100k", unit: perSecond, aim: atLeast(200_000), time: "2x"},
	{what: "parley send --stream: time per event", pkg: "test/bench", ours: "Screen/headless-100k", unit: perEvent, floor: "Stream/scan-and-decode", least: "scan and decode, store nothing", aim: times(2), time: "2x"},
	{what: "parley send --stream: time per event, beside reading alone", pkg: "test/bench", ours: "Screen/headless-100k", unit: perEvent, floor: "Stream/raw", least: "read, do not parse", time: "2x"},
	{what: "parley send --stream -o json: events per second, from exec to exit", pkg: "test/bench", ours: "Screen/headless-json-100k", unit: perSecond, aim: atLeast(128_000), time: "2x"},
	{what: "parley send --stream -o json: time per event", pkg: "test/bench", ours: "Screen/headless-json-100k", unit: perEvent, floor: "Stream/scan-decode-encode", least: "scan, decode and encode, store nothing", aim: times(1.3), time: "2x"},
	{what: "parley send --stream -o json: resident memory after 200,000 events", pkg: "test/bench", ours: "Screen/headless-json-200k", unit: "resident-MB", floor: "Screen/headless-json-100k", least: "100,000 events", aim: atMost(60), time: "2x"},
	{what: "parley send --stream over gRPC: events per second, from exec to exit", pkg: "test/bench", ours: "GRPC/headless-100k", unit: perSecond, aim: atLeast(60_000), time: "2x"},
	{what: "parley send --stream over gRPC: time per event", pkg: "test/bench", ours: "GRPC/headless-100k", unit: perEvent, floor: "GRPC/bare-100k", least: "the official stubs, store nothing", aim: times(2), time: "2x"},
	{what: "the client over gRPC: time per event", pkg: "a2a/grpc", ours: "Stream/parley", unit: perEvent, floor: "Stream/bare", least: "the official stubs, store nothing", aim: times(2), time: "3s"},
	{what: "engine and state alone: time per event", pkg: "test/bench", ours: "Stream/engine", unit: perEvent, floor: "Stream/scan-and-decode", least: "scan and decode, store nothing", time: "2x"},
}

var recording = []row{
	{what: "in a terminal: processor time per event", pkg: "test/bench", ours: "Recording/screen", unit: "cpu-ns/event", floor: "Recording/screen-unrecorded", least: "with --no-record", aim: times(1.05), time: "3x"},
	{what: "parley send --stream: processor time per event", pkg: "test/bench", ours: "Recording/send", unit: "cpu-ns/event", floor: "Recording/send-unrecorded", least: "without --record", aim: times(1.05), time: "5x"},
	{what: "record 100,000 records in a file", pkg: "session/journal", ours: "Record100k", floor: "Record100kFloor", least: "write the same bytes", time: "2x"},
}

var giants = []row{
	{what: "12 MB, in a terminal: memory as a multiple of its size", pkg: "test/bench", ours: "Giant/event-12MB", unit: "memory×", aim: atMost(3), time: "2x"},
	{what: "12 MB, in a terminal, not streamed: memory as a multiple of its size", pkg: "test/bench", ours: "Giant/plain-12MB", unit: "memory×", aim: atMost(3), time: "2x"},
	{what: "12 MB, parley send --stream: memory as a multiple of its size", pkg: "test/bench", ours: "Giant/send-12MB", unit: "memory×", aim: atMost(3), time: "2x"},
	{what: "12 MB, parley send --stream -o json: memory as a multiple of its size", pkg: "test/bench", ours: "Giant/send-json-12MB", unit: "memory×", aim: atMost(3), time: "2x"},
	{what: "12 MB, in a terminal: longest delay of a key meanwhile", pkg: "test/bench", ours: "Giant/event-12MB", unit: "key-ns", time: "2x"},
	{what: "12 MB, in a terminal: time until its last words are visible", pkg: "test/bench", ours: "Giant/event-12MB", unit: "shown-ns", time: "2x"},
	{what: "64 MB, in a terminal: memory as a multiple of its size", pkg: "test/bench", ours: "Giant/event-64MB", unit: "memory×", aim: atMost(3), time: "2x"},
	{what: "64 MB, in a terminal, not streamed: memory as a multiple of its size", pkg: "test/bench", ours: "Giant/plain-64MB", unit: "memory×", aim: atMost(3), time: "2x"},
	{what: "64 MB, parley send --stream: memory as a multiple of its size", pkg: "test/bench", ours: "Giant/send-64MB", unit: "memory×", aim: atMost(3), time: "2x"},
	{what: "64 MB, parley send --stream -o json: memory as a multiple of its size", pkg: "test/bench", ours: "Giant/send-json-64MB", unit: "memory×", aim: atMost(3), time: "2x"},
	{what: "64 MB, in a terminal: longest delay of a key meanwhile", pkg: "test/bench", ours: "Giant/event-64MB", unit: "key-ns", time: "2x"},
	{what: "64 MB, in a terminal: time until its last words are visible", pkg: "test/bench", ours: "Giant/event-64MB", unit: "shown-ns", time: "2x"},
}
