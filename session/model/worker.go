package model

import (
	"bytes"
	"encoding/json"

	"parley/a2a/jsontok"
	"parley/session/problem"
)

// A Worker names who works on a task if that is not the agent alone. Gateways that delegate
// tasks, such as Solace Agent Mesh, name it in metadata as agent_name and workflow_name.
type Worker struct{ Agent, Workflow string }

// maxWorker is how much metadata is searched for a worker, in bytes.
const maxWorker = 64 << 10

// workerOf returns the worker that metadata names, the zero value if it names none.
func workerOf(metadata json.RawMessage) (w Worker) {
	if len(metadata) > maxWorker || !bytes.Contains(metadata, []byte("_name")) && !bytes.Contains(metadata, []byte("Name")) {
		return w
	}
	var doc jsontok.Doc
	if doc.Parse(metadata) != nil {
		return w
	}
	name := func(snake, camel string) string {
		n := doc.Root().Get(snake)
		if !n.IsText() {
			n = doc.Root().Get(camel)
		}
		if !n.IsText() {
			return ""
		}
		return problem.Clip(n.Text())
	}
	return Worker{Agent: name("agent_name", "agentName"), Workflow: name("workflow_name", "workflowName")}
}

// works notes the worker that metadata of a task names. Metadata without one changes nothing.
func (t *Task) works(metadata json.RawMessage) {
	if w := workerOf(metadata); w != (Worker{}) {
		t.Worker = w
	}
}
