package main

var markdown = []row{
	{what: "100 kB, in total", pkg: "ui/markdown", ours: "Stream/100kB", floor: "Batch/100kB", least: "the whole at once, same renderer", aim: times(6), time: "2x"},
	{what: "1 MB, in total", pkg: "ui/markdown", ours: "Stream/1MB", floor: "Batch/1MB", least: "the whole at once, same renderer", aim: times(6), time: "1x"},
	{what: "1 MB, a chunk of the last tenth", pkg: "ui/markdown", ours: "Stream/1MB", unit: "last-ns", floor: "Stream/1MB", under: "first-ns", least: "one of the first tenth", aim: times(1.2), time: "1x"},
	openBlock("one open code block of 1 MB", "code"),
	openBlock("one open table of 1 MB", "table"),
	openBlock("one open list of 1 MB", "list"),
	openBlock("one open paragraph of 1 MB", "paragraph-of-lines"),
	openBlock("one line of 1 MB", "paragraph"),
}

// openBlock is a row about a text whose first block does not end.
func openBlock(what, name string) row {
	return row{what: what + ", share of the time at 50 chunks a second", pkg: "ui/markdown", ours: "OpenBlock/" + name, unit: "share-%", aim: atMost(20), time: "1x"}
}

var frame = []row{
	{what: "compose, no pane changed", pkg: "ui", ours: "Frame/compose", floor: "Renderer", least: "the renderer's own work on a changed frame", aim: times(0.05)},
	{what: "compose, no pane changed: allocations", pkg: "ui", ours: "Frame/compose", unit: allocs, aim: atMost(64)},
	{what: "a chunk came: apply, draw, compose", pkg: "ui", ours: "Frame/chunk", floor: "Renderer", least: "the renderer's own work on a changed frame"},
	{what: "wire row and its frame after 100,000", pkg: "ui/wire", ours: "Append100k", floor: "FloorApply", least: "apply alone"},
	{what: "apply a chunk and draw the rows, answer of 0.5 MB", pkg: "test/bench", ours: "Append/apply-and-rows-30000", floor: "Append/apply-and-rows-1000", least: "answer of 18 kB"},
	{what: "scroll by a line among 1,000,000", pkg: "ui/list", ours: "Scroll/1000000", floor: "Scroll/1000", least: "among 1,000", aim: times(1.2)},
}

var start = []row{
	{what: "parley", pkg: "test/bench", ours: "Start/parley", unit: "least-ns", floor: "Start/floor", least: smallest, aim: times(1.15), time: "20x", why: "The renderer draws 12,000 cells where the smallest program has a line."},
	{what: "parley demo, which starts four agents first", pkg: "test/bench", ours: "Start/demo", unit: "least-ns", floor: "Start/floor", least: smallest, time: "20x"},
	{what: "what our own packages do before main", pkg: "test/bench", ours: "Init", unit: "ours-ns", aim: atMost(millisecond), time: "10x"},
}

var detail = []row{
	{what: "first screen", pkg: "ui/jsonview", ours: "FirstScreen1MB", floor: "FloorIndent", least: "json.Indent", aim: times(2)},
	{what: "later frames, each scrolled by three lines", pkg: "ui/jsonview", ours: "Scroll1MB", aim: atMost(10 * microsecond)},
}
