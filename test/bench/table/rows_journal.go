package main

var journal = []row{
	{what: "first rows", pkg: "test/bench", ours: "Open/parley", unit: "first-ns", aim: atMost(50 * millisecond), time: "3x", why: "Most of it is the start itself, which has a section of its own."},
	{what: "first rows, beside a start", pkg: "test/bench", ours: "Open/parley", unit: "first-ns", floor: "Start/floor", under: "least-ns", least: smallest, time: "3x"},
	{what: "indexed: the last record can be gone to", pkg: "test/bench", ours: "Open/parley", unit: "indexed-ns", floor: "Open/floor", least: "read the file, look at each byte once", aim: atMost(400 * millisecond), time: "3x"},
	{what: "resident", pkg: "test/bench", ours: "Open/parley", unit: "resident-MB", aim: atMost(64), time: "3x"},
	{what: "read again", pkg: "session/journal", ours: "ReadJournal100k", floor: "ReadJournal100kFloor", least: "os.ReadFile", time: "2x"},
	{what: "filter for a text that is nowhere, all records", pkg: "session/filter", ours: "Match/quack", unit: "100k-ns", aim: atMost(16 * millisecond)},
	{what: "the same, per record", pkg: "session/filter", ours: "Match/quack", unit: "ns/record", floor: "Floor", least: "bytes.Contains of each body"},
	{what: "filter for a task that is nowhere, all records", pkg: "session/filter", ours: "Match/task:ffff", unit: "100k-ns", aim: atMost(60 * millisecond)},
	{what: "filter for two states, all records", pkg: "session/filter", ours: "Match/state:working,completed", unit: "100k-ns", aim: atMost(60 * millisecond)},
	{what: "a chunk like the one before, decoded", pkg: "a2a", ours: "Decoder/alike", floor: "Decoder/floor", least: "decoded by itself"},
}
