package main

var wire = []row{
	{what: "frame, keep, decode, number and queue", pkg: "test/bench", ours: "Ingest/ours", unit: perEvent, floor: "Ingest/floor", least: "scan and decode, keep nothing", aim: times(1.25)},
	{what: "frame", pkg: "a2a/sse", ours: "Decoder", unit: "ns/frame", floor: "FloorScanner", least: "bufio.Scanner that keeps nothing"},
	{what: "index of a JSON body", pkg: "a2a/jsontok", ours: "Parse", floor: "FloorValid", least: "json.Valid"},
	{what: "decode", pkg: "a2a", ours: "Decode/token-1.0/ours", floor: "Decode/token-1.0/encoding-json", least: "json.Unmarshal of the text alone"},
	{what: "check against the rules", pkg: "a2a/lint", ours: "Chunk/1.0/ours", floor: "Chunk/1.0/floor-json.Valid", least: "json.Valid"},
}

var headless = []row{
	{what: "engine and state, per event", pkg: "test/bench", ours: "Stream/engine", unit: perEvent, floor: "Stream/scan-and-decode", least: "scan and decode, keep nothing", time: "3x"},
	{what: "the same", pkg: "test/bench", ours: "Stream/engine", unit: perEvent, floor: "Stream/raw", least: "read, look at nothing", time: "3x"},
}

var recording = []row{
	{what: "100,000 records, from the recorder to the file", pkg: "session", ours: "Record100k", floor: "Record100kFloor", least: "write of the same bytes", time: "2x"},
}

var giants = []row{}
