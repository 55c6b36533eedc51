package main

// A row compares two benchmarks of one package.
type row struct {
	section string
	what    string
	pkg     string
	ours    string // name without Benchmark, sub-benchmarks after slashes
	floor   string
	least   string // what the floor does
	unit    string // metric that is compared; empty for ns/op
	aim     float64
	time    string // -benchtime; empty for a default
}

const perEvent = "ns/event"

var rows = []row{
	{section: "Ingest: an event of 330 bytes, from the socket to the feed"},
	{what: "frame", pkg: "a2a/sse", ours: "Decoder", floor: "FloorScanner", least: "bufio.Scanner that keeps nothing", unit: "ns/frame"},
	{what: "index of a JSON body", pkg: "a2a/jsontok", ours: "Parse", floor: "FloorValid", least: "json.Valid"},
	{what: "decode", pkg: "a2a", ours: "Decode/token-1.0/ours", floor: "Decode/token-1.0/encoding-json", least: "json.Unmarshal of the text alone"},
	{what: "check against the rules", pkg: "a2a/lint", ours: "Chunk/1.0/ours", floor: "Chunk/1.0/floor-json.Valid", least: "json.Valid"},
	{what: "frame, keep, decode, number, queue", pkg: "test/bench", ours: "Ingest/ours", floor: "Ingest/floor", least: "scan and decode, keep nothing", unit: perEvent, aim: 1.25},
	{what: "100,000 events from another process, engine and state", pkg: "test/bench", ours: "Stream/engine", floor: "Stream/scan-and-decode", least: "scan and decode, keep nothing", unit: perEvent, time: "3x"},
	{what: "the same", pkg: "test/bench", ours: "Stream/engine", floor: "Stream/raw", least: "read, look at nothing", unit: perEvent, time: "3x"},

	{section: "Append: a chunk, from the feed to the rows of the conversation"},
	{what: "apply", pkg: "test/bench", ours: "Append/apply", floor: "Append/floor", least: "append item and text"},
	{what: "apply and draw the rows, answer of 18 kB", pkg: "test/bench", ours: "Append/apply-and-rows-1000", floor: "Append/floor", least: "append item and text"},
	{what: "apply and draw the rows, answer of 0.5 MB", pkg: "test/bench", ours: "Append/apply-and-rows-30000", floor: "Append/floor", least: "append item and text"},
	{what: "wire row and its frame after 100,000", pkg: "ui/wire", ours: "Append100k", floor: "FloorApply", least: "apply alone"},
	{what: "Markdown, 100 kB in 200 B chunks", pkg: "ui/markdown", ours: "Stream100kBIn200B", floor: "Batch100kB", least: "the whole at once, same renderer", aim: 6, time: "2x"},
	{what: "first screen of a JSON body of 1 MB", pkg: "ui/jsonview", ours: "FirstScreen1MB", floor: "FloorIndent", least: "json.Indent", aim: 2},

	{section: "Frame: 200×60, three panes"},
	{what: "compose, no pane changed", pkg: "ui", ours: "Frame/compose", floor: "Renderer", least: "the renderer's own work on a changed frame", aim: 0.05},
	{what: "a chunk came: apply, draw, compose", pkg: "ui", ours: "Frame/chunk", floor: "Renderer", least: "the renderer's own work on a changed frame"},
	{what: "compose, no pane changed", pkg: "ui", ours: "Frame/compose", floor: "Frame/floor-lipgloss.JoinHorizontal", least: "lipgloss joining the same panes"},
	{what: "scroll by a line among 1,000,000", pkg: "ui/list", ours: "Scroll/1000000", floor: "Scroll/1000", least: "the same among 1,000", aim: 1.2},

	{section: "Screen: the program in a terminal of 200×60, the agent in another process"},
	{what: "100,000 events, until the last is seen, per event", pkg: "test/bench", ours: "Screen/stream-100k", floor: "Screen/headless-100k", least: "parley send, which has no screen", unit: perEvent, time: "2x"},
	{what: "the same", pkg: "test/bench", ours: "Screen/stream-100k", floor: "Screen/stream-50k", least: "50,000 events, per event", unit: perEvent, aim: 1.1, time: "2x"},
	{what: "a key until it is seen, p99, at 10,000 events a second", pkg: "test/bench", ours: "Key/10k", floor: "Key/idle", least: "the same while nothing comes", unit: "p99-ns", aim: 1.25, time: "200x"},
	{what: "the same at 100,000 events a second", pkg: "test/bench", ours: "Key/100k", floor: "Key/idle", least: "the same while nothing comes", unit: "p99-ns", aim: 1.25, time: "200x"},
	{what: "an event until it is seen, p99, at 20 a second", pkg: "test/bench", ours: "Arrival/20", floor: "Key/idle", least: "a key while nothing comes", unit: "p99-ns", time: "200x"},
	{what: "the same at 10,000 a second", pkg: "test/bench", ours: "Arrival/10k", floor: "Key/idle", least: "a key while nothing comes", unit: "p99-ns", time: "200x"},
	{what: "a second of nothing after 100,000 events, CPU", pkg: "test/bench", ours: "Idle/parley-100k", floor: "Idle/floor", least: "smallest program with the same imports", unit: "cpu-ns/s", aim: 1.3, time: "5x"},

	{section: "Recording: 100,000 records"},
	{what: "record", pkg: "session", ours: "Record100k", floor: "Record100kFloor", least: "write of the same bytes", time: "2x"},
	{what: "read again", pkg: "session", ours: "ReadJournal100k", floor: "ReadJournal100kFloor", least: "os.ReadFile", aim: 3, time: "2x"},
	{what: "parley open, until the last record can be gone to", pkg: "test/bench", ours: "Open/parley", floor: "Open/floor", least: "read the file, look at each byte once", unit: "indexed-ns", time: "3x"},
	{what: "filter: a text that is nowhere, per record", pkg: "session/filter", ours: "Match/quack", floor: "Floor", least: "bytes.Contains of each body", unit: "ns/record"},
	{what: "filter: a task that is nowhere, per record", pkg: "session/filter", ours: "Match/task:ffff", floor: "Floor", least: "bytes.Contains of each body", unit: "ns/record"},

	{section: "Start: from exec to the first frame in a terminal of 200×60"},
	{what: "parley", pkg: "test/bench", ours: "Start/parley", floor: "Start/floor", least: "smallest program with the same imports", unit: "least-ns", aim: 1.25, time: "20x"},
	{what: "parley demo, which starts four agents first", pkg: "test/bench", ours: "Start/demo", floor: "Start/floor", least: "smallest program with the same imports", unit: "least-ns", time: "20x"},
}
