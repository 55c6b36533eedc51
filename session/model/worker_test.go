package model

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestTheWorkerOfATaskIsReadFromItsMetadata(t *testing.T) {
	for metadata, want := range map[string]Worker{
		`{"agent_name":"OrderProcessor","workflow_name":"OrderWorkflow"}`: {"OrderProcessor", "OrderWorkflow"},
		`{"agentName":"A","workflowName":"W"}`:                            {"A", "W"},
		`{"agent_name":"A","agentName":"B"}`:                              {Agent: "A"},
		`{"agent_name":7,"workflow_name":null}`:                           {},
		`{"agent_name":`:                                                  {},
		`["agent_name"]`:                                                  {},
		`null`:                                                            {},
		``:                                                                {},
		`{"name":"nobody"}`:                                               {},
		`{"agent_name":"` + strings.Repeat("x", maxWorker) + `"}`: {},
	} {
		if got := workerOf(json.RawMessage(metadata)); got != want {
			t.Errorf("%.60s: got %+v, want %+v", metadata, got, want)
		}
	}
}

// Metadata without a worker changes nothing.
func TestTheWorkerOfATaskStays(t *testing.T) {
	var task Task
	task.works(json.RawMessage(`{"agent_name":"A"}`))
	task.works(json.RawMessage(`{"trace":"1"}`))
	if task.Worker.Agent != "A" {
		t.Errorf("got worker %+v, want A", task.Worker)
	}
}
