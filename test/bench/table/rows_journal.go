package main

var journal = []row{
	{what: "time until the first rows", pkg: "test/bench", ours: "Open/parley", unit: "first-ns", aim: atMost(50 * millisecond), time: "3x", why: "Most of this time is the start of the program, which has its own section."},
	{what: "time until the first rows, beside a start", pkg: "test/bench", ours: "Open/parley", unit: "first-ns", floor: "Start/floor", under: "least-ns", least: smallest, time: "3x"},
	{what: "time until all records can be reached", pkg: "test/bench", ours: "Open/parley", unit: "indexed-ns", floor: "Open/floor", least: "read the file and each byte once", aim: atMost(400 * millisecond), time: "3x"},
	{what: "resident memory", pkg: "test/bench", ours: "Open/parley", unit: "resident-MB", aim: atMost(64), time: "3x"},
	{what: "read the journal", pkg: "session/journal", ours: "ReadJournal100k", floor: "ReadJournal100kFloor", least: "os.ReadFile", time: "2x"},
	{what: "filter for a text without a match, all records", pkg: "session/filter", ours: "Match/quack", unit: "100k-ns", aim: atMost(16 * millisecond)},
	{what: "filter for a text without a match, per record", pkg: "session/filter", ours: "Match/quack", unit: "ns/record", floor: "Floor", least: "bytes.Contains in each body"},
	{what: "filter for a task without a match, all records", pkg: "session/filter", ours: "Match/task:ffff", unit: "100k-ns", aim: atMost(60 * millisecond)},
	{what: "filter for two states, all records", pkg: "session/filter", ours: "Match/state:working,completed", unit: "100k-ns", aim: atMost(60 * millisecond)},
	{what: "decode a chunk that resembles the one before", pkg: "a2a", ours: "Decoder/alike", floor: "Decoder/floor", least: "decode it alone"},
}

// throughput explains the times of a million records.
const throughput = "All records are decoded and applied again, one after the other."

var replays = []row{
	{what: "parley open: time until the first rows", pkg: "test/bench", ours: "Replay/open", unit: "first-ns", floor: "Start/floor", under: "least-ns", least: smallest, aim: atMost(50 * millisecond), time: "1x", why: "Most of this time is the start of the program, which has its own section."},
	{what: "parley open: time until all records can be reached", pkg: "test/bench", ours: "Replay/open", unit: "indexed-ns", floor: "Replay/floor", least: "read the file and each byte once", time: "1x"},
	{what: "parley open: processor time until then", pkg: "test/bench", ours: "Replay/open", unit: "indexed-cpu-ns", time: "1x"},
	{what: "parley open: resident memory", pkg: "test/bench", ours: "Replay/open", unit: "resident-MB", aim: atMost(400), time: "1x"},
	{what: "parley replay: time until the first rows", pkg: "test/bench", ours: "Replay/play", unit: "first-ns", floor: "Start/floor", under: "least-ns", least: smallest, aim: atMost(50 * millisecond), time: "1x", why: "Most of this time is the start of the program, which has its own section."},
	{what: "parley replay: time until the time line is complete", pkg: "test/bench", ours: "Replay/play", unit: "indexed-ns", floor: "Replay/floor", least: "read the file and each byte once", aim: atMost(4 * second), time: "1x"},
	{what: "parley replay: time until the findings are complete", pkg: "test/bench", ours: "Replay/play", unit: "checked-ns", floor: "Replay/floor", under: "indexed-ns", least: "read the file and each byte once", time: "1x"},
	{what: "parley replay: from the first record to the last", pkg: "test/bench", ours: "Replay/play", unit: "end-ns", floor: "Replay/floor", under: "indexed-ns", least: "read the file and each byte once", time: "1x", why: throughput},
	{what: "parley replay: from the first record to the last, processor time", pkg: "test/bench", ours: "Replay/play", unit: "end-cpu-ns", time: "1x"},
	{what: "parley replay: one record back from the last", pkg: "test/bench", ours: "Replay/play", unit: "back-ns", floor: "Replay/floor", under: "indexed-ns", least: "read the file and each byte once", time: "1x", why: throughput},
	{what: "parley replay: one record back from the last, processor time", pkg: "test/bench", ours: "Replay/play", unit: "back-cpu-ns", time: "1x"},
	{what: "parley replay: resident memory at the last record", pkg: "test/bench", ours: "Replay/play", unit: "resident-MB", aim: atMost(400), time: "1x"},
	{what: "parley replay: peak resident memory", pkg: "test/bench", ours: "Replay/play", unit: "peak-MB", time: "1x"},
	{what: "HTML page of 100,000 records", pkg: "session/export", ours: "HTML", floor: "HTMLFloor", least: "read the file, escape each byte for HTML", aim: atMost(3 * second), time: "2x"},
}

var searches = []row{
	{what: "time until the first hits of a text that all contain", pkg: "session/catalog", ours: "Search/bridge", unit: "first-ns", aim: atMost(200 * millisecond), time: "3x"},
	{what: "time until the first hits of a text that only the oldest contains", pkg: "session/catalog", ours: "Search/quiet-zebra", unit: "first-ns", floor: "Search/floor", under: "ns/op", least: "bytes.Index in all files", aim: atMost(200 * millisecond), time: "3x", why: "All files are read before, and there is no index of their words: see the floor."},
	{what: "search all for a text without a rare letter, which none contains", pkg: "session/catalog", ours: "Search/the-otter-sees", floor: "Search/floor", least: "bytes.Index in all files", time: "3x"},
}
