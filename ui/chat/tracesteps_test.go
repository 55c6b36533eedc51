package chat

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"parley/a2a"
	"parley/internal/panetest"
)

// traced returns metadata with a trace of these steps.
func traced(steps string) json.RawMessage {
	return json.RawMessage(`{"github.com/a2aproject/a2a-samples/extensions/traceability/v1/traceability":{"trace_id":"t","steps":[` + steps + `]}}`)
}

func TestDetailDrawsTheStepsOfTheAgent(t *testing.T) {
	conv := travel()
	m := conv.Tasks[0].Prompt
	m.Metadata = traced(`{"step_id":"1","call_type":"AGENT","step_action":{"agent_invocation":{"agent_name":"Planner"}},"start_time":"2026-11-20T14:00:00Z","end_time":"2026-11-20T14:00:02Z","total_tokens":321},
		{"step_id":"2","parent_step_id":"1","call_type":"TOOL","step_action":{"tool_invocation":{"tool_name":"search"}},"latency":120},
		{"step_id":"3","parent_step_id":"2","name":"deep","error":"no seats"},
		{"step_id":"4","parent_step_id":"1","name":"last"},
		{"step_id":"5","parent_step_id":"5","name":"itself"}`)
	m.Parts = append(m.Parts, a2a.DataPart(json.RawMessage(`{"trace_id":"t","steps":[{"step_id":"in a part"}]}`)))
	p := open(mono(), conv, 90, 80)
	p.Focus()
	press(p, "d")
	for _, want := range []string{
		"agent Planner  2 s - 321 tokens", "| tool search  latency 120", "| ` deep  no seats", "` last", "itself  its parents lead back to it", "in a part", `"steps": [`,
	} {
		if got := screen(p); !strings.Contains(got, want) {
			t.Errorf("got\n%s\nwant %q", got, want)
		}
	}
}

func TestHostileStepsAreDrawnInAnySize(t *testing.T) {
	evil, _ := json.Marshal("\x1b[2J\x1b]0;x\a語\u202e\n" + strings.Repeat("name ", 500))
	var steps []string
	for i := range 10_000 {
		steps = append(steps, fmt.Sprintf(`{"step_id":"%d","parent_step_id":"%d"}`, i, i-1))
	}
	steps[5] = fmt.Sprintf(`{"step_id":"5","parent_step_id":"4","call_type":%s,"name":%s,"error":%s,"latency":%s,"cost":%s,"total_tokens":%s}`, evil, evil, evil, evil, evil, evil)
	conv := travel()
	conv.Tasks[0].Prompt.Metadata = traced(strings.Join(steps, ","))
	p := open(mono(), conv, 90, 300)
	p.Focus()
	press(p, "d")
	if got := screen(p); !strings.Contains(got, "9,800 more steps in the wire pane") {
		t.Errorf("got no limit:\n%s", got)
	}
	for _, size := range [][2]int{{90, 300}, {40, 60}, {12, 20}, {1, 5}} {
		p.SetSize(size[0], size[1])
		panetest.Exact(t, p.Lines(), size[0], size[1])
		panetest.Sanitized(t, p.Lines())
	}
}
