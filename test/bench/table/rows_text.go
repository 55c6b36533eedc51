package main

var markdown = []row{
	{what: "100 kB: total time", pkg: "ui/markdown", ours: "Stream/100kB", floor: "Batch/100kB", least: "the whole text at once, same renderer", aim: times(6), time: "2x"},
	{what: "1 MB: total time", pkg: "ui/markdown", ours: "Stream/1MB", floor: "Batch/1MB", least: "the whole text at once, same renderer", aim: times(6), time: "1x"},
	{what: "1 MB: a chunk in the last tenth", pkg: "ui/markdown", ours: "Stream/1MB", unit: "last-ns", floor: "Stream/1MB", under: "first-ns", least: "a chunk in the first tenth", aim: times(1.2), time: "1x"},
	openBlock("an open code block of 1 MB", "code"),
	openBlock("an open table of 1 MB", "table"),
	openBlock("an open list of 1 MB", "list"),
	openBlock("an open paragraph of 1 MB", "paragraph-of-lines"),
	openBlock("a line of 1 MB", "paragraph"),
}

// openBlock is a row about a text whose first block does not end.
func openBlock(what, name string) row {
	return row{what: what + ": share of the time at 50 chunks per second", pkg: "ui/markdown", ours: "OpenBlock/" + name, unit: "share-%", aim: atMost(20), time: "1x"}
}

var frame = []row{
	{what: "compose an unchanged frame", pkg: "ui", ours: "Frame/compose", floor: "Renderer", least: "the renderer's work on a changed frame", aim: times(0.05)},
	{what: "compose an unchanged frame: allocations", pkg: "ui", ours: "Frame/compose", unit: allocs, aim: atMost(64)},
	{what: "apply and draw a chunk, compose its frame", pkg: "ui", ours: "Frame/chunk", floor: "Renderer", least: "the renderer's work on a changed frame"},
	{what: "add a wire row after 100,000 others, draw its frame", pkg: "ui/wire", ours: "Append100k", floor: "FloorApply", least: "apply the record alone"},
	{what: "apply a chunk and draw its rows in an answer of 0.5 MB", pkg: "test/bench", ours: "Append/apply-and-rows-30000", floor: "Append/apply-and-rows-1000", least: "in an answer of 18 kB"},
	{what: "scroll by a line in a list of 1,000,000", pkg: "ui/list", ours: "Scroll/1000000", floor: "Scroll/1000", least: "in a list of 1,000", aim: times(1.2)},
}

var start = []row{
	{what: "parley", pkg: "test/bench", ours: "Start/parley", unit: "least-ns", floor: "Start/floor", least: smallest, aim: times(1.25), time: "20x", why: "The renderer draws 12,000 cells, the smallest program one line."},
	{what: "parley demo, which starts its agents first", pkg: "test/bench", ours: "Start/demo", unit: "least-ns", floor: "Start/floor", least: smallest, time: "20x"},
	{what: "initialisation of Parley's packages before main", pkg: "test/bench", ours: "Init", unit: "ours-ns", aim: atMost(millisecond), time: "20x"},
	{what: "initialisation of the packages of gRPC and MQTT before main", pkg: "test/bench", ours: "Init", unit: "carriers-ns", aim: atMost(3 * millisecond), time: "20x"},
}

var detail = []row{
	{what: "first screen", pkg: "ui/jsonview", ours: "FirstScreen1MB", floor: "FloorIndent", least: "json.Indent", aim: times(2)},
	{what: "later frames, each three lines further", pkg: "ui/jsonview", ours: "Scroll1MB", aim: atMost(10 * microsecond)},
}
