package model

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// outline writes steps with their depth as indentation.
func outline(steps []TraceStep) string {
	var b strings.Builder
	for _, s := range steps {
		fmt.Fprintf(&b, "%s%s %s", strings.Repeat(" ", s.Depth), s.Kind, s.Name)
		if s.Timed {
			b.WriteString(" " + s.Took.String())
		}
		if s.Loop {
			b.WriteString(" loop")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// traced returns metadata with a trace of these steps.
func traced(steps string) json.RawMessage {
	return json.RawMessage(`{"github.com/a2aproject/a2a-samples/extensions/traceability/v1/traceability":{"trace_id":"t","steps":[` + steps + `]}}`)
}

func TestTheStepsOfAnAgentAreATree(t *testing.T) {
	for name, c := range map[string]struct{ data, want string }{
		"a tree": {
			string(traced(`{"step_id":"2","parent_step_id":"1","call_type":"TOOL","step_action":{"tool_invocation":{"tool_name":"search"}},"start_time":"2026-11-20T14:00:00Z","end_time":"2026-11-20T14:00:01.5Z"},
				{"step_id":"1","call_type":"AGENT","step_action":{"agent_invocation":{"agent_name":"Planner","response_trace":{"trace_id":"u","steps":[{"stepId":"9","callType":"TOOL","stepAction":{"toolInvocation":{"toolName":"inner"}}}]}}}},
				{"step_id":"3","parent_step_id":"gone","call_type":"HOST"}`)),
			"agent Planner\n tool search 1.5s\n tool inner\nhost 3\n",
		},
		"a data part":  {`{"traceId":7,"steps":[{"stepId":1,"name":"n"}]}`, " n\n"},
		"a loop":       {string(traced(`{"step_id":"a","parent_step_id":"b"},{"step_id":"b","parent_step_id":"c"},{"step_id":"c","parent_step_id":"b"},{"step_id":"d","parent_step_id":"d"}`)), " d loop\n b loop\n  a\n  c\n"},
		"an id twice":  {string(traced(`{"step_id":"a"},{"step_id":"a"},{"step_id":"b","parent_step_id":"a"}`)), " a\n  b\n a\n"},
		"wrong types":  {string(traced(`{"step_id":[],"parent_step_id":{},"step_action":7,"start_time":1}`)), " \n"},
		"a wrong list": {`{"trace_id":"t","steps":{}}`, ""},
		"no trace":     {`{"steps":[1]}`, ""},
		"no JSON":      {`"steps`, ""},
	} {
		if got := outline(TraceSteps(json.RawMessage(c.data))); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

// Whatever the parents are, each step is listed once, and the depth of a tree costs nothing more.
func TestHostileStepsAreListedOnce(t *testing.T) {
	const n = 10_000
	for name, parent := range map[string]func(i int) int{
		"a chain": func(i int) int { return i - 1 }, "a loop": func(i int) int { return (i + 1) % n }, "flat": func(int) int { return n }, "a star": func(int) int { return 0 },
	} {
		var steps []string
		for i := range n {
			steps = append(steps, fmt.Sprintf(`{"step_id":"%d","parent_step_id":"%d"}`, i, parent(i)))
		}
		got, seen := TraceSteps(traced(strings.Join(steps, ","))), map[string]bool{}
		for _, s := range got {
			seen[s.Name] = true
			if len(s.Rails) > maxRails {
				t.Fatalf("%s: got %d rails, want at most %d", name, len(s.Rails), maxRails)
			}
		}
		if len(got) != n || len(seen) != n {
			t.Errorf("%s: got %d steps, %d different, want %d", name, len(got), len(seen), n)
		}
	}
	nested := `{"step_id":"x"}`
	for range 500 {
		nested = `{"step_id":"x","step_action":{"agent_invocation":{"response_trace":{"trace_id":"t","steps":[` + nested + `]}}}}`
	}
	if got := TraceSteps(traced(nested)); len(got) != maxNested {
		t.Errorf("got %d nested steps, want %d", len(got), maxNested)
	}
}

func FuzzTraceSteps(f *testing.F) {
	f.Add(`{"step_id":"a","parent_step_id":"b"},{"step_id":"b","parent_step_id":"a"}`)
	f.Add(`{"step_id":"1","step_action":{"agent_invocation":{"response_trace":{"trace_id":"t","steps":[{}]}}}}`)
	f.Fuzz(func(t *testing.T, steps string) {
		for _, s := range TraceSteps(traced(steps)) {
			if s.Depth < 0 || len(s.Rails) > maxRails {
				t.Fatalf("got %+v", s)
			}
		}
	})
}
