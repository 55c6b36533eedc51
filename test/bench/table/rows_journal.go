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
