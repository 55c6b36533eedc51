package lint

import (
	"slices"
	"strings"
	"testing"

	"parley/a2a"
)

// got is a get of the task with its answer; params are further parameters.
func got(d a2a.DialectName, params, body string) []step {
	return []step{
		under(func(c *a2a.Call) { c.Op = a2a.OpGet }),
		asked(`{"jsonrpc":"2.0","id":"1","method":"get","params":{"id":"t"` + params + `}}`),
		answered(result(d, body)), ended(a2a.Ended),
	}
}

// checked is a get after a stream, for the comparison with it.
func checked(d a2a.DialectName, body string) []step {
	return append([]step{under(func(c *a2a.Call) { c.Check = true })}, got(d, "", body)...)
}

// told is a stream of one artifact in two chunks, and of a second artifact.
func told(d a2a.DialectName) []step {
	return streams(d, task(d, "working"), chunk(d, "", text(d, "one "), `"artifactId":"a"`),
		chunk(d, `"append":true,"lastChunk":true`, text(d, "two"), `"artifactId":"a"`),
		chunk(d, `"lastChunk":true`, text(d, "three"), `"artifactId":"b"`), update(d, "completed"))
}

var taskCases = []ruleCase{
	{
		rule: "TASK-001", call: on(a2a.V03, a2a.OpSend), at: "/result/status",
		fires:  answers(a2a.V03, task(a2a.V03, "working", `"status":{}`)),
		silent: answers(a2a.V03, task(a2a.V03, "working")),
	},
	{
		rule: "TASK-001", call: on(a2a.V10, a2a.OpSend), at: "/result/task",
		fires:  answers(a2a.V10, wrapped(a2a.V10, "task", `{"id":"t","artifacts":[]}`)),
		silent: answers(a2a.V10, task(a2a.V10, "unknown")),
	},
	{
		rule: "TASK-001", call: on(a2a.V10, a2a.OpStream), at: "/result/statusUpdate/status",
		fires:  streams(a2a.V10, task(a2a.V10, "working"), update(a2a.V10, "working", `"status":{}`)),
		silent: streams(a2a.V10, task(a2a.V10, "working"), update(a2a.V10, "working")),
	},
	{
		rule: "TASK-002", call: on(a2a.V01, a2a.OpSend), at: "/result/id",
		fires:  answers(a2a.V01, task(a2a.V01, "working", `"id":"other"`)),
		silent: answers(a2a.V01, task(a2a.V01, "working")),
	},
	{
		rule: "TASK-003", call: on(a2a.V03, a2a.OpSend), at: "/result",
		fires:  answers(a2a.V03, task(a2a.V03, "working", `"contextId":`)),
		silent: answers(a2a.V03, task(a2a.V03, "working")),
	},
	{
		rule: "TASK-003", call: on(a2a.V10, a2a.OpStream), at: "/result/artifactUpdate/contextId",
		fires: streams(a2a.V10, task(a2a.V10, "working"), wrapped(a2a.V10, "artifactUpdate",
			`{"taskId":"t","contextId":"other","artifact":{"artifactId":"a","parts":[{"text":"x"}]}}`)),
		silent: streams(a2a.V10, task(a2a.V10, "working"), chunk(a2a.V10, "")),
	},
	{
		rule: "TASK-004", call: on(a2a.V10, a2a.OpStream), at: "/params/message/taskId",
		fires:  append(streams(a2a.V10, task(a2a.V10, "completed")), sends(a2a.V10, `"taskId":"mine"`, `"contextId":"c"`)),
		silent: append(streams(a2a.V10, task(a2a.V10, "input-required")), sends(a2a.V10, `"taskId":"t"`, `"contextId":"c"`)),
	},
	{
		rule: "TASK-005", call: on(a2a.V03, a2a.OpSend), at: "/result",
		fires:  answers(a2a.V03, task(a2a.V03, "working", `"kind":`)),
		silent: answers(a2a.V03, task(a2a.V03, "working")),
	},
	{
		rule: "TASK-005", call: on(a2a.V02, a2a.OpSend), at: "/result/kind",
		fires:  answers(a2a.V02, task(a2a.V02, "working", `"kind":"Task"`)),
		silent: answers(a2a.V02, task(a2a.V02, "working")),
	},
	{
		rule: "TASK-006", call: on(a2a.V10, a2a.OpStream), at: "/result/statusUpdate/status/state",
		fires: streams(a2a.V10, task(a2a.V10, "working"), update(a2a.V10, "completed"), update(a2a.V10, "working")),
		silent: streams(a2a.V10, task(a2a.V10, "working"), update(a2a.V10, "input-required"), update(a2a.V10, "working"),
			update(a2a.V10, "completed"), update(a2a.V10, "completed")),
	},
	{
		rule: "TASK-012", call: on(a2a.V02, a2a.OpStream), at: "/result/status/state",
		fires:  append(streams(a2a.V02, task(a2a.V02, "completed")), got(a2a.V02, "", aTask(a2a.V02, "working"))...),
		silent: append(streams(a2a.V02, task(a2a.V02, "completed")), got(a2a.V02, "", aTask(a2a.V02, "completed"))...),
	},
	{
		rule: "TASK-013", call: on(a2a.V10, a2a.OpGet), at: "/result/id",
		fires:  got(a2a.V10, "", aTask(a2a.V10, "completed", `"id":"other"`)),
		silent: got(a2a.V10, "", aTask(a2a.V10, "completed")),
	},
	{
		rule: "TASK-013", call: on(a2a.V10, a2a.OpSubscribe), at: "/result/task/id",
		fires:  subscribed(task(a2a.V10, "working", `"id":"other"`)),
		silent: subscribed(task(a2a.V10, "working")),
	},
	{
		rule: "TASK-006", call: on(a2a.V10, a2a.OpStream), at: "/result/status/state",
		fires:  append(streams(a2a.V10, task(a2a.V10, "completed")), got(a2a.V10, "", aTask(a2a.V10, "working"))...),
		silent: lateStatus(a2a.V10),
	},
	{
		rule: "TASK-006", call: on(a2a.V10, a2a.OpStream), at: "/result/statusUpdate/status/state",
		fires:  append(streams(a2a.V10, task(a2a.V10, "completed")), subscribed(task(a2a.V10, "completed"), update(a2a.V10, "working"))...),
		silent: append(streams(a2a.V10, task(a2a.V10, "completed")), subscribed(task(a2a.V10, "working"), update(a2a.V10, "completed"))...),
	},
	{
		rule: "TASK-007", call: on(a2a.V10, a2a.OpGet), at: "/result/history",
		fires: got(a2a.V10, `,"historyLength":1`, aTask(a2a.V10, "working",
			`"history":[`+message(a2a.V10, "user")+`,`+message(a2a.V10, "agent")+`]`)),
		silent: got(a2a.V10, `,"historyLength":2`, aTask(a2a.V10, "working",
			`"history":[`+message(a2a.V10, "user")+`,`+message(a2a.V10, "agent")+`]`)),
	},
	{
		rule: "TASK-007", call: on(a2a.V10REST, a2a.OpGet), at: "/history",
		fires: []step{asked("GET https://agent.example/tasks/t?historyLength=0\n\n"),
			answered(aTask(a2a.V10REST, "working", `"history":[`+message(a2a.V10REST, "user")+`]`))},
		silent: []step{asked("GET https://agent.example/tasks/t\n\n"),
			answered(aTask(a2a.V10REST, "working", `"history":[`+message(a2a.V10REST, "user")+`]`))},
	},
	{
		rule: "TASK-008", call: on(a2a.V03, a2a.OpSend), at: "/result/status/message",
		fires: answers(a2a.V03, task(a2a.V03, "completed", `"status":`+aStatus(a2a.V03, "completed", `"message":`+message(a2a.V03, "agent")))),
		silent: answers(a2a.V03, task(a2a.V03, "completed", `"artifacts":[{"artifactId":"a","parts":[`+part(a2a.V03)+`]}]`,
			`"status":`+aStatus(a2a.V03, "completed", `"message":`+message(a2a.V03, "agent")))),
	},
	{
		rule: "TASK-009", call: on(a2a.V10, a2a.OpStream), at: "/result/statusUpdate/status/message",
		fires:  twice("The whole of a long answer"),
		silent: twice("It is in the artifact above"),
	},
	{
		rule: "TASK-010", call: on(a2a.V10, a2a.OpStream), at: "/result/artifacts/0",
		fires: append(told(a2a.V10), checked(a2a.V10, aTask(a2a.V10, "completed", `"artifacts":[
			{"artifactId":"a","parts":[{"text":"one three"}]},{"artifactId":"b","parts":[{"text":"three"}]}]`))...),
		silent: append(told(a2a.V10), checked(a2a.V10, aTask(a2a.V10, "completed", `"artifacts":[
			{"artifactId":"b","parts":[{"text":"three"}]},{"artifactId":"a","parts":[{"text":"one"},{"text":" two"}]}]`))...),
	},
	{
		rule: "TASK-010", call: on(a2a.V10, a2a.OpStream), at: "/result/status/state",
		fires: append(told(a2a.V10), checked(a2a.V10, aTask(a2a.V10, "failed", `"artifacts":[
			{"artifactId":"a","parts":[{"text":"one two"}]},{"artifactId":"b","parts":[{"text":"three"}]}]`))...),
		silent: append(told(a2a.V10), got(a2a.V10, "", aTask(a2a.V10, "completed"))...), // no check
	},
	{
		rule: "TASK-011", call: on(a2a.V10, a2a.OpList), at: "/result/tasks",
		fires:  []step{asked(`{"jsonrpc":"2.0","id":"1","method":"ListTasks","params":{}}`), answered(taskPage("11:00", "12:00"))},
		silent: []step{asked(`{"jsonrpc":"2.0","id":"1","method":"ListTasks","params":{}}`), answered(taskPage("12:00", "11:00"))},
	},
	{
		rule: "TASK-011", call: on(a2a.V10, a2a.OpList), at: "/result",
		fires: []step{asked(`{"jsonrpc":"2.0","id":"1","method":"ListTasks","params":{}}`),
			answered(`{"jsonrpc":"2.0","id":"1","result":{"tasks":[` + aTask(a2a.V10, "working") + `]}}`)},
		silent: []step{asked(`{"jsonrpc":"2.0","id":"1","method":"ListTasks","params":{}}`), answered(taskPage())},
	},
}

// TestAListHasArtifactsOnlyIfAskedFor: lists should be small.
func TestAListHasArtifactsOnlyIfAskedFor(t *testing.T) {
	page := `{"jsonrpc":"2.0","id":"1","result":{"nextPageToken":"","tasks":[` +
		aTask(a2a.V10, "completed", `"artifacts":[{"artifactId":"a","parts":[{"text":"x"}]}]`) + `]}}`
	for params, want := range map[string]int{`{}`: 1, `{"includeArtifacts":true}`: 0} {
		s := play(on(a2a.V10, a2a.OpList), asked(`{"jsonrpc":"2.0","id":"1","method":"ListTasks","params":`+params+`}`), answered(page))
		if found := s.of("TASK-011"); len(found) != want {
			t.Errorf("%s: got findings %v, want %d", params, found, want)
		}
	}
	s := play(on(a2a.V10REST, a2a.OpList), asked("GET https://agent.example/a2a/tasks?includeArtifacts=true\n\n"),
		answered(`{"tasks":[`+aTask(a2a.V10REST, "completed", `"artifacts":[{"artifactId":"a","parts":[{"text":"x"}]}]`)+`]}`))
	if found := s.of("TASK-011"); len(found) != 1 || found[0].Severity != a2a.Info {
		t.Errorf("got findings %v, want one of severity info", found) // no token
	}
}

// subscribed is a subscription to an existing task.
func subscribed(data ...string) []step {
	return []step{under(func(c *a2a.Call) { c.Op = a2a.OpSubscribe }),
		asked(`{"jsonrpc":"2.0","id":"1","method":"SubscribeToTask","params":{"id":"t"}}`), frames(data...), ended(a2a.Ended)}
}

// lateStatus is a stream that reports an earlier state after the answer to a get.
func lateStatus(d a2a.DialectName) []step {
	var stream a2a.ExchangeID
	return slices.Concat([]step{sends(d), frames(task(d, "working")), func(s *script) { stream = s.id }},
		got(d, "", aTask(d, "completed")),
		[]step{under(func(c *a2a.Call) { c.Op = a2a.OpStream }), func(s *script) { s.id = stream }, framed(update(d, "working"))})
}

// twice is a task that ends with a message after an artifact with a long text.
func twice(words string) []step {
	return streams(a2a.V10, task(a2a.V10, "working"), chunk(a2a.V10, "", text(a2a.V10, "The whole of ")),
		chunk(a2a.V10, `"append":true`, text(a2a.V10, "a long answer")),
		update(a2a.V10, "completed", `"status":`+aStatus(a2a.V10, "completed", `"message":`+message(a2a.V10, "agent", text(a2a.V10, words)))))
}

// taskPage is a list of tasks with status times.
func taskPage(times ...string) string {
	var tasks []string
	for _, t := range times {
		tasks = append(tasks, aTask(a2a.V10, "working", `"id":"`+t+`"`, `"status":{"state":"TASK_STATE_WORKING","timestamp":"2026-03-01T`+t+`:00Z"}`))
	}
	return `{"jsonrpc":"2.0","id":"1","result":{"nextPageToken":"","tasks":[` + strings.Join(tasks, ",") + `]}}`
}

func TestWhatDiffersFromTheStreamIsNamed(t *testing.T) {
	for name, c := range map[string]struct{ artifacts, want string }{
		"shorter text":   {`{"artifactId":"a","parts":[{"text":"one "}]},{"artifactId":"b","parts":[{"text":"three"}]}`, `The text of “a” has 4 bytes, 7 were streamed; byte 4 is the first that differs: nothing instead of "two"`},
		"other text":     {`{"artifactId":"a","parts":[{"text":"one tow"}]},{"artifactId":"b","parts":[{"text":"three"}]}`, `byte 5 is the first that differs: "ow" instead of "wo"`},
		"an artifact":    {`{"artifactId":"a","parts":[{"text":"one two"}]}`, `The task has no artifact “b”, which was streamed`},
		"one more":       {`{"artifactId":"a","parts":[{"text":"one two"}]},{"artifactId":"b","parts":[{"text":"three"}]},{"artifactId":"c","name":"more","parts":[{"text":"x"}]}`, `The stream did not contain the artifact “more”`},
		"a file":         {`{"artifactId":"a","parts":[{"text":"one two"}]},{"artifactId":"b","parts":[{"text":"three"},{"raw":"AAAA"}]}`, `“b” has 1 file or data part, 0 were streamed`},
		"all of it":      {``, `The task has no artifact “a”, which was streamed`},
		"many of them":   {`{"artifactId":"a","parts":[{"text":"one täo"}]},{"artifactId":"b","parts":[{"text":"three"}]}`, `byte 5 is the first that differs: "äo" instead of "wo"`},
		"repeated chunk": {`{"artifactId":"a","parts":[{"text":"one "}]},{"artifactId":"a","parts":[{"text":"two"}]},{"artifactId":"b","parts":[{"text":"three"}]}`, ``},
	} {
		s := play(on(a2a.V10, a2a.OpStream), append(told(a2a.V10), checked(a2a.V10, aTask(a2a.V10, "completed", `"artifacts":[`+c.artifacts+`]`))...)...)
		found := s.of("TASK-010")
		if len(found) == 0 && c.want != "" || c.want == "" && len(found) > 0 {
			t.Errorf("%s: got findings %v, want %q", name, found, c.want)
		} else if c.want != "" && !strings.Contains(found[0].Message, c.want) {
			t.Errorf("%s: got message %q, want %q in it", name, found[0].Message, c.want)
		}
	}
}

func TestATaskOfAnySizeIsComparedWithItsStream(t *testing.T) {
	d := a2a.V10
	long := strings.Repeat("0123456789abcdef", (maxPayload+1<<20)/16)
	for fetched, want := range map[string]int{long: 0, long[:len(long)-1] + "x": 1} {
		steps := streams(d, task(d, "working"), chunk(d, `"lastChunk":true`, text(d, long), `"artifactId":"a"`), update(d, "completed"))
		body := aTask(d, "completed", `"artifacts":[{"artifactId":"a","parts":[{"text":"`+fetched+`"}]}]`)
		s := play(on(d, a2a.OpStream), append(steps, checked(d, body)...)...)
		if found := s.of("TASK-010"); len(found) != want {
			t.Errorf("got findings %v, want %d", found, want)
		}
	}
}

// TestTheComparisonCopiesNoText: a copy of a divided text would double the memory.
func TestTheComparisonCopiesNoText(t *testing.T) {
	divided := func(text string, size int) (parts []a2a.Part) {
		for ; len(text) > size; text = text[size:] {
			parts = append(parts, a2a.Part{Kind: a2a.PartText, Text: text[:size]})
		}
		return append(parts, a2a.Part{Kind: a2a.PartURL, URL: "x"}, a2a.Part{Kind: a2a.PartText, Text: text})
	}
	for _, size := range []int{1 << 10, 3 << 20} {
		whole := strings.Repeat("0123456789abcdeé", size/17)
		other := whole[:len(whole)-1] + "\xa8" // another last byte of the last rune
		a, b, c := divided(whole, 17), divided(whole, 17*1000), divided(other, 34)
		if n := testing.AllocsPerRun(1, func() {
			if at, _, _, same := firstDifference(a, b); !same || at != len(whole) {
				t.Errorf("%d bytes: got a difference at byte %d, want none", size, at)
			}
		}); n > 0 {
			t.Errorf("%d bytes: got %v allocations, want none", size, n)
		}
		if at, want, have, same := firstDifference(a, c); same || at != len(whole)-2 || want != "é" || have != "\xc3\xa8" {
			t.Errorf("%d bytes: got a difference at byte %d, %q and %q, want it in the last rune", size, at, want, have)
		}
	}
	if at, want, have, same := firstDifference(divided("ab", 1), divided("abc", 2)); same || at != 2 || want != "" || have != "c" {
		t.Errorf("got a difference at byte %d, %q and %q, want byte 2, nothing and c", at, want, have)
	}
}

func TestWhatIsMaskedIsNotChecked(t *testing.T) {
	d := a2a.V10
	for _, fetched := range []string{"the key " + a2a.Mask, "the key x"} {
		steps := streams(d, task(d, "working"), chunk(d, `"lastChunk":true`, text(d, "the key "+a2a.Mask), `"artifactId":"a"`), update(d, "completed"))
		body := aTask(d, "completed", `"artifacts":[{"artifactId":"a","parts":[{"text":"`+fetched+`"}]}]`)
		s := play(on(d, a2a.OpStream), append(steps, checked(d, body)...)...)
		found := s.of("TASK-010")
		if len(found) != 1 || !found[0].Unchecked || found[0].Severity != a2a.Info || !strings.HasPrefix(found[0].Message, "Not checked against the stream: the text of “a”") {
			t.Errorf("%s: got findings %v, want one that is marked as unchecked", fetched, found)
		}
	}
}

func TestFilesAreComparedWithThoseOfTheStream(t *testing.T) {
	d := a2a.V10
	files := `"parts":[{"raw":"AAAA","mediaType":"a/b"},{"url":"https://x.example/1","mediaType":"a/b"},{"data":{"n":1}}]`
	steps := streams(d, task(d, "working"), chunk(d, `"lastChunk":true`, files), update(d, "completed"))
	for fetched, want := range map[string]string{
		files: "",
		strings.Replace(files, `{"n":1}`, `{"n":1.0}`, 1):                                 "",
		strings.Replace(files, "AAAA", "AAAAAAAA", 1):                                     "The first file or data part of “a” differs from the streamed one",
		strings.Replace(files, "/1", "/2", 1):                                             "The second file or data part of “a” differs from the streamed one",
		strings.Replace(files, `{"data":{"n":1}}`, `{"raw":"AAAA","mediaType":"a/b"}`, 1): "The third file or data part of “a” differs from the streamed one",
	} {
		s := play(on(d, a2a.OpStream), append(slices.Clip(steps), checked(d, aTask(d, "completed", `"artifacts":[{"artifactId":"a",`+fetched+`}]`))...)...)
		found := s.of("TASK-010")
		if len(found) > 1 || (len(found) == 1) != (want != "") || want != "" && !strings.HasPrefix(found[0].Message, want) {
			t.Errorf("%s: got findings %v, want %q", fetched, found, want)
		}
	}
}
